// SPDX-License-Identifier: MIT
// Blocks of the paged cache.
#include "prefix_cache.hpp"

namespace roofline::serve {

bool BlockPool::take(std::int64_t blocks) {
  if (!total_) {
    used_ += blocks;
    return true;
  }
  while (used_ + blocks > *total_ && !unused_.empty()) {
    const auto found = beginnings_.find(unused_.front());
    used_ -= found->second.blocks;
    beginnings_.erase(found);
    unused_.pop_front();
  }
  if (used_ + blocks > *total_) return false;
  used_ += blocks;
  return true;
}

double BlockPool::used_part() const {
  return total_ && *total_ > 0 ? static_cast<double>(used_) / static_cast<double>(*total_) : 0;
}

bool BlockPool::use(std::int64_t group) {
  const auto found = beginnings_.find(group);
  if (found == beginnings_.end()) return false;
  if (found->second.users++ == 0) unused_.erase(found->second.place);
  return true;
}

bool BlockPool::keep(std::int64_t group, std::int64_t blocks) {
  return beginnings_.emplace(group, Beginning{blocks, 1, {}}).second;
}

void BlockPool::release(std::int64_t group) {
  Beginning& beginning = beginnings_.at(group);
  if (--beginning.users == 0) beginning.place = unused_.insert(unused_.end(), group);
}

}  // namespace roofline::serve
