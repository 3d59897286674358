// SPDX-License-Identifier: MIT
// Advisory locks on files, held by one process or shared by several.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace base {

/// A lock on a file, which is created if it does not exist. The system releases it when the process
/// ends, however it ends.
class FileLock {
 public:
  enum class Mode { kAlone, kShared };

  /// Waits for the lock; `when_waiting` is called before a wait.
  /// @throws std::runtime_error naming the file when it cannot be opened or locked.
  static FileLock wait(const std::filesystem::path& file, Mode mode = Mode::kAlone,
                       const std::function<void(const FileLock&)>& when_waiting = {});

  /// The lock if nobody holds it, else nothing. @throws std::runtime_error as wait() does.
  static std::optional<FileLock> try_lock(const std::filesystem::path& file);

  /// What the holder recorded with note(), at most 127 bytes; may be empty.
  std::string read_note() const;
  /// Records in the file who holds the lock. @throws std::runtime_error.
  void note(std::string_view text) const;

 private:
  explicit FileLock(const std::filesystem::path& file);

  std::filesystem::path file_;
  Descriptor descriptor_;
};

}  // namespace base
