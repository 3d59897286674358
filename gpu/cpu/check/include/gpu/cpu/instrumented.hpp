// SPDX-License-Identifier: MIT
// Whether kernels tell the checker what they access: these do. The compiler reports plain accesses
// (instrumentation.cpp); atomics report themselves, since not every compiler reports them.
#pragma once

#include <cstddef>

namespace gpu::cpu {

inline constexpr bool kInstrumented = true;

/// One atomic operation on `bytes` bytes, attributed to the caller's place in the program.
[[gnu::noinline]] void note_atomic(const void* address, std::size_t bytes);
/// Copies a structure: one read and one write, attributed to the caller's place in the program. A
/// GPU does it with one instruction, which faults at an address that is not a multiple of
/// `alignment`.
[[gnu::noinline]] void copy_as_one(void* to, const void* from, std::size_t bytes,
                                   std::size_t alignment);
/// __threadfence(): the block's next atomic operations publish what it has written.
void fence();

}  // namespace gpu::cpu

/// A function whose accesses are not reported. With no_sanitize alone clang reports atomic ones.
#ifdef __clang__
#define GPU_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define GPU_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#endif

/// A structure's default constructor. It is constexpr, so that an array of these in shared memory
/// needs no code to construct it.
#define GPU_STARTS_UNWRITTEN(Type, member) \
  constexpr Type() : member() {}

/// Makes the copy of a structure an access of its own, reported where the copy is made.
#define GPU_COPIED_AS_ONE(Type)                                       \
  [[gnu::always_inline]] Type(const Type& other) {                    \
    gpu::cpu::copy_as_one(this, &other, sizeof(Type), alignof(Type)); \
  }                                                                   \
  [[gnu::always_inline]] Type& operator=(const Type& other) {         \
    gpu::cpu::copy_as_one(this, &other, sizeof(Type), alignof(Type)); \
    return *this;                                                     \
  }
