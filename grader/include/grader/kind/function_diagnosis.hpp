// SPDX-License-Identifier: MIT
// Explains the inputs on which a student's function differs from the reference.
#pragma once

#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "harness/value.hpp"

namespace grader {

/// One input on which a function differs from the reference. Replies are ("ok", value) or ("error",
/// text).
struct Difference {
  harness::Value::List arguments;
  harness::Value is;
  harness::Value should;
  std::vector<harness::Value> mistaken{};  ///< replies according to the listed mistakes, in order
};

/// Whether a number of a function's result is right.
bool is_right_number(double is, double should, const Exercise& exercise);

/// Replies agree when both give the same value, or both refuse the input by an exception.
bool same_reply(const harness::Value& is, const harness::Value& should, const Exercise& exercise);

/// What the mistake gives if the reference replies `should`; for a factor or a value. A mistake
/// with an answer has to be called instead.
harness::Value mistaken_reply(const Misconception& mistake, const harness::Value& should);

/// Removes the listed mistakes that this function does not make: those whose formula disagrees with
/// its right replies more often than it agrees with its wrong ones. `right` has the inputs of right
/// replies. Factors and values stay, because they may belong to one branch.
void drop_contradicted(std::vector<std::string>& listed, std::vector<Difference>& wrong,
                       const std::vector<Difference>& right, const Exercise& exercise);

/// Lines that name the mistakes, `listed` ones (by their messages) or common ones: a mistake is
/// named if it explains every input on which a result, or one field of it, is wrong; a factor only
/// if there are enough such inputs to tell. Empty if none does.
std::vector<std::string> explain(const std::vector<Difference>& differences,
                                 const Exercise& exercise, const std::vector<std::string>& listed);

}  // namespace grader
