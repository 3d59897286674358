// SPDX-License-Identifier: MIT
// Sweeps: the frontier, the best point, and the same result on any number of threads.
#include <stdexcept>

#include "roofline/serve/deployment.hpp"
#include "support/catch.hpp"

namespace {

using namespace roofline::serve;
using Catch::Matchers::Contains;

Trial trial(const std::string& label, double user, double gpu, double good, double dollars) {
  return {label, [=] {
            Summary summary;
            summary.finished = 10;
            summary.gpus = 1;
            summary.tokens_per_second_per_user = user;
            summary.tokens_per_second_per_gpu = gpu;
            summary.good_part = good;
            if (dollars > 0) summary.dollars_per_million_tokens = dollars;
            return summary;
          }};
}

const std::vector<Trial> kTrials = {
    trial("a", 10, 1000, 0.5, 1),
    trial("b", 50, 600, 1, 2),
    trial("<c>", 50, 500, 1, 3),
    trial("d", 100, 100, 1, 9),
    trial("e", 20, 300, 1, 2.5),
    {"f", []() -> Summary { throw std::invalid_argument("too large for the memory"); }}};

}  // namespace

TEST_CASE("the frontier holds what nothing else beats in both") {
  for (const unsigned threads : {1U, 3U, 16U}) {
    const auto points = sweep(kTrials, threads);
    REQUIRE(points.size() == 6);
    std::string frontier;
    for (const Point& point : points) {
      if (point.on_frontier) frontier += point.label;
    }
    CHECK(frontier == "abd");
    CHECK(points[5].problem == "too large for the memory");
  }
}

TEST_CASE("the best point keeps the level at the least cost") {
  const auto points = sweep(kTrials);
  CHECK(best_point(points, 0.99)->label == "b");
  CHECK(best_point(points, 0.4)->label == "a");
  CHECK(best_point(points, 1.1) == nullptr);
}

TEST_CASE("charts show every point and name it safely") {
  const auto points = sweep(kTrials);
  const std::string text = frontier_terminal(points);
  CHECK_THAT(text, Contains("A     10.0 per user     1000 per GPU  a"));
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    CHECK(end - start <= 80);
    start = end + 1;
  }
  const std::string script = frontier_gnuplot(points, "it's a title", "x.svg");
  CHECK_THAT(script, Contains("set title 'it''s a title'") && Contains("label 'a' at 10,1000 ") &&
                         Contains("\n10 1000\n50 600\n100 100\ne\n50 500\n20 300\ne\n"));
  CHECK_THAT(frontier_html(points, "t & u", "", ""), Contains("too large for the memory") &&
                                                         Contains("&lt;c&gt;") &&
                                                         Contains("t &amp; u"));
  CHECK_THAT(sweep_csv(points), Contains("\"a\",1,10,1000"));
  CHECK_THROWS_WITH(frontier_html(sweep({kTrials[5]}), "", "", ""), Contains("no configuration"));
}
