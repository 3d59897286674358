// SPDX-License-Identifier: MIT
// The energy roofline.
#include "roofline/energy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"
#include "roofline/llm/least_squares.hpp"

namespace roofline {
namespace {

/// A fraction of the highest power that counts as zero.
constexpr double kNoPrice = 1e-6;

}  // namespace

double energy_joules(const EnergyCosts& costs, double flops, double bytes, double seconds) {
  return require_positive(costs.joules_per_flop, "energy per FLOP") *
             require_not_negative(flops, "FLOPs") +
         require_positive(costs.joules_per_byte, "energy per byte") *
             require_not_negative(bytes, "bytes") +
         require_not_negative(costs.idle_watts, "idle power") *
             require_not_negative(seconds, "time in seconds");
}

double energy_ridge(const EnergyCosts& costs) {
  return require_positive(costs.joules_per_byte, "energy per byte") /
         require_positive(costs.joules_per_flop, "energy per FLOP");
}

double flops_per_joule(const EnergyCosts& costs, double intensity) {
  require_positive(intensity, "arithmetic intensity");
  return 1 / (require_positive(costs.joules_per_flop, "energy per FLOP") +
              require_positive(costs.joules_per_byte, "energy per byte") / intensity);
}

double product_joules_per_flop(const ProductEnergy& product, const EnergyCosts& costs) {
  const double moving = require_positive(product.watts, "power of a product in watts") -
                        require_not_negative(costs.idle_watts, "static power in watts");
  return require_positive(product.joules_per_flop, "energy per FLOP of a product") *
         require_positive(moving, "power of a product above the static power") / product.watts;
}

EnergyFit fit_energy(const std::vector<EnergyPoint>& points) {
  if (points.size() < 4) throw std::invalid_argument("three energy costs need at least four loads");
  EnergyPoint largest;
  for (const EnergyPoint& point : points) {
    largest.flops_per_second = std::max(
        largest.flops_per_second, require_not_negative(point.flops_per_second, "FLOP per second"));
    largest.bytes_per_second = std::max(
        largest.bytes_per_second, require_not_negative(point.bytes_per_second, "bytes per second"));
    largest.watts = std::max(largest.watts, require_positive(point.watts, "power in watts"));
  }
  // As fractions of the largest values, so that picojoules and watts are of similar magnitude.
  const EnergyCosts unit = {
      largest.watts / require_positive(largest.flops_per_second, "the highest FLOP per second"),
      largest.watts / require_positive(largest.bytes_per_second, "the highest bytes per second"),
      largest.watts};
  const auto scaled = [&](const std::vector<double>& shares) {
    return EnergyCosts{shares[0] * unit.joules_per_flop, shares[1] * unit.joules_per_byte,
                       shares[2] * unit.idle_watts};
  };
  const auto relative_errors = [&](const std::vector<double>& shares) {
    const EnergyCosts costs = scaled(shares);
    std::vector<double> errors;
    for (const EnergyPoint& point : points) {
      const double watts = costs.joules_per_flop * point.flops_per_second +
                           costs.joules_per_byte * point.bytes_per_second + costs.idle_watts;
      errors.push_back(watts / point.watts - 1);
    }
    return errors;
  };
  const std::vector<double> shares = llm::fit_bounded(relative_errors, {0, 0, 0}, {1, 1, 1});
  for (const double share : shares) {
    // Negated, so that NaN is refused.
    if (!(share > kNoPrice)) {
      throw std::invalid_argument("these loads do not separate the three energy costs");
    }
  }
  EnergyFit fit{scaled(shares), 0};
  for (const double error : relative_errors(shares)) {
    fit.worst_relative_error = std::max(fit.worst_relative_error, std::fabs(error));
  }
  return fit;
}

}  // namespace roofline
