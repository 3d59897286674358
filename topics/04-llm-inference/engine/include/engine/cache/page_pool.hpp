// SPDX-License-Identifier: MIT
// Which page of the cache holds which tokens: pages are shared by sequences that begin alike.
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

/// Hands out pages of kPageTokens tokens. A full page can be found again by what it holds and what
/// comes before it, also when its sequence has ended: until room is needed, oldest first.
class PagePool {
 public:
  explicit PagePool(std::int32_t pages);

  /// Begins a sequence with the full pages that are known of the prompt, all but its last token at
  /// most: that one must be computed for what follows it.
  Sequence begin(std::span<const std::int32_t> prompt);
  /// Makes room for one more token and counts it in; its place is that of the sequence's last
  /// token.
  /// @throws std::runtime_error when no page is left.
  void append(Sequence& sequence, std::int32_t token);
  /// To be called when the keys and values of all tokens so far are in their pages: full ones can
  /// be shared from now on.
  void publish(Sequence& sequence);
  /// Gives the pages back.
  void end(Sequence& sequence);

  /// Pages that no sequence holds, known ones included.
  std::int32_t free_pages() const;
  /// Pages in all.
  std::int32_t size() const { return static_cast<std::int32_t>(pages_.size()); }

 private:
  using Block = std::array<std::int32_t, kPageTokens>;
  using Key = std::pair<std::int32_t, Block>;  // the page before (-1: none), and the tokens
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
