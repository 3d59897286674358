// SPDX-License-Identifier: MIT
// The energy roofline.
#include "roofline/energy.hpp"

#include "roofline/checks.hpp"

namespace roofline {

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

}  // namespace roofline
