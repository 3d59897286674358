// SPDX-License-Identifier: MIT
// The solutions' values of numbers and choices, computed once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/program/program.hpp"

namespace grader {

/// The inputs of one value, besides the solutions themselves.
struct AnswerQuestion {
  std::string topic;
  std::string id;
  std::vector<std::pair<std::string, double>> parameters;
  std::filesystem::path machine_file;  ///< this machine's measured roofs; empty when not needed
  bool is_canonical = false;           ///< the same for everyone, so worth keeping between runs
};

/// Asks the answers programs of the solutions. A topic's program is started once, for the first
/// unknown value. Canonical values are kept in a folder together with a hash of everything they are
/// computed from, so that a later run starts no program. Threads may share one object.
class ReferenceAnswers {
 public:
  /// `build` is the build tree with the programs. Values are stored in the folder `kept`, if it is
  /// not empty.
  ReferenceAnswers(const std::filesystem::path& build, std::filesystem::path kept);
  ReferenceAnswers(const ReferenceAnswers&) = delete;
  ReferenceAnswers& operator=(const ReferenceAnswers&) = delete;
  /// Saves new values. A folder that cannot be written only costs the next run time.
  ~ReferenceAnswers();

  /// @throws std::runtime_error when the course's program fails or has no such answer.
  ReferenceAnswer value(const AnswerQuestion& question);
  /// How many programs were started so far.
  int programs_started() const { return started_; }

 private:
  struct Known;
  Known& known_for(const AnswerQuestion& question);
  Program& program_of(const std::string& topic);

  std::filesystem::path build_;
  std::filesystem::path kept_;
  std::map<std::string, std::unique_ptr<Known>> known_;
  std::map<std::string, std::unique_ptr<Program>> programs_;  ///< by topic
  int started_ = 0;
  std::mutex mutex_;
};

}  // namespace grader
