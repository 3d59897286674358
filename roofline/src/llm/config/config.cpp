// SPDX-License-Identifier: MIT
// One reader per architecture: which keys it states, and what follows from them.
#include "roofline/llm/config.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "config_keys.hpp"
#include "config_parts.hpp"

namespace roofline::llm {
namespace {

Model read_llama(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  GroupedAttention attention =
      read_heads(keys, model, KvHeads::kAsQueryHeads, HeadDim::kHiddenOverHeads);
  read_attention_bias(keys, model, false, attention);
  DenseFeedForward feed_forward = read_dense(keys);
  feed_forward.bias = keys.flag("mlp_bias").value_or(false);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = {}, .feed_forward = feed_forward};
  });
  return model;
}

// The class default of sliding_window is 4096, yet later models have no window, so the key must be
// present, even if null.
Model read_mistral(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  if (!keys.names("sliding_window")) {
    keys.fail("sliding_window", "is missing; write null for a model without a window");
  }
  const GroupedAttention attention =
      read_heads(keys, model, KvHeads::kStated, HeadDim::kHiddenOverHeads);
  const DenseFeedForward feed_forward = read_dense(keys);
  const auto window = read_window(keys);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = window, .feed_forward = feed_forward};
  });
  return model;
}

Model read_mixtral(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  const GroupedAttention attention =
      read_heads(keys, model, KvHeads::kStated, HeadDim::kHiddenOverHeads);
  const ExpertFeedForward experts = read_routed(keys, "num_local_experts", "intermediate_size");
  const auto window = read_window(keys);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = window, .feed_forward = experts};
  });
  return model;
}

Model read_qwen2(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kHiddenOverHeads);
  attention.input_bias = true;  // fixed in this architecture; the output projection has none
  const DenseFeedForward feed_forward = read_dense(keys);
  const auto window = qwen_window(keys);
  add_layers(keys, model, [&](std::int64_t i) {
    return LayerGroup{.attention = attention, .window = window(i), .feed_forward = feed_forward};
  });
  return model;
}

Model read_qwen3(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  const GroupedAttention attention = read_qwen3_attention(keys, model);
  const DenseFeedForward feed_forward = read_dense(keys);
  const auto window = qwen_window(keys);
  add_layers(keys, model, [&](std::int64_t i) {
    return LayerGroup{.attention = attention, .window = window(i), .feed_forward = feed_forward};
  });
  return model;
}

Model read_qwen3_moe(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  const GroupedAttention attention = read_qwen3_attention(keys, model);
  const ExpertFeedForward experts = read_routed(keys, "num_experts");
  add_qwen_layers(keys, model, attention, experts, keys.sizes("mlp_only_layers", kMaxLayers));
  return model;
}

Model read_gemma2(const ConfigKeys& keys) {
  constexpr std::int64_t kNorms = 4;  // before and after the attention and the feed-forward
  Model model = start_model(keys, true);
  refuse_experts(keys);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  read_attention_bias(keys, model, false, attention);
  const DenseFeedForward feed_forward = read_dense(keys);
  const std::int64_t window = keys.size("sliding_window", kMaxPositions);
  const std::vector<bool> sliding = sliding_layers(keys, [](std::int64_t i) { return i % 2 == 0; });
  LayerGroup layer{.attention = attention, .window = {}, .feed_forward = feed_forward};
  layer.norms = kNorms;
  add_sliding_layers(keys, model, layer, window, sliding);
  return model;
}

Model read_phi3(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  const GroupedAttention attention =
      read_heads(keys, model, KvHeads::kAsQueryHeads, HeadDim::kHiddenOverHeads);
  const DenseFeedForward feed_forward = read_dense(keys);
  const auto window = read_window(keys);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = window, .feed_forward = feed_forward};
  });
  return model;
}

