// SPDX-License-Identifier: MIT
// Boost.Context's fibers; the sanitizers are told about every switch of stacks.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <utility>

#include "sanitizer_fibers.hpp"

namespace gpu::cpu {

/// A suspended fiber, and its identity for the sanitizers.
struct Fiber {
  boost::context::fiber context;
  [[no_unique_address]] FiberIdentity identity;
};

/// A fiber that has not run yet, on the stack in `stack`.
inline Fiber new_fiber(boost::context::fiber&& context, StackBounds stack) {
  return {std::move(context), identity_of_new_fiber(stack)};
}

/// Runs `next` until some fiber resumes the caller; returns that fiber. Inlined, because after a
/// switch of stacks the processor mispredicts every return: see BlockScheduler.
[[gnu::always_inline]] inline Fiber resume(Fiber&& next) {
  const SwitchState own = before_switch(next.identity);
  boost::context::fiber from = std::move(next.context).resume();
  return {std::move(from), after_switch(own)};
}

/// Called first in a new fiber, with the fiber that started it.
inline Fiber arrived_from(boost::context::fiber&& from) {
  return {std::move(from), after_switch({})};
}

/// Called last in a fiber: its function returns this to continue in `to` for good.
inline boost::context::fiber leave_for(Fiber&& to) {
  before_leaving(to.identity);
  return std::move(to.context);
}

}  // namespace gpu::cpu
