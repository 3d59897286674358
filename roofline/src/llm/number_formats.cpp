// SPDX-License-Identifier: MIT
// Numbers of eight and four bits.
#include "roofline/llm/number_formats.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace roofline::llm {
namespace {

double largest_of(std::span<const double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, std::abs(weight));
  return largest;
}

/// The scale of a block whose largest weight is `largest`, in a tensor whose largest is `of_all`.
double scale_of(double largest, double of_all, const BlockFormat& format) {
  const double most = format.elements.back();
  switch (format.scale) {
    case ScaleKind::kPowerOfTwo:
      return power_of_two_scale(largest, format.elements);
    case ScaleKind::kTwoLevels: {
      static const std::vector<double> scales = magnitudes(kE4m3);
      const double of_tensor = of_all / (most * scales.back());
      return of_tensor * nearest(scales, largest / (most * of_tensor));
    }
    case ScaleKind::kHalf: {
      static const std::vector<double> scales = magnitudes(kFp16);
      return nearest(scales, largest / most);
    }
    case ScaleKind::kFloat:
      return largest / most;
  }
  throw std::logic_error("a kind of scale that is not listed");
}

}  // namespace

std::vector<double> magnitudes(const SmallFloat& format) {
  // Counts up: as many steps of one size as there are fractions, and twice as many of the smallest
  // size.
  const int fractions = 1 << format.fraction_bits;
  const int codes = (fractions << format.exponent_bits) - format.special_codes;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  double step = std::ldexp(1, 1 - bias - format.fraction_bits);
  std::vector<double> result = {0};
  for (int code = 1; code < codes; ++code) {
    result.push_back(result.back() + step);
    if (code % fractions == 0 && code > fractions) step *= 2;
  }
  return result;
}

std::vector<double> whole_magnitudes(int largest) {
  std::vector<double> result;
  for (int value = 0; value <= largest; ++value) result.push_back(value);
  return result;
}

std::size_t nearest_code(const std::vector<double>& magnitudes, double x) {
  if (std::isnan(x)) throw std::invalid_argument("NaN has no nearest number");
  const double size = std::abs(x);
  const auto above = std::lower_bound(magnitudes.begin(), magnitudes.end(), size);
  if (above == magnitudes.end()) return magnitudes.size() - 1;
  const auto code = static_cast<std::size_t>(above - magnitudes.begin());
  if (code == 0) return 0;
  const double up = *above - size;
  const double down = size - magnitudes[code - 1];
  if (up == down) return code % 2 == 0 ? code : code - 1;
  return up < down ? code : code - 1;
}

double nearest(const std::vector<double>& magnitudes, double x) {
  return std::copysign(magnitudes[nearest_code(magnitudes, x)], x);
}

double power_of_two_scale(double largest, const std::vector<double>& elements) {
  constexpr int kSmallest = -127, kLargest = 127;
  if (largest == 0) return std::ldexp(1, kSmallest);
  const int exponent = std::ilogb(largest) - std::ilogb(elements.back());
  return std::ldexp(1, std::clamp(exponent, kSmallest, kLargest));
}

std::vector<double> stored_weights(std::span<const double> weights, const BlockFormat& format) {
  const std::size_t block = format.block > 0 ? format.block : weights.size();
  const double of_all = largest_of(weights);
  std::vector<double> result;
  result.reserve(weights.size());
  for (std::size_t first = 0; first < weights.size(); first += block) {
    const auto own = weights.subspan(first, std::min(block, weights.size() - first));
    const double scale = scale_of(largest_of(own), of_all, format);
    for (const double weight : own) {
      result.push_back(scale == 0 ? 0 : scale * nearest(format.elements, weight / scale));
    }
  }
  return result;
}

double relative_error(std::span<const double> weights, const BlockFormat& format) {
  const std::vector<double> stored = stored_weights(weights, format);
  double changed = 0;
  double all = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    changed += (stored[i] - weights[i]) * (stored[i] - weights[i]);
    all += weights[i] * weights[i];
  }
  if (all == 0) throw std::invalid_argument("weights that are all 0 have no relative error");
  return std::sqrt(changed / all);
}

}  // namespace roofline::llm
