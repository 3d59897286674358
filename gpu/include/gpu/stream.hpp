// SPDX-License-Identifier: MIT
// Queues of work on the device.
#pragma once

#include "gpu/location.hpp"

namespace gpu {

class Event;
class Stream;

/// Names a stream without owning it; the default one is the device's default stream.
class StreamRef {
 public:
  constexpr StreamRef() noexcept = default;
  StreamRef(const Stream& stream) noexcept;
  constexpr explicit StreamRef(void* native) noexcept : native_(native) {}

  /// The backend's own handle (cudaStream_t, hipStream_t) as an untyped pointer.
  constexpr void* native() const noexcept { return native_; }

  /// Waits until everything queued here is done; throws Error for a fault in it.
  void synchronize(SourceLocation where = SourceLocation::current()) const;
  /// Work queued here from now on starts after `event` has happened.
  void wait(const Event& event, SourceLocation where = SourceLocation::current()) const;

 private:
  void* native_ = nullptr;
};

/// Owns a queue: what is put in one stream runs in order, streams run independently. On the CPU
/// every call has finished when it returns, which is one of the allowed orders.
class Stream {
 public:
  explicit Stream(SourceLocation where = SourceLocation::current());
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;

  void* native() const noexcept { return native_; }
  /// Waits until everything queued here is done; throws Error for a fault in it.
  void synchronize(SourceLocation where = SourceLocation::current()) const {
    StreamRef(*this).synchronize(where);
  }
  /// Work queued here from now on starts after `event` has happened.
  void wait(const Event& event, SourceLocation where = SourceLocation::current()) const {
    StreamRef(*this).wait(event, where);
  }

 private:
  void* native_ = nullptr;
};

inline StreamRef::StreamRef(const Stream& stream) noexcept : native_(stream.native()) {}

/// Waits for all work on the current device; throws Error, with the kernel's name, for a fault.
void synchronize(SourceLocation where = SourceLocation::current());

}  // namespace gpu
