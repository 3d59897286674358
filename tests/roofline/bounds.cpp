// SPDX-License-Identifier: MIT
// The bounds: known numbers, and the properties that every roofline has.
#include "roofline/bounds.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "roofline/advice.hpp"
#include "roofline/communication.hpp"
#include "roofline/energy.hpp"
#include "support/catch.hpp"

using namespace roofline;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Roof kExample{15e12, 500e9};
const Roof kSixOperations{4608e9, 96e9};

Roof random_roof(std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(9, 15);
  return {std::pow(10, exponent(random)), std::pow(10, exponent(random) - 3)};
}

}  // namespace

TEST_CASE("the worked example of 15 TFLOP/s and 500 GB/s") {
  REQUIRE(ridge(kExample) == Approx(30));
  REQUIRE(attainable(kExample, 5) == Approx(2.5e12));
  REQUIRE(classify(kExample, 5) == Bound::kMemory);
}

TEST_CASE("six operations on 4608 GFLOP/s and 96 GB/s") {
  struct Row {
    double flops, bytes, microseconds;
  };
  const Row rows[] = {{57.8e6, 24.5e6, 255.2}, {51.4e6, 2.3e6, 23.96}, {925e6, 24.5e6, 255.2},
                      {236e6, 3.7e6, 51.2},    {172e6, 1.3e6, 37.3},   {231e6, 1.3e6, 50.1}};
  REQUIRE(ridge(kSixOperations) == Approx(48));
  double sum = 0;
  std::vector<Work> sequence;
  for (const Row& row : rows) {
    const double seconds = time_seconds(kSixOperations, row.flops, row.bytes);
    CHECK(seconds * 1e6 == Approx(row.microseconds).epsilon(0.002));
    sum += seconds;
    sequence.push_back({row.flops, row.bytes});
  }
  REQUIRE(time_of_sequence(kSixOperations, sequence) == Approx(sum));
  // The bound of the sums is lower: it assumes overlap that a sequence does not have.
  REQUIRE(time_seconds(kSixOperations, 1673.2e6, 57.6e6) < 0.95 * sum);
}

TEST_CASE("the bound switches exactly at the ridge") {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    const Roof roof = random_roof(random);
    const double at = ridge(roof);
    REQUIRE(classify(roof, at) == Bound::kCompute);
    REQUIRE(classify(roof, std::nextafter(at, 0.0)) == Bound::kMemory);
    REQUIRE(classify(roof, std::nextafter(at, kInfinity)) == Bound::kCompute);
  }
}

TEST_CASE("the roof is monotone and never above either limit") {
  std::mt19937 random(6);
  for (int i = 0; i < 200; ++i) {
    const Roof roof = random_roof(random);
    double before = 0;
    for (double intensity = 1e-3; intensity < 1e7; intensity *= 1.3) {
      const double rate = attainable(roof, intensity);
      REQUIRE(rate >= before);
      REQUIRE(rate <= roof.flops_per_second);
      REQUIRE(rate <= intensity * roof.bytes_per_second);
      before = rate;
    }
    REQUIRE(attainable(roof, kInfinity) == roof.flops_per_second);
  }
}

TEST_CASE("time is homogeneous in FLOPs and bytes, and agrees with the attainable rate") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> amount(1, 1e12);
  for (int i = 0; i < 1000; ++i) {
    const Roof roof = random_roof(random);
    const double flops = amount(random);
    const double bytes = amount(random);
    const double seconds = time_seconds(roof, flops, bytes);
    REQUIRE(time_seconds(roof, 8 * flops, 8 * bytes) == Approx(8 * seconds).epsilon(1e-12));
    REQUIRE(flops / seconds == Approx(attainable(roof, flops / bytes)).epsilon(1e-12));
  }
}

TEST_CASE("no bytes means cache-resident work, not intensity zero") {
  REQUIRE(arithmetic_intensity(10, 0) == kInfinity);
  REQUIRE(classify(kExample, arithmetic_intensity(10, 0)) == Bound::kCompute);
  REQUIRE(arithmetic_intensity(0, 10) == 0);
  REQUIRE_THROWS_AS(arithmetic_intensity(0, 0), std::invalid_argument);
}

TEST_CASE("bad input is refused by name") {
  for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
    CHECK_THROWS_AS(ridge({bad, 1}), std::invalid_argument);
    CHECK_THROWS_AS(ridge({1, bad}), std::invalid_argument);
    CHECK_THROWS_AS(attainable({bad, 1}, 1), std::invalid_argument);
    CHECK_THROWS_AS(time_seconds({1, bad}, 1, 1), std::invalid_argument);
    CHECK_THROWS_AS(energy_ridge({bad, 1, 0}), std::invalid_argument);
    CHECK_THROWS_AS(layer_intensity({bad, 1, 1, 1}, 1), std::invalid_argument);
    CHECK_THROWS_AS(critical_batch({8, 8, bad, 1}, 1), std::invalid_argument);
  }
  for (const double bad : {-1.0, kNaN}) {
    CHECK_THROWS_AS(attainable(kExample, bad), std::invalid_argument);
    CHECK_THROWS_AS(classify(kExample, bad), std::invalid_argument);
    CHECK_THROWS_AS(time_seconds(kExample, bad, 1), std::invalid_argument);
    CHECK_THROWS_AS(time_seconds(kExample, 1, bad), std::invalid_argument);
  }
  CHECK_THROWS_WITH(ridge({-3, 1}), Catch::Matchers::Contains("peak rate in FLOP/s is -3"));
}

