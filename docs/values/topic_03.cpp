// SPDX-License-Identifier: MIT
// Numbers of topic 03, roofline modelling.
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "roofline/bounds.hpp"
#include "value.hpp"

namespace {

using docs::Sources;

/// Ridge of FP32 on the vector units, in FLOP/B.
std::string fp32_ridge(const Sources& sources, std::string_view id) {
  const roofline::Machine machine = sources.machine(id);
  const roofline::Peak* peak =
      roofline::find_peak(machine, roofline::Precision::kFp32, roofline::Unit::kVector);
  if (peak == nullptr) throw std::runtime_error(fmt::format("{} has no FP32 vector peak", id));
  return fmt::format("{:.1f}",
                     roofline::ridge({peak->operations_per_second, roofline::bandwidth(machine)}));
}

DOC_VALUE("ridge.rtx3090", [](const Sources& sources) { return fp32_ridge(sources, "rtx-3090"); })
DOC_VALUE("ridge.a100", [](const Sources& sources) { return fp32_ridge(sources, "a100-80gb-sxm"); })
DOC_VALUE("ridge.v100", [](const Sources& sources) { return fp32_ridge(sources, "v100-sxm2"); })
DOC_VALUE("ridge.t4", [](const Sources& sources) { return fp32_ridge(sources, "t4"); })

}  // namespace
