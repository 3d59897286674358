// SPDX-License-Identifier: MIT
// Nsight Compute's report files, converted by ncu itself.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "profile_formats.hpp"

extern char** environ;

namespace roofline {
namespace {

// The first four bytes, according to NVIDIA's description of the report format.
constexpr std::string_view kMagic("NVR\0", 4);

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 65536> block;
  ssize_t got;
  while ((got = ::read(descriptor, block.data(), block.size())) > 0 ||
         (got < 0 && errno == EINTR)) {
    if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
  }
  ::close(descriptor);
  return text;
}

}  // namespace

bool is_nsight_report(std::string_view content) {
  return content.starts_with(kMagic);
}

std::string nsight_report_as_csv(const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::string command = "ncu --import " + name + " --csv --page raw";
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(name + ": no pipe to read ncu's output from: " + std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::array<std::string, 6> words = {"ncu", "--import", name, "--csv", "--page", "raw"};
  std::array<char*, 7> arguments = {};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, "ncu", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    throw std::runtime_error(name + ": reports are read by ncu, which is not on PATH; run where " +
                             "Nsight Compute is installed: " + command + " > profile.csv");
  }
  std::string text = all_of(ends[0]);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(name + ": '" + command + "' failed: " + text.substr(0, 300));
  }
  return text;
}

}  // namespace roofline
