// SPDX-License-Identifier: MIT
// The child's side of the grading protocol.
#pragma once

#include "harness/channel.hpp"

namespace harness {

/// Answers requests until the other side closes the socket. The key comes first; requests and
/// replies are signed (harness/signing.hpp). Each is a list whose first item is a verb. The replies
/// are
///   ("ok", ...), ("unsolved", exercise, section), ("error", text).
/// Requests:
///   ("hello", version)            -> protocol version, backend, device, compiler, entries
///   ("load", slot, entry, args, like) + shared memory: arguments to the device, or copies of slot
///        `like`, which has the same and has not run; -1 for none. An argument is
///        ("scalar", bits) or ("buffer", bytes, first, count, offset of content, of result)
///   ("reset", slot)               outputs as they were when loaded
///   ("run", slots)                calls each slot once, in order, and waits for the device
///   ("count", slot)               calls the slot once -> list of (name, number)
///   ("fetch", slot)               every buffer back into the shared memory
///   ("peek", slot, argument, element numbers)   -> the bytes of these elements
///   ("drop", slot)
///   ("call", function, list of argument lists) -> list of replies
///   ("answer", id, list of (name, value), machine file) -> value, unit, word
///   ("task", oracle, n, seed, special values)   -> flops, bytes, bytes to share, arguments
///   ("task-copy",) + shared memory: initial contents, expected values and scales
/// Returns the process's exit code.
int serve(Channel channel);

}  // namespace harness
