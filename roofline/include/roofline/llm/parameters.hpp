// SPDX-License-Identifier: MIT
// How many parameters a model has, uses for one token, and reads in one step.
#pragma once

#include <cstdint>

#include "roofline/llm/model.hpp"

namespace roofline::llm {

/// Parameters by kind, because each kind may be stored in its own precision.
struct ParameterCount {
  std::int64_t matrices = 0;   ///< projections, dense feed-forwards, routers, shared experts
  std::int64_t experts = 0;    ///< matrices of routed experts
  std::int64_t embedding = 0;  ///< the input table
  std::int64_t head = 0;       ///< the output matrix; 0 if it is the embedding table
  std::int64_t vectors = 0;    ///< norms, biases, sinks

  std::int64_t total() const { return matrices + experts + embedding + head + vectors; }
};

/// All parameters.
ParameterCount count_parameters(const Model& model);

/// Parameters used by one token: as count_parameters(), with experts_per_token experts per layer.
ParameterCount count_active_parameters(const Model& model);

/// The module of a model with Model::later_tokens that predicts one further token: a layer like the
/// last, and the model's own embedding table and output head. The projection that combines hidden
/// state and embedding, 2 hidden x hidden, is left out. Throws std::invalid_argument for a model
/// without such layers.
Model later_token_module(const Model& model);

/// Expected number of distinct experts that `tokens` tokens choose if each takes k of E uniformly
/// and independently: E (1 - (1 - k/E)^tokens). Real routers are skewed and choose fewer.
double distinct_experts(double experts, double experts_per_token, double tokens);

/// Parameters of the pieces of one layer.
std::int64_t projection_parameters(const AttentionLayer& attention, std::int64_t hidden);
std::int64_t vector_parameters(const AttentionLayer& attention, std::int64_t hidden);

}  // namespace roofline::llm
