// SPDX-License-Identifier: MIT
// Reports side by side.
#include "roofline/chart/comparison.hpp"

#include "support/catch.hpp"

using namespace roofline;

namespace {

MeasuredRoof roof(const std::string& name, double median, double spread) {
  MeasuredRoof result;
  result.name = name;
  result.level = "DRAM";
  result.rate = {median, median - spread, median + spread, 20};
  return result;
}

}  // namespace

TEST_CASE("ratios, and changes that the spread explains") {
  Report first;
  first.roofs = {roof("triad", 100, 5), roof("read", 100, 5), roof("gone", 1, 0),
                 roof("refused", 1, 0)};
  first.roofs.back().refused = "impossible";
  first.build.flags = "-O2";
  Report second;
  second.roofs = {roof("triad", 120, 5), roof("read", 104, 5), roof("new", 1, 0)};
  second.build.flags = "-O3";
  const Comparison comparison = compare(first, second);
  REQUIRE(comparison.changes.size() == 2);
  CHECK(comparison.changes[0].ratio == Approx(1.2));
  CHECK(comparison.changes[0].significant);
  CHECK_FALSE(comparison.changes[1].significant);
  CHECK(comparison.only_in_first == std::vector<std::string>{"gone"});
  CHECK(comparison.only_in_second == std::vector<std::string>{"new"});
  CHECK(comparison.differences == std::vector<std::string>{"flags: -O2 -> -O3"});
}
