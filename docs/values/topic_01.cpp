// SPDX-License-Identifier: MIT
// Numbers of topic 01, AI basics.
#include <fmt/format.h>

#include "roofline/bounds.hpp"
#include "value.hpp"

namespace {

using docs::Sources;
using roofline::arithmetic_intensity;

constexpr double kFloat = 4;  // bytes

DOC_VALUE("ai.vector_add",
          [](const Sources&) { return fmt::format("{:.4f}", arithmetic_intensity(1, 3 * kFloat)); })
DOC_VALUE("ai.saxpy",
          [](const Sources&) { return fmt::format("{:.4f}", arithmetic_intensity(2, 3 * kFloat)); })
DOC_VALUE("ai.dot",
          [](const Sources&) { return fmt::format("{:.2f}", arithmetic_intensity(2, 2 * kFloat)); })
DOC_VALUE("ai.stencil5",
          [](const Sources&) { return fmt::format("{:.1f}", arithmetic_intensity(4, 2 * kFloat)); })

}  // namespace
