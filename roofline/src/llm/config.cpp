// SPDX-License-Identifier: MIT
// One reader per architecture: which keys it states, and what follows from them.
#include "roofline/llm/config.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

#include "config_keys.hpp"

namespace roofline::llm {
namespace {

std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// A switch that saved files leave out when it has its default.
bool flag_or(const ConfigKeys& keys, std::string_view key, bool otherwise, Model& model) {
  if (const auto stated = keys.flag(key)) return *stated;
  model.notes.push_back(std::string(key) + " is not stated: " + (otherwise ? "true" : "false") +
                        ", the default of " + model.architecture);
  return otherwise;
}

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

Model start_model(const ConfigKeys& keys, bool tied_by_default) {
  Model model;
  model.name = model_name(keys.file());
  model.architecture = keys.text("model_type");
  model.hidden = keys.size("hidden_size", kMaxWidth);
  model.vocabulary = keys.size("vocab_size", kMaxVocabulary);
  model.max_positions = keys.size("max_position_embeddings", kMaxPositions);
  model.tied_embeddings = flag_or(keys, "tie_word_embeddings", tied_by_default, model);
  model.stored_as = stored_precision(keys, model);
  if (keys.has("quantization_config")) {
    model.notes.push_back(
        "quantization_config is present: the published weights are quantised; state their format");
  }
  return model;
}

/// Where the number of key-value heads comes from when the file does not state it.
enum class KvHeads { kStated, kAsQueryHeads };
/// Where the size of a head comes from when the file does not state it.
enum class HeadDim { kStated, kHiddenOverHeads };

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
      keys.fail("head_dim", "is missing, and hidden_size is no multiple of num_attention_heads");
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

bool same_kind(const LayerGroup& a, const LayerGroup& b) {
  return a.attention == b.attention && a.window == b.window && a.feed_forward == b.feed_forward &&
         a.norms == b.norms;
}

/// Collects layers that are alike; make(i) describes layer i.
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

/// Which layers attend to a window only, from layer_types or else from the architecture's rule.
std::vector<bool> sliding_layers(const ConfigKeys& keys,
                                 const std::function<bool(std::int64_t)>& rule) {
  const std::int64_t count = keys.size("num_hidden_layers", kMaxLayers);
  std::vector<bool> sliding;
  if (!keys.has("layer_types")) {
    for (std::int64_t i = 0; i < count; ++i) sliding.push_back(rule(i));
    return sliding;
  }
  for (const std::string& type : keys.texts("layer_types")) {
    if (type != "sliding_attention" && type != "full_attention") {
      keys.fail("layer_types",
                "must hold sliding_attention and full_attention, not '" + type + "'");
    }
    sliding.push_back(type == "sliding_attention");
  }
  if (static_cast<std::int64_t>(sliding.size()) != count) {
    keys.fail("layer_types",
              "must have num_hidden_layers entries, it has " + std::to_string(sliding.size()));
  }
  return sliding;
}

std::optional<std::int64_t> read_window(const ConfigKeys& keys) {
  return keys.optional_size("sliding_window", kMaxPositions);
}

Model read_llama(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  refuse_experts(keys);
  GroupedAttention attention =
      read_heads(keys, model, KvHeads::kAsQueryHeads, HeadDim::kHiddenOverHeads);
  attention.input_bias = flag_or(keys, "attention_bias", false, model);
  attention.output_bias = attention.input_bias;
  DenseFeedForward feed_forward = read_dense(keys);
  feed_forward.bias = keys.flag("mlp_bias").value_or(false);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = {}, .feed_forward = feed_forward};
  });
  return model;
}

// The class default of sliding_window is 4096, yet later models have none: so it must be stated,
// even if as null.
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
  ExpertFeedForward experts;
  experts.experts = keys.size("num_local_experts", kMaxExperts);
  experts.experts_per_token = experts_per_token(keys, experts.experts);
  experts.width = keys.size("intermediate_size", kMaxWidth);
  const auto window = read_window(keys);
  add_layers(keys, model, [&](std::int64_t) {
    return LayerGroup{.attention = attention, .window = window, .feed_forward = experts};
  });
  return model;
}

