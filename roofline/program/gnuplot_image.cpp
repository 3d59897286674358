// SPDX-License-Identifier: MIT
// Runs gnuplot, which reads the script from its standard input.
#include "gnuplot_image.hpp"

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "base/files.hpp"

namespace roofline::program {
namespace {

constexpr int kExitNotFound = 127;

void run_gnuplot(const std::string& script) {
  std::FILE* gnuplot = ::popen("gnuplot", "w");
  if (!gnuplot) throw std::runtime_error("cannot start a shell to run gnuplot");
  // If gnuplot is missing or stops early, the pipe closes; the exit code reports that, not a
  // signal.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::fwrite(script.data(), 1, script.size(), gnuplot);
  const int status = ::pclose(gnuplot);
  std::signal(SIGPIPE, before);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExitNotFound) {
    throw std::runtime_error(
        "images are drawn by gnuplot, which is not installed; on Debian and Ubuntu: sudo apt-get "
        "install gnuplot-nox");
  }
  if (status != 0) throw std::runtime_error("gnuplot failed; its message is above");
}

}  // namespace

void draw_with_gnuplot(const std::filesystem::path& file,
                       const std::function<std::string(const std::string&)>& script_for) {
  base::require_writable(file);  // gnuplot would explain in its own words
  const std::filesystem::path unfinished = file.string() + ".part";
  try {
    run_gnuplot(script_for(unfinished.string()));
    std::filesystem::rename(unfinished, file);
  } catch (...) {
    std::filesystem::remove(unfinished);
    throw;
  }
}

}  // namespace roofline::program
