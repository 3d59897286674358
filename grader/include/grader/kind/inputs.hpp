// SPDX-License-Identifier: MIT
// Generated inputs of function exercises, and making a failing input small.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/kind/function.hpp"
#include "harness/random.hpp"
#include "harness/value.hpp"

namespace grader {

/// A number of a range as its parameter takes it: an integer where the range is one of integers.
harness::Value number_value(const InputRange& range, double number);

/// One argument list, drawn from the ranges: mostly uniform (or log-uniform), with the ends of the
/// range, the edges that the exercise names, and powers of two with their neighbours mixed in.
harness::Value::List draw_inputs(const std::vector<InputRange>& ranges, harness::Random& random);

/// Argument lists that are always tried: every edge and end of every parameter and of every field,
/// the others drawn; of vectors the shortest, the longest, those with an edge at either end, and
/// those whose items are all equal.
std::vector<harness::Value::List> edge_inputs(const std::vector<InputRange>& ranges,
                                              harness::Random& random);

/// What a function is tried with: the exercise's cases, edges, and draws, `samples` or more in all.
std::vector<harness::Value::List> function_inputs(const FunctionExercise& exercise,
                                                  std::uint64_t seed);

/// Looks for a simpler argument list that still fails: rounder numbers, shorter vectors, staying
/// in the ranges. `fails` is called at most `budget` times.
harness::Value::List shrink_inputs(harness::Value::List failing,
                                   const std::vector<InputRange>& ranges,
                                   const std::function<bool(const harness::Value::List&)>& fails,
                                   int budget = 400);

/// "name = value, ..." for people, an enumeration's values and a struct's fields by their names.
std::string describe_inputs(const harness::Value::List& arguments,
                            const std::vector<InputRange>& ranges);

/// What a function returned, likewise.
std::string describe_returned(const harness::Value& value,
                              const std::vector<ReturnedField>& fields);

/// A value for people: numbers with as many digits as needed, lists in brackets.
std::string describe_value(const harness::Value& value);

}  // namespace grader
