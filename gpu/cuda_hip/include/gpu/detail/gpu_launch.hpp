// SPDX-License-Identifier: MIT
// What a launch on a GPU needs from the compiled library.
#pragma once

#include <cstddef>
#include <string_view>

#include "gpu/location.hpp"

namespace gpu::detail {

/// Remembers `kernel` as a suspect for faults that later calls report.
void note_launch(std::string_view kernel);
/// Throws Error if the launch just made was refused.
void check_launch(std::string_view kernel, SourceLocation where);
/// Lets `kernel` have more dynamic shared memory than the 48 KiB that need no asking.
void allow_shared_bytes(const void* kernel, std::size_t bytes, SourceLocation where);

}  // namespace gpu::detail
