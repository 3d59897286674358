// SPDX-License-Identifier: MIT
// Boost.Context's fibers, with the sanitizers told of every change of stack.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <utility>

#include "sanitizer_fibers.hpp"

namespace gpu::cpu {

/// A fiber that is not running, and what the sanitizers know it by.
struct Fiber {
  boost::context::fiber context;
  [[no_unique_address]] FiberIdentity identity;
};

/// A fiber that has not run yet, on the stack in `stack`.
inline Fiber new_fiber(boost::context::fiber&& context, StackBounds stack) {
  return {std::move(context), identity_of_new_fiber(stack)};
}

/// Runs `next` until somebody resumes the caller; returns who did. Inlined, because after a change
/// of stacks the processor predicts every return wrongly: see BlockScheduler.
[[gnu::always_inline]] inline Fiber resume(Fiber&& next) {
  const SwitchState own = before_switch(next.identity);
  boost::context::fiber from = std::move(next.context).resume();
  return {std::move(from), after_switch(own)};
}

/// First thing in a new fiber: whoever started it.
inline Fiber arrived_from(boost::context::fiber&& from) {
  return {std::move(from), after_switch({})};
}

/// Last thing in a fiber: what its function returns to go on in `to` and never come back.
inline boost::context::fiber leave_for(Fiber&& to) {
  before_leaving(to.identity);
  return std::move(to.context);
}

}  // namespace gpu::cpu
