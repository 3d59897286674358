// SPDX-License-Identifier: MIT
// The reference functions of prefill attention against counting one by one, and against numbers
// worked out by hand.
#include <cstdint>
#include <set>
#include <utility>

#include "formulas.hpp"
#include "support/catch.hpp"

TEST_CASE("traffic of tiles: counted key by key") {
  for (const std::int64_t tokens : {0, 1, 7, 64, 65, 130, 257}) {
    for (const std::int64_t queries : {1, 16, 64, 100}) {
      // Pairs of a block and a key that some query of the block sees.
      std::set<std::pair<std::int64_t, std::int64_t>> read;
      for (std::int64_t query = 0; query < tokens; ++query) {
        for (std::int64_t key = 0; key <= query; ++key) read.insert({query / queries, key});
      }
      const double rows = 2 * static_cast<double>(read.size()) + 2 * static_cast<double>(tokens);
      CAPTURE(tokens, queries);
      REQUIRE(tiled_attention_bytes(tokens, queries, 3) == 3 * rows);
    }
  }
}

TEST_CASE("the two ceilings, by hand") {
  // 10^12 pairs: 512 x 10^12 FLOPs at 1000 TFLOP/s are 0.512 s; 10^12 exponentials at 4 x 10^12 a
  // second 0.25 s. With heads of 32 the products take 0.128 s, and the exponentials are longer.
  REQUIRE(attention_seconds(1e12, 128, 1e15, 4e12) == Approx(0.512));
  REQUIRE(attention_seconds(1e12, 32, 1e15, 4e12) == Approx(0.25));
}
