// SPDX-License-Identifier: MIT
// The memory ladder: how its pieces move.
#include "memory/ladder.hpp"

#include "support/catch.hpp"

using namespace roofline::measure;

TEST_CASE("no block follows another through the pieces") {
  // Two blocks each on T4, A100, H100 PCIe, H100 SXM, RTX 4090, MI300X.
  for (const int units : {40, 108, 114, 132, 128, 304}) {
    const int pieces = 2 * units;
    CAPTURE(pieces);
    for (int ahead = 1; ahead <= 3; ++ahead) {
      for (int pass = 0; pass < 2 * pieces; ++pass) {
        // The block that reads, `ahead` passes earlier, what block 0 reads in this pass, and the
        // one of the next pass.
        const auto leader = [&](int p) {
          return (rotation(p + ahead, pieces) - rotation(p, pieces) + pieces) % pieces;
        };
        REQUIRE(leader(pass) != leader(pass + 1));
      }
    }
  }
}

TEST_CASE("pieces move from the first pass on") {
  CHECK(rotation(0, 264) == 0);
  CHECK(rotation(1, 264) == 1);
  CHECK(rotation(4, 264) == 10);
  CHECK(rotation(1953, 264) == 1953LL * 1954 / 2 % 264);
  CHECK(rotation(1 << 20, 264) == (std::int64_t{1} << 19) * ((1 << 20) + 1) % 264);
  CHECK(rotation(3, 1) == 0);
}
