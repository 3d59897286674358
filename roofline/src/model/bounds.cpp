// SPDX-License-Identifier: MIT
// The roofline bounds.
#include "roofline/bounds.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kOperationsPerFma = 2;

double checked_intensity(double intensity) {
  if (intensity == kInfinity) return intensity;
  return require_not_negative(intensity, "arithmetic intensity");
}

double checked_peak(const Roof& roof) {
  return require_positive(roof.flops_per_second, "peak rate in FLOP/s");
}

double checked_bandwidth(const Roof& roof) {
  return require_positive(roof.bytes_per_second, "bandwidth in B/s");
}

void check_layer(const DenseLayer& layer) {
  require_positive(layer.in_features, "input features");
  require_positive(layer.out_features, "output features");
  require_positive(layer.bytes_per_weight, "bytes per weight");
  require_positive(layer.bytes_per_activation, "bytes per activation");
}

}  // namespace

const char* to_string(Bound bound) {
  return bound == Bound::kMemory ? "memory" : "compute";
}

double arithmetic_intensity(double flops, double bytes) {
  require_not_negative(flops, "FLOPs");
  require_not_negative(bytes, "bytes");
  if (flops == 0 && bytes == 0) {
    throw std::invalid_argument("an operation with no FLOPs and no bytes has no intensity");
  }
  return bytes == 0 ? kInfinity : flops / bytes;
}

double ridge(const Roof& roof) {
  return checked_peak(roof) / checked_bandwidth(roof);
}

double attainable(const Roof& roof, double intensity) {
  return std::min(checked_peak(roof), checked_intensity(intensity) * checked_bandwidth(roof));
}

Bound classify(const Roof& roof, double intensity) {
  return checked_intensity(intensity) < ridge(roof) ? Bound::kMemory : Bound::kCompute;
}

double time_seconds(const Roof& roof, double flops, double bytes) {
  return std::max(require_not_negative(flops, "FLOPs") / checked_peak(roof),
                  require_not_negative(bytes, "bytes") / checked_bandwidth(roof));
}

double time_of_sequence(const Roof& roof, const std::vector<Work>& operations) {
  double seconds = 0;
  for (const Work& work : operations) seconds += time_seconds(roof, work.flops, work.bytes);
  return seconds;
}

HierarchicalBound hierarchical_bound(double peak_flops_per_second, double flops,
                                     const std::vector<LevelLoad>& levels) {
  require_not_negative(flops, "FLOPs");
  HierarchicalBound bound;
  bound.seconds = flops / require_positive(peak_flops_per_second, "peak rate in FLOP/s");
  bound.limit = "compute";
  for (const LevelLoad& level : levels) {
    const double seconds =
        require_not_negative(level.bytes, "bytes through " + level.level) /
        require_positive(level.bytes_per_second, "bandwidth of " + level.level + " in B/s");
    if (seconds > bound.seconds) {
      bound.seconds = seconds;
      bound.limit = level.level;
    }
  }
  if (bound.seconds == 0) {
    throw std::invalid_argument("an operation with no FLOPs and no bytes has no bound");
  }
  bound.flops_per_second = flops / bound.seconds;
  return bound;
}

double layer_intensity(const DenseLayer& layer, double batch) {
  check_layer(layer);
  require_positive(batch, "batch size");
  const double weights = layer.in_features * layer.out_features;
  const double bytes =
      layer.bytes_per_weight * weights +
      layer.bytes_per_activation * batch * (layer.in_features + layer.out_features);
  return kOperationsPerFma * batch * weights / bytes;
}

double layer_intensity_limit(const DenseLayer& layer) {
  check_layer(layer);
  return kOperationsPerFma * layer.in_features * layer.out_features /
         (layer.bytes_per_activation * (layer.in_features + layer.out_features));
}

std::optional<double> critical_batch(const DenseLayer& layer, double ridge_flops_per_byte) {
  check_layer(layer);
  require_positive(ridge_flops_per_byte, "ridge in FLOP/B");
  const double weights = layer.in_features * layer.out_features;
  const double gained_per_row =
      kOperationsPerFma * weights -
      ridge_flops_per_byte * layer.bytes_per_activation * (layer.in_features + layer.out_features);
  if (gained_per_row <= 0) return std::nullopt;
  return ridge_flops_per_byte * layer.bytes_per_weight * weights / gained_per_row;
}

}  // namespace roofline
