// SPDX-License-Identifier: MIT
// Runs programs with posix_spawn.
#include "run.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace cli {

int run(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  if (const int error = ::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ)) {
    throw std::runtime_error("cannot start " + arguments[0] + " (" + std::strerror(error) +
                             "); run ./lab start to build it");
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("lost track of " + arguments[0]);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace cli
