// SPDX-License-Identifier: MIT
// Device memory, copies and fills.
#include "check.hpp"
#include "gpu/copy.hpp"
#include "gpu/symbol.hpp"

namespace gpu::detail {
namespace {

auto native_kind(CopyKind kind) {
  switch (kind) {
    case CopyKind::kHostToDevice:
      return GPU_API(MemcpyHostToDevice);
    case CopyKind::kDeviceToHost:
      return GPU_API(MemcpyDeviceToHost);
    case CopyKind::kDeviceToDevice:
      break;
  }
  return GPU_API(MemcpyDeviceToDevice);
}

api::Stream native(StreamRef stream) {
  return static_cast<api::Stream>(stream.native());
}

}  // namespace

void* allocate(std::size_t bytes, SourceLocation where) {
  void* memory = nullptr;
  if (bytes > 0) GPU_CHECK(where, GPU_API(Malloc)(&memory, bytes));
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) (void)GPU_API(Free)(memory);
}

void copy_async(void* to, const void* from, std::size_t bytes, CopyKind kind, StreamRef stream,
                SourceLocation where) {
  if (bytes == 0) return;
  GPU_CHECK(where, GPU_API(MemcpyAsync)(to, from, bytes, native_kind(kind), native(stream)));
}

void fill_async(void* to, unsigned char value, std::size_t bytes, StreamRef stream,
                SourceLocation where) {
  if (bytes == 0) return;
  GPU_CHECK(where, GPU_API(MemsetAsync)(to, value, bytes, native(stream)));
}

void copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, SourceLocation where) {
  GPU_CHECK(where, GPU_API(MemcpyToSymbol)(symbol, from, bytes, 0, GPU_API(MemcpyHostToDevice)));
}

}  // namespace gpu::detail
