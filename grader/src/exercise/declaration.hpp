// SPDX-License-Identifier: MIT
// One [[exercise]] table while it is read, and the keys that several kinds have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exercise/table_reader.hpp"
#include "grader/exercise/exercise.hpp"

namespace grader {

/// True for a relative path without "." and "..".
bool is_plain_path(const std::string& text);

class Declaration {
 public:
  /// `root` is the checkout's.
  Declaration(TableReader& keys, Complaints& complaints, std::filesystem::path root)
      : keys_(&keys), complaints_(&complaints), root_(std::move(root)) {}

  TableReader& keys() { return *keys_; }
  Complaints& complaints() { return *complaints_; }

  /// rtol, atol or both.
  void read_tolerance(Exercise& exercise);
  /// The program that the student hands in, its sources and its limits.
  void read_program(Exercise& exercise);
  /// Parameters that are drawn for each student.
  std::vector<ExerciseParameter> read_parameters();
  /// size and gpu_size.
  TimedSize read_timed_size();
  /// size alone.
  std::int64_t read_size();
  /// Which quantity of a run is recorded or predicted.
  std::string read_quantity();
  /// One or more sizes.
  std::vector<std::int64_t> read_sizes();

 private:
  TableReader* keys_;
  Complaints* complaints_;
  std::filesystem::path root_;
};

}  // namespace grader
