// SPDX-License-Identifier: MIT
// Wrong functions: which mistake explains all wrong results, and that no mistake is made up.
#include "grader/kind/function_diagnosis.hpp"

#include <cmath>
#include <cstdint>
#include <functional>

#include "says.hpp"
#include "support/catch.hpp"

using grader::Difference;
using grader::Exercise;
using harness::Value;

namespace {

Exercise scalar(const std::string& unit = "") {
  Exercise exercise;
  exercise.rtol = 1e-9;
  exercise.fields = grader::FunctionExercise{{}, {}, {{"result", unit}}};
  return exercise;
}

Exercise work() {
  Exercise exercise = scalar();
  exercise.as<grader::FunctionExercise>().returns = {{"flops", "FLOP"}, {"bytes", "B"}};
  return exercise;
}

/// A function of n, in the reference's or the student's version.
using Function = std::function<Value(double n)>;

std::vector<Difference> differences(const Function& right, const Function& student,
                                    const std::vector<Function>& mistaken = {}) {
  std::vector<Difference> result;
  for (const double n : {1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 100.0, 4096.0}) {
    const Value should = Value::list("ok", right(n));
    const Value is = Value::list("ok", student(n));
    if (is == should) continue;
    result.push_back({{Value(n)}, is, should, {}});
    for (const Function& f : mistaken) {
      result.back().mistaken.push_back(Value::list("ok", f(n)));
    }
  }
  return result;
}

/// The explanation for a student's function that returns 3 n times a factor.
std::string said_of(double factor, const std::string& unit = "") {
  const auto lines = explain(differences([](double n) { return Value(3 * n); },
                                         [&](double n) { return Value(factor * 3 * n); }),
                             scalar(unit), {});
  return lines.empty() ? std::string() : lines.front();
}

Value pair(double a, double b) {
  return Value::List{Value(a), Value(b)};
}

}  // namespace

TEST_CASE("a usual factor is named as it is for numbers", "[function]") {
  CHECK(says(said_of(2, "FLOP"), "multiply-add counted once too often"));
  CHECK(says(said_of(0.5, "FLOP"), "a fused multiply-add is two FLOPs"));
  CHECK(says(said_of(0.5, "FLOP/s"), "multiply-add counts as two"));
  CHECK(says(said_of(2, "B"), "something counted twice"));
  CHECK(says(said_of(8, "B"), "bits and bytes"));
  CHECK(says(said_of(1.0 / 8, "B"), "bits and bytes"));
  CHECK(says(said_of(1.024), "kB is not KiB"));
  CHECK(says(said_of(1 / 1.048576), "MiB and MB"));
  CHECK(says(said_of(1.073741824), "GiB and GB"));
  CHECK(says(said_of(1e3), "off by a thousand"));
  CHECK(says(said_of(1e-9), "off by a factor of 10^9"));
  CHECK(says(said_of(-1), "sign"));
  CHECK(says(said_of(4), "element's size"));
}

TEST_CASE("any other factor is reported as a number", "[function]") {
  CHECK(said_of(1.5) == "It looks like this: every wrong value is 1.5 times the right one");
  CHECK(said_of(0.75) == "It looks like this: every wrong value is 0.75 times the right one");
  CHECK(said_of(1 + 1e-7).empty());  // rounding, not a factor
}

TEST_CASE("a ratio upside down is named", "[function]") {
  const auto lines = explain(differences([](double n) { return Value(3 * n); },
                                         [](double n) { return Value(1 / (3 * n)); }),
                             scalar("FLOP/B"), {});
  REQUIRE(lines.size() == 1);
  CHECK(says(lines[0], "upside down"));
}

TEST_CASE("what is not wrong by one factor is not explained by one", "[function]") {
  const Function right = [](double n) { return Value(3 * n); };
  const auto said = [&](const Function& student) {
    return explain(differences(right, student), scalar("B"), {});
  };
  CHECK(said([](double n) { return Value(3 * n + 1); }).empty());
  CHECK(said([](double n) { return Value(n * n); }).empty());
  CHECK(said([](double n) { return Value(n > 10 ? 6 * n : 24 * n); }).empty());
  CHECK(said([](double) { return Value(0.0); }).empty());
  CHECK(said([](double) { return Value(NAN); }).empty());
  CHECK(said([](double) { return Value(INFINITY); }).empty());
  // Twice the right value, but for two inputs only: any factor would fit so few.
  CHECK(said([](double n) { return Value(n > 50 ? 6 * n : 3 * n); }).empty());
  // If the right value is always the same, a constant wrong value is not a factor.
  for (const double other : {1.5, 2.0, 8.0}) {
    CHECK(explain(
              differences([](double) { return Value(1.0); }, [&](double) { return Value(other); }),
              scalar(), {})
              .empty());
  }
}

TEST_CASE("an exception or a text is not explained", "[function]") {
  std::vector<Difference> wrong =
      differences([](double n) { return Value(3 * n); }, [](double n) { return Value(6 * n); });
  REQUIRE(explain(wrong, scalar("B"), {}).size() == 1);
  wrong[1].is = Value::list("error", "out of range");
  CHECK(explain(wrong, scalar("B"), {}).empty());
  wrong[1].is = Value::list("ok", "six");
  CHECK(explain(wrong, scalar("B"), {}).empty());
  CHECK(explain({}, scalar("B"), {}).empty());
}

