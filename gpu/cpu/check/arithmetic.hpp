// SPDX-License-Identifier: MIT
// The arithmetic in a piece of machine code.
#pragma once

#include <string>
#include <vector>

#include "memory_map.hpp"
#include "vgpu/profile.hpp"

namespace gpu::cpu::check {

/// What one lane computes on one line each time it executes the piece.
struct LineArithmetic {
  std::string file;  ///< name without folders
  int line = 0;
  bool is_kernel_file = false;
  std::string format;  ///< "fp64", "fp32", "fp16"
  vgpu::Arithmetic work;
};

/// The arithmetic of the instructions from `place` on, up to a jump or the next traced piece.
/// Kernels are compiled without optimisation, so each operation of the source is one floating-point
/// instruction or one call of the maths library. A division by a constant that is a power of two
/// counts as the multiplication that a GPU's compiler makes of it.
/// @throws std::runtime_error for an access of a kind that the instrumentation does not report
std::vector<LineArithmetic> arithmetic_of(Address place);

/// Whether the piece from `place` on only computes with the thread's own variables: it accesses no
/// memory that others see, and calls nothing but the maths library.
bool only_computes(Address place);

}  // namespace gpu::cpu::check
