// SPDX-License-Identifier: MIT
// File locks through flock().
#include "base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace base {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& file) {
  throw std::runtime_error(std::string("cannot ") + what + " " + file.string() + ": " +
                           std::strerror(errno));
}

}  // namespace

FileLock::FileLock(const fs::path& file)
    : file_(file), descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (!descriptor_) fail("open", file);
}

FileLock FileLock::wait(const fs::path& file, Mode mode,
                        const std::function<void(const FileLock&)>& when_waiting) {
  FileLock lock(file);
  const int fd = lock.descriptor_.get();
  const int operation = mode == Mode::kAlone ? LOCK_EX : LOCK_SH;
  if (::flock(fd, operation | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK && when_waiting) when_waiting(lock);
  while (::flock(fd, operation) != 0) {
    if (errno != EINTR) fail("lock", file);
  }
  return lock;
}

std::optional<FileLock> FileLock::try_lock(const fs::path& file) {
  FileLock lock(file);
  if (::flock(lock.descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) fail("lock", file);
  return std::nullopt;
}

std::string FileLock::read_note() const {
  char text[128] = {};
  const ssize_t got = ::pread(descriptor_.get(), text, sizeof text - 1, 0);
  return {text, got > 0 ? static_cast<std::size_t>(got) : 0};
}

void FileLock::note(std::string_view text) const {
  const int fd = descriptor_.get();
  if (::ftruncate(fd, 0) != 0 ||
      ::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    fail("write", file_);
  }
}

}  // namespace base
