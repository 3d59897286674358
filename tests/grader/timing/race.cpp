// SPDX-License-Identifier: MIT
// Races with made-up times: noise costs a kernel that is as fast as the reference nothing, a slower
// kernel never gets full points, and reused results are found in whichever legs they occur.
#include "grader/timing/race.hpp"

#include <cmath>
#include <functional>
#include <random>

#include "support/catch.hpp"

namespace {

using grader::LegTimes;
using grader::Race;

grader::SpeedExercise exercise() {
  grader::SpeedExercise e;
  e.full_ratio = 0.9;
  e.zero_ratio = 0.3;
  return e;
}

/// Runs a race to its end.
Race race_of(const grader::SpeedExercise& e, const std::function<LegTimes(int)>& leg,
             std::optional<double> shortest = {}) {
  Race race(e, shortest);
  for (int i = 0; !race.is_over(); ++i) race.add(leg(i));
  return race;
}

struct Outcomes {
  int full = 0;
  int less = 0;
};

/// Simulates many races of a program that is `ratio` times as fast as the reference, with noise on
/// every leg.
Outcomes noisy_races(double ratio, double noise, unsigned seed) {
  const grader::SpeedExercise e = exercise();
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Outcomes outcomes;
  for (int i = 0; i < 2000; ++i) {
    const Race race = race_of(e, [&](int) {
      return LegTimes{ratio * std::exp(noise * normal(random)), 1, 1};
    });
    if (!race.is_decided()) continue;
    ++(race.score() >= 1 ? outcomes.full : outcomes.less);
  }
  return outcomes;
}

}  // namespace

TEST_CASE("three quiet legs decide what is clear", "[race]") {
  const grader::SpeedExercise e = exercise();
  int legs = 0;
  const auto of = [&](double ratio) {
    legs = 0;
    return race_of(e, [&](int) {
      ++legs;
      return LegTimes{ratio, 1, 1};
    });
  };
  CHECK(of(1).score() == 1);
  CHECK(legs == 3);
  CHECK(of(0.2).score() == 0);
  CHECK(legs == 3);
  CHECK(of(0.6).score() == Approx(0.5));
  CHECK(legs == 6);
}

TEST_CASE("noise takes nothing from the reference's equal, and gives a slower one not all",
          "[race]") {
  for (const double noise : {0.02, 0.05, 0.1, 0.2}) {
    INFO("noise of " << noise);
    const Outcomes equal = noisy_races(1, noise, 1);
    CHECK(equal.less == 0);
    if (noise <= 0.05) CHECK(equal.full == 2000);
    CHECK(noisy_races(1 / 1.5, noise, 2).full == 0);
  }
}

TEST_CASE("a leg with many quick calls weighs no more than another", "[race]") {
  grader::SpeedExercise e = exercise();
  e.full_roof = 0.85;
  // Two legs in five reach 90 % of the roof, the others 10 %: no points from the roof.
  const auto leg = [](int i) {
    const bool is_fast = i % 5 < 2;
    return LegTimes{is_fast ? 1.0 : 0.11, is_fast ? 1 / 0.9 : 10, 1};
  };
  const Race race = race_of(e, leg, 1.0);
  CHECK_FALSE(race.is_decided());
  CHECK(*race.roof_fraction() < 0.2);
}

TEST_CASE("a program that is fast in some starts only does not get everything", "[race]") {
  const grader::SpeedExercise e = exercise();
  // One slow start in every `every`, at every position among those that are run.
  for (int every = 1; every <= 12; ++every) {
    for (int slow = 0; slow < every; ++slow) {
      bool was_slow = false;
      const Race race = race_of(e, [&](int i) {
        const bool is_slow = i % every == slow;
        was_slow |= is_slow;
        return LegTimes{is_slow ? 0.12 : 1.0, 1, 1};
      });
      INFO("start " << slow << " of " << every);
      CHECK((!was_slow || !race.is_decided() || race.score() < 1));
    }
  }
}

TEST_CASE("the roof earns what the ratio does not", "[race]") {
  grader::SpeedExercise e = exercise();
  e.full_roof = 0.8;
  const auto leg = [](int) { return LegTimes{0.6, 1, 1}; };
  CHECK(race_of(e, leg, 0.82).score() == 1);
  CHECK(race_of(e, leg, 0.4).score() == Approx(0.5));
  CHECK(race_of(e, leg).score() == Approx(0.5));
}

