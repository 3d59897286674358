// SPDX-License-Identifier: MIT
// Queues of work on the device.
#pragma once

#include <utility>

#include "gpu/location.hpp"

namespace gpu {

class Event;
class Stream;

namespace detail {
/// The stream of this thread's innermost CurrentStream; null is the device's default stream.
inline thread_local void* current_stream = nullptr;
}  // namespace detail

/// Refers to a stream without owning it. By default it is the thread's current stream: the device's
/// default stream unless a CurrentStream exists.
class StreamRef {
 public:
  StreamRef() noexcept : native_(detail::current_stream) {}
  StreamRef(const Stream& stream) noexcept;
  constexpr explicit StreamRef(void* native) noexcept : native_(native) {}

  /// The backend's own handle (cudaStream_t, hipStream_t) as an untyped pointer.
  constexpr void* native() const noexcept { return native_; }

  /// Waits until everything queued here is done; throws Error for a fault in it.
  void synchronize(SourceLocation where = SourceLocation::current()) const;
  /// Work queued here from now on starts after `event` has happened.
  void wait(const Event& event, SourceLocation where = SourceLocation::current()) const;

 private:
  void* native_;
};

/// Owns a queue: work put in one stream runs in order, different streams run independently. On the
/// CPU every call has finished when it returns, which is one of the allowed orders.
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

/// During its lifetime, work that this thread queues without naming a stream goes to `stream`, so
/// that a graph can record functions that take no stream. Like torch.cuda.stream() in PyTorch.
class CurrentStream {
 public:
  explicit CurrentStream(const Stream& stream) noexcept
      : before_(std::exchange(detail::current_stream, stream.native())) {}
  ~CurrentStream() { detail::current_stream = before_; }
  CurrentStream(const CurrentStream&) = delete;
  CurrentStream& operator=(const CurrentStream&) = delete;

 private:
  void* before_;
};

/// Waits for all work on the current device; throws Error, with the kernel's name, for a fault.
void synchronize(SourceLocation where = SourceLocation::current());

}  // namespace gpu
