// SPDX-License-Identifier: MIT
// Kind "function": a C++ function, compared with the reference on generated inputs.
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

/// How inputs of one function parameter are generated.
struct InputRange {
  std::string name;
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool integer = false;
  std::optional<std::pair<std::int64_t, std::int64_t>>
      length;                      ///< a vector, with a minimum and maximum number of items
  std::vector<InputRange> fields;  ///< a struct
  std::vector<double> edges;       ///< values that are always tried
  /// The only values, in ascending order, if others mean nothing: a vector of 100 bits.
  std::vector<double> choices = {};
  bool sorted = false;  ///< a vector of ascending numbers
  /// Names in the source for the numbers from `low` = 0 on, if the type is an enumeration.
  std::vector<std::string> enumerators;
};

/// What a function returns, or one field of it.
struct ReturnedField {
  std::string name;
  std::string unit;
  std::vector<std::string> enumerators = {};  ///< as in InputRange
};

struct FunctionExercise {
  std::vector<InputRange> inputs;  ///< one per parameter
  /// Argument lists that are always tried first, for cases that random draws would rarely hit, such
  /// as equal times.
  std::vector<harness::Value::List> cases;
  std::vector<ReturnedField> returns;  ///< the fields of the returned value, in order
  std::int64_t samples = 10000;        ///< generated inputs
};

extern const KindRules kFunctionRules;
Verdict grade_function(Session& session, const Exercise& exercise);

/// Runs the reference, and the formulas of the exercise's mistakes, on `count` of the inputs that
/// the exercise would generate.
StoredFunction store_function(Session& session, const Exercise& exercise, std::size_t count);

}  // namespace grader
