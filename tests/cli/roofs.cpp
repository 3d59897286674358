// SPDX-License-Identifier: MIT
// Which of the roofs measured by ./lab start are doubtful.
#include "commands/wide_roofs.hpp"
#include "support/catch.hpp"

namespace {

roofline::MeasuredRoof roof(const char* name, double lowest, double highest) {
  roofline::MeasuredRoof result;
  result.name = name;
  result.rate = {100, lowest, highest, 20};
  return result;
}

}  // namespace

TEST_CASE("roofs whose samples lie more than a fifth apart are in doubt") {
  roofline::Report report;
  report.roofs = {roof("read", 95, 105), roof("triad", 85, 106), roof("refused", 50, 150),
                  roof("launch", 50, 150)};
  report.roofs[2].refused = "above what is possible";
  report.roofs[3].kind = roofline::RoofKind::kLatency;
  CHECK(cli::wide_roofs(report) == std::vector<std::string>{"triad"});
}
