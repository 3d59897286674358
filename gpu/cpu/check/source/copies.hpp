// SPDX-License-Identifier: MIT
// Copies of structures, which GCC makes in functions of their own.
#pragma once

#include "memory_map.hpp"

namespace gpu::cpu::check {

/// Where the kernel makes an access: `place`, the return address of the report, or, in a function
/// that copies a structure, the place that wants the copy.
/// @param frame the frame of the function that makes the access
Address place_of_access(Address place, const void* frame);

/// Whether `place` is in a function that copies a structure.
bool is_in_copy(Address place);

}  // namespace gpu::cpu::check
