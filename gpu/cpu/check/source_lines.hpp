// SPDX-License-Identifier: MIT
// From a place in the program to a file and a line.
#pragma once

#include <cstdint>
#include <string>

namespace gpu::cpu::check {

/// "reduce.cu:14 (in tree_sum)" for the instruction before `return_address`, from the debug
/// information; the bare address if there is none.
std::string source_line(std::uintptr_t return_address);

}  // namespace gpu::cpu::check
