// SPDX-License-Identifier: MIT
// Reading and writing elements of every type.
#include "harness/element.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "support/catch.hpp"

using harness::Element;

namespace {

double round_trip(Element element, double value) {
  std::array<std::byte, 8> bytes{};
  harness::write_element(element, value, bytes.data());
  return harness::read_element(element, bytes.data());
}

}  // namespace

TEST_CASE("half precision rounds to nearest even", "[element]") {
  CHECK(round_trip(Element::kF16, 1.0) == 1.0);
  CHECK(round_trip(Element::kF16, 65504.0) == 65504.0);
  CHECK(std::isinf(round_trip(Element::kF16, 65520.0)));
  CHECK(round_trip(Element::kF16, 65519.0) == 65504.0);
  CHECK(round_trip(Element::kF16, 1.0 + 1.0 / 2048) == 1.0);
  CHECK(round_trip(Element::kF16, 1.0 + 3.0 / 2048) == 1.0 + 2.0 / 1024);
  CHECK(round_trip(Element::kF16, std::ldexp(1.0, -24)) == std::ldexp(1.0, -24));
  CHECK(round_trip(Element::kF16, std::ldexp(1.0, -26)) == 0.0);
  CHECK(round_trip(Element::kF16, -2.5) == -2.5);
  CHECK(round_trip(Element::kF16, 2047.9) == 2048.0);
  CHECK(std::isnan(round_trip(Element::kF16, std::nan(""))));
}

TEST_CASE("every half is read and written back as itself", "[element]") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    std::array<std::byte, 2> bytes{};
    std::memcpy(bytes.data(), &half, 2);
    const double value = harness::read_element(Element::kF16, bytes.data());
    if (std::isnan(value)) continue;
    harness::write_element(Element::kF16, value, bytes.data());
    std::uint16_t back = 0;
    std::memcpy(&back, bytes.data(), 2);
    if (back != half) FAIL("half " << half << " came back as " << back);
  }
  SUCCEED();
}

TEST_CASE("bfloat16 keeps the range of float", "[element]") {
  CHECK(round_trip(Element::kBf16, 1.0) == 1.0);
  CHECK(round_trip(Element::kBf16, 1.0 + 1.0 / 256) == 1.0);
  CHECK(round_trip(Element::kBf16, 1.0 + 3.0 / 256) == 1.0 + 4.0 / 256);
  CHECK(round_trip(Element::kBf16, 1e38) == Approx(1e38).epsilon(0.01));
  CHECK(std::isinf(round_trip(Element::kBf16, -std::numeric_limits<double>::infinity())));
}

TEST_CASE("a double is rounded once, not by way of float", "[element]") {
  // Just above the middle of two neighbours: rounded to float first it would be the middle, a tie.
  const double above = std::ldexp(1.0, -40);
  CHECK(round_trip(Element::kF16, 1.0 + 1.0 / 2048 + above) == 1.0 + 1.0 / 1024);
  CHECK(round_trip(Element::kF16, -(1.0 + 1.0 / 2048 + above)) == -(1.0 + 1.0 / 1024));
  CHECK(round_trip(Element::kF16, 1.0 + 3.0 / 2048 - above) == 1.0 + 1.0 / 1024);
  CHECK(round_trip(Element::kF16, std::ldexp(1.0 + above, -25)) == std::ldexp(1.0, -24));
  CHECK(round_trip(Element::kF16, 65520.0 - std::ldexp(1.0, -30)) == 65504.0);
  CHECK(round_trip(Element::kF16, 1e300) == std::numeric_limits<double>::infinity());
  CHECK(round_trip(Element::kBf16, 1.0 + 1.0 / 256 + above) == 1.0 + 1.0 / 128);
  CHECK(round_trip(Element::kBf16, 1.0 + 3.0 / 256 - above) == 1.0 + 1.0 / 128);
}

TEST_CASE("integers saturate", "[element]") {
  CHECK(round_trip(Element::kI8, 200) == 127);
  CHECK(round_trip(Element::kI8, -200) == -128);
  CHECK(round_trip(Element::kU8, -1) == 0);
  CHECK(round_trip(Element::kI32, 1e12) == std::numeric_limits<std::int32_t>::max());
  CHECK(round_trip(Element::kU32, 4294967295.0) == 4294967295.0);
  CHECK(round_trip(Element::kI64, 1e30) ==
        static_cast<double>(std::numeric_limits<std::int64_t>::max()));
}

TEST_CASE("an unknown element type is a protocol error", "[element]") {
  CHECK_THROWS(harness::element_from_code(12));
  CHECK_THROWS(harness::element_from_code(-1));
  CHECK(harness::element_from_code(1) == Element::kF32);
}

TEST_CASE("16-bit numbers of the host round and come back", "[element]") {
  CHECK(harness::from_element(harness::to_element<harness::HalfBits>(1.0 + 1.0 / 2048)) == 1.0);
  CHECK(harness::from_element(harness::to_element<harness::Bfloat16Bits>(1.0 + 1.0 / 128)) ==
        1.0 + 1.0 / 128);
  CHECK(harness::from_element(harness::to_element<harness::Bfloat16Bits>(1.0 + 1.0 / 512)) == 1.0);
  CHECK(harness::kElementOf<harness::HalfBits> == Element::kF16);
  CHECK(harness::size_of(harness::kElementOf<harness::Bfloat16Bits>) ==
        sizeof(harness::Bfloat16Bits));
}
