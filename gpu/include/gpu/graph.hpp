// SPDX-License-Identifier: MIT
// Records what is queued in a stream once, and replays it with one call.
#pragma once

#include <functional>

#include "gpu/stream.hpp"

namespace gpu {

/// A recorded list of launches, copies and fills. Replaying it costs one call to the driver, which
/// is what makes many short kernels affordable. On the CPU it is a list of calls.
class Graph {
 public:
  /// Runs `record` with a stream in capture mode: what it queues there is recorded, not run.
  explicit Graph(const std::function<void(const Stream&)>& record,
                 SourceLocation where = SourceLocation::current());
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  /// Queues everything recorded, in order. Buffers used while recording must still exist.
  void launch(StreamRef stream = {}, SourceLocation where = SourceLocation::current()) const;

 private:
  void* native_ = nullptr;
};

}  // namespace gpu
