// SPDX-License-Identifier: MIT
// The simplest kernels, compared with a plain loop.
#include "hello.hpp"

#include <numeric>

#include "support/catch.hpp"

TEST_CASE("saxpy equals the plain loop at every size edge") {
  for (const int n : {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 4097, 100003}) {
    std::vector<float> x(n), y(n), expected(n);
    for (int i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i % 97) - 48;
      y[i] = static_cast<float>(i % 13);
      expected[i] = static_cast<float>(2.5 * x[i] + y[i]);
    }
    CAPTURE(n);
    REQUIRE(run_saxpy(2.5f, x, y) == expected);
  }
}

TEST_CASE("a block reverses its values through shared memory") {
  for (const int n : {1, 2, 32, 100, 256}) {
    std::vector<int> values(n), expected(n);
    std::iota(values.begin(), values.end(), 1);
    std::iota(expected.rbegin(), expected.rend(), 1);
    CAPTURE(n);
    REQUIRE(run_reverse_block(values) == expected);
  }
}
