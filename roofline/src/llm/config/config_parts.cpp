// SPDX-License-Identifier: MIT
// Code shared by the readers of several architectures.
#include "config_parts.hpp"

#include <algorithm>

#include "quantization.hpp"

namespace roofline::llm {
namespace {

Precision stored_precision(const ConfigKeys& keys, Model& model) {
  if (!keys.has("dtype") && !keys.has("torch_dtype") && keys.has("quantization_config")) {
    model.notes.push_back(
        "torch_dtype is not stated: what quantization_config leaves is taken as bfloat16");
    return Precision::kBf16;
  }
  const char* key = keys.has("dtype") ? "dtype" : "torch_dtype";
  const std::string name = keys.text(key);
  if (name == "bfloat16") return Precision::kBf16;
  if (name == "float16") return Precision::kFp16;
  if (name == "float32") return Precision::kFp32;
  keys.fail(key, "must be bfloat16, float16 or float32, it is '" + name + "'");
}

std::string model_name(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return stem == "config" && file.has_parent_path() ? file.parent_path().filename().string() : stem;
}

bool same_kind(const LayerGroup& a, const LayerGroup& b) {
  return a.attention == b.attention && a.window == b.window && a.feed_forward == b.feed_forward &&
         a.norms == b.norms;
}

}  // namespace

bool flag_or(const ConfigKeys& keys, std::string_view key, bool default_value, Model& model) {
  if (const auto stated = keys.flag(key)) return *stated;
  model.notes.push_back(std::string(key) + " is not stated: " + (default_value ? "true" : "false") +
                        ", the default of " + model.architecture);
  return default_value;
}

std::int64_t size_or(const ConfigKeys& keys, std::string_view key, std::int64_t most,
                     std::int64_t default_value, Model& model) {
  if (const auto stated = keys.optional_size(key, most)) return *stated;
  model.notes.push_back(std::string(key) + " is not stated: " + std::to_string(default_value) +
                        ", the default of " + model.architecture);
  return default_value;
}

Model start_model(const ConfigKeys& keys, bool tied_by_default) {
  Model model;
  model.name = model_name(keys.file());
  model.architecture = keys.text("model_type");
  model.hidden = keys.size("hidden_size", kMaxWidth);
  model.vocabulary = model.architecture == "gemma3_text"
                         ? size_or(keys, "vocab_size", kMaxVocabulary, 262208, model)
                         : keys.size("vocab_size", kMaxVocabulary);
  model.max_positions = model.architecture == "gemma3_text" || model.architecture == "falcon"
                            ? size_or(keys, "max_position_embeddings", kMaxPositions,
                                      model.architecture == "falcon" ? 2048 : 131072, model)
                            : keys.size("max_position_embeddings", kMaxPositions);
  model.tied_embeddings = flag_or(keys, "tie_word_embeddings", tied_by_default, model);
  model.stored_as = stored_precision(keys, model);
  read_quantization(keys, model);
  return model;
}

GroupedAttention read_heads(const ConfigKeys& keys, Model& model, KvHeads kv_rule,
                            HeadDim dim_rule) {
  GroupedAttention attention;
  attention.query_heads = keys.size("num_attention_heads", kMaxHeads);
  if (kv_rule == KvHeads::kAsQueryHeads && !keys.has("num_key_value_heads")) {
    attention.kv_heads = attention.query_heads;
    model.notes.push_back("num_key_value_heads is not stated: num_attention_heads = " +
                          std::to_string(attention.kv_heads) + ", the rule of " +
                          model.architecture);
  } else {
    attention.kv_heads = keys.size("num_key_value_heads", kMaxHeads);
  }
  if (attention.query_heads % attention.kv_heads != 0) {
    keys.fail("num_key_value_heads", "must divide num_attention_heads; " +
                                         std::to_string(attention.kv_heads) + " does not divide " +
                                         std::to_string(attention.query_heads));
  }
  if (dim_rule == HeadDim::kHiddenOverHeads && !keys.has("head_dim")) {
    if (model.hidden % attention.query_heads != 0) {
      keys.fail("head_dim", "is missing, and hidden_size is not a multiple of num_attention_heads");
    }
    attention.head_dim = model.hidden / attention.query_heads;
    model.notes.push_back("head_dim is not stated: hidden_size / num_attention_heads = " +
                          std::to_string(attention.head_dim) + ", the rule of " +
                          model.architecture);
  } else {
    attention.head_dim = keys.size("head_dim", kMaxHeadDim);
  }
  return attention;
}

void add_layers(const ConfigKeys& keys, Model& model,
                const std::function<LayerGroup(std::int64_t)>& make) {
  const std::int64_t count = keys.size("num_hidden_layers", kMaxLayers);
  for (std::int64_t i = 0; i < count; ++i) {
    LayerGroup layer = make(i);
    auto found = std::find_if(model.layers.begin(), model.layers.end(),
                              [&](const LayerGroup& group) { return same_kind(group, layer); });
    if (found == model.layers.end()) found = model.layers.insert(model.layers.end(), layer);
    ++found->count;
  }
}

void add_sliding_layers(const ConfigKeys& keys, Model& model, const LayerGroup& layer,
                        std::int64_t window, const std::vector<bool>& sliding) {
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup one = layer;
    if (sliding[static_cast<std::size_t>(i)]) one.window = window;
    return one;
  });
}

