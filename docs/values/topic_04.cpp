// SPDX-License-Identifier: MIT
// Numbers of topic 04, LLM inference.
#include <fmt/format.h>

#include "roofline/bounds.hpp"
#include "value.hpp"

namespace {

using docs::Sources;

DOC_VALUE("ai.gqa_decode", [](const Sources&) {
  constexpr double kQueryHeads = 32, kKeyValueHeads = 8, kHeadSize = 128, kContext = 8192;
  constexpr double kElementBytes = 2;
  return fmt::format("{:.0f}", roofline::arithmetic_intensity(
                                   4 * kQueryHeads * kHeadSize * kContext,
                                   2 * kElementBytes * kKeyValueHeads * kHeadSize * kContext));
})

}  // namespace
