// SPDX-License-Identifier: MIT
// Quantities: what is accepted, what is refused, and round trips.
#include "roofline/units.hpp"

#include <cmath>
#include <random>

#include "roofline/precision.hpp"
#include "support/catch.hpp"

using namespace roofline;
using Catch::Matchers::Contains;

TEST_CASE("quantities with units") {
  REQUIRE(parse_quantity_as("2.039 TB/s", kBytesPerSecond) == Approx(2.039e12));
  REQUIRE(parse_quantity_as("512 GiB/s", kBytesPerSecond) == Approx(512 * std::pow(2, 30)));
  REQUIRE(parse_quantity_as("4 FLOP/B", kOperationsPerByte) == 4);
  REQUIRE(parse_quantity_as("12.5 ms", kSeconds) == Approx(0.0125));
  REQUIRE(parse_quantity_as("100Gbit/s", kBytesPerSecond) == Approx(12.5e9));
  REQUIRE(parse_quantity_as("70 %", kNumber) == Approx(0.7));
  REQUIRE(parse_quantity_as(" 7 ", kNumber) == 7);
  for (const char* blank : {"\u00a0", "\u202f", "\u2009", "\t"}) {
    REQUIRE(parse_quantity_as(std::string("7") + blank + "GB" + blank, kBytes) == 7e9);
  }
  REQUIRE(parse_quantity_as("130 TOP/s", kOperationsPerSecond) == Approx(130e12));
  REQUIRE(parse_quantity_as("700 W", kWatts) == 700);
  for (const char* written : {"2 flops/byte", "2 flop/b", "2 FLOP per byte", "2 flops / B"}) {
    CAPTURE(written);
    REQUIRE(parse_quantity_as(written, kOperationsPerByte) == 2);
  }
  REQUIRE(parse_quantity_as("3 Gflop", kOperations) == Approx(3e9));
  REQUIRE(parse_quantity_as("3 GFLOP/J", {.operations = 1, .joules = -1}) == Approx(3e9));
}

TEST_CASE("what is not a quantity") {
  for (const char* bad :
       {"", " ", "GB", "nan", "inf", "-inf GB", "1e999", "0x10", "1_000", "1,5 GB", "+3",
        "3 GB/s/s", "3 XB", "3 KiFLOP", "--2", "\xD9\xA3 GB", "3 GB s"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_quantity(bad), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_quantity("5 GFLOPS"), Contains("FLOP/s"));
  CHECK_THROWS_WITH(parse_quantity_as("5 GB", kBytesPerSecond),
                    Contains("is in bytes") && Contains("bytes/seconds is expected"));
  CHECK_THROWS_WITH(parse_quantity_as("16.67 %", kBytes), Contains("'16.67 %' is a plain number"));
  CHECK_THROWS_AS(parse_quantity("3 Gb/s"), std::invalid_argument);  // bits or bytes?
}

TEST_CASE("quantities survive being written and read") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> exponent(-10, 15);
  for (const Dimension dimension :
       {kNumber, kBytes, kOperations, kSeconds, kHertz, kBytesPerSecond, kOperationsPerSecond,
        kOperationsPerByte, kJoules, kWatts, kTokensPerSecond}) {
    for (int i = 0; i < 200; ++i) {
      const double value = std::pow(10, exponent(random));
      const std::string text = format_quantity(value, dimension, 17);
      INFO(text);
      REQUIRE(parse_quantity_as(text, dimension) == Approx(value).epsilon(1e-14));
    }
    REQUIRE(parse_quantity_as(format_quantity(0, dimension), dimension) == 0);
  }
  REQUIRE(format_quantity(2.039e12, kBytesPerSecond) == "2.039 TB/s");
}

TEST_CASE("precisions by name and size") {
  for (const Precision precision : all_precisions()) {
    REQUIRE(parse_precision(display_name(precision)) == precision);
  }
  REQUIRE(bytes_per_element(Precision::kInt4) == 0.5);
  REQUIRE(bytes_per_element(Precision::kTf32) == 4);
  REQUIRE_THROWS_WITH(parse_precision("half"), Contains("fp16"));
}
