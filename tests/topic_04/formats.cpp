// SPDX-License-Identifier: MIT
// Numbers of eight and four bits: the reference functions and the library, against NVIDIA's headers
// (number_formats.csv, which published_formats.cpp wrote) and the tables of the OCP's
// specifications.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "formulas.hpp"
#include "roofline/llm/number_formats.hpp"
#include "support/catch.hpp"

namespace {

namespace llm = roofline::llm;

struct Row {
  double from = 0;
  double to = 0;
};

/// The published rows about one thing, such as "decode e4m3".
std::vector<Row> published(const std::string& what) {
  std::ifstream file(RL_PUBLISHED);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string name, from, to;
    std::getline(cells, name, ',');
    std::getline(cells, from, ',');
    std::getline(cells, to, ',');
    if (name != what) continue;
    rows.push_back({std::strtod(from.c_str(), nullptr), std::strtod(to.c_str(), nullptr)});
  }
  return rows;
}

/// Equal, and of one sign where they are zero; any NaN equals any other.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

void check_decoding(const std::string& format, std::size_t codes,
                    const std::function<double(std::int64_t)>& decode) {
  const std::vector<Row> rows = published("decode " + format);
  REQUIRE(rows.size() == codes);
  for (const Row& row : rows) {
    INFO(format << " code " << row.from << " is " << row.to);
    CHECK(same(decode(static_cast<std::int64_t>(row.from)), row.to));
  }
}

void check_encoding(const std::string& format, const llm::SmallFloat& small, std::int64_t sign_bit,
                    const std::function<std::int64_t(double)>& encode) {
  const std::vector<double> magnitudes = llm::magnitudes(small);
  const std::vector<Row> rows = published("encode " + format);
  // Of each pair of neighbours the upper one and the middle, with what is next to them, twice.
  REQUIRE(rows.size() >= 12 * (magnitudes.size() - 1));
  for (const Row& row : rows) {
    INFO(format << " of " << row.from << " is " << row.to);
    const auto code = static_cast<std::int64_t>(row.to);
    CHECK(encode(row.from) == code);
    if (std::isnan(row.from)) continue;
    CHECK(static_cast<std::int64_t>(llm::nearest_code(magnitudes, row.from)) == code % sign_bit);
    CHECK(same(llm::nearest(magnitudes, row.from),
               std::copysign(magnitudes[static_cast<std::size_t>(code % sign_bit)], row.from)));
  }
}

void check_magnitudes(const std::string& format, const llm::SmallFloat& small) {
  const std::vector<double> magnitudes = llm::magnitudes(small);
  const std::vector<Row> rows = published("decode " + format);
  for (std::size_t code = 0; code < rows.size() / 2; ++code) {
    INFO(format << " code " << code);
    if (std::isfinite(rows[code].to)) {
      REQUIRE(code < magnitudes.size());
      CHECK(magnitudes[code] == rows[code].to);
    } else {
      CHECK(code >= magnitudes.size());
    }
  }
}

}  // namespace

TEST_CASE("codes decode as by NVIDIA's headers") {
  check_decoding("e4m3", 256, decode_e4m3);
  check_decoding("e5m2", 256, decode_e5m2);
  check_decoding("e2m1", 16, decode_e2m1);
  check_decoding("e8m0", 256, decode_e8m0);
  check_magnitudes("e4m3", llm::kE4m3);
  check_magnitudes("e5m2", llm::kE5m2);
  check_magnitudes("e2m1", llm::kE2m1);
}

TEST_CASE("numbers are rounded as NVIDIA's headers round them") {
  check_encoding("e4m3", llm::kE4m3, 0x80, encode_e4m3);
  check_encoding("e2m1", llm::kE2m1, 8, encode_e2m1);
  const std::vector<Row> scales = published("scale");
  REQUIRE(scales.size() > 60);
  for (const Row& row : scales) {
    INFO("scale of " << row.from);
    CHECK(mx_scale(row.from, 0) == static_cast<std::int64_t>(row.to));
    CHECK(llm::power_of_two_scale(row.from, {0, 1}) ==
          decode_e8m0(static_cast<std::int64_t>(row.to)));
  }
}

