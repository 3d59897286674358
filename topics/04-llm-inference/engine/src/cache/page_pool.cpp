// SPDX-License-Identifier: MIT
// Pages in use are counted; full ones are remembered by their tokens.
#include "engine/cache/page_pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace engine {

PagePool::PagePool(std::int32_t pages) : pages_(static_cast<std::size_t>(pages)) {}

Sequence PagePool::begin(std::span<const std::int32_t> prompt) {
  Sequence sequence;
  std::int32_t before = -1;
  while (sequence.tokens.size() + kPageTokens < prompt.size()) {
    Key key{before, {}};
    const auto next = prompt.subspan(sequence.tokens.size(), kPageTokens);
    std::copy(next.begin(), next.end(), key.second.begin());
    const auto found = known_.find(key);
    if (found == known_.end()) break;
    before = found->second;
    ++page(before).holders;
    sequence.pages.push_back(before);
    sequence.tokens.insert(sequence.tokens.end(), next.begin(), next.end());
  }
  return sequence;
}

void PagePool::append(Sequence& sequence, std::int32_t token) {
  if (sequence.tokens.size() == sequence.pages.size() * kPageTokens) {
    sequence.pages.push_back(take_page());
  }
  sequence.tokens.push_back(token);
}

void PagePool::publish(Sequence& sequence) {
  const std::size_t full = sequence.tokens.size() / kPageTokens;
  for (std::size_t i = 0; i < full; ++i) {
    Page& own = page(sequence.pages[i]);
    if (own.is_known) continue;
    Key key{i == 0 ? -1 : sequence.pages[i - 1], {}};
    // A page can be found only through the pages before it.
    if (i > 0 && !page(key.first).is_known) return;
    std::copy_n(sequence.tokens.begin() + static_cast<std::ptrdiff_t>(i * kPageTokens), kPageTokens,
                key.second.begin());
    // Another sequence has published the same page already: this one stays private.
    if (!known_.try_emplace(key, sequence.pages[i]).second) return;
    own.is_known = true;
    own.key = key;
    if (i > 0) ++page(key.first).known_followers;
  }
}

void PagePool::end(Sequence& sequence) {
  ++clock_;
  for (const std::int32_t number : sequence.pages) {
    Page& own = page(number);
    --own.holders;
    own.last_used = clock_;
  }
  sequence = {};
}

std::int32_t PagePool::free_pages() const {
  return static_cast<std::int32_t>(
      std::count_if(pages_.begin(), pages_.end(), [](const Page& p) { return p.holders == 0; }));
}

std::int32_t PagePool::take_page() {
  // Evict first what nobody can request again, then what was requested the longest time ago. A page
  // that others are found through stays; those others, which nobody holds either, go before it.
  std::int32_t best = -1;
  for (std::int32_t number = 0; number < size(); ++number) {
    const Page& candidate = page(number);
    if (candidate.holders > 0 || candidate.known_followers > 0) continue;
    if (best < 0 || std::pair(candidate.is_known, candidate.last_used) <
                        std::pair(page(best).is_known, page(best).last_used)) {
      best = number;
    }
  }
  if (best < 0) {
    throw std::runtime_error("the cache is full: all " + std::to_string(size()) + " pages of " +
                             std::to_string(kPageTokens) +
                             " tokens are in use; give it more with --context");
  }
  forget(best);
  page(best).holders = 1;
  return best;
}

void PagePool::forget(std::int32_t number) {
  Page& old = page(number);
  if (!old.is_known) return;
  known_.erase(old.key);
  if (old.key.first >= 0) --page(old.key.first).known_followers;
  old.is_known = false;
}

}  // namespace engine
