// SPDX-License-Identifier: MIT
// Maps stack memory.
#include "fiber_stack.hpp"

#include <sys/mman.h>

#include <new>

namespace gpu::cpu {
namespace {

constexpr std::size_t kStacksPerMapping = 64;
// Equal offsets in all stacks would fall into the same few cache sets, and switching between the
// threads of a block would miss the cache each time. An odd number of lines spreads them out.
constexpr std::size_t kColourBytes = 17 * 64;

}  // namespace

FiberStacks::~FiberStacks() {
  for (const auto& [memory, bytes] : mappings_) munmap(memory, bytes);
}

void FiberStacks::map_more() {
  constexpr std::size_t kBytes = kStacksPerMapping * kFiberStackBytes;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mappings_.emplace_back(memory, kBytes);
  free_.reserve(free_.size() + kStacksPerMapping);
  for (std::size_t i = kStacksPerMapping; i > 0; --i) {
    boost::context::stack_context stack;
    const std::size_t colour = (i - 1) * kColourBytes;
    stack.size = kFiberStackBytes - colour;
    stack.sp = static_cast<char*>(memory) + i * kFiberStackBytes - colour;  // stacks grow downwards
    free_.push_back(stack);
  }
}

boost::context::stack_context FiberStacks::take() {
  if (free_.empty()) map_more();
  const auto stack = free_.back();
  free_.pop_back();
  last_taken_ = {static_cast<char*>(stack.sp) - stack.size, stack.size};
  return stack;
}

void FiberStacks::give_back(boost::context::stack_context stack) {
  free_.push_back(stack);
}

}  // namespace gpu::cpu
