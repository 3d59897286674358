// SPDX-License-Identifier: MIT
// Dot products of two rows of halves with one vector, with FP32 sums, by whatever the machine has
// for them: gpu::PairDot.
//
//   void add(const unsigned (&first)[2], const unsigned (&second)[2], const unsigned (&x)[2])
//     adds the products of this lane's four numbers of either row with its four inputs; a word
//     holds two halves. All lanes of a warp call it together.
//   float first() const, float second() const
//     where counts() is true: added up over the four lanes of a quad (lanes 4 q to 4 q + 3), the
//     products that these lanes have added. Anything elsewhere.
//   static bool counts()
//     whether this lane's share counts; threads are numbered by threadIdx.x alone.
#pragma once

#include "gpu/backend/pair_dot.hpp"
