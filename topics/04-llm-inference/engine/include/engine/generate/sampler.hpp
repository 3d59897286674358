// SPDX-License-Identifier: MIT
// Chooses the next token from logits.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "engine/operators/labs.hpp"
#include "gpu/buffer.hpp"

namespace engine {

/// How a token is drawn. Temperature 0 takes the largest logit, the first one in case of ties.
struct Sampling {
  double temperature = 0;
  int top_k = 0;     ///< only the k most probable; 0: all
  double top_p = 1;  ///< only the fewest most probable ones that together reach this
  std::uint64_t seed = 0;
};

/// Position of the largest logit, the first one in case of ties.
std::int32_t largest(std::span<const float> logits);

/// The token that a number `draw` in [0, 1) selects. The probabilities are cut by top_k, then by
/// top_p, and sorted by size, ties by id.
std::int32_t draw_token(std::span<const float> probabilities, const Sampling& sampling,
                        double draw);

/// Draws the tokens of one sequence. The same seed gives the same draws on every machine.
class Sampler {
 public:
  /// @throws std::invalid_argument for a temperature below 0, top_k below 0, or top_p outside (0,
  ///   1].
  explicit Sampler(const Sampling& sampling);

  /// The next token; `softmax` is the lab's, on the device.
  std::int32_t next(In<float> logits, const LabKernels& kernels);

 private:
  Sampling sampling_;
  std::mt19937_64 random_;
  gpu::DeviceBuffer<float> scaled_;
  gpu::DeviceBuffer<float> probabilities_;
};

}  // namespace engine