void read_attention_bias(const ConfigKeys& keys, Model& model, bool default_value,
                         GroupedAttention& attention) {
  attention.input_bias = flag_or(keys, "attention_bias", default_value, model);
  attention.output_bias = attention.input_bias;
}

DenseFeedForward read_dense(const ConfigKeys& keys) {
  return {.width = keys.size("intermediate_size", kMaxWidth), .bias = false};
}

void refuse_experts(const ConfigKeys& keys) {
  for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    if (keys.has(key)) keys.fail(key, "does not belong to a dense model such as model_type says");
  }
}

std::int64_t experts_per_token(const ConfigKeys& keys, std::int64_t experts) {
  return keys.size("num_experts_per_tok", experts);
}

ExpertFeedForward read_routed(const ConfigKeys& keys, std::string_view count,
                              std::string_view width) {
  ExpertFeedForward experts;
  experts.experts = keys.size(count, kMaxExperts);
  experts.experts_per_token = experts_per_token(keys, experts.experts);
  experts.width = keys.size(width, kMaxWidth);
  return experts;
}

bool listed(const std::vector<std::int64_t>& layers, std::int64_t layer) {
  return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

std::vector<bool> layers_of_type(const ConfigKeys& keys, const std::string& chosen,
                                 const std::string& other,
                                 const std::function<bool(std::int64_t)>& rule) {
  const std::int64_t count = keys.size("num_hidden_layers", kMaxLayers);
  std::vector<bool> result;
  if (!keys.has("layer_types")) {
    for (std::int64_t i = 0; i < count; ++i) result.push_back(rule(i));
    return result;
  }
  for (const std::string& type : keys.texts("layer_types")) {
    if (type != chosen && type != other) {
      keys.fail("layer_types", "must hold " + chosen + " and " + other + ", not '" + type + "'");
    }
    result.push_back(type == chosen);
  }
  if (static_cast<std::int64_t>(result.size()) != count) {
    keys.fail("layer_types",
              "must have num_hidden_layers entries, it has " + std::to_string(result.size()));
  }
  return result;
}

std::vector<bool> sliding_layers(const ConfigKeys& keys,
                                 const std::function<bool(std::int64_t)>& rule) {
  return layers_of_type(keys, "sliding_attention", "full_attention", rule);
}

std::optional<std::int64_t> read_window(const ConfigKeys& keys) {
  return keys.optional_size("sliding_window", kMaxPositions);
}

std::function<std::optional<std::int64_t>(std::int64_t)> qwen_window(const ConfigKeys& keys) {
  const bool used = keys.flag("use_sliding_window").value_or(false);
  const std::int64_t first =
      used && !keys.has("layer_types")
          ? keys.size("max_window_layers", kMaxLayers, 0)
          : keys.optional_size("max_window_layers", kMaxLayers, 0).value_or(0);
  const std::vector<bool> sliding =
      sliding_layers(keys, [used, first](std::int64_t i) { return used && i >= first; });
  const bool any = std::find(sliding.begin(), sliding.end(), true) != sliding.end();
  const std::optional<std::int64_t> window =
      any ? std::optional(keys.size("sliding_window", kMaxPositions)) : read_window(keys);
  return [window, sliding](std::int64_t i) {
    return sliding[static_cast<std::size_t>(i)] ? window : std::nullopt;
  };
}

void add_qwen_layers(const ConfigKeys& keys, Model& model, const GroupedAttention& attention,
                     const ExpertFeedForward& experts,
                     const std::vector<std::int64_t>& dense_layers) {
  const std::int64_t step = keys.size("decoder_sparse_step", kMaxLayers);
  const auto window = qwen_window(keys);
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = window(i), .feed_forward = experts};
    if (listed(dense_layers, i) || (i + 1) % step != 0) layer.feed_forward = read_dense(keys);
    return layer;
  });
}

