// SPDX-License-Identifier: MIT
// Quick checks of decode steps as a graph in the student's own ctest: no points, seconds to run.
#include <cstdint>
#include <initializer_list>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {
constexpr double kRelativeTolerance = 2e-4;
constexpr std::uint64_t kSeed = 4;

void require_right(std::int64_t n, bool special_values = false) {
  const std::string wrong =
      harness::check_entry("decode_graph", n, kSeed, kRelativeTolerance, special_values);
  INFO("n = " << n << "\n" << wrong);
  REQUIRE(wrong.empty());
}
}  // namespace

TEST_CASE("decode_graph is right for the smallest sizes", "[decode_graph]") {
  for (const std::int64_t n : {64}) require_right(n);
}

TEST_CASE("decode_graph is right for more steps and a larger model", "[decode_graph]") {
  for (const std::int64_t n : {65, 128, 192}) require_right(n);
}
