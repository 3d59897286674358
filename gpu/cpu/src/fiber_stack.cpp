// SPDX-License-Identifier: MIT
// Maps stack memory.
#include "fiber_stack.hpp"

#include <sys/mman.h>

#include <new>

namespace gpu::cpu {
namespace {

constexpr std::size_t kStacksPerMapping = 64;

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
    stack.size = kFiberStackBytes;
    stack.sp = static_cast<char*>(memory) + i * kFiberStackBytes;  // stacks grow downwards
    free_.push_back(stack);
  }
}

boost::context::stack_context FiberStacks::take() {
  if (free_.empty()) map_more();
  const auto stack = free_.back();
  free_.pop_back();
  return stack;
}

void FiberStacks::give_back(boost::context::stack_context stack) {
  free_.push_back(stack);
}

}  // namespace gpu::cpu
