// SPDX-License-Identifier: MIT
// Kind "function": a C++ function, against the reference on generated inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/kind/forward.hpp"
#include "harness/value.hpp"

namespace grader {

struct StoredFunction;

/// How generated inputs of one function parameter look.
struct InputRange {
  std::string name;
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool integer = false;
  std::optional<std::pair<std::int64_t, std::int64_t>>
      length;                      ///< a vector, with at least and at most these items
  std::vector<InputRange> fields;  ///< a struct
  std::vector<double> edges;       ///< values always tried
  bool sorted = false;             ///< a vector whose numbers grow
  /// What the numbers from `low` = 0 on are called in the source: those of an enumeration.
  std::vector<std::string> enumerators;
};

/// What a function returns, or one field of it.
struct ReturnedField {
  std::string name;
  std::string unit;
  std::vector<std::string> enumerators = {};  ///< as of InputRange
};

struct FunctionExercise {
  std::vector<InputRange> inputs;  ///< one a parameter
  /// Argument lists that are always tried first, such as those of equal times, which draws would
  /// rarely meet.
  std::vector<harness::Value::List> cases;
  std::vector<ReturnedField> returns;  ///< the fields of what it returns, in their order
  std::int64_t samples = 10000;        ///< generated inputs
};

extern const KindRules kFunctionRules;
Verdict grade_function(Session& session, const Exercise& exercise);

/// Runs the reference on `count` of the inputs that the exercise would generate, and on them the
/// formulas of its mistakes.
StoredFunction store_function(Session& session, const Exercise& exercise, std::size_t count);

}  // namespace grader
