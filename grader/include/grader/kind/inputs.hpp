// SPDX-License-Identifier: MIT
// Generated inputs of function exercises, and shrinking a failing input.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/kind/function.hpp"
#include "harness/random.hpp"
#include "harness/value.hpp"

namespace grader {

/// A number of a range with its parameter's type: an integer if the range is one of integers.
harness::Value number_value(const InputRange& range, double number);

/// One argument list, drawn from the ranges: mostly uniform (or log-uniform), mixed with the ends
/// of the range, the exercise's edges, and powers of two with their neighbours.
harness::Value::List draw_inputs(const std::vector<InputRange>& ranges, harness::Random& random);

/// Argument lists that are always tried: every edge and end of every parameter and of every field,
/// with the others drawn; for vectors the shortest, the longest, those with an edge at either end,
/// and those with equal items.
std::vector<harness::Value::List> edge_inputs(const std::vector<InputRange>& ranges,
                                              harness::Random& random);

/// All inputs of a function: the exercise's cases, edges, and draws, at least `samples` in total.
std::vector<harness::Value::List> function_inputs(const FunctionExercise& exercise,
                                                  std::uint64_t seed);

/// Searches for a simpler argument list that still fails: rounder numbers and shorter vectors,
/// within the ranges. Calls `fails` at most `budget` times.
harness::Value::List shrink_inputs(harness::Value::List failing,
                                   const std::vector<InputRange>& ranges,
                                   const std::function<bool(const harness::Value::List&)>& fails,
                                   int budget = 400);

/// "name = value, ..." for people, with enumeration values and struct fields by name.
std::string describe_inputs(const harness::Value::List& arguments,
                            const std::vector<InputRange>& ranges);

/// A function's returned value in the same form.
std::string describe_returned(const harness::Value& value,
                              const std::vector<ReturnedField>& fields);

/// A value for people: numbers with as many digits as needed, lists in brackets.
std::string describe_value(const harness::Value& value);

}  // namespace grader
