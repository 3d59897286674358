// SPDX-License-Identifier: MIT
// The time of a serving engine's step: the predictor's times in tables that a simulator can query a
// hundred million times.
#pragma once

#include <cstdint>
#include <vector>

#include "roofline/llm/predict.hpp"

namespace roofline::serve {

/// A function of one number, from values on a grid that grows in steps of 3 %, linear in between.
class Curve {
 public:
  Curve() = default;

  /// Values of `f` from 0 to `most`.
  template <class F>
  Curve(double most, F f);

  double operator()(double x) const;

 private:
  std::vector<double> x_;
  std::vector<double> y_;
};

/// The part of a prompt that one step processes.
struct Chunk {
  std::int64_t past = 0;  ///< tokens of the sequence before it
  std::int64_t tokens = 0;
};

/// How layers and experts are spread over GPUs, in addition to System::ranks (tensor parallelism).
struct Spread {
  int pipeline = 1;  ///< stages; as many groups of sequences are in progress
  int experts = 1;   ///< ranks over which whole experts are divided; each has its own sequences
};

/// Seconds of a step, as the sum of three parts: one that depends on the number of new tokens
/// (products, element-wise operators, collectives), attention, which depends on the contexts, and
/// the output head. Attention of a chunk is the difference between the prompts with and without it,
/// or the time to read its cache if that is longer.
///
/// Pipeline: every stage holds its share of the layers and works on one of `pipeline` groups of
/// sequences at a time, so a step of all groups takes as long as one group takes through all
/// layers, plus a collective at each stage. Experts: each rank holds a share of the experts,
/// streams only the distinct ones that all ranks' tokens choose there, and sends tokens to the
/// other ranks and back.
class StepCosts {
 public:
  /// Throws std::invalid_argument as predict_pass() does, and if layers or experts cannot be
  /// divided.
  StepCosts(const llm::Model& model, const llm::Formats& formats, const llm::System& system,
            std::int64_t most_tokens, std::int64_t most_context, const Spread& spread = {});

  /// Steps that take the same time whatever they work on: for testing a simulator.
  static StepCosts constant(double seconds);

  /// Everything except attention, for `tokens` new tokens of which `outputs` have logits.
  double dense(double tokens, double outputs) const;

  /// Attention of one new token over `context` tokens, without the start of its kernels.
  double attention(double context) const { return attention_(context); }

  /// attention(c) = base + slope c for all c; false if layers have windows.
  bool linear() const { return linear_; }
  double base() const { return base_; }
  double slope() const { return slope_; }

  double chunk_attention(const Chunk& chunk) const;

  /// Cache bytes of a sequence on one GPU, and the bytes available for it there.
  double kv_bytes(double context) const { return kv_(context); }
  double weight_bytes() const { return weight_bytes_; }

 private:
  StepCosts() = default;

  Curve dense_;
  Curve head_;
  Curve attention_;
  Curve prompt_;
  Curve kv_;
  bool linear_ = true;
  double base_ = 0;
  double slope_ = 0;
  double fixed_ = 0;  ///< per step
  double weight_bytes_ = 0;
};

}  // namespace roofline::serve
