// SPDX-License-Identifier: MIT
// Sizes, names and conversions of element types.
#include "harness/element.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "gpu/cpu/half_conversion.hpp"
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
  // The largest 64-bit integers are not representable as doubles: compare with the next power of
  // two.
  const double top = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (value >= top) return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(std::nearbyint(value));
}

/// The next float towards zero, its last digit odd where digits are lost: rounding that to 16 bits
/// gives what rounding `value` at once would.
float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || double{nearest} == value) return nearest;
  const bool is_too_large = std::fabs(double{nearest}) > std::fabs(value);
  const auto bits = std::bit_cast<std::uint32_t>(nearest) - (is_too_large ? 1 : 0);
  return std::bit_cast<float>(bits | 1);
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
      return gpu::cpu::half_value(load<std::uint16_t>(data));
    case Element::kBf16:
      return gpu::cpu::bfloat16_value(load<std::uint16_t>(data));
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
      return store(gpu::cpu::half_bits(rounded_to_odd(value)), data);
    case Element::kBf16:
      return store(gpu::cpu::bfloat16_bits(rounded_to_odd(value)), data);
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
