// SPDX-License-Identifier: MIT
// Generated inputs: the same from one seed, others from another, edges always there, failures made
// small.
#include "grader/inputs.hpp"

#include <algorithm>
#include <string>

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
  CHECK(small[1].number() == 1);  // it does not matter, so it is as simple as can be
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