TEST_CASE("fields of a struct are explained one by one, each by its unit", "[function]") {
  const Function right = [](double n) { return pair(2 * n, 12 * n); };
  const auto said = [&](const Function& student) {
    return explain(differences(right, student), work(), {});
  };
  const auto bytes = said([](double n) { return pair(2 * n, 96 * n); });
  REQUIRE(bytes.size() == 1);
  CHECK(says(bytes[0], "It looks like this, in bytes: bits and bytes"));
  const auto both = said([](double n) { return pair(n, 24 * n); });
  REQUIRE(both.size() == 2);
  CHECK(says(both[0], "in flops: half of it: a fused multiply-add"));
  CHECK(says(both[1], "in bytes: off by a factor of two"));
  const auto alike = said([](double n) { return pair(6 * n, 36 * n); });
  REQUIRE(alike.size() == 1);
  CHECK(says(alike[0], "in flops and bytes: every wrong value is 3 times"));
  // One field has a recognisable factor, the other does not.
  const auto one = said([](double n) { return pair(n, 12 * n + 1); });
  REQUIRE(one.size() == 1);
  CHECK(says(one[0], "in flops"));
  // Another number of fields is not a value of this kind.
  CHECK(said([](double n) { return Value::List{Value(n)}; }).empty());
}

TEST_CASE("a listed formula is recognised, before a factor, also where two agree at times",
          "[function]") {
  const Function right = [](double n) { return pair(2 * n, n * n + 2 * n); };
  const Function matrix_only = [](double n) { return pair(2 * n, n * n); };
  const Function larger = [](double n) { return pair(2 * n, n > 4 ? n * n : 7 * n); };
  const std::vector<std::string> messages = {"larger", "the matrix only"};
  const auto lines =
      explain(differences(right, matrix_only, {larger, matrix_only}), work(), messages);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "It looks like this, in bytes: the matrix only");
  const Function other = [](double n) { return pair(2 * n, n * n + n); };
  CHECK(explain(differences(right, other, {larger, matrix_only}), work(), messages).empty());
}

TEST_CASE("a listed formula may be wrong at an edge only", "[function]") {
  const Function right = [](double n) { return Value(3 * n); };
  const Function edge = [](double n) { return Value(n == 1 ? 7 : 3 * n); };
  REQUIRE(differences(right, edge).size() == 1);
  CHECK(explain(differences(right, edge), scalar(), {}).empty());
  CHECK(explain(differences(right, edge, {edge}), scalar(), {"one is special"}).size() == 1);
}

TEST_CASE("a listed formula that would be wrong where the function is right is not named",
          "[function]") {
  Exercise exercise = scalar();
  exercise.misconceptions.resize(2);
  exercise.misconceptions[0].answer = "truncated";
  exercise.misconceptions[1].factor = 0.5;
  const Function right = [](double n) { return Value(std::round(n / 2)); };
  const Function ties = [](double n) { return Value(std::ceil(n / 2 - 0.5)); };
  const Function truncated = [](double n) { return Value(std::floor(n / 2)); };
  const auto listed_for = [&](const Function& student) {
    std::vector<Difference> wrong = differences(right, student, {truncated, right});
    std::vector<Difference> agreeing;
    for (const double n : {5.6, 7.6, 9.6, 11.6, 13.6, 15.6, 17.6, 19.6}) {
      const Value should = Value::list("ok", right(n));
      if (Value::list("ok", student(n)) != should) continue;
      agreeing.push_back({{Value(n)}, should, should, {Value::list("ok", truncated(n)), should}});
    }
    std::vector<std::string> listed = {"this truncates", "this is half"};
    grader::drop_contradicted(listed, wrong, agreeing, exercise);
    for (const Difference& one : wrong) CHECK(one.mistaken.size() == listed.size());
    return listed;
  };
  // On ties, truncation gives the same wrong results; on other inputs it disagrees with the right
  // ones. A factor is never dropped, because it may belong to one branch.
  CHECK(listed_for(ties) == std::vector<std::string>{"this is half"});
  CHECK(listed_for(truncated) == std::vector<std::string>{"this truncates", "this is half"});
}

TEST_CASE("infinity where a value is due, and the reverse, is a listed mistake or none",
          "[function]") {
  const Function right = [](double n) { return Value(n < 10 ? INFINITY : n); };
  const Function zero = [](double n) { return Value(n < 10 ? 0 : n); };
  CHECK(explain(differences(right, zero), scalar(), {}).empty());
  const auto lines = explain(differences(right, zero, {zero}), scalar(), {"never is not zero"});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "It looks like this: never is not zero");
}

TEST_CASE("a listed factor or value is a reply like a formula's", "[function]") {
  grader::Misconception twice;
  twice.factor = 2;
  CHECK(mistaken_reply(twice, Value::list("ok", pair(1, 3))) == Value::list("ok", pair(2, 6)));
  CHECK(mistaken_reply(twice, Value::list("error", "no")) == Value::list("error", "no"));
  grader::Misconception seven;
  seven.value = 7;
  CHECK(mistaken_reply(seven, Value::list("ok", 1.0)) == Value::list("ok", 7.0));
}

TEST_CASE("a type that cannot hold the results is named", "[function]") {
  const auto said = [](const Function& student) {
    std::vector<Difference> result;
    for (const double n : {3.0, 3000.0, 70000.0, 70001.0, 90000.0, 90001.0, 123457.0}) {
      const Value should = Value::list("ok", n * n / 3);
      const Value is = Value::list("ok", student(n));
      if (!same_reply(is, should, scalar())) result.push_back({{Value(n)}, is, should, {}});
    }
    const auto lines = explain(result, scalar(), {});
    return lines.empty() ? std::string() : lines.front();
  };
  CHECK(says(said([](double n) { return Value(double{static_cast<float>(n * n / 3)}); }),
             "seven digits of a float"));
  const auto wrapped = [](double x) {
    return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x)));
  };
  CHECK(says(said([&](double n) { return Value(wrapped(n * n) / 3); }), "an int overflows"));
  CHECK(said([](double n) { return Value(n * n / 3 + n / 10); }).empty());
}
