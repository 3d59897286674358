// SPDX-License-Identifier: MIT
// Readers for models from 2024 to 2026: mixed windows, sparse and linear attention, many experts.
//
// Sources: the classes of these architectures in Hugging Face transformers (configuration_*.py and
// modeling_*.py), from which the defaults and the shapes of the weights come.
#include "config_parts.hpp"

namespace roofline::llm {
// Five layers with a window for each without; norms of queries and keys; four norms per layer.
// Saved files omit values that equal the default of the class.
Model read_gemma3(const ConfigKeys& keys) {
  constexpr std::int64_t kNorms = 4;
  Model model = start_model(keys, true);
  refuse_experts(keys);
  GroupedAttention attention;
  attention.query_heads = size_or(keys, "num_attention_heads", kMaxHeads, 8, model);
  attention.kv_heads = size_or(keys, "num_key_value_heads", kMaxHeads, 4, model);
  attention.head_dim = size_or(keys, "head_dim", kMaxHeadDim, 256, model);
  if (attention.query_heads % attention.kv_heads != 0) {
    keys.fail("num_key_value_heads", "must divide num_attention_heads");
  }
  read_attention_bias(keys, model, false, attention);
  attention.qk_norm = true;
  const DenseFeedForward feed_forward = read_dense(keys);
  const std::int64_t window = size_or(keys, "sliding_window", kMaxPositions, 4096, model);
  const std::int64_t pattern = keys.optional_size("sliding_window_pattern", kMaxLayers).value_or(6);
  const std::vector<bool> sliding =
      sliding_layers(keys, [pattern](std::int64_t i) { return (i + 1) % pattern != 0; });
  LayerGroup layer{.attention = attention, .window = {}, .feed_forward = feed_forward};
  layer.norms = kNorms;
  add_sliding_layers(keys, model, layer, window, sliding);
  return model;
}

// A shared expert and one routed one; every fourth layer, without positions, attends to all tokens,
// the others within chunks of attention_chunk_size. intermediate_size is that of an expert.
Model read_llama4(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  read_attention_bias(keys, model, false, attention);
  ExpertFeedForward experts = read_routed(keys, "num_local_experts", "intermediate_size");
  experts.shared_width = experts.width;
  const DenseFeedForward dense{.width = keys.size("intermediate_size_mlp", kMaxWidth)};
  const std::int64_t step = keys.size("interleave_moe_layer_step", kMaxLayers);
  const std::vector<std::int64_t> moe_layers = keys.optional_sizes("moe_layers", kMaxLayers);
  const auto chunk = keys.optional_size("attention_chunk_size", kMaxPositions);
  // 1 for each layer with positions.
  const std::vector<std::int64_t> positions = keys.optional_sizes("no_rope_layers", 1);
  const std::vector<bool> chunked =
      layers_of_type(keys, "chunked_attention", "full_attention", [&](std::int64_t i) {
        if (positions.empty()) return (i + 1) % 4 != 0;
        return i < static_cast<std::int64_t>(positions.size()) &&
               positions[static_cast<std::size_t>(i)] == 1;
      });
  if (chunk) {
    model.notes.push_back("attention_chunk_size is counted as a window: the most that it can cost");
  }
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = dense};
    const bool routed = moe_layers.empty() ? (i + 1) % step == 0 : listed(moe_layers, i);
    if (routed) layer.feed_forward = experts;
    if (chunk && chunked[static_cast<std::size_t>(i)]) layer.window = chunk;
    return layer;
  });
  return model;
}

Model read_glm4_moe(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  attention.input_bias = flag_or(keys, "attention_bias", false, model);  // not for the output
  attention.qk_norm = flag_or(keys, "use_qk_norm", false, model);
  const ExpertFeedForward experts = read_deepseek_experts(keys);
  const std::int64_t dense_layers = keys.size("first_k_dense_replace", kMaxLayers, 0);
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = experts};
    if (i < dense_layers) layer.feed_forward = read_dense(keys);
    return layer;
  });
  note_later_tokens(keys, model);
  return model;
}

Model read_qwen2_moe(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kHiddenOverHeads);
  attention.input_bias = true;  // fixed, as in qwen2
  ExpertFeedForward experts = read_routed(keys, "num_experts");
  experts.shared_width = keys.size("shared_expert_intermediate_size", kMaxWidth);
  experts.shared_gate = true;
  add_qwen_layers(keys, model, attention, experts,
                  keys.optional_sizes("mlp_only_layers", kMaxLayers));
  return model;
}

// Three layers of the gated delta rule for each layer of attention, whose output has a gate.
Model read_qwen3_next(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  GroupedAttention full = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  read_attention_bias(keys, model, false, full);
  full.qk_norm = true;
  full.output_gate = true;
  LinearAttention linear;
  linear.heads = keys.size("linear_num_value_heads", kMaxHeads);
  linear.key_heads = keys.size("linear_num_key_heads", kMaxHeads);
  linear.key_dim = keys.size("linear_key_head_dim", kMaxHeadDim);
  linear.value_dim = keys.size("linear_value_head_dim", kMaxHeadDim);
  linear.convolution = keys.size("linear_conv_kernel_dim", kMaxHeadDim);
  linear.scalars = 2;       // decay and strength of the correction
  linear.head_vectors = 2;  // A_log and dt_bias
  linear.output_norm = linear.value_dim;
  ExpertFeedForward experts = read_routed(keys, "num_experts");
  experts.shared_width = keys.size("shared_expert_intermediate_size", kMaxWidth);
  experts.shared_gate = true;
  const std::int64_t step = keys.size("decoder_sparse_step", kMaxLayers);
  const std::vector<std::int64_t> dense_layers = keys.optional_sizes("mlp_only_layers", kMaxLayers);
  const std::int64_t interval = size_or(keys, "full_attention_interval", kMaxLayers, 4, model);
  const std::vector<bool> is_linear =
      layers_of_type(keys, "linear_attention", "full_attention",
                     [interval](std::int64_t i) { return (i + 1) % interval != 0; });
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = full, .window = {}, .feed_forward = experts};
    if (is_linear[static_cast<std::size_t>(i)]) layer.attention = linear;
    if (listed(dense_layers, i) || (i + 1) % step != 0) layer.feed_forward = read_dense(keys);
    return layer;
  });
  return model;
}

