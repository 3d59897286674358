// SPDX-License-Identifier: MIT
// The functions that the compiler calls in kernels built with -fsanitize=thread: before each memory
// access a function named after its size, and a function instead of each atomic operation; and with
// -fsanitize-coverage=trace-pc, one at the beginning of each basic block. We link these instead of
// the compiler's own runtime. So the kernel's source and its types stay unchanged, and a kernel
// built without the option pays nothing.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "checker.hpp"
#include "gpu/cpu/instrumented.hpp"
#include "source/copies.hpp"

using gpu::cpu::Address;
using gpu::cpu::check::AccessKind;
using gpu::cpu::check::Checker;
using gpu::cpu::check::place_of_access;

// clang calls these to copy whole structures (see CheckedKernels.cmake: --wrap), and std::copy
// calls memmove.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {

Checker* checker() {
  Checker& instance = Checker::instance();
  return instance.in_kernel() ? &instance : nullptr;
}

/// The address must be a multiple of `alignment`.
inline void note(const volatile void* address, std::size_t size, AccessKind kind, void* place,
                 std::size_t alignment = 1) {
  if (size == 0) return;
  if (Checker* watching = checker()) {
    watching->on_access(reinterpret_cast<Address>(address), size, kind,
                        reinterpret_cast<Address>(place), alignment);
  }
}

/// The same for a plain access of the kernel's code; `frame` is that of the function that makes it.
inline void note_plain(const volatile void* address, std::size_t size, AccessKind kind, void* place,
                       const void* frame, std::size_t alignment = 1) {
  if (size == 0) return;
  if (Checker* watching = checker()) {
    const Address at = watching->beside_kernel(
        [&] { return place_of_access(reinterpret_cast<Address>(place), frame); });
    watching->on_access(reinterpret_cast<Address>(address), size, kind, at, alignment);
  }
}

/// The alignment that compilers assume for an access they report as aligned: for 16 bytes it is
/// only 8.
constexpr std::size_t alignment_of(std::size_t size) {
  return size < 8 ? size : 8;
}

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

void gpu::cpu::fence() {
  if (Checker* watching = checker()) watching->block_fenced();
}

void gpu::cpu::note_atomic(const void* address, std::size_t bytes) {
  note(address, bytes, AccessKind::kAtomic, __builtin_return_address(0), bytes);
}

void gpu::cpu::copy_as_one(void* to, const void* from, std::size_t bytes, std::size_t alignment) {
  note(from, bytes, AccessKind::kRead, __builtin_return_address(0), alignment);
  note(to, bytes, AccessKind::kWrite, __builtin_return_address(0), alignment);
  __real_memcpy(to, from, bytes);
}

// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names
#define GPU_PLACE __builtin_return_address(0)
// The caller's frame, which each keeps first in its own. Its own may be gone, by a jump in place of
// a last call, when it is looked at.
#define GPU_FRAME *static_cast<const void* const*>(__builtin_frame_address(0))
#define GPU_ACCESS(name, size, kind, alignment)                                   \
  void __tsan_##name(void* address) {                                             \
    note_plain(address, size, AccessKind::kind, GPU_PLACE, GPU_FRAME, alignment); \
  }
#define GPU_ACCESSES(size)                                         \
  GPU_ACCESS(read##size, size, kRead, alignment_of(size))          \
  GPU_ACCESS(write##size, size, kWrite, alignment_of(size))        \
  GPU_ACCESS(unaligned_read##size, size, kRead, 1)                 \
  GPU_ACCESS(unaligned_write##size, size, kWrite, 1)               \
  GPU_ACCESS(volatile_read##size, size, kRead, alignment_of(size)) \
  GPU_ACCESS(volatile_write##size, size, kWrite, alignment_of(size))

#define GPU_ATOMIC_UPDATE(bits, type, name)                                          \
  type __tsan_atomic##bits##_##name(volatile type* address, type value, int) {       \
    note(address, sizeof(type), AccessKind::kAtomic, GPU_PLACE, sizeof(type));       \
    return std::atomic_ref<type>(*const_cast<type*>(address)).name(value, kRelaxed); \
  }
#define GPU_ATOMIC_COMPARE(bits, type, name, result)                                           \
  result __tsan_atomic##bits##_compare_exchange_##name(volatile type* address, type* expected, \
                                                       type desired, int, int) {               \
    note(address, sizeof(type), AccessKind::kAtomic, GPU_PLACE, sizeof(type));                 \
    return std::atomic_ref<type>(*const_cast<type*>(address))                                  \
        .compare_exchange_strong(*expected, desired, kRelaxed);                                \
  }
#define GPU_ATOMICS(bits, type)                                                          \
  type __tsan_atomic##bits##_load(const volatile type* address, int) {                   \
    note(address, sizeof(type), AccessKind::kAtomic, GPU_PLACE, sizeof(type));           \
    return std::atomic_ref<type>(*const_cast<type*>(address)).load(kRelaxed);            \
  }                                                                                      \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int) {            \
    note(address, sizeof(type), AccessKind::kAtomic, GPU_PLACE, sizeof(type));           \
    std::atomic_ref<type>(*const_cast<type*>(address)).store(value, kRelaxed);           \
  }                                                                                      \
  GPU_ATOMIC_UPDATE(bits, type, exchange)                                                \
  GPU_ATOMIC_UPDATE(bits, type, fetch_add)                                               \
  GPU_ATOMIC_UPDATE(bits, type, fetch_sub)                                               \
  GPU_ATOMIC_UPDATE(bits, type, fetch_and)                                               \
  GPU_ATOMIC_UPDATE(bits, type, fetch_or)                                                \
  GPU_ATOMIC_UPDATE(bits, type, fetch_xor)                                               \
  GPU_ATOMIC_COMPARE(bits, type, strong, int)                                            \
  GPU_ATOMIC_COMPARE(bits, type, weak, int)                                              \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, \
                                                  type desired, int, int) {              \
    note(address, sizeof(type), AccessKind::kAtomic, GPU_PLACE, sizeof(type));           \
    std::atomic_ref<type>(*const_cast<type*>(address))                                   \
        .compare_exchange_strong(expected, desired, kRelaxed);                           \
    return expected;                                                                     \
  }

extern "C" {
// Runs before main in every instrumented file, and so before the first buffer is made.
void __tsan_init() {
  Checker::instance();
}
void __sanitizer_cov_trace_pc() {
  if (Checker* watching = checker()) watching->on_code(reinterpret_cast<Address>(GPU_PLACE));
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}
GPU_ACCESSES(1)
GPU_ACCESSES(2)
GPU_ACCESSES(4)
GPU_ACCESSES(8)
GPU_ACCESSES(16)
void __tsan_read_range(void* address, std::size_t size) {
  note_plain(address, size, AccessKind::kRead, GPU_PLACE, GPU_FRAME);
}
void __tsan_write_range(void* address, std::size_t size) {
  note_plain(address, size, AccessKind::kWrite, GPU_PLACE, GPU_FRAME);
}
GPU_ATOMICS(8, std::uint8_t)
GPU_ATOMICS(16, std::uint16_t)
GPU_ATOMICS(32, std::uint32_t)
GPU_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  note(from, bytes, AccessKind::kRead, GPU_PLACE);
  note(to, bytes, AccessKind::kWrite, GPU_PLACE);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  note(from, bytes, AccessKind::kRead, GPU_PLACE);
  note(to, bytes, AccessKind::kWrite, GPU_PLACE);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  note(to, bytes, AccessKind::kWrite, GPU_PLACE);
  return __real_memset(to, value, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier)
