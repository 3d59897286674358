// SPDX-License-Identifier: MIT
// Counting parameters.
#include "roofline/llm/parameters.hpp"

#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline::llm {
namespace {

constexpr std::int64_t kGatedMatrices = 3;  // gate, up and down

std::int64_t projections(const GroupedAttention& a, std::int64_t hidden) {
  const std::int64_t queries = (a.output_gate ? 3 : 2) * a.query_heads;  // including the output's
  return hidden * (queries + 2 * a.kv_heads) * a.head_dim;
}

std::int64_t projections(const LinearAttention& a, std::int64_t hidden) {
  return hidden * (a.projected() + a.value_width());
}

std::int64_t projections(const LatentAttention& a, std::int64_t hidden) {
  const std::int64_t query_width = a.heads * (a.nope_dim + a.rope_dim);
  const std::int64_t query =
      a.query_rank > 0 ? a.query_rank * (hidden + query_width) : hidden * query_width;
  return query + hidden * (a.kv_rank + a.rope_dim) +
         a.kv_rank * a.heads * (a.nope_dim + a.value_dim) + a.heads * a.value_dim * hidden +
         a.index_heads * a.index_dim * a.query_rank + hidden * (a.index_dim + a.index_heads);
}

std::int64_t vectors(const GroupedAttention& a, std::int64_t hidden) {
  std::int64_t sum = 0;
  if (a.input_bias) sum += (a.query_heads + 2 * a.kv_heads) * a.head_dim;
  if (a.output_bias) sum += hidden;
  if (a.qk_norm) sum += 2 * a.head_dim;
  if (a.sinks) sum += a.query_heads;
  return sum;
}

std::int64_t vectors(const LatentAttention& a, std::int64_t hidden) {
  const std::int64_t norms = a.query_rank + a.kv_rank + 2 * a.index_dim;
  return a.bias ? norms + a.query_rank + a.kv_rank + a.rope_dim + hidden : norms;
}

std::int64_t vectors(const LinearAttention& a, std::int64_t) {
  return a.convolved() * (a.convolution + (a.convolution_bias ? 1 : 0)) + a.head_vectors * a.heads +
         a.output_norm;
}

// Adds a feed-forward, counting `experts` routed experts.
void add(ParameterCount& sum, const DenseFeedForward& f, std::int64_t hidden, bool) {
  sum.matrices += (f.gated ? kGatedMatrices : 2) * hidden * f.width;
  if (f.bias) sum.vectors += (f.gated ? 2 : 1) * f.width + hidden;
}

void add(ParameterCount& sum, const ExpertFeedForward& f, std::int64_t hidden, bool active_only) {
  const std::int64_t counted = active_only ? f.experts_per_token : f.experts;
  sum.matrices +=
      hidden * f.experts + kGatedMatrices * hidden * f.shared_width + (f.shared_gate ? hidden : 0);
  sum.experts += counted * kGatedMatrices * hidden * f.width;
  if (f.expert_bias) sum.vectors += counted * (2 * f.width + hidden);
  if (f.router_bias) sum.vectors += f.experts;
}

ParameterCount count(const Model& model, bool active_only) {
  ParameterCount sum;
  const std::int64_t norm = model.hidden * (model.norm_bias ? 2 : 1);
  sum.embedding = model.vocabulary * model.hidden;
  sum.head = model.tied_embeddings ? 0 : sum.embedding;
  for (const LayerGroup& group : model.layers) {
    ParameterCount layer;
    layer.matrices = projection_parameters(group.attention, model.hidden);
    layer.vectors = vector_parameters(group.attention, model.hidden) + group.norms * norm;
    std::visit([&](const auto& f) { add(layer, f, model.hidden, active_only); },
               group.feed_forward);
    sum.matrices += group.count * layer.matrices;
    sum.experts += group.count * layer.experts;
    sum.vectors += group.count * layer.vectors;
  }
  sum.vectors += norm;  // before the head
  return sum;
}

}  // namespace

std::int64_t Model::layer_count() const {
  std::int64_t sum = 0;
  for (const LayerGroup& group : layers) sum += group.count;
  return sum;
}

ParameterCount count_parameters(const Model& model) {
  return count(model, false);
}

ParameterCount count_active_parameters(const Model& model) {
  return count(model, true);
}

Model later_token_module(const Model& model) {
  if (model.later_tokens == 0) {
    throw std::invalid_argument(model.name +
                                " has no layers that predict further tokens "
                                "(num_nextn_predict_layers)");
  }
  Model module = model;
  module.name += " (further tokens)";
  module.tied_embeddings = true;
  module.layers = {model.layers.back()};
  module.layers.back().count = 1;
  module.notes.clear();
  return module;
}

double distinct_experts(double experts, double experts_per_token, double tokens) {
  require_positive(experts, "number of experts");
  require_fraction(experts_per_token / experts, "share of the experts that a token uses");
  require_not_negative(tokens, "number of tokens");
  return experts * (1 - std::pow(1 - experts_per_token / experts, tokens));
}

std::int64_t projection_parameters(const AttentionLayer& attention, std::int64_t hidden) {
  return std::visit([&](const auto& a) { return projections(a, hidden); }, attention);
}

std::int64_t vector_parameters(const AttentionLayer& attention, std::int64_t hidden) {
  return std::visit([&](const auto& a) { return vectors(a, hidden); }, attention);
}

}  // namespace roofline::llm
