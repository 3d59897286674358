// SPDX-License-Identifier: MIT
// From an address in the program to a file and a line.
#pragma once

#include <cstdint>
#include <string>

namespace gpu::cpu::check {

/// A line of the source.
struct SourcePlace {
  std::string file;  ///< name without folders; empty without debug information
  int line = 0;
  bool is_kernel_file = false;
};

/// The line of the instruction before `return_address`; for a function inlined into a kernel file,
/// the line of the call there. For a function inlined into another header's function it is the line
/// in that header: code that kernels share has its own lines in a profile.
const SourcePlace& source_place(std::uintptr_t return_address);

/// The kernel file's line of the instruction before `return_address`, however deeply it was
/// inlined.
SourcePlace kernel_place(std::uintptr_t return_address);

/// The linker's name of the function at `address`; empty if it is not known.
const std::string& function_name(std::uintptr_t address);

/// "reduce.cu:14" for the instruction before `return_address`, from the debug information: the
/// kernel file's line, however deeply it was inlined; the bare address if there is none.
std::string source_line(std::uintptr_t return_address);

}  // namespace gpu::cpu::check
