// SPDX-License-Identifier: MIT
// Dot products of two rows of halves with one vector, with FP32 sums, by whatever the machine has
// for them: gpu::PairDot.
//
//   PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2], const unsigned (&x)[2])
//   const
//     these sums, and the products of this lane's four numbers of either row with its four inputs;
//     a word holds two halves. All lanes of a warp call it together.
//   void add_scaled(const PairDot& other, float first, float second)
//     adds other's sums, each row's times its factor
//   float first() const, float second() const
//     where counts() is true: added up over the four lanes of a quad (lanes 4 q to 4 q + 3), the
//     products that these lanes have added. Anything elsewhere.
//   static bool counts()
//     whether this lane's share counts; threads are numbered by threadIdx.x alone.
//   static constexpr bool kKeepsSubnormals
//     whether halves below 2^-14 are multiplied like others, and not taken for zero.
#pragma once

#include "gpu/backend/pair_dot.hpp"
