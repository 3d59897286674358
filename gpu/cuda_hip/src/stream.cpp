// SPDX-License-Identifier: MIT
// Streams, events and graphs.
#include "gpu/stream.hpp"

#include <utility>

#include "check.hpp"
#include "gpu/event.hpp"
#include "gpu/graph.hpp"

namespace gpu {
namespace {

api::Stream native(StreamRef stream) {
  return static_cast<api::Stream>(stream.native());
}
api::Event native(const Event& event) {
  return static_cast<api::Event>(event.native());
}

}  // namespace

void synchronize(SourceLocation where) {
  GPU_CHECK(where, GPU_API(DeviceSynchronize)());
  detail::forget_launches();
}

void StreamRef::synchronize(SourceLocation where) const {
  GPU_CHECK(where, GPU_API(StreamSynchronize)(gpu::native(*this)));
}

void StreamRef::wait(const Event& event, SourceLocation where) const {
  GPU_CHECK(where, GPU_API(StreamWaitEvent)(gpu::native(*this), gpu::native(event), 0));
}

Stream::Stream(SourceLocation where) {
  api::Stream stream = nullptr;
  GPU_CHECK(where, GPU_API(StreamCreateWithFlags)(&stream, GPU_API(StreamNonBlocking)));
  native_ = stream;
}

Stream::~Stream() {
  if (native_ != nullptr) (void)GPU_API(StreamDestroy)(static_cast<api::Stream>(native_));
}

Stream::Stream(Stream&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

Event::Event(SourceLocation where) {
  api::Event event = nullptr;
  GPU_CHECK(where, GPU_API(EventCreate)(&event));
  native_ = event;
}

Event::~Event() {
  if (native_ != nullptr) (void)GPU_API(EventDestroy)(static_cast<api::Event>(native_));
}

Event::Event(Event&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

void Event::record(StreamRef stream, SourceLocation where) {
  GPU_CHECK(where, GPU_API(EventRecord)(static_cast<api::Event>(native_), gpu::native(stream)));
}

void Event::synchronize(SourceLocation where) const {
  GPU_CHECK(where, GPU_API(EventSynchronize)(static_cast<api::Event>(native_)));
}

double Event::seconds_since(const Event& start, SourceLocation where) const {
  constexpr double kSecondsPerMillisecond = 1e-3;
  float milliseconds = 0;
  GPU_CHECK(where, GPU_API(EventElapsedTime)(&milliseconds, gpu::native(start),
                                             static_cast<api::Event>(native_)));
  return milliseconds * kSecondsPerMillisecond;
}

Graph::Graph(void (*record)(const void*, const Stream&), const void* recorder,
             SourceLocation where) {
  const Stream stream(where);
  GPU_CHECK(where, GPU_API(StreamBeginCapture)(gpu::native(stream),
                                               GPU_API(StreamCaptureModeThreadLocal)));
  api::GraphTemplate graph = nullptr;
  try {
    record(recorder, stream);
  } catch (...) {
    (void)GPU_API(StreamEndCapture)(gpu::native(stream), &graph);
    if (graph != nullptr) (void)GPU_API(GraphDestroy)(graph);
    throw;
  }
  GPU_CHECK(where, GPU_API(StreamEndCapture)(gpu::native(stream), &graph));
  api::GraphExec executable = nullptr;
  const auto code = api::instantiate(&executable, graph);
  (void)GPU_API(GraphDestroy)(graph);
  detail::check(code, GPU_API_NAME "GraphInstantiate", where);
  native_ = executable;
}

Graph::~Graph() {
  if (native_ != nullptr) (void)GPU_API(GraphExecDestroy)(static_cast<api::GraphExec>(native_));
}

Graph::Graph(Graph&& other) noexcept : native_(std::exchange(other.native_, nullptr)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

void Graph::launch(StreamRef stream, SourceLocation where) const {
  if (native_ == nullptr) return;
  GPU_CHECK(where, GPU_API(GraphLaunch)(static_cast<api::GraphExec>(native_), gpu::native(stream)));
}

}  // namespace gpu
