// SPDX-License-Identifier: MIT
// Numbers of four bits as floats.
//
//   void load_scaled_nibbles(const std::uint8_t* from, __half scale, float zero,
//                            float (&to)[kCount])
//     the kCount numbers in kCount / 2 bytes, each (bits - zero) * scale, in the order in which a
//     core unpacks words: number 8 w + k goes to place k * kCount / 8 + w
#pragma once

#include "gpu/backend/nibbles.hpp"
