// SPDX-License-Identifier: MIT
// Files of a test, and a place for them.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace support {

/// Its bytes; none where there is no such file.
inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Writes a file, in folders that it makes.
inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// An empty folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lab-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    write_text(path / name, text);
  }

  std::filesystem::path path;
};

/// One folder for all tests of this program; other programs and users have their own.
inline const std::filesystem::path& scratch_folder() {
  static const TemporaryFolder folder;
  return folder.path;
}

/// A file in it.
inline std::filesystem::path written(const std::string& name, const std::string& text) {
  write_text(scratch_folder() / name, text);
  return scratch_folder() / name;
}

}  // namespace support
