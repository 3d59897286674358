// SPDX-License-Identifier: MIT
// Stacks for fibers, cut from large mappings.
#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "fiber.hpp"

namespace gpu::cpu {

/// Stack bytes of one GPU thread. The system provides pages only once they are touched.
inline constexpr std::size_t kFiberStackBytes = 256 * 1024;

/// Hands out stacks and takes them back. Guard pages between them would need two mappings per
/// stack, more than Linux allows a process on a machine with many cores.
class FiberStacks {
 public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  ~FiberStacks();
  boost::context::stack_context take();
  /// The stack that take() returned last.
  StackBounds last_taken() const { return last_taken_; }
  void give_back(boost::context::stack_context stack);

 private:
  void map_more();

  std::vector<std::pair<void*, std::size_t>> mappings_;
  std::vector<boost::context::stack_context> free_;
  StackBounds last_taken_;
};

/// FiberStacks as an allocator for Boost.Context.
class FiberStackAllocator {
 public:
  explicit FiberStackAllocator(FiberStacks& stacks) : stacks_(&stacks) {}
  boost::context::stack_context allocate() { return stacks_->take(); }
  void deallocate(boost::context::stack_context& stack) noexcept { stacks_->give_back(stack); }

 private:
  FiberStacks* stacks_;
};

}  // namespace gpu::cpu
