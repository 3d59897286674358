// SPDX-License-Identifier: MIT
// Generated inputs: the same seed gives the same inputs, another seed others; edges are always
// included, and failing inputs are shrunk.
#include "grader/kind/inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

#include "grader/exercise/seed.hpp"
#include "harness/random.hpp"
#include "support/catch.hpp"

using grader::InputRange;
using harness::Random;
using harness::Value;

namespace {

std::vector<InputRange> two_numbers() {
  InputRange n;
  n.name = "n";
  n.low = 0;
  n.high = 1e6;
  n.integer = true;
  n.edges = {4096};
  InputRange x;
  x.name = "x";
  x.low = 1e-3;
  x.high = 1e3;
  x.logarithmic = true;
  return {n, x};
}

std::string draws(std::uint64_t seed) {
  Random random(seed);
  std::string all;
  for (int i = 0; i < 20; ++i) all += Value(draw_inputs(two_numbers(), random)).encode();
  return all;
}

bool has(const std::vector<Value::List>& inputs, std::size_t position, double value) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const Value::List& arguments) {
    return arguments[position].number() == value;
  });
}

}  // namespace

TEST_CASE("a seed gives the same inputs again, another seed others", "[inputs]") {
  CHECK(draws(7) == draws(7));
  CHECK(draws(7) != draws(8));
}

TEST_CASE("draws stay in their ranges", "[inputs]") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Value::List arguments = draw_inputs(two_numbers(), random);
    REQUIRE(arguments.size() == 2);
    CHECK((arguments[0].number() >= 0 && arguments[0].number() <= 1e6));
    CHECK((arguments[1].number() >= 1e-3 && arguments[1].number() <= 1e3));
  }
}

TEST_CASE("ends of the range, their neighbours and named edges are always tried", "[inputs]") {
  Random random(1);
  const std::vector<Value::List> inputs = edge_inputs(two_numbers(), random);
  for (const double edge : {0.0, 1.0, 4096.0, 999999.0, 1e6}) {
    INFO(edge);
    CHECK(has(inputs, 0, edge));
  }
  CHECK(has(inputs, 1, 1e-3));
  CHECK(has(inputs, 1, 1e3));
}

TEST_CASE("where only some values mean something, only these are drawn, tried and shown",
          "[inputs]") {
  InputRange bits;
  bits.name = "bits";
  bits.low = 8;
  bits.high = 64;
  bits.choices = {8, 16, 32, 64};
  const std::set<double> expected = {8, 16, 32, 64};
  Random random(1);
  std::set<double> drawn;
  for (int i = 0; i < 200; ++i) drawn.insert(grader::draw_inputs({bits}, random)[0].number());
  CHECK(drawn == expected);
  std::set<double> tried;
  for (const Value::List& arguments : grader::edge_inputs({bits}, random)) {
    tried.insert(arguments[0].number());
  }
  CHECK(tried == expected);
  const auto fails = [](const Value::List& arguments) { return arguments[0].number() > 10; };
  CHECK(grader::shrink_inputs({Value(64.0)}, {bits}, fails)[0].number() == 16);
}

TEST_CASE("edges of fields and of a vector's ends are always tried, and equal items", "[inputs]") {
  InputRange part;
  part.name = "parts";
  part.length = {0, 4};
  part.fields = two_numbers();
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    std::vector<Value::List> heads;
    std::vector<Value::List> tails;
    std::set<std::size_t> lengths;
    std::set<std::size_t> equal;
    for (const Value::List& arguments : grader::edge_inputs({part}, random)) {
      const Value::List& items = arguments[0].list();
      lengths.insert(items.size());
      if (items.empty()) continue;
      heads.push_back(items.front().list());
      tails.push_back(items.back().list());
      if (std::all_of(items.begin(), items.end(),
                      [&](const Value& item) { return item == items.front(); })) {
        equal.insert(items.size());
      }
    }
    CHECK(lengths.contains(0));
    CHECK(lengths.contains(4));
    CHECK((equal.contains(2) && equal.contains(3) && equal.contains(4)));
    CHECK((has(heads, 0, 4096) && has(tails, 0, 4096)));
    CHECK((has(heads, 1, 1e3) && has(tails, 1, 1e-3)));
  }
}

TEST_CASE("numbers that grow do so in every draw, at the edges, and when made small", "[inputs]") {
  InputRange sizes;
  sizes.name = "sizes";
  sizes.length = {0, 6};
  sizes.low = 1;
  sizes.high = 100;
  sizes.sorted = true;
  const auto grow = [](const Value& list) {
    return std::is_sorted(list.list().begin(), list.list().end(),
                          [](const Value& a, const Value& b) { return a.number() < b.number(); });
  };
  Random random(1);
  for (const Value::List& arguments : grader::edge_inputs({sizes}, random))
    CHECK(grow(arguments[0]));
  for (int i = 0; i < 200; ++i) CHECK(grow(grader::draw_inputs({sizes}, random)[0]));
  const Value::List failing = {Value(Value::List{Value(3.0), Value(40.0), Value(77.0)})};
  grader::shrink_inputs(failing, {sizes}, [&](const Value::List& arguments) {
    CHECK(grow(arguments[0]));
    return arguments[0].size() >= 2;
  });
}

