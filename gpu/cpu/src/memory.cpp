// SPDX-License-Identifier: MIT
// Device memory is host memory here; copies are plain copies.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/copy.hpp"
#include "gpu/cpu/observer.hpp"
#include "gpu/symbol.hpp"
#include "recording.hpp"

namespace gpu::detail {
namespace {

constexpr std::size_t kAlignment = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Large buffers ask for huge pages: fewer page faults on first touch, fewer TLB misses when
// streaming, and less variation from one allocation to the next.
void* allocate_aligned(std::size_t bytes) {
  const bool is_large = bytes >= 2 * kHugePage;
  void* memory = nullptr;
  if (posix_memalign(&memory, is_large ? kHugePage : kAlignment, bytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  if (is_large) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: refusing it only costs speed
#endif
  return memory;
}

// Linux overcommits memory; a device does not.
std::size_t memory_of_this_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void* allocate(std::size_t bytes, SourceLocation where) {
  if (bytes == 0) return nullptr;
  cpu::Observer* observer = cpu::observer();
  const std::size_t guard = observer == nullptr ? 0 : observer->guard_bytes();
  void* memory = bytes > memory_of_this_machine() ? nullptr : allocate_aligned(bytes + 2 * guard);
  if (memory == nullptr) {
    throw_usage_error("allocate(" + std::to_string(bytes) + " bytes)",
                      "this machine does not have enough memory (" +
                          std::to_string(memory_of_this_machine()) + " bytes in all)",
                      where);
  }
  memory = static_cast<char*>(memory) + guard;
  if (observer != nullptr) observer->allocated(memory, bytes, where);
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  if (cpu::Observer* observer = cpu::observer()) {
    observer->released(memory);
    memory = static_cast<char*>(memory) - observer->guard_bytes();
  }
  std::free(memory);
}

void copy_async(void* to, const void* from, std::size_t bytes, CopyKind kind, StreamRef stream,
                SourceLocation) {
  if (bytes == 0) return;
  const auto copy = [=] {
    // First, because the observer may refuse the copy.
    if (cpu::Observer* observer = cpu::observer()) observer->copies(kind, bytes);
    const cpu::DeviceMemoryAccess access;
    std::memcpy(to, from, bytes);
  };
  if (!cpu::record_if_capturing(stream, copy)) copy();
}

void fill_async(void* to, unsigned char value, std::size_t bytes, StreamRef stream,
                SourceLocation) {
  if (bytes == 0) return;
  const auto fill = [=] {
    const cpu::DeviceMemoryAccess access;
    std::memset(to, value, bytes);
  };
  if (!cpu::record_if_capturing(stream, fill)) fill();
}

void copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, SourceLocation) {
  if (cpu::Observer* observer = cpu::observer()) observer->sets_constant(symbol, bytes);
  // A __constant__ variable is an ordinary variable here.
  std::memcpy(const_cast<void*>(symbol), from, bytes);
}

}  // namespace gpu::detail
