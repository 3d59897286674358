// SPDX-License-Identifier: MIT
// Code shared by the readers of several architectures.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config_keys.hpp"
#include "roofline/llm/model.hpp"

namespace roofline::llm {

/// A switch that saved files omit if it has its default.
bool flag_or(const ConfigKeys& keys, std::string_view key, bool default_value, Model& model);

/// A size that saved files omit if it has the default of the architecture's class.
std::int64_t size_or(const ConfigKeys& keys, std::string_view key, std::int64_t most,
                     std::int64_t default_value, Model& model);

/// Name, widths and precision, which all architectures state in the same way.
Model start_model(const ConfigKeys& keys, bool tied_by_default);

/// Where the number of key-value heads comes from if the file does not state it.
enum class KvHeads { kStated, kAsQueryHeads };
/// Where the head size comes from if the file does not state it.
enum class HeadDim { kStated, kHiddenOverHeads };

GroupedAttention read_heads(const ConfigKeys& keys, Model& model, KvHeads kv_rule,
                            HeadDim dim_rule);

/// Groups identical layers; make(i) describes layer i.
void add_layers(const ConfigKeys& keys, Model& model,
                const std::function<LayerGroup(std::int64_t)>& make);

/// Layers like `layer`, where the sliding ones attend to a window.
void add_sliding_layers(const ConfigKeys& keys, Model& model, const LayerGroup& layer,
                        std::int64_t window, const std::vector<bool>& sliding);

/// attention_bias: for the projections before and after the attention.
void read_attention_bias(const ConfigKeys& keys, Model& model, bool default_value,
                         GroupedAttention& attention);

DenseFeedForward read_dense(const ConfigKeys& keys);
void refuse_experts(const ConfigKeys& keys);
std::int64_t experts_per_token(const ConfigKeys& keys, std::int64_t experts);

/// Experts whose number and width are under these keys.
ExpertFeedForward read_routed(const ConfigKeys& keys, std::string_view count,
                              std::string_view width = "moe_intermediate_size");

/// True when a layer is among those that a key names by index.
bool listed(const std::vector<std::int64_t>& layers, std::int64_t layer);

/// Which layers have the type `chosen`, from layer_types or otherwise from the architecture's rule;
/// all others must have the type `other`.
std::vector<bool> layers_of_type(const ConfigKeys& keys, const std::string& chosen,
                                 const std::string& other,
                                 const std::function<bool(std::int64_t)>& rule);

/// Which layers attend to a window only.
std::vector<bool> sliding_layers(const ConfigKeys& keys,
                                 const std::function<bool(std::int64_t)>& rule);
std::optional<std::int64_t> read_window(const ConfigKeys& keys);

/// Qwen: off by default; if on, the layers from max_window_layers on have the window.
std::function<std::optional<std::int64_t>(std::int64_t)> qwen_window(const ConfigKeys& keys);
/// Layers of experts, except those that are listed and those skipped by decoder_sparse_step.
void add_qwen_layers(const ConfigKeys& keys, Model& model, const GroupedAttention& attention,
                     const ExpertFeedForward& experts,
                     const std::vector<std::int64_t>& dense_layers);
GroupedAttention read_qwen3_attention(const ConfigKeys& keys, Model& model);

LatentAttention read_latent(const ConfigKeys& keys, Model& model);
ExpertFeedForward read_deepseek_experts(const ConfigKeys& keys);
/// The first layers dense, then experts, all with this attention.
void add_deepseek_layers(const ConfigKeys& keys, Model& model, const LatentAttention& attention);

/// Layers that predict further tokens: noted, but not counted.
void note_later_tokens(const ConfigKeys& keys, Model& model);

Model read_deepseek_v32(const ConfigKeys& keys);
Model read_falcon(const ConfigKeys& keys);
Model read_gemma3(const ConfigKeys& keys);
Model read_glm4_moe(const ConfigKeys& keys);
Model read_granite_hybrid(const ConfigKeys& keys);
Model read_llama4(const ConfigKeys& keys);
Model read_qwen2_moe(const ConfigKeys& keys);
Model read_qwen3_next(const ConfigKeys& keys);

}  // namespace roofline::llm
