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
/// Allows `kernel` more dynamic shared memory than the default limit of 48 KiB.
void allow_shared_bytes(const void* kernel, std::size_t bytes, SourceLocation where);

}  // namespace gpu::detail
