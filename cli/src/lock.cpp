// SPDX-License-Identifier: MIT
// The lock on a checkout, and the message for a process that waits for it.
#include "lock.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace cli {
namespace {

std::string holder(const base::FileLock& lock) {
  const std::string name = lock.read_note();
  return name.empty() ? "starting" : name.substr(0, name.find('\n'));
}

}  // namespace

base::FileLock lock_checkout(const std::filesystem::path& folder, std::string_view doing) {
  std::filesystem::create_directories(folder);
  base::FileLock lock = base::FileLock::wait(
      folder / "lock", base::FileLock::Mode::kAlone, [](const base::FileLock& other) {
        std::fprintf(stderr,
                     "Another ./lab is running in this checkout (%s).\n"
                     "Waiting until it is done; Ctrl-C gives up.\n",
                     holder(other).c_str());
      });
  lock.note(std::string(doing) + ", process " + std::to_string(::getpid()) + "\n");
  return lock;
}

}  // namespace cli
