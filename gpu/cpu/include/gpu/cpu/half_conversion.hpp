// SPDX-License-Identifier: MIT
// binary16 and bfloat16 to float and back. A GPU does each in one instruction, so what these
// functions compute to do the same is not counted (gpu/cpu/check/arithmetic.cpp).
#pragma once

#include <bit>
#include <cstdint>

namespace gpu::cpu {

/// Rounds to binary16, ties to even; overflow gives infinity, NaN stays NaN.
constexpr std::uint16_t half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Below 2^-14 halves are spaced 2^-24 apart: adding 0.5f makes the float unit round to that.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0x0fffu + odd) >> 13));
}

constexpr float half_value(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude << 13));
  if (magnitude < 0x0400u) {
    const float tiny = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f;
    return sign != 0 ? -tiny : tiny;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
}

/// Rounds to bfloat16, ties to even; NaN stays NaN.
constexpr std::uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float bfloat16_value(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

}  // namespace gpu::cpu
