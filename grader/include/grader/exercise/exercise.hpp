// SPDX-License-Identifier: MIT
// Exercises as topics/NN-name/exercises.toml declares them, and the check of that file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/kind/kinds.hpp"

namespace grader {

/// A common mistake. For a choice, it is a wrong word. For a number, prediction or function, it is
/// the value it leads to; a factor relative to the right value (for a prediction, relative to what
/// the stored roofs predict); or the id of a wrong answer: one that solutions/NN/answers.cpp
/// computes, or the name of a function in solutions/NN/formulas_wrong.cpp.
struct Misconception {
  std::optional<double> value;
  std::optional<double> factor;
  std::string answer;
  std::string word;
  std::string message;
  int line = 0;  ///< where exercises.toml lists it
};

/// One graded exercise: the fields that all kinds have, and those of its own kind.
struct Exercise {
  std::string id;
  std::string title;
  std::string task;
  double points = 0;
  std::vector<std::string> hints;
  std::vector<Misconception> misconceptions;
  std::string writeup;             ///< anchor in the topic's README.md
  std::vector<std::string> files;  ///< what a student may submit for it, relative to the topic
  std::vector<std::string> builds_on;
  bool needs_gpu = false;
  double rtol = 0;
  double atol = 0;

  std::string program;  ///< program in bin/TOPIC; empty for an exercise without a program
  std::string entry;    ///< entry or function in it; the program's name when not given
  double wall_seconds = 30;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;

  std::string topic;  ///< folder name, such as "02-peaks"
  int line = 0;       ///< where exercises.toml declares it

  /// If this exercise judges how a kernel works, the exercise that judges the results of the same
  /// entry; else null.
  std::shared_ptr<const Exercise> kernel;

  KindFields fields;

  Kind kind() const { return static_cast<Kind>(fields.index()); }
  const KindRules& rules() const { return rules_of(kind()); }
  /// The fields of its kind. @throws std::bad_variant_access if it is of another kind.
  template <class Fields>
  const Fields& as() const {
    return std::get<Fields>(fields);
  }
  template <class Fields>
  Fields& as() {
    return std::get<Fields>(fields);
  }

  // Fields that several kinds have; these work for every kind.

  /// Unit of a number; empty if it has none.
  const std::string& unit() const;
  /// The words that an answer is one of; empty if it is not a word.
  const std::vector<std::string>& choices() const;
  /// File in the topic's folder that the student's own program writes; empty if there is none.
  const std::string& record() const;
  /// Compute roof that its time is compared with; empty if its kind names none.
  const std::string& precision() const;
  /// Why no roof can judge its time; empty if one can, or if it has none.
  const std::string& no_roof() const;
  /// Whether it depends on this machine's measured roofs.
  bool needs_machine() const;
  /// The parameters that a variant draws; null if there are none.
  std::vector<ExerciseParameter>* drawn_parameters();
  const std::vector<ExerciseParameter>& parameters() const;
  /// Sizes for which a kernel's results or counts are judged.
  const std::vector<std::int64_t>& sizes() const;
  /// Size for which it is timed or profiled; 0 if it is neither.
  TimedSize timed_size() const;
  /// What a virtual GPU judges; empty if none does.
  std::optional<VirtualProblem> virtual_problem() const;
};

/// Whether a backend (cpu, cuda or hip) gives points for an exercise. A race on a CPU would judge a
/// GPU kernel on the wrong machine, so on a CPU the time predicted for a virtual GPU counts, or, if
/// the exercise names no virtual GPU, speed is shown and does not count.
bool is_graded_on(const Exercise& exercise, std::string_view backend);

/// True when `chosen` is empty, contains the id, or contains a prefix of it that ends before a dot.
bool is_chosen(const Exercise& exercise, const std::vector<std::string>& chosen);

/// A topic folder with its exercises.
struct Topic {
  std::string name;
  std::filesystem::path folder;
  std::vector<Exercise> exercises;
  /// budget_minutes: for compiling and running one student's hand-in for the topic
  double budget_seconds = 600;
};

/// One mistake in an exercises.toml.
struct SchemaError {
  std::filesystem::path file;
  int line = 0;
  int column = 0;
  std::string key;
  std::string message;
};

/// "FILE:LINE:COLUMN: KEY: MESSAGE".
std::string describe(const SchemaError& error);

/// Reads a topic folder. Every mistake is added to `errors`; exercises without mistakes are kept.
Topic load_topic(const std::filesystem::path& folder, std::vector<SchemaError>& errors);

/// All topics (folders NN-name with an exercises.toml) of a checkout, in order. Also reports
/// duplicate ids, and builds_on entries that match no exercise.
std::vector<Topic> load_topics(const std::filesystem::path& root, std::vector<SchemaError>& errors);

}  // namespace grader
