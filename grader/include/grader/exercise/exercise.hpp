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

/// A usual mistake. Of a choice: a wrong word. Of a number, prediction or function: a value it
/// leads to, a factor against the right value (of a prediction: against what the stored roofs
/// predict), or the id of a wrong answer: one that solutions/NN/answers.cpp computes, or the name
/// of a function in solutions/NN/formulas_wrong.cpp.
struct Misconception {
  std::optional<double> value;
  std::optional<double> factor;
  std::string answer;
  std::string word;
  std::string message;
  int line = 0;  ///< where exercises.toml lists it
};

/// One graded exercise: what all kinds have, and the fields of its own.
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

  /// The exercise that judges the results of the same entry, of one that judges how it works; else
  /// null.
  std::shared_ptr<const Exercise> kernel;

  KindFields fields;

  Kind kind() const { return static_cast<Kind>(fields.index()); }
  const KindRules& rules() const { return rules_of(kind()); }
  /// The fields of its kind. @throws std::bad_variant_access for another one.
  template <class Fields>
  const Fields& as() const {
    return std::get<Fields>(fields);
  }
  template <class Fields>
  Fields& as() {
    return std::get<Fields>(fields);
  }

  // Fields that several kinds have, whichever kind this is.

  /// Unit of a number; empty for a plain one and where there is none.
  const std::string& unit() const;
  /// Whether it depends on this machine's measured roofs.
  bool needs_machine() const;
  /// What a variant draws; null where nothing is drawn.
  std::vector<ExerciseParameter>* drawn_parameters();
  const std::vector<ExerciseParameter>& parameters() const;
  /// Sizes at which a kernel's results or counts are judged.
  const std::vector<std::int64_t>& sizes() const;
  /// Size at which it is timed or profiled; 0 where it is not.
  TimedSize timed_size() const;
};

/// Whether a backend (cpu, cuda or hip) gives points for an exercise. A race on a CPU would judge a
/// GPU's kernel on the wrong machine: there the time that is predicted for a virtual GPU counts,
/// or, where the exercise names none, speed is shown and does not count.
bool is_graded_on(const Exercise& exercise, std::string_view backend);

/// True when the id is among `chosen`, or one of them is its beginning up to a dot; always true
/// when nothing is chosen.
bool is_chosen(const Exercise& exercise, const std::vector<std::string>& chosen);

/// A topic folder with its exercises.
struct Topic {
  std::string name;
  std::filesystem::path folder;
  std::vector<Exercise> exercises;
  /// budget_minutes: for compiling and running what one student handed in for the topic
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

/// All topics (folders NN-name with an exercises.toml) of a checkout, in order. Also finds ids that
/// are used twice and builds_on that names no exercise.
std::vector<Topic> load_topics(const std::filesystem::path& root, std::vector<SchemaError>& errors);

}  // namespace grader
