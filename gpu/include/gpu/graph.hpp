// SPDX-License-Identifier: MIT
// Records what is queued in a stream once, and replays it with one call.
#pragma once

#include <concepts>

#include "gpu/stream.hpp"

namespace gpu {

/// A recorded list of launches, copies and fills. Replaying it costs one call to the driver, which
/// is what makes many short kernels affordable. On the CPU it is a list of calls.
class Graph {
 public:
  /// Runs `record` with a stream in capture mode: what it queues there is recorded, not run.
  template <std::invocable<const Stream&> Record>
  explicit Graph(const Record& record, SourceLocation where = SourceLocation::current())
      : Graph([](const void* recorder,
                 const Stream& stream) { (*static_cast<const Record*>(recorder))(stream); },
              &record, where) {}
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  /// Queues everything recorded, in order. Buffers used while recording must still exist.
  void launch(StreamRef stream = {}, SourceLocation where = SourceLocation::current()) const;

 private:
  Graph(void (*record)(const void* recorder, const Stream& stream), const void* recorder,
        SourceLocation where);

  void* native_ = nullptr;
};

}  // namespace gpu