TEST_CASE("the tables of the specifications") {
  // OFP8 1.0, table 2: largest number, smallest normal one, largest and smallest subnormal ones.
  CHECK(decode_e4m3(0b0'1111'110) == 448);
  CHECK(decode_e4m3(0b0'0001'000) == std::ldexp(1, -6));
  CHECK(decode_e4m3(0b0'0000'111) == 0.875 * std::ldexp(1, -6));
  CHECK(decode_e4m3(0b0'0000'001) == std::ldexp(1, -9));
  CHECK(decode_e5m2(0b0'11110'11) == 57344);
  CHECK(decode_e5m2(0b0'00001'00) == std::ldexp(1, -14));
  CHECK(decode_e5m2(0b0'00000'11) == 0.75 * std::ldexp(1, -14));
  CHECK(decode_e5m2(0b0'00000'01) == std::ldexp(1, -16));
  // MX 1.0: E2M1 and E8M0.
  CHECK(decode_e2m1(0b0'11'1) == 6);
  CHECK(decode_e2m1(0b0'01'0) == 1);
  CHECK(decode_e2m1(0b0'00'1) == 0.5);
  CHECK(decode_e8m0(0) == std::ldexp(1, -127));
  CHECK(decode_e8m0(254) == std::ldexp(1, 127));
  CHECK(std::isnan(decode_e8m0(255)));
  CHECK(llm::magnitudes(llm::kFp16).back() == 65504);
}

TEST_CASE("an MX block by the rule and by the library") {
  const llm::BlockFormat mxfp4{"MXFP4", llm::magnitudes(llm::kE2m1), 32,
                               llm::ScaleKind::kPowerOfTwo};
  CHECK(llm::stored_weights(std::vector<double>{1, -2, 3, 6}, mxfp4) ==
        std::vector<double>{1, -2, 3, 6});
  // 7.9 has the exponent of 4, so its scale is 1, and 6 takes its place.
  CHECK(llm::stored_weights(std::vector<double>{7.9, 0.25, -0.75}, mxfp4) ==
        std::vector<double>{6, 0, -1});
  CHECK(llm::stored_weights(std::vector<double>{0, 0}, mxfp4) == std::vector<double>{0, 0});
  // Two blocks, each with its own scale.
  std::vector<double> blocks(33, 4);
  blocks.back() = std::ldexp(1, -20);
  CHECK(llm::stored_weights(blocks, mxfp4) == blocks);
  for (int length = 1; length <= 32; ++length) {
    std::vector<double> weights;
    for (int i = 0; i < length; ++i) weights.push_back(std::sin(3.7 * i + length) * length);
    CHECK(mxfp4_error(weights) == Approx(llm::relative_error(weights, mxfp4)).epsilon(1e-12));
  }
}

TEST_CASE("a row in INT8 by the rule and by the library") {
  const llm::BlockFormat int8{"INT8", llm::whole_magnitudes(127), 0, llm::ScaleKind::kFloat};
  for (int length = 1; length <= 128; ++length) {
    std::vector<double> row;
    for (int i = 0; i < length; ++i) row.push_back(std::sin(3.7 * i + length) * length);
    CHECK(int8_error(row) == Approx(llm::relative_error(row, int8)).epsilon(1e-12).margin(1e-15));
  }
}

TEST_CASE("an NVFP4 tensor") {
  const llm::BlockFormat nvfp4{"NVFP4", llm::magnitudes(llm::kE2m1), 16,
                               llm::ScaleKind::kTwoLevels};
  // The tensor's scale is 1; the blocks' are 448, 1, and 13 / 6 rounded to 2.25.
  std::vector<double> weights(48, 0);
  weights[0] = 6 * 448;
  weights[16] = 6;
  weights[17] = -1.5;
  weights[32] = 13;
  const std::vector<double> stored = llm::stored_weights(weights, nvfp4);
  CHECK(stored[0] == 2688);
  CHECK(stored[16] == 6);
  CHECK(stored[17] == -1.5);
  CHECK(stored[32] == 13.5);
  CHECK(nvfp4_scale(2688, 2688) == 126);
  CHECK(nvfp4_scale(6, 2688) == encode_e4m3(1));
  CHECK(nvfp4_scale(13, 2688) == encode_e4m3(2.25));
  CHECK(nvfp4_scale(13e-6, 2688e-6) == encode_e4m3(2.25));
}

TEST_CASE("scales that make the largest weight the largest element") {
  const llm::BlockFormat int4{"INT4", llm::whole_magnitudes(7), 2, llm::ScaleKind::kHalf};
  CHECK(llm::stored_weights(std::vector<double>{7, -3.2, 14, 13}, int4) ==
        std::vector<double>{7, -3, 14, 12});  // 13 is 6.5 steps of 2
  const llm::BlockFormat fp8{"FP8", llm::magnitudes(llm::kE4m3), 0, llm::ScaleKind::kFloat};
  CHECK(llm::stored_weights(std::vector<double>{448e3, -17e3}, fp8) ==
        std::vector<double>{448e3, -16e3});  // a tie: 16 has the even code
  CHECK(llm::stored_weights(std::vector<double>{0, 0}, fp8) == std::vector<double>{0, 0});
  CHECK_THROWS_AS(llm::relative_error(std::vector<double>{0, 0}, fp8), std::invalid_argument);
  CHECK_THROWS_AS(llm::nearest_code(fp8.elements, NAN), std::invalid_argument);
}
