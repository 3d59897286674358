// SPDX-License-Identifier: MIT
// Verdicts on programs by the content that was handed in: the same work is judged once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "grader/judge/verdict.hpp"

namespace grader {

/// True for kinds whose verdict depends only on the program: not on the student's numbers, nor on
/// records that were handed in with it.
bool is_shared(Kind kind);

/// A store of verdicts in a folder, one file per content. Threads may share one object.
class SharedVerdicts {
 public:
  explicit SharedVerdicts(std::filesystem::path folder);

  using Verdicts = std::map<std::string, Verdict>;  ///< by id of the exercise
  /// Waits until no other thread works on the same content. Others wait for as long as the returned
  /// lock lives.
  std::unique_lock<std::mutex> claim(const std::string& key);
  /// The known verdicts on a content.
  Verdicts find(const std::string& key) const;
  /// Stores the verdicts that another run would reach as well: not those that were too noisy to
  /// decide, that a time limit cut off, or that report the course's own mistake.
  void keep(const std::string& key, const Verdicts& verdicts) const;

 private:
  std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<std::mutex>> claims_;
  std::mutex mutex_;
};

}  // namespace grader
