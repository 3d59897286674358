// SPDX-License-Identifier: MIT
// Registers the reference value of a number or choice exercise (solutions/NN/answers.cpp).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

/// The inputs that an answer may depend on: the exercise's parameters, and this machine's roofs.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::vector<std::pair<std::string, double>> values, std::string machine_file)
      : values_(std::move(values)), machine_file_(std::move(machine_file)) {}

  /// The parameter `name` of [exercise.parameters]. @throws std::out_of_range when there is none.
  double operator[](std::string_view name) const;
  /// Path of the JSON file that `roofline measure` wrote on this machine.
  /// @throws std::runtime_error when the machine has not been measured.
  const std::string& machine_file() const;

 private:
  std::vector<std::pair<std::string, double>> values_;
  std::string machine_file_;
};

/// A value with unit, or a word.
struct Answer {
  double value = 0;
  std::string unit;
  std::string word;

  static Answer number(double value, std::string_view unit) {
    return {value, std::string(unit), {}};
  }
  static Answer choice(std::string_view word) { return {0, {}, std::string(word)}; }
};

using AnswerFunction = Answer (*)(const Parameters&);

/// Path on this machine of a file of the course, for answers that are computed from it:
/// "data/machines/h200-sxm.toml", or a profile in a topic's folder.
std::string course_file(std::string_view path);

/// Called by HARNESS_ANSWER. @throws std::logic_error when the id is taken.
bool register_answer(std::string_view id, AnswerFunction function);

}  // namespace harness

#define HARNESS_JOIN_INNER(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN_INNER(a, b)

/// HARNESS_ANSWER("02.saxpy.ai", [](const harness::Parameters& p) { ... return Answer; })
#define HARNESS_ANSWER(id, ...)                                                \
  [[maybe_unused]] static const bool HARNESS_JOIN(harness_answer_, __LINE__) = \
      ::harness::register_answer(id, __VA_ARGS__);

/// An answer that is one expression of the parameters p: HARNESS_FORMULA("02.ai", ratio(p["n"]))
#define HARNESS_FORMULA(id, ...)                                                                \
  HARNESS_ANSWER(id, []([[maybe_unused]] const ::harness::Parameters& p) -> ::harness::Answer { \
    return __VA_ARGS__;                                                                         \
  })
