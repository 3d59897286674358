// SPDX-License-Identifier: MIT
// Spread and plateau of a series of measurements.
#include "shape.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace harness {
namespace {

constexpr double kSteadySpread = 0.05;
constexpr double kSameSpread = 0.10;
/// A rate may be this much below the best so far: on a desktop, two measurements of the same thing
/// differ by that much.
constexpr double kNoise = 0.10;
/// A rise is at least this factor from the first rate to the plateau.
constexpr double kRise = 1.5;
constexpr std::size_t kFewestRates = 4;

double relative_spread(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return (sorted.back() - sorted.front()) / median;
}

std::string spread_complaint(std::span<const double> values, double most) {
  if (values.size() < 2) return "one measurement has no spread: ask for several";
  const double spread = relative_spread(values);
  if (spread <= most) return {};
  return base::formatted("(largest - smallest) / median is %.1f %%, and may be %.0f %%",
                         100 * spread, 100 * most);
}

}  // namespace

std::string why_not_steady(std::span<const double> seconds) {
  return spread_complaint(seconds, kSteadySpread);
}

std::string why_not_the_same(std::span<const double> rates) {
  return spread_complaint(rates, kSameSpread);
}

std::string why_no_plateau(std::span<const double> rates) {
  if (rates.size() < kFewestRates) return "a plateau needs at least four measurements";
  double best = rates.front();
  for (std::size_t i = 1; i < rates.size(); ++i) {
    if (!(rates[i] >= (1 - kNoise) * best)) {  // negated, so that a NaN fails
      return "measurement " + std::to_string(i + 1) + " falls below an earlier one";
    }
    best = std::max(best, rates[i]);
  }
  if (!(best >= kRise * rates.front())) return "there is no rise before it";
  const double last = rates.back();
  const double before = rates[rates.size() - 2];
  if (!(before >= (1 - kNoise) * last)) return "it still rises at the end: sweep further";
  return {};
}

}  // namespace harness
