// SPDX-License-Identifier: MIT
// Figures of a report as text with their unit.
#include "rate_text.hpp"

#include "roofline/units.hpp"

namespace roofline::program {
namespace {

Dimension dimension_of(const MeasuredRoof& roof) {
  if (roof.kind == RoofKind::kBandwidth) return kBytesPerSecond;
  return roof.kind == RoofKind::kCompute ? kOperationsPerSecond : kSeconds;
}

}  // namespace

std::string rate_text(const MeasuredRoof& roof, double rate) {
  std::string text = format_quantity(rate, dimension_of(roof), 4);
  if (roof.precision && is_integer(*roof.precision)) text.replace(text.find("FLOP"), 4, "OP");
  return text;
}

}  // namespace roofline::program
