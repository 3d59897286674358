// SPDX-License-Identifier: MIT
// Sizes, names and conversions of element types.
#include "harness/element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/value.hpp"

namespace harness {
namespace {

struct Info {
  std::string_view name;
  std::size_t size;
};
constexpr std::array<Info, 12> kInfo{{{"f64", 8},
                                      {"f32", 4},
                                      {"f16", 2},
                                      {"bf16", 2},
                                      {"i64", 8},
                                      {"i32", 4},
                                      {"i16", 2},
                                      {"i8", 1},
                                      {"u64", 8},
                                      {"u32", 4},
                                      {"u16", 2},
                                      {"u8", 1}}};

const Info& info(Element element) {
  return kInfo[static_cast<std::size_t>(element)];
}

template <class T>
T load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

template <class T>
void store(T value, std::byte* data) {
  std::memcpy(data, &value, sizeof value);
}

template <class T>
T saturated(double value) {
  if (std::isnan(value)) return 0;
  // The largest 64-bit integers are not doubles: compare with the power of two above them.
  const double top = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (value >= top) return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(std::nearbyint(value));
}

double half_to_double(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint16_t double_to_half(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (magnitude >= 65520.0) return sign | 0x7c00;  // rounds to infinity
  const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : -14, -14);
  // Steps of the last place at this exponent, ties to even by nearbyint.
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the fraction moves into the exponent by itself.
  return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + steps));
}

std::uint16_t float_to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace

std::size_t size_of(Element element) {
  return info(element).size;
}
std::string_view name_of(Element element) {
  return info(element).name;
}
bool is_floating(Element element) {
  return element <= Element::kBf16;
}

Element element_from_code(std::int64_t code) {
  if (code < 0 || code >= static_cast<std::int64_t>(kInfo.size())) {
    throw ProtocolError("message names an unknown element type");
  }
  return static_cast<Element>(code);
}

double read_element(Element element, const std::byte* data) {
  switch (element) {
    case Element::kF64:
      return load<double>(data);
    case Element::kF32:
      return load<float>(data);
    case Element::kF16:
      return half_to_double(load<std::uint16_t>(data));
    case Element::kBf16:
      return std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(data)} << 16);
    case Element::kI64:
      return static_cast<double>(load<std::int64_t>(data));
    case Element::kI32:
      return load<std::int32_t>(data);
    case Element::kI16:
      return load<std::int16_t>(data);
    case Element::kI8:
      return load<std::int8_t>(data);
    case Element::kU64:
      return static_cast<double>(load<std::uint64_t>(data));
    case Element::kU32:
      return load<std::uint32_t>(data);
    case Element::kU16:
      return load<std::uint16_t>(data);
    case Element::kU8:
      return load<std::uint8_t>(data);
  }
  throw ProtocolError("unknown element type");
}

void write_element(Element element, double value, std::byte* data) {
  switch (element) {
    case Element::kF64:
      return store(value, data);
    case Element::kF32:
      return store(static_cast<float>(value), data);
    case Element::kF16:
      return store(double_to_half(value), data);
    case Element::kBf16:
      return store(float_to_bfloat(static_cast<float>(value)), data);
    case Element::kI64:
      return store(saturated<std::int64_t>(value), data);
    case Element::kI32:
      return store(saturated<std::int32_t>(value), data);
    case Element::kI16:
      return store(saturated<std::int16_t>(value), data);
    case Element::kI8:
      return store(saturated<std::int8_t>(value), data);
    case Element::kU64:
      return store(saturated<std::uint64_t>(value), data);
    case Element::kU32:
      return store(saturated<std::uint32_t>(value), data);
    case Element::kU16:
      return store(saturated<std::uint16_t>(value), data);
    case Element::kU8:
      return store(saturated<std::uint8_t>(value), data);
  }
}

}  // namespace harness
