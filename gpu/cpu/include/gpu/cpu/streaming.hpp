// SPDX-License-Identifier: MIT
// CUDA's store of data that will not be read again soon: on a CPU, one that does not fetch the
// line.
#pragma once

#include <type_traits>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "gpu/cpu/vector_types.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's name
template <class T>
[[gnu::always_inline]] inline void __stcs(T* where, std::type_identity_t<T> value) {
  *where = value;
}

// An ordinary store first reads the line that it is about to overwrite. Checked kernels keep the
// ordinary one: their instrumentation does not see the other.
[[gnu::always_inline]] inline void __stcs(float4* where, float4 value) {
#if defined(__SSE__) && !defined(__SANITIZE_THREAD__)
  _mm_stream_ps(&where->x, _mm_set_ps(value.w, value.z, value.y, value.x));
#else
  *where = value;
#endif
}
// NOLINTEND(bugprone-reserved-identifier)
