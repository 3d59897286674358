// SPDX-License-Identifier: MIT
// A CSV file with a header line, as rows of named fields.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roofline {

class CsvFile {
 public:
  /// Throws std::runtime_error naming file and line for what is not CSV.
  explicit CsvFile(const std::filesystem::path& file);

  std::size_t size() const { return rows_.size(); }
  bool has(const std::string& column) const;

  /// Throws std::runtime_error naming the column if the file lacks it.
  const std::string& field(std::size_t row, const std::string& column) const;

  /// Throws std::runtime_error for something wrong in a row.
  [[noreturn]] void fail(std::size_t row, const std::string& what) const;

 private:
  std::filesystem::path file_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> lines_;  ///< where each row begins
};

}  // namespace roofline
