// SPDX-License-Identifier: MIT
// What a repository handed out without solutions contains in their place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/handout/seal.hpp"
#include "harness/value.hpp"

namespace grader {

/// Folder that makes a checkout a handout, and the folder with the unchanged starters.
inline constexpr const char* kHandoutFolder = ".course";
inline constexpr const char* kStartersFolder = ".starters";

/// Arguments of a function exercise and the reply of the reference: ("ok", value) or ("error",
/// text).
struct StoredCase {
  harness::Value::List arguments;
  harness::Value reply;
  std::vector<harness::Value> mistaken{};  ///< replies with the exercise's mistakes
};

/// A function exercise: its cases, and the messages for those mistakes.
struct StoredFunction {
  std::vector<std::string> messages;
  std::vector<StoredCase> cases;
};

/// What a handout holds for an exercise in place of its solution.
struct HandedOut {
  std::optional<Seal> answer;
  std::optional<StoredFunction> function;
  std::string unchecked{};  ///< why only the course's own grading can judge it; else empty
};

/// Sealed answers, and stored cases of functions.
class Handout {
 public:
  /// The handout's data in a checkout; nothing in the course itself, which has the solutions.
  /// @throws std::runtime_error when it is damaged.
  static std::optional<Handout> find(const std::filesystem::path& root);

  /// The sealed answer of a number or choice; null if it depends on the machine and so cannot be
  /// sealed.
  const Seal* answer(const std::string& id) const;
  /// Stored cases of a function exercise. @throws std::runtime_error when there are none.
  StoredFunction function(const std::string& id) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, Seal> seals_;
};

/// Seals as JSON, and back. @throws std::runtime_error for any other text.
std::string seals_json(const std::vector<Seal>& seals);
std::vector<Seal> parse_seals(const std::string& json);

/// As text and back, bit for bit: one line per message and one per case.
std::string function_text(const StoredFunction& function);
StoredFunction parse_function(const std::string& text);

}  // namespace grader