Model read_gpt_oss(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  read_attention_bias(keys, model, true, attention);
  attention.sinks = true;
  ExpertFeedForward experts = read_routed(keys, "num_local_experts", "intermediate_size");
  experts.expert_bias = true;
  experts.router_bias = true;
  const std::int64_t window = keys.size("sliding_window", kMaxPositions);
  const std::vector<bool> sliding = sliding_layers(keys, [](std::int64_t i) { return i % 2 == 0; });
  const LayerGroup layer{.attention = attention, .window = {}, .feed_forward = experts};
  add_sliding_layers(keys, model, layer, window, sliding);
  return model;
}

Model read_deepseek_v3(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  const LatentAttention attention = read_latent(keys, model);
  add_deepseek_layers(keys, model, attention);
  return model;
}

struct Architecture {
  const char* name;
  Model (*read)(const ConfigKeys&);
};

constexpr std::array kArchitectures = {
    Architecture{"deepseek_v3", read_deepseek_v3},
    Architecture{"deepseek_v32", read_deepseek_v32},
    Architecture{"falcon", read_falcon},
    Architecture{"gemma2", read_gemma2},
    Architecture{"gemma3_text", read_gemma3},
    Architecture{"glm4_moe", read_glm4_moe},
    Architecture{"gpt_oss", read_gpt_oss},
    Architecture{"granitemoehybrid", read_granite_hybrid},
    Architecture{"kimi_k2", read_deepseek_v3},  // the same classes under its own name
    Architecture{"llama", read_llama},
    Architecture{"llama4_text", read_llama4},
    Architecture{"mistral", read_mistral},
    Architecture{"mixtral", read_mixtral},
    Architecture{"phi3", read_phi3},
    Architecture{"qwen2", read_qwen2},
    Architecture{"qwen2_moe", read_qwen2_moe},
    Architecture{"qwen3", read_qwen3},
    Architecture{"qwen3_moe", read_qwen3_moe},
    Architecture{"qwen3_next", read_qwen3_next},
};

/// The text parts of wrappers that have their own name but are one of the above.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTextNames = {{
    {"glm4v_moe_text", "glm4_moe"},
    {"qwen2_5_vl_text", "qwen2"},
    {"qwen2_vl_text", "qwen2"},
    {"qwen3_vl_moe_text", "qwen3_moe"},
    {"qwen3_vl_text", "qwen3"},
}};

/// Why known architectures are not modelled, for the message that refuses them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kNotModelled = {{
    {"bert", "an encoder, which generates no tokens"},
    {"falcon_h1", "attention and a state space side by side in each layer"},
    {"gemma3n", "embeddings per layer and nested widths"},
    {"jamba", "Mamba-1 layers between attention and experts"},
    {"kimi_linear",
     "gated delta rule with a gate for each channel in addition to latent attention"},
    {"mamba", "a state space without any attention"},
    {"minimax", "lightning attention in seven of eight layers"},
    {"nemotron_h", "layers of Mamba-2, attention or feed-forward alone"},
    {"rwkv", "a recurrent state without any attention"},
    {"t5", "an encoder and a decoder"},
}};

void check_head(const ConfigKeys& keys, bool wrapped) {
  if (!keys.has("architectures")) return;
  const std::vector<std::string> classes = keys.texts("architectures");
  const bool causal = std::any_of(classes.begin(), classes.end(), [&](const std::string& name) {
    return name.ends_with("ForCausalLM") || (wrapped && name.ends_with("ForConditionalGeneration"));
  });
  if (!causal) {
    keys.fail("architectures", "must name a ...ForCausalLM class, it names " +
                                   base::joined(classes) + ": other heads are not modelled");
  }
}

[[noreturn]] void refuse(const ConfigKeys& keys, const std::string& type) {
  std::string known;
  for (const auto& [name, what] : kNotModelled) {
    if (type == name) known = ": it has " + std::string(what);
    if (type == name && (name == "bert" || name == "t5" || name == "mamba" || name == "rwkv")) {
      known = ": it is " + std::string(what);
    }
  }
  keys.fail("model_type", "'" + type + "' is not an architecture that is modelled here" + known +
                              " (modelled are " + base::joined(supported_architectures()) + ")");
}

const Architecture* find_architecture(std::string type) {
  for (const auto& [name, means] : kTextNames) {
    if (type == name) type = means;
  }
  for (const Architecture& architecture : kArchitectures) {
    if (type == architecture.name) return &architecture;
  }
  return nullptr;
}

