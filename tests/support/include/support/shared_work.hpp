// SPDX-License-Identifier: MIT
// Long work shared by several processes, and a file of what is done, so that an interrupted run can
// continue.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace support {

/// Calls work(i, process) for each i < count, in this many processes, starting none after
/// `minutes`. Each process takes the next i when it has finished one, and has its own share of the
/// processors.
/// @return whether all processes ended without an exception, which is printed
/// @throws std::runtime_error if a process cannot be started
bool share_work(std::size_t count, int processes, double minutes,
                const std::function<void(std::size_t i, int process)>& work);

/// What is done, one line each, with fields separated by tabs. Fields contain neither tabs nor line
/// ends.
class DoneFile {
 public:
  /// A file that may already exist or, without a name, one that is removed with this object.
  explicit DoneFile(std::filesystem::path file);
  DoneFile(const DoneFile&) = delete;
  DoneFile& operator=(const DoneFile&) = delete;
  ~DoneFile();

  /// Several processes may call this at once.
  void add(const std::vector<std::string>& fields) const;
  /// All complete lines.
  std::vector<std::vector<std::string>> lines() const;
  /// The first `count` fields of each line.
  std::set<std::vector<std::string>> first_fields(std::size_t count) const;

 private:
  std::filesystem::path file_;
  bool is_temporary_;
};

}  // namespace support
