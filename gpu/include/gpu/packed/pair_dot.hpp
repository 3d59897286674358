// SPDX-License-Identifier: MIT
// Dot products of two rows of halves with one vector, with FP32 sums, using the best instructions
// the machine has: gpu::PairDot.
//
//   PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2], const unsigned (&x)[2])
//   const
//     these sums plus the products of this lane's four numbers of each row with its four inputs;
//     a word holds two halves. All lanes of a warp call it together.
//   void add_scaled(const PairDot& other, float first, float second)
//     adds other's sums, each row's times its factor
//   float first() const, float second() const
//     where counts() is true: add these up over the four lanes of a quad (lanes 4 q to 4 q + 3) to
//     get the products that these lanes have added. Unspecified elsewhere.
//   static bool counts()
//     whether this lane's share counts; threads are numbered by threadIdx.x alone.
//   static constexpr bool kKeepsSubnormals
//     whether halves below 2^-14 are multiplied like others rather than treated as zero.
//
// Products of 16 rows of halves with 8 inputs, with FP32 sums, using the best instructions the
// machine has: gpu::BatchDot<T>; T is float, or gpu::Counting<float>. Nothing goes through shared
// memory: each lane passes in what it loaded itself. All lanes of a warp (on an AMD GPU each half
// of
// it) call each function together; threads are numbered by threadIdx.x alone.
//
//   void add(const uint4& first, const uint4& second, const uint4& x)
//     lane 4 q + t passes in eight halves of row q, of row q + 8 and of input q, all from the same
//     columns; the four lanes of q have different columns, determined by t alone
//   static constexpr int kHeld       sums that a lane gets in the end
//   void totals(T (&to)[kHeld]) const
//   static int row(int i), input(int i)
//                                    the row and the input whose product to[i] is
#pragma once

#include "gpu/backend/batch_dot.hpp"
#include "gpu/backend/pair_dot.hpp"
