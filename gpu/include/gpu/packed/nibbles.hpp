// SPDX-License-Identifier: MIT
// Four-bit numbers as floats.
//
//   void load_scaled_nibbles(const std::uint8_t* from, __half scale, float zero,
//                            float (&to)[kCount])
//     the kCount numbers in kCount / 2 bytes, each (bits - zero) * scale, in the order in which a
//     core unpacks words: number 8 w + k goes to position k * kCount / 8 + w
//
//   class ScaledNibbles<kCount>   the same numbers, an eighth at a time
//     ScaledNibbles(const std::uint8_t* from, __half scale, float zero)
//     void part(int k, float (&to)[kCount / 8]) const   positions k * kCount / 8 and following
#pragma once

#include "gpu/backend/nibbles.hpp"