// Mamba-2 layers with a few attention layers; each followed by experts and a dense feed-forward for
// all tokens.
Model read_granite_hybrid(const ConfigKeys& keys) {
  Model model = start_model(keys, true);
  GroupedAttention full = read_heads(keys, model, KvHeads::kStated, HeadDim::kHiddenOverHeads);
  read_attention_bias(keys, model, false, full);
  LinearAttention mamba;
  mamba.heads = keys.size("mamba_n_heads", kMaxHeads);
  mamba.key_heads = keys.size("mamba_n_groups", kMaxHeads);
  mamba.key_dim = keys.size("mamba_d_state", kMaxHeadDim);
  mamba.value_dim = keys.size("mamba_d_head", kMaxHeadDim);
  mamba.convolution = keys.size("mamba_d_conv", kMaxHeadDim);
  mamba.convolution_bias = keys.flag("mamba_conv_bias").value_or(true);
  mamba.scalars = 1;       // the time step
  mamba.head_vectors = 3;  // A_log, D and dt_bias
  mamba.output_norm = mamba.value_width();
  const std::int64_t expand = keys.size("mamba_expand", kMaxHeadDim);
  if (mamba.value_width() != expand * model.hidden) {
    keys.fail("mamba_expand", "times hidden_size must be mamba_n_heads times mamba_d_head");
  }
  if (keys.flag("mamba_proj_bias").value_or(false)) {
    keys.fail("mamba_proj_bias", "is true, which is not modelled");
  }
  const std::int64_t shared = keys.size("shared_intermediate_size", kMaxWidth);
  FeedForward feed_forward = DenseFeedForward{.width = shared};
  if (keys.optional_size("num_local_experts", kMaxExperts, 0).value_or(0) > 0) {
    ExpertFeedForward experts;
    experts.experts = keys.size("num_local_experts", kMaxExperts);
    experts.experts_per_token = experts_per_token(keys, experts.experts);
    experts.width = keys.size("intermediate_size", kMaxWidth);
    experts.shared_width = shared;
    feed_forward = experts;
  }
  if (!keys.has("layer_types")) keys.fail("layer_types", "is missing and cannot be derived");
  const std::vector<bool> is_mamba =
      layers_of_type(keys, "mamba", "attention", [](std::int64_t) { return true; });
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = full, .window = {}, .feed_forward = feed_forward};
    if (is_mamba[static_cast<std::size_t>(i)]) layer.attention = mamba;
    return layer;
  });
  return model;
}

// DeepSeek-V3 with an indexer that chooses which tokens attention reads.
Model read_deepseek_v32(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  LatentAttention attention = read_latent(keys, model);
  attention.index_heads = keys.size("index_n_heads", kMaxHeads);
  attention.index_dim = keys.size("index_head_dim", kMaxHeadDim);
  attention.index_tokens = keys.size("index_topk", kMaxPositions);
  add_deepseek_layers(keys, model, attention);
  return model;
}

// LayerNorms with a bias, a feed-forward without a gate, four times as wide as the model. The first
// decoder shares one key-value head and has one norm per layer, the new one has groups and two
// norms.
Model read_falcon(const ConfigKeys& keys) {
  Model model = start_model(keys, true);
  refuse_experts(keys);
  model.norm_bias = true;
  GroupedAttention attention;
  attention.query_heads = keys.size("num_attention_heads", kMaxHeads);
  const bool groups = flag_or(keys, "new_decoder_architecture", false, model);
  const bool shared = flag_or(keys, "multi_query", true, model);
  attention.kv_heads = groups   ? keys.size("num_kv_heads", kMaxHeads)
                       : shared ? 1
                                : attention.query_heads;
  if (model.hidden % attention.query_heads != 0) {
    keys.fail("hidden_size", "must be a multiple of num_attention_heads");
  }
  attention.head_dim = model.hidden / attention.query_heads;
  attention.input_bias = attention.output_bias = flag_or(keys, "bias", false, model);
  const bool parallel = flag_or(keys, "parallel_attn", true, model);
  if (flag_or(keys, "alibi", false, model)) {
    model.notes.push_back("alibi: the positions are added to the scores, which costs no traffic");
  }
  const std::int64_t width =
      keys.optional_size("ffn_hidden_size", kMaxWidth).value_or(4 * model.hidden);
  const std::int64_t norms =
      keys.optional_size("num_ln_in_parallel_attn", 2).value_or(groups || !parallel ? 2 : 1);
  const DenseFeedForward feed_forward{.width = width, .bias = attention.input_bias, .gated = false};
  add_layers(keys, model, [&](std::int64_t) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = feed_forward};
    layer.norms = norms;
    return layer;
  });
  return model;
}

}  // namespace roofline::llm
