// SPDX-License-Identifier: MIT
// Functions that a kernel must not call: they run unwatched, and no GPU has them.
#pragma once

#include <string>

#include "memory_map.hpp"

namespace gpu::cpu::check {

/// The name of the function at `function` if it belongs to the host: to the harness, or to a shared
/// library other than the maths library. Exceptions, memory allocation and printf are left. Empty
/// for all others.
std::string name_on_host(Address function);

}  // namespace gpu::cpu::check
