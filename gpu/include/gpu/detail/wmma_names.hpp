// SPDX-License-Identifier: MIT
// The names of nvcuda::wmma for backends without CUDA's own header.
#pragma once

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

inline constexpr int kSide = 16;

}  // namespace nvcuda::wmma
