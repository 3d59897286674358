// SPDX-License-Identifier: MIT
// What chains of multiply-adds lead to, x <- a x + b step by step, for the oracles of several
// topics.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/random.hpp"
#include "harness/task.hpp"

namespace harness {

/// k steps x <- a x + b at once: x becomes a^k x + b (a^k - 1) / (a - 1).
class ChainFormula {
 public:
  ChainFormula(double a, double b, std::int64_t k)
      : factor_(std::pow(a, static_cast<double>(k))), addend_(b * (factor_ - 1) / (a - 1)) {}
  double operator()(double x) const { return factor_ * x + addend_; }

 private:
  double factor_;
  double addend_;
};

/// A step in FP32: a multiply-add, which rounds once, or a product and a sum, which round each.
/// Both are right: what `a * x + b` compiles to depends on the machine.
struct SingleStep {
  float a, b;
  float rounded_once(float x) const { return std::fma(a, x, b); }
  float rounded_twice(float x) const {
    volatile float product = a * x;  // or the compiler makes one multiply-add of both
    return product + b;
  }
};

/// All values after `count` steps, a few at a time: a chain alone would wait for its own results.
template <class Step>
void take_steps(std::vector<float>& values, std::int64_t count, Step step) {
  constexpr std::size_t kTogether = 64;
  for (std::size_t begin = 0; begin < values.size(); begin += kTogether) {
    const std::size_t end = std::min(begin + kTogether, values.size());
    for (std::int64_t k = 0; k < count; ++k) {
      for (std::size_t i = begin; i < end; ++i) values[i] = step(values[i]);
    }
  }
}

/// The elements that are held to every digit: all of a small problem; of a large one, which would
/// take long, one in each of 16384 parts, and which of them nobody else knows.
inline std::vector<std::size_t> exact_elements(std::size_t n, Random& random) {
  constexpr std::size_t kParts = 1 << 14;
  const std::size_t one_of = n < 2 * kParts ? 1 : (n + kParts - 1) / kParts;
  std::vector<std::size_t> elements;
  for (std::size_t begin = 0; begin < n; begin += one_of) {
    const auto last = static_cast<std::int64_t>(std::min(one_of, n - begin)) - 1;
    elements.push_back(begin + static_cast<std::size_t>(random.integer(0, last)));
  }
  return elements;
}

/// What `count` steps lead to. A formula gives the same but for what rounds on the way, in a
/// multiply-add in place of thousands. So results are compared with chains that round at every
/// step, digit by digit: `kExact` times any tolerance is less than half a unit in the last place.
/// The other elements of a large problem may be off by `terms` times the tolerance, relative to
/// the size of one step's terms.
template <class Step>
Expected after_steps(const std::vector<float>& x, const Step& step, std::int64_t count,
                     double terms, Random& random) {
  constexpr double kExact = 1e-6;
  const ChainFormula formula(step.a, step.b, count);
  Expected expected;
  expected.value.reserve(x.size());
  expected.scale.reserve(x.size());
  for (const float start : x) {
    expected.value.push_back(formula(start));
    expected.scale.push_back(terms * (std::abs(start) + std::abs(step.b)));
  }
  expected.also = expected.value;
  const std::vector<std::size_t> exact = exact_elements(x.size(), random);
  std::vector<float> once;
  for (const std::size_t i : exact) once.push_back(x[i]);
  std::vector<float> twice = once;
  take_steps(once, count, [&](float value) { return step.rounded_once(value); });
  take_steps(twice, count, [&](float value) { return step.rounded_twice(value); });
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const std::size_t i = exact[k];
    expected.value[i] = once[k];
    expected.also[i] = twice[k];
    expected.scale[i] = kExact * std::min(std::abs(once[k]), std::abs(twice[k]));
  }
  return expected;
}

/// Names results of the last argument that are those of the formula, or of more digits, or of one
/// step more or less, give or take `digits` times the tolerance.
template <class Step>
void name_formula(Task& task, const std::vector<float>& x, const Step& step, std::int64_t count,
                  double digits) {
  const auto name = [&](const auto& values, const char* cause) {
    Expected made;
    made.value.assign(values.begin(), values.end());
    for (const float start : x) made.scale.push_back(digits * (1 + std::abs(start)));
    task.mistake(std::move(made), cause);
  };
  const auto name_steps = [&](std::int64_t steps, const char* cause) {
    std::vector<float> values = x;
    take_steps(values, steps, [&](float value) { return step.rounded_once(value); });
    name(values, cause);
  };
  name_steps(count + 1, "This is one step too many.");
  if (count > 0) name_steps(count - 1, "This is one step too few.");
  const ChainFormula formula(step.a, step.b, count);
  std::vector<double> exact;
  for (const float start : x) exact.push_back(formula(start));
  name(exact,
       "These are the results of steps that do not round each as the task's do: some were "
       "put together into one, or they were taken in another precision, or one chain mixes "
       "fma(a, x, b) with a * x + b.");
}

}  // namespace harness
