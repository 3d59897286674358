// SPDX-License-Identifier: MIT
// Tells AddressSanitizer and ThreadSanitizer which stack is running. Without them all of this is
// empty.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPU_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define GPU_THREAD_SANITIZER
#endif
#else
#ifdef __SANITIZE_ADDRESS__
#define GPU_ADDRESS_SANITIZER
#endif
#ifdef __SANITIZE_THREAD__
#define GPU_THREAD_SANITIZER
#endif
#endif
#ifdef GPU_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef GPU_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace gpu::cpu {

/// The memory of a stack, lowest address first.
struct StackBounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

/// A fiber's identity for the sanitizers; empty without them.
struct FiberIdentity {
#ifdef GPU_ADDRESS_SANITIZER
  StackBounds stack;
#endif
#ifdef GPU_THREAD_SANITIZER
  void* thread_state = nullptr;
#endif
};

#ifdef GPU_THREAD_SANITIZER
/// The fiber that this operating system thread left last.
inline constinit thread_local void* left_thread_state = nullptr;
#endif

inline FiberIdentity identity_of_new_fiber([[maybe_unused]] StackBounds stack) {
  FiberIdentity identity;
#ifdef GPU_ADDRESS_SANITIZER
  identity.stack = stack;
#endif
#ifdef GPU_THREAD_SANITIZER
  identity.thread_state = __tsan_create_fiber(0);
#endif
  return identity;
}

/// The fiber has ended.
inline void forget_fiber([[maybe_unused]] const FiberIdentity& fiber) {
#ifdef GPU_THREAD_SANITIZER
  __tsan_destroy_fiber(fiber.thread_state);
#endif
}

/// What a fiber keeps on its own stack while another one runs.
struct SwitchState {
#ifdef GPU_ADDRESS_SANITIZER
  void* fake_stack = nullptr;
#endif
#ifdef GPU_THREAD_SANITIZER
  void* thread_state = nullptr;  // the fiber's own
#endif
};

/// The running fiber is about to switch to `to`, and will be resumed later.
inline SwitchState before_switch([[maybe_unused]] const FiberIdentity& to) {
  SwitchState own;
#ifdef GPU_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&own.fake_stack, to.stack.bottom, to.stack.bytes);
#endif
#ifdef GPU_THREAD_SANITIZER
  own.thread_state = left_thread_state = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread_state, 0);
#endif
  return own;
}

/// The running fiber is about to end, and `to` continues. ThreadSanitizer is told only once `to`
/// runs, because until then the functions on the way out of this fiber still return.
inline void before_leaving([[maybe_unused]] const FiberIdentity& to) {
#ifdef GPU_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(nullptr, to.stack.bottom, to.stack.bytes);
#endif
}

/// The fiber continues; returns the fiber that resumed it. A new fiber has no `own` state.
inline FiberIdentity after_switch([[maybe_unused]] const SwitchState& own) {
  FiberIdentity from;
#ifdef GPU_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(own.fake_stack, &from.stack.bottom, &from.stack.bytes);
#endif
#ifdef GPU_THREAD_SANITIZER
  from.thread_state = left_thread_state;
  if (own.thread_state != nullptr && own.thread_state != __tsan_get_current_fiber()) {
    __tsan_switch_to_fiber(own.thread_state, 0);
  }
#endif
  return from;
}

}  // namespace gpu::cpu
