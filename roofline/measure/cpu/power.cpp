// SPDX-License-Identifier: MIT
// The meter of a CPU.
#include "power/power_meter.hpp"

namespace roofline::measure {

FoundMeter find_power_meter() {
  return rapl_meter("/sys/class/powercap");
}

}  // namespace roofline::measure
