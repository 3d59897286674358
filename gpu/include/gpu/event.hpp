// SPDX-License-Identifier: MIT
// Points in the timeline of a stream, and a timer made of two of them.
#pragma once

#include "gpu/stream.hpp"

namespace gpu {

/// A point in a stream that can be waited for and has a timestamp.
class Event {
 public:
  explicit Event(SourceLocation where = SourceLocation::current());
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  /// Queues the event in `stream`, behind the work queued so far.
  void record(StreamRef stream = {}, SourceLocation where = SourceLocation::current());
  /// Waits until the event has happened.
  void synchronize(SourceLocation where = SourceLocation::current()) const;
  /// Seconds from `start` to this event, by the device's clock; both must have happened.
  double seconds_since(const Event& start, SourceLocation where = SourceLocation::current()) const;
  void* native() const noexcept { return native_; }

 private:
  void* native_ = nullptr;
};

/// Times device work: starts when made, and seconds() waits for the work queued since.
class Timer {
 public:
  explicit Timer(StreamRef stream = {}, SourceLocation where = SourceLocation::current())
      : stream_(stream), start_(where), stop_(where) {
    start_.record(stream_, where);
  }
  /// Seconds of device time from construction to here; waits for the stream.
  double seconds(SourceLocation where = SourceLocation::current()) {
    stop_.record(stream_, where);
    stop_.synchronize(where);
    return stop_.seconds_since(start_, where);
  }

 private:
  StreamRef stream_;
  Event start_;
  Event stop_;
};

}  // namespace gpu
