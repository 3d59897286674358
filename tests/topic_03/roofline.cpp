// SPDX-License-Identifier: MIT
// The model and the command line of the reference roofline.cu.
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"

// What roofline.cu defines, in its own words: it has no header.
struct Cost {
  double flops = 0;
  double bytes = 0;
};
struct Prediction {
  double intensity = 0;
  double flops_per_second = 0;
  bool memory_bound = false;
};
Cost saxpy_cost(std::int64_t n);
Cost fma_cost(std::int64_t n, int iterations);
std::vector<Prediction> predicted_table(double peak, double bandwidth);
int roofline_main(int argc, char** argv);

namespace {

/// Exit status of ./roofline with these arguments.
int status(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "roofline");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return roofline_main(static_cast<int>(arguments.size()), pointers.data());
}

}  // namespace

TEST_CASE("costs give the intensities 1/6 and iterations/4", "[roofline]") {
  const Cost saxpy = saxpy_cost(1000);
  REQUIRE(saxpy.flops / saxpy.bytes == Approx(1.0 / 6));
  const Cost fma = fma_cost(1000, 1024);
  REQUIRE(fma.flops / fma.bytes == Approx(256));
}

TEST_CASE("the predicted table has nine rows, memory before compute", "[roofline]") {
  constexpr double kPeak = 80;
  constexpr double kBandwidth = 10;  // ridge 8
  const std::vector<Prediction> rows = predicted_table(kPeak, kBandwidth);
  REQUIRE(rows.size() == 9);
  double intensity = 0.125;
  for (const Prediction& row : rows) {
    INFO("intensity " << intensity);
    REQUIRE(row.intensity == intensity);
    REQUIRE(row.memory_bound == (intensity < 8));
    REQUIRE(row.flops_per_second == Approx(intensity < 8 ? intensity * kBandwidth : kPeak));
    intensity *= 2;
  }
}

TEST_CASE("the program runs, and refuses what makes no sense", "[roofline]") {
  REQUIRE(status({"4099", "16", "1"}) == 0);
  REQUIRE(status({"0"}) == 2);
  REQUIRE(status({"x"}) == 2);
  REQUIRE(status({"1000", "16", "1", "points.csv", "more"}) == 2);
  REQUIRE(status({"274877906944"}) == 1);  // 2.2 TB
}
