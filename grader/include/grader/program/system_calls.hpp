// SPDX-License-Identifier: MIT
// A filter of system calls: threads yes, processes no.
#pragma once

#include <string>

namespace grader {

/// A classic BPF program for seccomp, as bytes (bubblewrap takes the same): starting processes,
/// tracing others, opening namespaces, mounting, and memory that no mapping shows (memfd, System V)
/// fail with "not permitted"; threads are fine. Empty on systems and processors without one.
std::string call_filter();

/// Applies it to this process and what it becomes; only async-signal-safe calls. Returns false when
/// the kernel refuses.
bool apply_call_filter(const std::string& filter);

}  // namespace grader
