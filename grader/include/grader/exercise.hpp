// SPDX-License-Identifier: MIT
// Exercises as topics/NN-name/exercises.toml declares them, and the check of that file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/value.hpp"

namespace grader {

/// What the student gives, and so how it is judged.
enum class Kind {
  kNumber,
  kChoice,
  kFunction,
  kCounted,
  kKernel,
  kSpeed,
  kMeasurement,
  kPrediction
};

/// The kind's word in exercises.toml and in CTest labels.
std::string_view name_of(Kind kind);

/// True when the verdict depends on a clock.
bool is_timed(Kind kind);

/// A usual mistake. Of a choice: a wrong word. Of a number or function: a value it leads to, a
/// factor against the right value, or the id of a wrong answer: one that solutions/NN/answers.cpp
/// computes, or the name of a function in solutions/NN/formulas_wrong.cpp.
struct Misconception {
  std::optional<double> value;
  std::optional<double> factor;
  std::string answer;
  std::string word;
  std::string message;
  int line = 0;  ///< where exercises.toml lists it
};

/// A parameter of a number or choice: its value in the write-up, and the values a variant may draw.
struct ExerciseParameter {
  std::string name;
  double canonical = 0;
  std::vector<double> choices;  ///< empty when every student gets the canonical value
  /// The exercise of this topic that asks about the same: each student has one value for both.
  std::string same_as{};
  /// What a value stands for, when it numbers texts of a file: in a task, {name} becomes the text.
  std::map<double, std::string> texts{};
  std::string texts_file{};  ///< where they stand, counted from the checkout's root
};

/// How generated inputs of one function parameter look.
struct InputRange {
  std::string name;
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool integer = false;
  std::optional<std::pair<std::int64_t, std::int64_t>> length;  ///< a vector of so many items
  std::vector<InputRange> fields;                               ///< a struct
  std::vector<double> edges;                                    ///< values always tried
  bool sorted = false;                                          ///< a vector whose numbers grow
};

/// What a function returns, or one field of it.
struct ReturnedField {
  std::string name;
  std::string unit;
};

/// Where a number builds on the student's own earlier number: a value that is right only from there
/// earns a part of the points. solutions/NN/answers.cpp computes it as ID/carried from the
/// parameter "carried", the earlier number in base units.
struct CarriedForward {
  std::string from;  ///< id of the earlier exercise, a number of the same topic
  double credit = 0.5;
  std::string unit;  ///< of the earlier exercise
};

/// One graded exercise.
struct Exercise {
  std::string id;
  std::string title;
  std::string task;
  Kind kind = Kind::kNumber;
  double points = 0;
  std::string unit;
  double rtol = 0;
  double atol = 0;
  std::vector<std::string> hints;
  std::vector<Misconception> misconceptions;
  std::string writeup;             ///< anchor in the topic's README.md
  std::vector<std::string> files;  ///< what a student may submit for it, relative to the topic
  std::vector<std::string> builds_on;
  bool needs_gpu = false;

  std::vector<std::string> choices;  ///< choice: the words
  bool needs_machine = false;        ///< number, choice: depends on this machine's measured roofs
  std::vector<ExerciseParameter> parameters;
  std::optional<CarriedForward> carried;  ///< number: credit for an error carried forward

  std::string program;              ///< function, kernel, speed ...: program in bin/TOPIC
  std::string entry;                ///< entry or function in it; the program's name when not given
  std::vector<std::int64_t> sizes;  ///< kernel: sizes tried
  std::vector<std::string> counters;  ///< counted: which counts the truth limits
  std::int64_t size = 0;              ///< speed, measurement, prediction: size on the CPU
  std::int64_t gpu_size = 0;          ///< the same on a GPU
  double full_ratio = 0.9;            ///< speed: reference time / own time that earns everything
  double zero_ratio = 0.3;            ///< speed: ratio that earns nothing
  double full_roof = 0;     ///< speed: fraction of the roof that earns everything; 0: none
  double handout_roof = 0;  ///< speed: the same where there is no solution to race
  std::string no_roof;      ///< speed: why no roof can judge, where that is 0
  /// speed: compute roof, as `roofline measure` names it: fp32, or fp16.vector where the precision
  /// has matrix units that the kernel does not use
  std::string precision = "fp32";
  std::string record;                  ///< measurement: JSON file in the topic's folder
  std::string quantity = "bandwidth";  ///< measurement, prediction: bandwidth, flops or time

  std::vector<InputRange> inputs;  ///< function: one a parameter
  /// function: argument lists that are always tried first, such as those of equal times, which
  /// draws would rarely meet
  std::vector<harness::Value::List> cases;
  std::vector<ReturnedField> returns;  ///< function: the fields of what it returns, in their order
  std::int64_t samples = 10000;        ///< function: generated inputs

  double wall_seconds = 30;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;

  std::string topic;  ///< folder name, such as "02-peaks"
  int line = 0;       ///< where exercises.toml declares it
};

/// Whether a backend (cpu, cuda or hip) gives points for an exercise. A race on a CPU would judge a
/// GPU's kernel on the wrong machine: there, speed is shown and does not count.
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