GroupedAttention read_qwen3_attention(const ConfigKeys& keys, Model& model) {
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  read_attention_bias(keys, model, false, attention);
  attention.qk_norm = true;
  return attention;
}

LatentAttention read_latent(const ConfigKeys& keys, Model& model) {
  LatentAttention attention;
  attention.heads = keys.size("num_attention_heads", kMaxHeads);
  if (!keys.names("q_lora_rank")) {
    keys.fail("q_lora_rank", "is missing; write null for queries that are projected directly");
  }
  attention.query_rank = keys.optional_size("q_lora_rank", kMaxWidth).value_or(0);
  attention.kv_rank = keys.size("kv_lora_rank", kMaxWidth);
  attention.nope_dim = keys.size("qk_nope_head_dim", kMaxHeadDim);
  attention.rope_dim = keys.size("qk_rope_head_dim", kMaxHeadDim);
  attention.value_dim = keys.size("v_head_dim", kMaxHeadDim);
  attention.bias = flag_or(keys, "attention_bias", false, model);
  // A leftover key: a latent has no key-value heads of its own.
  const auto kv_heads = keys.optional_size("num_key_value_heads", kMaxHeads);
  if (kv_heads && *kv_heads != attention.heads) {
    keys.fail("num_key_value_heads", "must be num_attention_heads where a latent is cached");
  }
  return attention;
}

ExpertFeedForward read_deepseek_experts(const ConfigKeys& keys) {
  ExpertFeedForward experts = read_routed(keys, "n_routed_experts");
  experts.shared_width =
      experts.width * keys.optional_size("n_shared_experts", kMaxExperts, 0).value_or(0);
  // Each score is corrected by a learned number, unless an older selection method is named.
  experts.router_bias = !keys.has("topk_method") || keys.text("topk_method") == "noaux_tc";
  return experts;
}

void add_deepseek_layers(const ConfigKeys& keys, Model& model, const LatentAttention& attention) {
  const ExpertFeedForward experts = read_deepseek_experts(keys);
  const std::int64_t dense_layers = keys.size("first_k_dense_replace", kMaxLayers, 0);
  const std::int64_t step = keys.optional_size("moe_layer_freq", kMaxLayers).value_or(1);
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = experts};
    if (i < dense_layers || i % step != 0) layer.feed_forward = read_dense(keys);
    return layer;
  });
  note_later_tokens(keys, model);
}

void note_later_tokens(const ConfigKeys& keys, Model& model) {
  model.later_tokens = keys.optional_size("num_nextn_predict_layers", kMaxLayers, 0).value_or(0);
  if (model.later_tokens == 0) return;
  model.notes.push_back(
      "num_nextn_predict_layers: the layers that predict further tokens are left out of all "
      "counts; --draft mtp drafts with them");
}

}  // namespace roofline::llm
