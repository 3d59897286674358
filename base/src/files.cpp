// SPDX-License-Identifier: MIT
// Reading and atomic writing of files.
#include "base/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/descriptor.hpp"
#include "base/utf8.hpp"

namespace base {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_on(const fs::path& file) {
  throw std::runtime_error("cannot write " + file.string() + ": " + std::strerror(errno));
}

/// A new file in the folder of `file`, which it may replace, open for writing, and its name.
std::pair<Descriptor, std::string> new_file_beside(const fs::path& file) {
  struct stat old;
  if (::stat(file.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) {
    // Root could replace even /dev/null.
    throw std::runtime_error("cannot write " + file.string() + ": it is a " +
                             (S_ISDIR(old.st_mode) ? "folder" : "device or pipe, not a file"));
  }
  std::string name = file.string() + ".XXXXXX";
  Descriptor opened(::mkstemp(name.data()));
  if (!opened) fail_on(file);
  return {std::move(opened), std::move(name)};
}

void write_all(const Descriptor& out, std::string_view content, const fs::path& file) {
  while (!content.empty()) {
    const ssize_t written = ::write(out.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on(file);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string rest_of(std::istream& in) {
  std::string content;
  char chunk[65536];
  while (in.read(chunk, sizeof chunk), in.gcount() > 0) {
    content.append(chunk, static_cast<std::size_t>(in.gcount()));
  }
  return content;
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return rest_of(in);
}

std::string read_given_file(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) {
    throw std::runtime_error(file.string() + ": this is a folder; name the file in it");
  }
  if (fs::is_character_file(file, ignored)) {
    throw std::runtime_error(file.string() + ": this is a device, not a file");
  }
  const std::string content = read_file(file);
  if (content.empty()) {
    throw std::runtime_error(file.string() + ": the file is empty; was its writer interrupted?");
  }
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
    throw std::runtime_error(file.string() +
                             ": this is UTF-16, as '>' of Windows PowerShell writes it; save it as "
                             "UTF-8");
  }
  return std::string(without_byte_order_mark(content));
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string read_file_if_any(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return rest_of(in);
}

void require_writable(const fs::path& file) {
  const auto [opened, name] = new_file_beside(file);
  ::unlink(name.c_str());
}

namespace {

void replace_file(const fs::path& file, std::string_view content, bool waits_for_disk) {
  const auto [out, name] = new_file_beside(file);
  try {
    write_all(out, content, file);
    if (::fchmod(out.get(), 0644) != 0) fail_on(file);
    if (waits_for_disk && ::fsync(out.get()) != 0) fail_on(file);
    if (::rename(name.c_str(), file.c_str()) != 0) fail_on(file);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

}  // namespace

void write_file_atomically(const fs::path& file, std::string_view content) {
  replace_file(file, content, true);
}

void write_file_quickly(const fs::path& file, std::string_view content) {
  replace_file(file, content, false);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "roofline-labs-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string() +
                             ": " + std::strerror(errno));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace base
