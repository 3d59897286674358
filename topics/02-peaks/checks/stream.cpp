// SPDX-License-Identifier: MIT
// Quick checks of the four streams: no points, seconds to run.
#include <cstdint>
#include <initializer_list>
#include <string>

#include "harness/truth.hpp"
#include "support/catch.hpp"

namespace {

constexpr double kRelativeTolerance = 1e-15;
constexpr std::uint64_t kSeed = 2;

void require_right(const std::string& stream) {
  for (const std::int64_t n : {0, 1, 2, 255, 256, 257, 1023, 1025, 4099}) {
    const std::string wrong = harness::check_entry(stream, n, kSeed, kRelativeTolerance);
    INFO(stream << ", n = " << n << "\n" << wrong);
    REQUIRE(wrong.empty());
  }
}

}  // namespace

TEST_CASE("copy is right around the size of a block", "[stream]") {
  require_right("copy");
}
TEST_CASE("scale is right around the size of a block", "[stream]") {
  require_right("scale");
}
TEST_CASE("add is right around the size of a block", "[stream]") {
  require_right("add");
}
TEST_CASE("triad is right around the size of a block", "[stream]") {
  require_right("triad");
}
