// SPDX-License-Identifier: MIT
// Stores of data that will not be read again soon. On a CPU they skip fetching the line, which an
// ordinary store reads before it overwrites it. CUDA's spelling for a float4 is __stcs.
#pragma once

#include <type_traits>

#include "gpu/cpu/instrumented.hpp"
#include "gpu/cpu/vector_types.hpp"

namespace gpu::cpu {

// Checked kernels keep ordinary stores, the only ones their instrumentation sees.
#if defined(__SSE__) || defined(__clang__)
inline constexpr bool kHasStreamingStore = !kInstrumented;
#else
inline constexpr bool kHasStreamingStore = false;
#endif

/// A non-temporal store of a vector register (16, 32 or 64 bytes), if this processor has one. The
/// address must be a multiple of the register's size.
template <class Register>
[[gnu::always_inline]] inline void store_streaming(Register* where, const Register& value) {
  if constexpr (!kHasStreamingStore) {
    *where = value;
    return;
  }
#if defined(__clang__)
  __builtin_nontemporal_store(value, where);
#elif defined(__SSE__)
  // GCC's builtins: <immintrin.h> would account for a fifth of the compile time of a student's
  // file.
  auto* to = reinterpret_cast<float*>(where);
  using F4 [[gnu::vector_size(16)]] = float;
#if defined(__AVX512F__)
  using F16 [[gnu::vector_size(64)]] = float;
  if constexpr (sizeof(Register) == 64) return __builtin_ia32_movntps512(to, (F16)value);
#endif
#if defined(__AVX__)
  using F8 [[gnu::vector_size(32)]] = float;
  if constexpr (sizeof(Register) == 32) return __builtin_ia32_movntps256(to, (F8)value);
#endif
  if constexpr (sizeof(Register) == 16) return __builtin_ia32_movntps(to, (F4)value);
#else
  *where = value;
#endif
}

}  // namespace gpu::cpu

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's name
template <class T>
[[gnu::always_inline]] inline void __stcs(T* where, std::type_identity_t<T> value) {
  *where = value;
}

[[gnu::always_inline]] inline void __stcs(float4* where, float4 value) {
  if constexpr (gpu::cpu::kHasStreamingStore) {
    typedef float Register __attribute__((vector_size(16)));
    gpu::cpu::store_streaming(reinterpret_cast<Register*>(&where->x),
                              Register{value.x, value.y, value.z, value.w});
  } else {
    *where = value;
  }
}
// NOLINTEND(bugprone-reserved-identifier)
