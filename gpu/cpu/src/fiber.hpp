// SPDX-License-Identifier: MIT
// Boost.Context's fibers, with AddressSanitizer told of every change of stack.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GPU_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GPU_ADDRESS_SANITIZER
#endif
#ifdef GPU_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace gpu::cpu {

/// The memory of a stack, lowest address first.
struct StackBounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

/// A fiber that is not running, and its stack.
struct Fiber {
  boost::context::fiber context;
  StackBounds stack;
};

// Without the sanitizer both of these are nothing.
inline void before_switch([[maybe_unused]] void** own_fake_stack, [[maybe_unused]] StackBounds to) {
#ifdef GPU_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(own_fake_stack, to.bottom, to.bytes);
#endif
}
inline StackBounds after_switch([[maybe_unused]] void* own_fake_stack) {
  StackBounds from;
#ifdef GPU_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(own_fake_stack, &from.bottom, &from.bytes);
#endif
  return from;
}

/// Runs `next` until somebody resumes the caller; returns who did.
inline Fiber resume(Fiber&& next) {
  void* fake_stack = nullptr;
  before_switch(&fake_stack, next.stack);
  boost::context::fiber from = std::move(next.context).resume();
  return {std::move(from), after_switch(fake_stack)};
}

/// First thing in a new fiber: whoever started it.
inline Fiber arrived_from(boost::context::fiber&& from) {
  return {std::move(from), after_switch(nullptr)};
}

/// Last thing in a fiber: what its function returns to go on in `to` and never come back.
inline boost::context::fiber leave_for(Fiber&& to) {
  before_switch(nullptr, to.stack);
  return std::move(to.context);
}

}  // namespace gpu::cpu
