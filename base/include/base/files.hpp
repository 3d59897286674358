// SPDX-License-Identifier: MIT
// Reading and atomically writing whole files, and temporary folders that remove themselves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace base {

/// The content of a file, byte for byte. @throws std::runtime_error naming a file that cannot be
/// read.
std::string read_file(const std::filesystem::path& file);

/// The same for a file that a person or another program wrote, without its byte-order mark.
/// @throws std::runtime_error naming the file and the problem, also if it is a folder, empty, or
/// UTF-16.
std::string read_given_file(const std::filesystem::path& file);

/// The same as read_file(); empty when the file cannot be read.
std::string read_file_if_any(const std::filesystem::path& file);

/// Writes text to a file so that a reader sees the old content or the new, never a part.
/// @throws std::runtime_error naming the file and the reason.
void write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// The same without waiting for the disk, which takes milliseconds per file: for content that the
/// program can produce again. After a crash of the machine the file may be empty.
void write_file_quickly(const std::filesystem::path& file, std::string_view content);

/// The first line of a file; empty when the file cannot be read.
std::string first_line(const std::filesystem::path& file);

/// Throws as write_file_atomically() would if the file cannot be created. Call it before long work,
/// so that the result is not lost.
void require_writable(const std::filesystem::path& file);

/// A new folder in the system's temporary folder, removed with this object.
class TemporaryFolder {
 public:
  /// @throws std::runtime_error when it cannot be created.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace base