/// Words in keys that affect parameters, FLOPs or traffic.
constexpr std::array kCostWords = {"layer", "expert", "window",    "head",  "hidden", "size",
                                   "rank",  "sparse", "chunk",     "mlp",   "ffn",    "state",
                                   "conv",  "mamba",  "index",     "nextn", "mtp",    "inner",
                                   "topk",  "attn",   "attention", "ssm",   "block",  "share"};

/// Keys with such a word that change no count: how numbers are scaled, initialised or chosen.
constexpr std::array kHarmlessKeys = {
    "attention_dropout",
    "attn_pdrop",
    "attention_multiplier",
    "hidden_act",
    "hidden_activation",
    "hidden_dropout",
    "hidden_dropout_prob",
    "resid_pdrop",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "rms_norm_eps",
    "norm_topk_prob",
    "topk_group",
    "topk_method",
    "attn_logit_softcapping",
    "query_pre_attn_scalar",
    "output_attentions",
    "output_hidden_states",
    "attn_implementation",
    "_attn_implementation",
    "attn_temperature_tuning",
    "attn_scale",
    "floor_scale",
    "chunk_size_feed_forward",
    "mamba_chunk_size",
    "ep_size",
    "no_rope_layer_interval",
    "use_qk_norm",        // in llama4, a norm without weights
    "experts_per_token",  // gpt_oss states num_experts_per_tok twice
    "intermediate_size",  // stated but not used if every layer has experts
};

/// Refuses a key that may affect the cost, is not switched off and was not read: the model might
/// differ from the one that was counted.
void refuse_unread(const ConfigKeys& keys) {
  for (const std::string& key : keys.unread()) {
    const bool costs = std::any_of(kCostWords.begin(), kCostWords.end(), [&](const char* word) {
      return key.find(word) != std::string::npos;
    });
    const bool harmless =
        std::find(kHarmlessKeys.begin(), kHarmlessKeys.end(), key) != kHarmlessKeys.end();
    if (costs && !harmless && keys.switched_on(key)) {
      keys.fail(key,
                "may change what the model costs and is not understood for this model_type; remove "
                "it if it does not");
    }
  }
}

}  // namespace

std::vector<std::string> supported_architectures() {
  std::vector<std::string> names;
  for (const Architecture& architecture : kArchitectures) names.emplace_back(architecture.name);
  return names;
}

Model load_model(const std::filesystem::path& file) {
  const ConfigKeys keys(file);
  const std::string type = keys.text("model_type");
  if (const Architecture* architecture = find_architecture(type)) {
    check_head(keys, type.find("_vl") != std::string::npos);
    Model model = architecture->read(keys);
    refuse_unread(keys);
    return model;
  }
  // Multimodal wrappers keep the language model under one of these names.
  for (const char* name : {"text_config", "llm_config", "language_config"}) {
    if (!keys.has(name)) continue;
    check_head(keys, true);
    const ConfigKeys text = keys.inner(name);
    const std::string inner = text.text("model_type");
    const Architecture* architecture = find_architecture(inner);
    if (!architecture) refuse(text, inner);
    Model model = architecture->read(text);
    refuse_unread(text);
    model.notes.push_back("the text part of " + type + ": what reads images or sound is left out");
    return model;
  }
  refuse(keys, type);
}

std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw std::runtime_error("no folder of model files at " + folder.string());
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path resolve_model(std::string_view name_or_path,
                                    const std::filesystem::path& folder) {
  std::filesystem::path path(name_or_path);
  if (std::filesystem::is_regular_file(path)) return path;
  if (std::filesystem::is_regular_file(path / "config.json")) return path / "config.json";
  std::vector<std::string> ids;
  for (const std::filesystem::path& file : model_files(folder)) {
    if (file.stem() == path) return file;
    ids.push_back(file.stem().string());
  }
  throw std::runtime_error("no model '" + std::string(name_or_path) +
                           "': it is neither a file nor one of " + base::joined(ids));
}

}  // namespace roofline::llm