TEST_CASE("reused results are found in the legs that reuse them", "[race]") {
  const grader::SpeedExercise e = exercise();
  const Race always = race_of(e, [](int) { return LegTimes{5, 1, 9}; });
  REQUIRE(always.kept_results());
  CHECK(*always.kept_results() == 9);
  // One honest start in five, at every position.
  for (int honest = 0; honest < 5; ++honest) {
    const Race race = race_of(e, [&](int i) {
      return i % 5 == honest ? LegTimes{1, 1, 1} : LegTimes{5, 1, 9};
    });
    CHECK(race.kept_results());
  }
  // A single leg may be an accident, so more legs are run.
  int legs = 0;
  const Race accident = race_of(e, [&](int i) {
    ++legs;
    return LegTimes{1, 1, i == 1 ? 9.0 : 1.0};
  });
  CHECK_FALSE(accident.kept_results());
  CHECK(accident.score() == 1);
  CHECK(legs > 3);
}

TEST_CASE("results that are kept pay little where they are not refused", "[race]") {
  grader::SpeedExercise e = exercise();
  // Half as fast as the reference on what is new, and in part kept: 1.9 times as fast on the rest.
  const auto keeps = [](int) { return LegTimes{0.95, 1, 1.9}; };
  const Race by_ratio = race_of(e, keeps);
  CHECK_FALSE(by_ratio.kept_results());
  CHECK(by_ratio.is_decided());
  // 1.15 x 0.5 of the reference's speed: (0.575 - 0.3) / (0.9 - 0.3) of the points.
  CHECK(by_ratio.score() == Approx(0.45));
  // Nor is there a way over the roof: 0.8 of it with kept results, 0.42 without.
  e.full_roof = 0.8;
  CHECK(race_of(e, keeps, 0.8).score() == Approx(0.45));
  // In two starts of three it keeps nothing.
  const Race sometimes = race_of(e, [](int i) {
    return i % 3 == 0 ? LegTimes{0.95, 1, 1.9} : LegTimes{0.5, 1, 1};
  });
  CHECK(sometimes.score() < 0.5);
}

TEST_CASE("calls on unseen numbers that noise makes slower cost nothing", "[race]") {
  const grader::SpeedExercise e = exercise();
  const auto slower = [&](double by) {
    return race_of(e, [=](int) { return LegTimes{1, 1, by}; });
  };
  CHECK(slower(1.2).score() == 1);  // 1.15 / 1.2 of the reference's speed, and 0.9 are asked for
  CHECK(slower(1.3).score() == Approx(0.95));
  CHECK_FALSE(slower(1).is_held_back({1, 1, 1.2}));
  CHECK(slower(1).is_held_back({1, 1, 1.5}));
  CHECK_FALSE(slower(1).is_held_back({0.2, 1, 1.5}));  // it earns nothing either way
  CHECK_FALSE(slower(1).is_held_back({3, 1, 1.9}));
  // Two starts of twelve, after all their tries.
  int legs = 0;
  const Race noisy = race_of(e, [&](int i) {
    legs = i + 1;
    return LegTimes{1, 1, i == 1 || i == 4 ? 1.8 : 1.0};
  });
  CHECK(noisy.is_decided());
  CHECK(noisy.score() == 1);
  CHECK(legs > 6);
}

TEST_CASE("what is faster than the roof is not believed, unless the reference is too", "[race]") {
  const grader::SpeedExercise e = exercise();
  CHECK(race_of(
            e,
            [](int) {
              return LegTimes{2, 1, 1};
            },
            2.0)
            .is_impossible());
  CHECK_FALSE(race_of(
                  e,
                  [](int) {
                    return LegTimes{1, 1, 1};
                  },
                  2.0)
                  .is_impossible());
  CHECK_FALSE(race_of(
                  e,
                  [](int) {
                    return LegTimes{2, 1, 1};
                  },
                  1.1)
                  .is_impossible());
}

TEST_CASE("impossible times are found in the legs that have them", "[race]") {
  const grader::SpeedExercise e = exercise();
  // Two starts in six are twice as fast as the machine; the median leg is right.
  const auto in_legs = [&](int first, int count) {
    return race_of(
        e,
        [=](int i) {
          const bool is_early = i >= first && i < first + count;
          return is_early ? LegTimes{2, 0.5, 1} : LegTimes{0.6, 1.7, 1};
        },
        1.0);
  };
  for (int first = 0; first < 5; ++first) {
    INFO("from start " << first);
    CHECK(in_legs(first, 2).is_impossible());
  }
  // A single one is an accident, and earns no more than the others.
  const Race accident = in_legs(1, 1);
  CHECK_FALSE(accident.is_impossible());
  CHECK(accident.score() < 1);
}
