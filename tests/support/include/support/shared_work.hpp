// SPDX-License-Identifier: MIT
// Long work that several processes share, and a file of what is done, so that a run that was
// stopped goes on where it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace support {

/// Calls work(i, process) for each i < count, in as many processes, none after `minutes`. Each
/// process takes the next i when it has done its last, and has its part of the processors.
/// @return whether all processes ended without an exception, which is printed
/// @throws std::runtime_error when a process cannot be started
bool share_work(std::size_t count, int processes, double minutes,
                const std::function<void(std::size_t i, int process)>& work);

/// What is done, a line each, with fields between tabs. Fields hold neither tabs nor line ends.
class DoneFile {
 public:
  /// A file that may be there already, or without a name one that is removed with this object.
  explicit DoneFile(std::filesystem::path file);
  DoneFile(const DoneFile&) = delete;
  DoneFile& operator=(const DoneFile&) = delete;
  ~DoneFile();

  /// Several processes may do so at once.
  void add(const std::vector<std::string>& fields) const;
  /// All lines that are whole.
  std::vector<std::vector<std::string>> lines() const;
  /// What their first `count` fields are.
  std::set<std::vector<std::string>> first_fields(std::size_t count) const;

 private:
  std::filesystem::path file_;
  bool is_temporary_;
};

}  // namespace support
