// SPDX-License-Identifier: MIT
// The student's answers.toml, read so that one broken entry costs only itself.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace grader {

/// One value as the student wrote it.
struct StudentAnswer {
  std::string text;  ///< without quotes; empty when there is no answer yet
  int line = 0;
  std::string problem;  ///< why it cannot be read, with line and column; empty when it can
};

/// Reads the part of TOML that answers need: ["id"] headers, value = "text" or value = number, and
/// comments. A student's slip (a missing quote, a key given twice) is a problem of that entry only.
class AnswerFile {
 public:
  /// A missing file has no answers. A file larger than 1 MB is rejected as a whole.
  static AnswerFile read(const std::filesystem::path& file);
  static AnswerFile parse(std::string_view file);

  /// The entry of an exercise; null when the file has none.
  const StudentAnswer* find(const std::string& id) const;
  /// The exercises with a header, whether they have an answer or not.
  std::set<std::string> ids() const;
  /// A mistake outside all entries, such as a line before the first header.
  const std::string& problem() const { return problem_; }

 private:
  void parse_line(std::string_view line, int number, std::string& current);
  void parse_header(std::string_view line, int number, std::string& current);
  void parse_value(std::string_view line, int number, const std::string& current);
  void complain(const std::string& id, int line, std::size_t column, const std::string& message);

  std::map<std::string, StudentAnswer> answers_;
  std::string problem_;
};

}  // namespace grader
