// SPDX-License-Identifier: MIT
// Greedy and seeded sampling.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "engine/generate/sampler.hpp"
#include "gpu/gpu.hpp"

namespace engine {
namespace {

constexpr int kSamplingThreads = gpu::Features::kIsGpu ? 128 : 1024;

__global__ void divide(std::int64_t count, float by, const float* __restrict__ x,
                       float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (i < count) y[i] = x[i] / by;
}

/// In [0, 1); written out, because std::uniform_real_distribution differs between standard
/// libraries.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

}  // namespace

std::int32_t largest(std::span<const float> logits) {
  return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

std::int32_t draw_token(std::span<const float> probabilities, const Sampling& sampling,
                        double draw) {
  std::vector<std::int32_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  const auto probability = [&](std::int32_t id) {
    return double{probabilities[static_cast<std::size_t>(id)]};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return probability(a) > probability(b); });
  if (sampling.top_k > 0 && static_cast<std::size_t>(sampling.top_k) < order.size()) {
    order.resize(static_cast<std::size_t>(sampling.top_k));
  }
  double all = 0;
  for (const std::int32_t id : order) all += probability(id);
  double kept = 0;
  std::size_t count = 0;
  while (count < order.size() && (count == 0 || kept < sampling.top_p * all)) {
    kept += probability(order[count++]);
  }
  order.resize(count);
  double left = draw * kept;
  for (const std::int32_t id : order) {
    left -= probability(id);
    if (left < 0) return id;
  }
  return order.back();
}

Sampler::Sampler(const Sampling& sampling) : sampling_(sampling), random_(sampling.seed) {
  if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature)) {
    throw std::invalid_argument("temperature must be 0 or above");
  }
  if (sampling.top_k < 0) throw std::invalid_argument("top-k must be 0 (all) or above");
  if (!(sampling.top_p > 0 && sampling.top_p <= 1)) {
    throw std::invalid_argument("top-p must be above 0 and at most 1");
  }
}

std::int32_t Sampler::next(In<float> logits, const LabKernels& kernels) {
  if (sampling_.temperature == 0) return largest(gpu::to_host(logits));
  const std::size_t count = logits.size();
  if (scaled_.size() != count) {
    scaled_ = gpu::DeviceBuffer<float>(count);
    probabilities_ = gpu::DeviceBuffer<float>(count);
  }
  const auto columns = static_cast<std::int64_t>(count);
  gpu::launch<divide>(gpu::blocks_for(columns, std::int64_t{kSamplingThreads}), kSamplingThreads,
                      columns, static_cast<float>(sampling_.temperature), logits.data(),
                      scaled_.data());
  kernels.softmax_online(columns, scaled_, probabilities_);
  return draw_token(gpu::to_host(probabilities_), sampling_, uniform(random_));
}

}  // namespace engine
