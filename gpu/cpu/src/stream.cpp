// SPDX-License-Identifier: MIT
// Streams, events and graphs whose calls all complete before they return.
#include "gpu/stream.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/cpu/observer.hpp"
#include "gpu/cpu/runtime.hpp"
#include "gpu/error.hpp"
#include "gpu/event.hpp"
#include "gpu/graph.hpp"
#include "recording.hpp"

namespace gpu {
namespace {

using Clock = std::chrono::steady_clock;
using Recording = std::vector<std::function<void()>>;

/// The widest parameter type of a kernel is a vector register of 64 bytes.
constexpr std::size_t kMaxAlignment = 64;

struct CpuStream {
  Recording* recording = nullptr;
};
struct CpuEvent {
  std::optional<Clock::time_point> time;
};

CpuStream& as_stream(void* native) {
  return *static_cast<CpuStream*>(native);
}
CpuEvent& as_event(void* native) {
  return *static_cast<CpuEvent*>(native);
}

void refuse_while_recording(StreamRef stream, const char* expression, SourceLocation where) {
  if (stream.native() != nullptr && as_stream(stream.native()).recording != nullptr) {
    detail::throw_usage_error(expression, "the stream is recording a graph; nothing runs in it now",
                              where);
  }
}

}  // namespace

namespace cpu {
bool record_if_capturing(StreamRef stream, const std::function<void()>& work) {
  if (stream.native() == nullptr || as_stream(stream.native()).recording == nullptr) return false;
  as_stream(stream.native()).recording->push_back(work);
  return true;
}

void launch(StreamRef stream, const KernelLaunch& launch) {
  if (stream.native() == nullptr || as_stream(stream.native()).recording == nullptr) {
    return run(launch);
  }
  // The arguments live only until the end of the caller's statement. The copy is aligned for any of
  // them.
  struct alignas(kMaxAlignment) Cell {
    std::byte bytes[kMaxAlignment];
  };
  std::vector<Cell> arguments((launch.arguments_bytes + sizeof(Cell) - 1) / sizeof(Cell));
  std::memcpy(arguments.data(), launch.arguments, launch.arguments_bytes);
  record_if_capturing(stream, [launch, arguments] {
    if (Observer* const watching = observer()) watching->launch_replayed();
    KernelLaunch again = launch;
    again.arguments = arguments.data();
    run(again);
  });
  if (Observer* const watching = observer()) watching->launch_recorded();
}
}  // namespace cpu

void synchronize(SourceLocation) {}

void StreamRef::synchronize(SourceLocation where) const {
  refuse_while_recording(*this, "Stream::synchronize", where);
}

void StreamRef::wait(const Event&, SourceLocation) const {}

Stream::Stream(SourceLocation) : native_(new CpuStream) {}
Stream::~Stream() {
  delete static_cast<CpuStream*>(native_);
}
Stream::Stream(Stream&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}
Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

Event::Event(SourceLocation) : native_(new CpuEvent) {}
Event::~Event() {
  delete static_cast<CpuEvent*>(native_);
}
Event::Event(Event&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}
Event& Event::operator=(Event&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

void Event::record(StreamRef stream, SourceLocation) {
  const auto stamp = [event = static_cast<CpuEvent*>(native_)] { event->time = Clock::now(); };
  if (!cpu::record_if_capturing(stream, stamp)) stamp();
}

void Event::synchronize(SourceLocation) const {}

double Event::seconds_since(const Event& start, SourceLocation where) const {
  const auto& begin = as_event(start.native_).time;
  const auto& end = as_event(native_).time;
  if (!begin || !end) {
    detail::throw_usage_error("Event::seconds_since", "both events must have been recorded", where);
  }
  return std::chrono::duration<double>(*end - *begin).count();
}

Graph::Graph(void (*record)(const void*, const Stream&), const void* recorder,
             SourceLocation where) {
  const Stream stream(where);
  Recording recording;
  as_stream(stream.native()).recording = &recording;
  record(recorder, stream);
  native_ = new Recording(std::move(recording));
}

Graph::~Graph() {
  delete static_cast<Recording*>(native_);
}
Graph::Graph(Graph&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}
Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

void Graph::launch(StreamRef stream, SourceLocation) const {
  if (native_ == nullptr) return;
  const Recording& recording = *static_cast<const Recording*>(native_);
  for (const auto& work : recording) {
    if (!cpu::record_if_capturing(stream, work)) work();
  }
}

}  // namespace gpu
