// SPDX-License-Identifier: MIT
// Matrix products of a warp, 16 x 16 x 16 in BF16 with FP32 sums, using the best instructions the
// machine has. Unlike with nvcuda::wmma, the layout of the sums is known: a lane knows which
// numbers it holds, so that it can apply a softmax to them and use the result as a factor of the
// next product. All lanes of a warp call each function together; threads are numbered by
// threadIdx.x alone. In gpu::tile:
//
//   constexpr int kSide = 16
//   constexpr int kLanes         lanes that share a tile: 32; 64 on an AMD GPU; 1 on a CPU (32 in
//                                checked kernels, as on an NVIDIA GPU)
//   class Left                   16 x 16 numbers, the left factor
//     void load(const __nv_bfloat16* from, int stride)
//                                row r starts at from + r * stride. All loads are from shared
//                                memory;
//                                the address and the stride are multiples of 16 bytes
//   class Right                  16 x 16 numbers, the right factor
//     void load_rows(const __nv_bfloat16* from, int stride)     row k starts at from + k * stride
//     void load_columns(const __nv_bfloat16* from, int stride)  column c at from + c * stride
//   class Sum<T>                 16 x 16 sums, zeros at first; T is float, or gpu::Counting<float>
//     void add(const Left& left, const Right& right)            adds their product
//     static constexpr int kRows, kColumns                      a lane holds at most this many
//     rows,
//                                                               and this many numbers of each
//     static int rows()          rows that this lane holds: kRows, or 0 if it has no work
//     T& at(int r, int c)        number c of the lane's row r
//     static int row(int r), column(int c)                      their position in the tile
//     Left rounded() const       the sums in BF16, as a left factor
//   bool any(bool value)         whether it is true on any lane that has work
//   T over_row(T value, combine) combines the values of the lanes that hold the same row; each of
//                                them gets the result
#pragma once

#include "gpu/backend/tile.hpp"
