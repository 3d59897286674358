// SPDX-License-Identifier: MIT
// Which token is drawn from probabilities.
#include "engine/generate/sampler.hpp"

#include <limits>
#include <vector>

#include "support/catch.hpp"

using engine::draw_token;
using engine::Sampling;

namespace {

const std::vector<float> kProbabilities = {0.1f, 0.4f, 0.2f, 0.3f};

std::int32_t drawn(const Sampling& sampling, double draw) {
  return draw_token(kProbabilities, sampling, draw);
}

}  // namespace

TEST_CASE("a draw falls on tokens in order of their probability", "[engine]") {
  CHECK(drawn({}, 0) == 1);
  CHECK(drawn({}, 0.39) == 1);
  CHECK(drawn({}, 0.41) == 3);
  CHECK(drawn({}, 0.71) == 2);
  CHECK(drawn({}, 0.95) == 0);
  CHECK(drawn({}, 1 - 1e-17) == 0);
}

TEST_CASE("top-k and top-p leave the most probable", "[engine]") {
  CHECK(drawn({.top_k = 1}, 0.99) == 1);
  CHECK(drawn({.top_k = 2}, 0.99) == 3);
  CHECK(drawn({.top_k = 2}, 0.5) == 1);  // of 0.7
  CHECK(drawn({.top_k = 9}, 0.95) == 0);
  CHECK(drawn({.top_p = 0.39}, 0.99) == 1);
  CHECK(drawn({.top_p = 0.41}, 0.99) == 3);
  CHECK(drawn({.top_p = 0.001}, 0.99) == 1);            // never empty
  CHECK(drawn({.top_k = 3, .top_p = 0.5}, 0.99) == 3);  // half of 0.9 takes two
}

TEST_CASE("the largest logit is the first of equal ones", "[engine]") {
  CHECK(engine::largest(std::vector<float>{1, 3, 3, 2}) == 1);
  CHECK(engine::largest(std::vector<float>{-5}) == 0);
}

TEST_CASE("sampling that means nothing is refused", "[engine]") {
  CHECK_THROWS_WITH(engine::Sampler({.temperature = -1}), Catch::Matchers::Contains("temperature"));
  CHECK_THROWS(engine::Sampler({.temperature = std::numeric_limits<double>::quiet_NaN()}));
  CHECK_THROWS_WITH(engine::Sampler({.top_k = -1}), Catch::Matchers::Contains("top-k"));
  CHECK_THROWS_WITH(engine::Sampler({.top_p = 0}), Catch::Matchers::Contains("top-p"));
  CHECK_THROWS(engine::Sampler({.top_p = 1.5}));
}