/// Qwen: off by default; when on, the layers from max_window_layers on have the window.
std::function<std::optional<std::int64_t>(std::int64_t)> qwen_window(const ConfigKeys& keys) {
  if (!keys.flag("use_sliding_window").value_or(false)) {
    return [](std::int64_t) { return std::nullopt; };
  }
  const std::int64_t window = keys.size("sliding_window", kMaxPositions);
  const std::int64_t first =
      keys.has("layer_types") ? 0 : keys.size("max_window_layers", kMaxLayers, 0);
  const std::vector<bool> sliding =
      sliding_layers(keys, [first](std::int64_t i) { return i >= first; });
  return [window, sliding](std::int64_t i) {
    return sliding[static_cast<std::size_t>(i)] ? std::optional(window) : std::nullopt;
  };
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

GroupedAttention read_qwen3_attention(const ConfigKeys& keys, Model& model) {
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  attention.input_bias = flag_or(keys, "attention_bias", false, model);
  attention.output_bias = attention.input_bias;
  attention.qk_norm = true;
  return attention;
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
  ExpertFeedForward experts;
  experts.experts = keys.size("num_experts", kMaxExperts);
  experts.experts_per_token = experts_per_token(keys, experts.experts);
  experts.width = keys.size("moe_intermediate_size", kMaxWidth);
  const std::int64_t step = keys.size("decoder_sparse_step", kMaxLayers);
  const std::vector<std::int64_t> dense_layers = keys.sizes("mlp_only_layers", kMaxLayers);
  const auto window = qwen_window(keys);
  add_layers(keys, model, [&](std::int64_t i) {
    const bool listed =
        std::find(dense_layers.begin(), dense_layers.end(), i) != dense_layers.end();
    LayerGroup layer{.attention = attention, .window = window(i), .feed_forward = experts};
    if (listed || (i + 1) % step != 0) layer.feed_forward = read_dense(keys);
    return layer;
  });
  return model;
}

Model read_gemma2(const ConfigKeys& keys) {
  constexpr std::int64_t kNorms = 4;  // before and after the attention and the feed-forward
  Model model = start_model(keys, true);
  refuse_experts(keys);
  GroupedAttention attention = read_heads(keys, model, KvHeads::kStated, HeadDim::kStated);
  attention.input_bias = flag_or(keys, "attention_bias", false, model);
  attention.output_bias = attention.input_bias;
  const DenseFeedForward feed_forward = read_dense(keys);
  const std::int64_t window = keys.size("sliding_window", kMaxPositions);
  const std::vector<bool> sliding = sliding_layers(keys, [](std::int64_t i) { return i % 2 == 0; });
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = feed_forward};
    layer.norms = kNorms;
    if (sliding[static_cast<std::size_t>(i)]) layer.window = window;
    return layer;
  });
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
  attention.input_bias = flag_or(keys, "attention_bias", true, model);
  attention.output_bias = attention.input_bias;
  attention.sinks = true;
  ExpertFeedForward experts;
  experts.experts = keys.size("num_local_experts", kMaxExperts);
  experts.experts_per_token = experts_per_token(keys, experts.experts);
  experts.width = keys.size("intermediate_size", kMaxWidth);
  experts.expert_bias = true;
  experts.router_bias = true;
  const std::int64_t window = keys.size("sliding_window", kMaxPositions);
  const std::vector<bool> sliding = sliding_layers(keys, [](std::int64_t i) { return i % 2 == 0; });
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = experts};
    if (sliding[static_cast<std::size_t>(i)]) layer.window = window;
    return layer;
  });
  return model;
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
  return attention;
}

ExpertFeedForward read_deepseek_experts(const ConfigKeys& keys) {
  ExpertFeedForward experts;
  experts.experts = keys.size("n_routed_experts", kMaxExperts);
  experts.experts_per_token = experts_per_token(keys, experts.experts);
  experts.width = keys.size("moe_intermediate_size", kMaxWidth);
  experts.shared_width =
      experts.width * keys.optional_size("n_shared_experts", kMaxExperts, 0).value_or(0);
  // Each score is corrected by a learned number, unless an older way of choosing is named.
  experts.router_bias = !keys.has("topk_method") || keys.text("topk_method") == "noaux_tc";
  return experts;
}

Model read_deepseek_v3(const ConfigKeys& keys) {
  Model model = start_model(keys, false);
  const LatentAttention attention = read_latent(keys, model);
  const ExpertFeedForward experts = read_deepseek_experts(keys);
  const std::int64_t dense_layers = keys.size("first_k_dense_replace", kMaxLayers, 0);
  const std::int64_t step = keys.optional_size("moe_layer_freq", kMaxLayers).value_or(1);
  add_layers(keys, model, [&](std::int64_t i) {
    LayerGroup layer{.attention = attention, .window = {}, .feed_forward = experts};
    if (i < dense_layers || i % step != 0) layer.feed_forward = read_dense(keys);
    return layer;
  });
  if (keys.optional_size("num_nextn_predict_layers", kMaxLayers, 0).value_or(0) > 0) {
    model.notes.push_back(
        "num_nextn_predict_layers: the layers that predict further tokens are "
        "left out of all counts");
  }
  return model;
}

struct Architecture {
  const char* name;
  Model (*read)(const ConfigKeys&);
};

constexpr std::array kArchitectures = {
    Architecture{"deepseek_v3", read_deepseek_v3},
    Architecture{"gemma2", read_gemma2},
    Architecture{"gpt_oss", read_gpt_oss},
    Architecture{"kimi_k2", read_deepseek_v3},  // the same classes under its own name
    Architecture{"llama", read_llama},
    Architecture{"mistral", read_mistral},
    Architecture{"mixtral", read_mixtral},
    Architecture{"phi3", read_phi3},
    Architecture{"qwen2", read_qwen2},
    Architecture{"qwen3", read_qwen3},
    Architecture{"qwen3_moe", read_qwen3_moe},
};

void check_head(const ConfigKeys& keys) {
  if (!keys.has("architectures")) return;
  const std::vector<std::string> classes = keys.texts("architectures");
  const bool causal = std::any_of(classes.begin(), classes.end(), [](const std::string& name) {
    return name.ends_with("ForCausalLM");
  });
  if (!causal) {
    keys.fail("architectures", "must name a ...ForCausalLM class, it names " +
                                   quoted_list(classes) + ": other heads are not modelled");
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
  for (const Architecture& architecture : kArchitectures) {
    if (type != architecture.name) continue;
    check_head(keys);
    return architecture.read(keys);
  }
  keys.fail("model_type", "'" + type + "' is not an architecture that is modelled here (" +
                              quoted_list(supported_architectures()) + ")");
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
                           "': it is neither a file nor one of " + quoted_list(ids));
}

}  // namespace roofline::llm
