// SPDX-License-Identifier: MIT
// Shared by the reference answers of topic 04: the machines of the tasks, the models, units.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "harness/answer.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"

namespace answers04 {

// Datasheet rates that the tasks name, in B/s and FLOP/s (dense BF16).
inline constexpr double kH200Bandwidth = 4800e9;
inline constexpr double kH100Bandwidth = 3350e9;
inline constexpr double kA100Bandwidth = 2039e9;
inline constexpr double kHopperPeak = 989.4e12;
inline constexpr double kA100Peak = 312e12;

inline roofline::llm::Model model(std::string_view id) {
  return roofline::llm::load_model(
      harness::course_file("data/models/" + std::string(id) + ".json"));
}
inline roofline::llm::Model llama_8b() {
  return model("llama-3.1-8b");
}
inline roofline::llm::Model deepseek() {
  return model("deepseek-v3");
}

inline roofline::llm::GroupedAttention& grouped(roofline::llm::Model& model) {
  return std::get<roofline::llm::GroupedAttention>(model.layers.at(0).attention);
}
inline roofline::llm::LatentAttention latent() {
  return std::get<roofline::llm::LatentAttention>(deepseek().layers.at(0).attention);
}
/// Bytes that one token of one layer would take with the keys and values of all heads written out.
inline double expanded_cache_bytes() {
  const roofline::llm::LatentAttention a = latent();
  return 2.0 * static_cast<double>(a.heads * (a.nope_dim + a.rope_dim + a.value_dim));
}

/// The operator of a pass in 16 bits that has the given name.
inline roofline::llm::Operator operator_of(const roofline::llm::Model& model,
                                           const roofline::llm::Pass& pass, std::string_view name) {
  return roofline::llm::operator_named(
      roofline::llm::pass_operators(model, roofline::llm::stored_formats(model), pass), name);
}

inline harness::Answer plain(double value) {
  return harness::Answer::number(value, "1");
}
inline harness::Answer intensity(double value) {
  return harness::Answer::number(value, "FLOP/B");
}
inline harness::Answer rate(double value) {
  return harness::Answer::number(value, "tok/s");
}

}  // namespace answers04
