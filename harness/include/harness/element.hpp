// SPDX-License-Identifier: MIT
// The element types of buffers and scalars that processes exchange.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace harness {

/// An element type. The order is part of the protocol.
enum class Element : std::uint8_t {
  kF64,
  kF32,
  kF16,
  kBf16,
  kI64,
  kI32,
  kI16,
  kI8,
  kU64,
  kU32,
  kU16,
  kU8
};

/// Size of one element in bytes.
std::size_t size_of(Element element);
/// Short name, such as "f32" or "i8".
std::string_view name_of(Element element);
/// The value of the element at `data`, exact except for 64-bit integers beyond 2^53.
double read_element(Element element, const std::byte* data);
/// Writes `value` at `data`, rounded to nearest; saturates integers.
void write_element(Element element, double value, std::byte* data);
/// True for the floating-point types.
bool is_floating(Element element);
/// The element type with the given number. @throws ProtocolError if there is none.
Element element_from_code(std::int64_t code);

/// The Element of a C++ type. For other 16-bit types, specialise ElementOf<T>; harness/half.hpp
/// does so for those of kernels.
template <class T>
struct ElementOf;
// clang-format off
template <> struct ElementOf<double> { static constexpr Element value = Element::kF64; };
template <> struct ElementOf<float> { static constexpr Element value = Element::kF32; };
template <> struct ElementOf<std::int64_t> { static constexpr Element value = Element::kI64; };
template <> struct ElementOf<std::int32_t> { static constexpr Element value = Element::kI32; };
template <> struct ElementOf<std::int16_t> { static constexpr Element value = Element::kI16; };
template <> struct ElementOf<std::int8_t> { static constexpr Element value = Element::kI8; };
template <> struct ElementOf<std::uint64_t> { static constexpr Element value = Element::kU64; };
template <> struct ElementOf<std::uint32_t> { static constexpr Element value = Element::kU32; };
template <> struct ElementOf<std::uint16_t> { static constexpr Element value = Element::kU16; };
template <> struct ElementOf<std::uint8_t> { static constexpr Element value = Element::kU8; };
// clang-format on

/// The bits of an IEEE binary16 on the host, which has no such type.
struct HalfBits {
  std::uint16_t bits = 0;
};
template <>
struct ElementOf<HalfBits> {
  static constexpr Element value = Element::kF16;
};
/// The bits of a bfloat16, the upper half of a float.
struct Bfloat16Bits {
  std::uint16_t bits = 0;
};
template <>
struct ElementOf<Bfloat16Bits> {
  static constexpr Element value = Element::kBf16;
};

template <class T>
inline constexpr Element kElementOf = ElementOf<T>::value;

/// `value` as a T, rounded as write_element() rounds.
template <class T>
T to_element(double value) {
  T element{};
  write_element(kElementOf<T>, value, reinterpret_cast<std::byte*>(&element));
  return element;
}

/// The value of a T as a double.
template <class T>
double from_element(const T& element) {
  return read_element(kElementOf<T>, reinterpret_cast<const std::byte*>(&element));
}

}  // namespace harness
