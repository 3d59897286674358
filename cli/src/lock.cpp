// SPDX-License-Identifier: MIT
// An advisory lock on a file that names its holder.
#include "lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace cli {
namespace {

std::string holder(int descriptor) {
  char text[128] = {};
  const ssize_t got = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string name(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name.empty() ? "starting" : name;
}

}  // namespace

Lock::Lock(const std::filesystem::path& folder, std::string_view doing) {
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "lock";
  descriptor_ = harness::Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!descriptor_) throw std::runtime_error("cannot open " + file.string());
  const int fd = descriptor_.get();
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    std::fprintf(stderr,
                 "Another ./lab is at work in this checkout (%s).\n"
                 "Waiting until it is done; Ctrl-C gives up.\n",
                 holder(fd).c_str());
    while (::flock(fd, LOCK_EX) != 0) {
      if (errno != EINTR) {
        throw std::runtime_error("cannot lock " + file.string() + ": " + std::strerror(errno));
      }
    }
  }
  const std::string name = std::string(doing) + ", process " + std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) != 0 ||
      ::pwrite(fd, name.data(), name.size(), 0) != static_cast<ssize_t>(name.size())) {
    throw std::runtime_error("cannot write " + file.string() + ": " + std::strerror(errno));
  }
}

}  // namespace cli
