// SPDX-License-Identifier: MIT
// Merging with a queue: each merge changes only the pairs beside it.
#include "engine/text/merges.hpp"

#include <functional>
#include <queue>
#include <tuple>

namespace engine {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

/// A part of the text that is left, and its neighbours.
struct Part {
  std::int32_t token;
  std::size_t before;
  std::size_t behind;
  bool is_merged = false;  ///< into the part before it
};

/// A pair that can be merged, unless one of its parts has changed since.
struct Candidate {
  std::size_t rank;
  std::size_t at;  ///< of the left part
  std::int32_t left, right, result;
  bool operator>(const Candidate& other) const {
    return std::tie(rank, at) > std::tie(other.rank, other.at);
  }
};

}  // namespace

void Merges::add(std::int32_t left, std::int32_t right, std::int32_t result) {
  merges_.try_emplace(pair_key(left, right), Merge{merges_.size(), result});
}

const Merges::Merge* Merges::find(std::int32_t left, std::int32_t right) const {
  const auto found = merges_.find(pair_key(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

void Merges::apply(std::vector<std::int32_t>& parts) const {
  std::vector<Part> chain;
  chain.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    chain.push_back({parts[i], i == 0 ? kNone : i - 1, i + 1 == parts.size() ? kNone : i + 1});
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](std::size_t left) {
    if (left == kNone || chain[left].behind == kNone) return;
    const std::int32_t a = chain[left].token;
    const std::int32_t b = chain[chain[left].behind].token;
    if (const Merge* merge = find(a, b)) queue.push({merge->rank, left, a, b, merge->result});
  };
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) offer(i);
  while (!queue.empty()) {
    const Candidate next = queue.top();
    queue.pop();
    Part& left = chain[next.at];
    if (left.is_merged || left.token != next.left || left.behind == kNone) continue;
    Part& right = chain[left.behind];
    if (right.token != next.right) continue;
    left.token = next.result;
    right.is_merged = true;
    left.behind = right.behind;
    if (left.behind != kNone) chain[left.behind].before = next.at;
    offer(left.before);
    offer(next.at);
  }
  parts.clear();
  for (const Part& part : chain) {
    if (!part.is_merged) parts.push_back(part.token);
  }
}

}  // namespace engine
