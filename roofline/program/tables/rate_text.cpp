// SPDX-License-Identifier: MIT
// Figures of a report as text with units.
#include "rate_text.hpp"

#include <string_view>

#include "roofline/units.hpp"

namespace roofline::program {
namespace {

Dimension dimension_of(const MeasuredRoof& roof) {
  if (roof.kind == RoofKind::kBandwidth) return kBytesPerSecond;
  return roof.kind == RoofKind::kLatency ? kSeconds : kOperationsPerSecond;
}

}  // namespace

std::string rate_text(const MeasuredRoof& roof, double rate) {
  return std::string_view(base_unit(roof)) == "OP/s"
             ? format_integer_work(rate, dimension_of(roof), 4)
             : format_quantity(rate, dimension_of(roof), 4);
}

std::string energy_text(const MeasuredRoof& roof, double joules) {
  const std::string_view unit = base_unit(roof);
  return format_quantity(joules, kJoules, 3) + '/' + std::string(unit.substr(0, unit.find('/')));
}

}  // namespace roofline::program
