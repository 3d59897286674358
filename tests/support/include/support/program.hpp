// SPDX-License-Identifier: MIT
// Programs that a test starts, waits for, or kills while they work.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace support {

/// Starts `command[0]`, a path, with its output and errors in a file.
inline pid_t start_program(std::vector<std::string> command, const std::filesystem::path& output) {
  std::vector<char*> pointers;
  for (std::string& text : command) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  return pid;
}

/// Waits for its end. Returns the exit status, or 128 + the signal.
inline int end_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Kills the program as soon as `is_time` returns true. False if the program ended before that.
inline bool kill_when(pid_t pid, const std::function<bool()>& is_time) {
  while (!is_time()) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return true;
}

/// Seconds that this process and its children that have ended have had of a processor. Unlike the
/// clock's, they are the same on a busy machine.
inline double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return seconds;
}

}  // namespace support
