// SPDX-License-Identifier: MIT
// Products of 16 rows of halves with 8 inputs, with FP32 sums, by whatever the machine has for
// them: gpu::BatchDot<T>; T is float, or gpu::Counting<float>. Nothing goes through shared memory:
// each lane brings what it loaded itself. All lanes of a warp (on an AMD GPU each half of it) call
// each function together; threads are numbered by threadIdx.x alone.
//
//   void add(const uint4& first, const uint4& second, const uint4& x)
//     lane 4 q + t brings eight halves of row q, of row q + 8 and of input q, all from the same
//     columns; the four lanes of q have columns of their own, which only t decides
//   static constexpr int kHeld       sums that a lane gets in the end
//   void totals(T (&to)[kHeld]) const
//   static int row(int i), input(int i)
//                                    whose product to[i] is
#pragma once

#include "gpu/backend/batch_dot.hpp"
