// SPDX-License-Identifier: MIT
// Which of the course's programs ./lab builds before it judges an exercise, in the real topics.
#include "needed.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "support/catch.hpp"

namespace {

/// Whether it is needed in a tree where nothing is built.
bool is_needed(const std::string& id, const std::string& target) {
  const cli::Course course(RL_SOURCE, RL_SOURCE "/build/none");
  const auto programs = cli::missing_programs(course, course.one(id));
  return std::ranges::any_of(programs, [&](const auto& one) { return one.target == target; });
}

}  // namespace

TEST_CASE("a prediction needs the answers, which name its mistakes, and the measured program") {
  for (const auto& [id, topic, program] :
       {std::tuple{"02.triad.prediction", "02-peaks", "stream"},
        {"03.sweep.predict-memory", "03-roofline-modeling", "sweep"},
        {"04.predict.gemv", "04-llm-inference", "gemv"}}) {
    CAPTURE(id);
    CHECK(is_needed(id, topic + std::string("-answers")));
    CHECK(is_needed(id, topic + std::string("-") + program + "-solution"));
  }
}

TEST_CASE("a number needs the answers, and a kernel does not") {
  CHECK(is_needed("01.saxpy.ai", "01-ai-basics-answers"));
  CHECK(!is_needed("04.gemv.kernel", "04-llm-inference-answers"));
  CHECK(is_needed("04.gemv.kernel", "04-llm-inference-oracle"));
}
