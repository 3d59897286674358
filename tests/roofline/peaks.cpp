// SPDX-License-Identifier: MIT
// The peak calculators compared with published chips.
#include "roofline/peaks.hpp"

#include "support/catch.hpp"

using namespace roofline;

TEST_CASE("vector and matrix peaks from parts") {
  REQUIRE(vector_peak(108, 64, 1.41e9) == Approx(19.5e12).epsilon(2e-3));
  REQUIRE(matrix_peak(108, 4, 256, 1.41e9) == Approx(312e12).epsilon(2e-3));
  REQUIRE(vector_peak(132, 128, 1.98e9) == Approx(66.9e12).epsilon(1e-3));
  REQUIRE(matrix_peak(132, 4, 512, 1.83e9) == Approx(989.4e12).epsilon(1e-3));
  // No single clock gives both of the H100's figures.
  REQUIRE(vector_peak(132, 128, 1.83e9) < 0.95 * 66.9e12);
}

TEST_CASE("memory peaks from clock and bus") {
  REQUIRE(memory_peak(1593e6, 5120) == Approx(2039e9).epsilon(1e-3));
  REQUIRE(memory_peak(2619e6, 5120) == Approx(3352e9).epsilon(1e-3));
  REQUIRE(cpu_memory_peak(12, 4800e6) == Approx(460.8e9));
}

TEST_CASE("CPU peaks from cores, pipes and width") {
  REQUIRE(cpu_vector_peak(1, 2, 512, 64, 1e9) == Approx(32e9));
  REQUIRE(cpu_vector_peak(64, 2, 256, 32, 3.75e9) == Approx(7.68e12));
}

TEST_CASE("efficiency, and input that has none") {
  REQUIRE(efficiency(80, 100) == Approx(0.8));
  REQUIRE_THROWS_AS(efficiency(1, 0), std::invalid_argument);
  REQUIRE_THROWS_AS(vector_peak(0, 1, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(memory_peak(-1, 5120), std::invalid_argument);
}
