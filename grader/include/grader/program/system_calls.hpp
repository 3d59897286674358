// SPDX-License-Identifier: MIT
// A system-call filter that allows threads but no new processes.
#pragma once

#include <string>

namespace grader {

/// A classic BPF program for seccomp, as bytes (bubblewrap takes the same). Starting processes,
/// tracing others, opening namespaces, mounting, and memory without a mapping (memfd, System V)
/// fail with "not permitted"; threads are allowed. Empty on systems and processors without a
/// filter.
std::string call_filter();

/// Applies it to this process and the programs that it executes; makes only async-signal-safe
/// calls. Returns false if the kernel refuses.
bool apply_call_filter(const std::string& filter);

}  // namespace grader
