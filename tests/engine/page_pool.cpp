// SPDX-License-Identifier: MIT
// Pages that sequences share, keep and return.
#include "engine/cache/page_pool.hpp"

#include <numeric>

#include "support/catch.hpp"

using engine::kPageTokens;
using engine::PagePool;
using engine::Sequence;

namespace {

std::vector<std::int32_t> tokens(int count, int first = 0) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

Sequence filled(PagePool& pool, const std::vector<std::int32_t>& prompt) {
  Sequence sequence = pool.begin(prompt);
  for (std::size_t i = sequence.tokens.size(); i < prompt.size(); ++i) {
    pool.append(sequence, prompt[i]);
  }
  pool.publish(sequence);
  return sequence;
}

}  // namespace

TEST_CASE("full pages of a known beginning are found again", "[engine]") {
  PagePool pool(8);
  Sequence first = filled(pool, tokens(40));
  CHECK(first.pages.size() == 3);
  Sequence second = pool.begin(tokens(40));
  CHECK(second.tokens == tokens(32));
  CHECK(second.pages == std::vector(first.pages.begin(), first.pages.begin() + 2));
  // The last token is computed even if its page is known.
  Sequence third = pool.begin(tokens(32));
  CHECK(third.tokens.size() == 16);
  Sequence other = pool.begin(tokens(40, 1));
  CHECK(other.tokens.empty());
  // The same tokens after a different beginning have different keys and values.
  std::vector<std::int32_t> moved = tokens(16, 100);
  for (const std::int32_t id : tokens(24, 16)) moved.push_back(id);
  CHECK(pool.begin(moved).tokens.empty());
  pool.end(first);
  pool.end(second);
  pool.end(third);
  CHECK(pool.free_pages() == 8);
  Sequence again = pool.begin(tokens(40));
  CHECK(again.tokens.size() == 32);
  CHECK(pool.free_pages() == 6);
  pool.end(again);
}

TEST_CASE("known pages make room, the oldest first, and what follows before what is followed",
          "[engine]") {
  PagePool pool(4);
  Sequence old = filled(pool, tokens(33));
  pool.end(old);
  Sequence newer = filled(pool, tokens(17, 500));  // takes the free page, and one that is not full
  pool.end(newer);
  Sequence large = filled(pool, tokens(40, 900));
  CHECK(pool.free_pages() == 1);
  pool.end(large);
  // What was used last is still known; of the oldest at most the beginning.
  CHECK(pool.begin(tokens(40, 900)).tokens.size() == 32);
  CHECK(pool.begin(tokens(33)).tokens.size() <= 16);
}

TEST_CASE("a page in use is never given away", "[engine]") {
  PagePool pool(2);
  Sequence held = filled(pool, tokens(20));
  Sequence other = pool.begin(tokens(3, 700));
  CHECK_THROWS_WITH(pool.append(other, 700), Catch::Matchers::Contains("the cache is full") &&
                                                 Catch::Matchers::Contains("--context"));
  pool.end(held);
  pool.append(other, 700);
  CHECK(other.pages.size() == 1);
}

TEST_CASE("two sequences may fill the same page at once", "[engine]") {
  PagePool pool(8);
  Sequence a = pool.begin(tokens(20));
  Sequence b = pool.begin(tokens(20));
  for (const std::int32_t id : tokens(20)) {
    pool.append(a, id);
    pool.append(b, id);
  }
  pool.publish(a);
  pool.publish(b);
  CHECK(a.pages != b.pages);
  pool.end(a);
  pool.end(b);
  CHECK(pool.free_pages() == 8);
  CHECK(pool.begin(tokens(20)).tokens.size() == kPageTokens);
}
