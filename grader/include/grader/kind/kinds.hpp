// SPDX-License-Identifier: MIT
// The kinds of exercises. Each has a header with its fields and a source with how it is read,
// judged and handed out. To add a kind, write these two, and add it to the two lists here and to
// the one in kinds.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grader/kind/choice.hpp"
#include "grader/kind/counted.hpp"
#include "grader/kind/function.hpp"
#include "grader/kind/kernel.hpp"
#include "grader/kind/measurement.hpp"
#include "grader/kind/number.hpp"
#include "grader/kind/prediction.hpp"
#include "grader/kind/profile.hpp"
#include "grader/kind/speed.hpp"

namespace grader {

class Declaration;
struct HandedOut;
struct SchemaError;
struct Topic;

/// What the student gives, and so how it is judged: the alternatives of KindFields, in order.
enum class Kind {
  kNumber,
  kChoice,
  kFunction,
  kCounted,
  kProfile,
  kKernel,
  kSpeed,
  kMeasurement,
  kPrediction
};

/// What exercises.toml says about an exercise of each kind besides what every exercise has.
using KindFields =
    std::variant<NumberExercise, ChoiceExercise, FunctionExercise, CountedExercise, ProfileExercise,
                 KernelExercise, SpeedExercise, MeasurementExercise, PredictionExercise>;

/// A key of a declaration, and what is wrong with its value.
using Complaint = std::pair<std::string, std::string>;

/// What the rest of the grader needs from a kind.
struct KindRules {
  std::string_view name;  ///< its word in exercises.toml and in CTest labels
  /// Reads its own keys and those that several kinds have (see exercise/declaration.hpp).
  void (*read)(Declaration& declaration, Exercise& exercise);
  /// May throw ChildFailure, which grade() turns into a verdict.
  Verdict (*judge)(Session& session, const Exercise& exercise);
  /// What a handout has in place of the solution; null if oracles and the student's own programs
  /// are enough.
  HandedOut (*hand_out)(Session& session, const Exercise& exercise, int iterations) = nullptr;
  /// What an answer in answers.toml looks like, such as "in GB/s, within 5 %"; null where there is
  /// none.
  std::string (*answer_form)(const Exercise& exercise) = nullptr;
  /// Finds the exercises that it builds on, once the whole topic is read; null if there are none.
  void (*link)(Exercise& exercise, const Topic& topic, std::vector<SchemaError>& errors) = nullptr;
  /// What is missing from a declaration that comes with solutions; null if the kind has no rules
  /// of its own.
  std::vector<Complaint> (*check)(const Exercise& exercise) = nullptr;

  bool is_written = false;  ///< the student writes the answer to answers.toml
  bool has_answer = false;  ///< the solutions' answers.cpp computes what is right
  bool has_kernels =
      false;  ///< its program is a kernel file: judged by an oracle, and also run checked
  bool judges_results = false;  ///< of that kernel
  bool judges_how =
      false;  ///< judges how that kernel works: earns nothing if its results are rejected
  bool runs_on_device = false;  ///< that program runs on the backend's device
  bool uses_reference = false;  ///< the solution's program is run together with the student's
  bool is_timed = false;        ///< the verdict depends on a clock
  bool needs_idle = false;      ///< and on two measurements that must agree
  bool is_shared = false;       ///< the same program earns everybody the same verdict
};

const KindRules& rules_of(Kind kind);

/// All kinds.
std::span<const Kind> all_kinds();

/// The kind's word in exercises.toml and in CTest labels.
std::string_view name_of(Kind kind);

/// True when the verdict depends on a clock.
bool is_timed(Kind kind);

}  // namespace grader