TEST_CASE("a hierarchical bound is set by one level") {
  const std::vector<LevelLoad> levels = {{"L1", 19.49e12, 6.4e9}, {"DRAM", 2.039e12, 4.1e9}};
  const HierarchicalBound bound = hierarchical_bound(19.5e12, 1e9, levels);
  REQUIRE(bound.limit == "DRAM");
  REQUIRE(bound.seconds == Approx(4.1e9 / 2.039e12));
  REQUIRE(hierarchical_bound(19.5e12, 1e12, levels).limit == "compute");
  // The roof is the lowest of intensity x bandwidth over the levels.
  REQUIRE(bound.flops_per_second == Approx(1e9 / 4.1e9 * 2.039e12));
  REQUIRE_THROWS_AS(hierarchical_bound(1, 0, {}), std::invalid_argument);
}

TEST_CASE("critical batch, and never") {
  REQUIRE(critical_batch({4096, 4096}, 152).value() == Approx(164.2).epsilon(5e-4));
  REQUIRE(critical_batch({768, 768}, 152).value() == Approx(251.6).epsilon(1e-3));
  REQUIRE(critical_batch({768, 3072}, 152).value() == Approx(202).epsilon(1e-3));
  const double h100 = 989.4e12 / 3350e9;
  REQUIRE(critical_batch({4096, 4096}, 312e12 / 2039e9).value() == Approx(165.4).epsilon(5e-4));
  REQUIRE(critical_batch({4096, 4096}, h100).value() == Approx(345.1).epsilon(5e-4));
  REQUIRE(critical_batch({4096, 4096}, 989.4e12 / 4800e9).value() == Approx(229.2).epsilon(5e-4));
  REQUIRE(critical_batch({4096, 4096, 1, 2}, h100).value() == Approx(172.6).epsilon(5e-4));
  REQUIRE(critical_batch({4096, 4096, 0.5 + 2.0 / 128, 2}, h100).value() ==
          Approx(89.0).epsilon(5e-4));
  REQUIRE_FALSE(critical_batch({512, 512}, h100));
  REQUIRE_FALSE(critical_batch({256, 256}, 152));
}

TEST_CASE("the layer reaches the ridge at its critical batch and not before") {
  const DenseLayer layer{1024, 4096, 1, 2};
  const double batch = critical_batch(layer, 200).value();
  REQUIRE(layer_intensity(layer, batch) == Approx(200));
  REQUIRE(layer_intensity(layer, 0.99 * batch) < 200);
  REQUIRE(layer_intensity(layer, 1e12) == Approx(layer_intensity_limit(layer)).epsilon(1e-6));
}

TEST_CASE("energy roofline") {
  const EnergyCosts costs{0.3e-12, 20e-12, 0};
  REQUIRE(energy_ridge(costs) == Approx(66.667).epsilon(1e-4));
  REQUIRE(flops_per_joule(costs, 4096 / 3.0) == Approx(3178e9).epsilon(1e-3));
  REQUIRE(flops_per_joule(costs, 1.25) == Approx(61.3e9).epsilon(1e-3));
  REQUIRE(energy_joules(costs, 1e12, 0) == Approx(0.3));
  REQUIRE(energy_joules({0.3e-12, 20e-12, 100}, 1e12, 1e9, 2) == Approx(200.32));
}

TEST_CASE("communication roofline") {
  REQUIRE(collective_bytes(Collective::kAllReduce, 1e9, 8) == Approx(1.75e9));
  REQUIRE(collective_bytes(Collective::kAllReduce, 1e9, 1) == 0);
  // A reduce-scatter and an all-gather make up an all-reduce.
  REQUIRE(collective_bytes(Collective::kReduceScatter, 1e9, 8) +
              collective_bytes(Collective::kAllGather, 1e9, 8) ==
          Approx(collective_bytes(Collective::kAllReduce, 1e9, 8)));
  const Link link{5e-6, 100e9};
  REQUIRE(collective_seconds(Collective::kAllReduce, 1e9, 8, link) ==
          Approx(14 * 5e-6 + 1.75e9 / 100e9));
  REQUIRE_THROWS_AS(collective_bytes(Collective::kAllReduce, 1, 0), std::invalid_argument);
}

TEST_CASE("advice follows the position on the chart") {
  REQUIRE(advise(kExample, 5, 1e12).remedies.front().move == Move::kDiagonal);
  REQUIRE(advise(kExample, 5, 1.7e12).remedies.front().move == Move::kRight);
  REQUIRE(advise(kExample, 5, 2.4e12).remedies.front().move == Move::kRight);
  REQUIRE(advise(kExample, 100, 5e12).remedies.front().move == Move::kUp);
  REQUIRE(advise(kExample, 100, 14e12).remedies.front().move == Move::kNewRoof);
  REQUIRE(advise(kExample, 100, 7.5e12).fraction_of_roof == Approx(0.5));
  REQUIRE_THROWS_AS(advise(kExample, 5, 2.6e12), std::invalid_argument);
  // In sentences: the first two remedies of the table, or why the rate cannot be.
  REQUIRE_THAT(next_steps(Bound::kMemory, 0.9),
               Catch::Matchers::StartsWith("Store the data in fewer bits") &&
                   Catch::Matchers::EndsWith("neighbouring operation."));
  REQUIRE_THAT(next_steps(Bound::kCompute, 0.5), Catch::Matchers::Contains("independent chains"));
  REQUIRE_THAT(next_steps(Bound::kMemory, 1.03), Catch::Matchers::Contains("103 % of the roof"));
}
