// SPDX-License-Identifier: MIT
// Which page of the cache holds which tokens: sequences with the same beginning share pages.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/operators/labs.hpp"

namespace engine {

/// The pages of one sequence, in the order of its tokens.
struct Sequence {
  std::vector<std::int32_t> tokens;  ///< whose keys and values are in the pages
  std::vector<std::int32_t> pages;
};

/// Hands out pages of kPageTokens tokens. A full page can be found again by its tokens and those
/// before it, even after its sequence has ended, until its room is needed; the oldest go first.
class PagePool {
 public:
  explicit PagePool(std::int32_t pages);

  /// Starts a sequence with the known full pages of the prompt, at most up to its second-to-last
  /// token: the last one must be computed to get the logits after it.
  Sequence begin(std::span<const std::int32_t> prompt);
  /// Makes room for one more token and adds it; its position is that of the sequence's last token.
  /// @throws std::runtime_error when no page is left.
  void append(Sequence& sequence, std::int32_t token);
  /// Call this when the keys and values of all tokens so far are in their pages: from then on full
  /// pages can be shared.
  void publish(Sequence& sequence);
  /// Gives the pages back.
  void end(Sequence& sequence);

  /// Pages that no sequence holds, including known ones.
  std::int32_t free_pages() const;
  /// The total number of pages.
  std::int32_t size() const { return static_cast<std::int32_t>(pages_.size()); }

 private:
  using Block = std::array<std::int32_t, kPageTokens>;
  using Key = std::pair<std::int32_t, Block>;  // the previous page (-1: none), and the tokens
  struct Page {
    int holders = 0;
    bool is_known = false;
    int known_followers = 0;
    std::int64_t last_used = 0;
    Key key;
  };
  std::int32_t take_page();
  void forget(std::int32_t page);
  Page& page(std::int32_t number) { return pages_[static_cast<std::size_t>(number)]; }

  std::vector<Page> pages_;
  std::map<Key, std::int32_t> known_;
  std::int64_t clock_ = 0;
};

}  // namespace engine
