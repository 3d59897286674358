// SPDX-License-Identifier: MIT
// What a stream does with work queued while it records a graph.
#pragma once

#include <functional>

#include "gpu/stream.hpp"

namespace gpu::cpu {

/// Adds `work` to the stream's list if the stream is recording a graph; otherwise returns false.
bool record_if_capturing(StreamRef stream, const std::function<void()>& work);

}  // namespace gpu::cpu