TEST_CASE("an exercise's cases are tried first, whatever the seed", "[inputs]") {
  grader::FunctionExercise exercise;
  exercise.inputs = two_numbers();
  exercise.cases = {{Value(std::int64_t{7}), Value(0.5)}};
  exercise.samples = 100;
  for (const std::uint64_t seed : {1U, 2U}) {
    const std::vector<Value::List> inputs = grader::function_inputs(exercise, seed);
    CHECK(inputs.size() >= 100);
    CHECK(Value(inputs.front()) == Value(exercise.cases.front()));
  }
}

TEST_CASE("the seed of an exercise's inputs is the same with every library", "[inputs]") {
  // Computed with Python's hashlib (SHA-256) and SplitMix64 by hand.
  CHECK(grader::seed_of("02.saxpy.kernel", 17) == 280224067237874U);
  CHECK(grader::seed_of("02.saxpy.kernel", 18) != 280224067237874U);
}

TEST_CASE("an option names the seed, then the environment, then the default", "[inputs]") {
  ::unsetenv("ROOFLINE_SEED");
  CHECK(grader::chosen_seed(0, 17) == 17);
  CHECK(grader::chosen_seed(0) != grader::chosen_seed(0));
  ::setenv("ROOFLINE_SEED", "42", 1);
  CHECK(grader::chosen_seed(0, 17) == 42);
  CHECK(grader::chosen_seed(5, 17) == 5);
  for (const char* wrong : {"0", "-1", "many", "4 2", "1e3"}) {
    ::setenv("ROOFLINE_SEED", wrong, 1);
    CHECK_THROWS_AS(grader::chosen_seed(0, 17), std::invalid_argument);
  }
  ::unsetenv("ROOFLINE_SEED");
}

TEST_CASE("a failing input is made small, and still fails", "[inputs]") {
  const auto fails = [](const Value::List& arguments) { return arguments[0].number() >= 1000; };
  const Value::List failing = {Value(std::int64_t{765432}), Value(123.456)};
  REQUIRE(fails(failing));
  int calls = 0;
  const Value::List small =
      shrink_inputs(failing, two_numbers(), [&](const Value::List& arguments) {
        ++calls;
        return fails(arguments);
      });
  CHECK(fails(small));
  CHECK(small[0].number() < 2000);
  CHECK(small[1].number() == 1);  // irrelevant for the failure, so as simple as possible
  CHECK(calls <= 400);
}

TEST_CASE("a vector that fails loses what does not matter", "[inputs]") {
  InputRange item;
  item.name = "x";
  item.low = -100;
  item.high = 100;
  item.length = {1, 64};
  Value::List items;
  for (int i = 0; i < 40; ++i) items.emplace_back(i == 17 ? -73.25 : 3.5);
  const auto fails = [](const Value::List& arguments) {
    const Value::List& list = arguments[0].list();
    return std::any_of(list.begin(), list.end(), [](const Value& v) { return v.number() < 0; });
  };
  const Value::List small = grader::shrink_inputs({Value(items)}, {item}, fails);
  CHECK(fails(small));
  CHECK(small[0].size() == 1);
  CHECK(grader::describe_inputs(small, {item}).size() < 20);
}

TEST_CASE("enumerations and fields are described by their names", "[inputs]") {
  InputRange routine;
  routine.name = "routine";
  routine.enumerators = {"kCopy", "kScal", "kAxpy"};
  InputRange stencil;
  stencil.name = "stencil";
  InputRange points;
  points.name = "points";
  InputRange reuse;
  reuse.name = "reuse";
  stencil.fields = {points, reuse};
  const Value one(Value::List{Value(std::int64_t{5}), Value(0.5)});
  const Value routine_1(std::int64_t{1});
  CHECK(grader::describe_inputs({routine_1, one}, {routine, stencil}) ==
        "routine = kScal, stencil = {points = 5, reuse = 0.5}");
  CHECK(grader::describe_inputs({Value(std::int64_t{7})}, {routine}) == "routine = 7");
  stencil.length = {0, 3};
  CHECK(grader::describe_inputs({Value(Value::List{})}, {stencil}) == "stencil = {}");
  CHECK(grader::describe_inputs({Value(Value::List{one})}, {stencil}) ==
        "stencil = {{points = 5, reuse = 0.5}}");
  CHECK(grader::describe_inputs({Value(Value::List{one, one})}, {stencil}) ==
        "stencil = {{points = 5, reuse = 0.5}, {5, 0.5}}");
  const grader::ReturnedField advice{"advice", "", {"kMore", "kLess"}};
  const grader::ReturnedField bytes{"bytes", "B", {}};
  CHECK(grader::describe_returned(routine_1, {advice}) == "kLess");
  CHECK(grader::describe_returned(routine_1, {}) == "1");
  CHECK(grader::describe_returned(one, {bytes, advice}) == "{bytes = 5, advice = 0.5}");
}
