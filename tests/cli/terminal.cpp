// SPDX-License-Identifier: MIT
// openpty, fork, and patience.
#include "terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "support/catch.hpp"

namespace cli_test {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

CourseCopy::CourseCopy() {
  std::string pattern = (fs::temp_directory_path() / "lab-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  folder_ = pattern;
  fs::create_directories(build());
  fs::create_directories(root());
  for (const char* part : {"topics", "solutions"}) {
    fs::copy(fs::path(RL_TEST_COURSE) / part, root() / part, fs::copy_options::recursive);
  }
  fs::create_directory_symlink(fs::path(RL_BUILD) / "bin", build() / "bin");
}

CourseCopy::~CourseCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<std::string> CourseCopy::lab(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {RL_LAB, "--root", root().string(), "--build",
                                      build().string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

void CourseCopy::answer(const std::string& id, const std::string& value) const {
  std::istringstream in(read_text(file("answers.toml")));
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[")) inside = line == "[\"" + id + "\"]";
    text += inside && line.starts_with("value") ? "value = \"" + value + "\"\n" : line + "\n";
  }
  write_text(file("answers.toml.new"), text);
  fs::rename(file("answers.toml.new"), file("answers.toml"));
}

Terminal::Terminal(const std::vector<std::string>& command) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 80;
  if (::openpty(&master_, &slave_, nullptr, nullptr, &size) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  std::vector<char*> argv;
  for (const std::string& text : command) argv.push_back(const_cast<char*>(text.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setsid();
    ::ioctl(slave_, TIOCSCTTY, 0);
    for (const int fd : {0, 1, 2}) ::dup2(slave_, fd);
    ::close(master_);
    ::close(slave_);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
}

Terminal::~Terminal() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  ::close(master_);
  ::close(slave_);
}

void Terminal::type(const std::string& keys) const {
  REQUIRE(::write(master_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

bool Terminal::read_some(double seconds) {
  pollfd ready{master_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(1000 * seconds)) <= 0) return false;
  char buffer[4096];
  const ssize_t got = ::read(master_, buffer, sizeof buffer);
  if (got <= 0) return false;
  bool escape = false;
  for (ssize_t i = 0; i < got; ++i) {
    const char c = buffer[i];
    if (c == '\x1b') escape = true;
    if (!escape && c != '\r') shown_ += c;
    // "Erase the line" wipes a notice.
    if (escape && c == 'K') shown_.erase(shown_.rfind('\n') + 1);
    if (escape && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) escape = false;
  }
  return true;
}

bool Terminal::expect(const std::string& text, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const std::size_t found = shown_.find(text, looked_at_);
    if (found != std::string::npos) {
      looked_at_ = found + text.size();
      return true;
    }
    if (Clock::now() > until) return false;
    read_some(0.2);
  }
}

int Terminal::wait() {
  while (!ended_) {
    ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
    while (read_some(ended_ ? 0 : 0.05)) {
    }
  }
  return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

void Terminal::kill(int signal_number) const {
  ::kill(pid_, signal_number);
}

bool Terminal::is_cooked() const {
  termios settings{};
  REQUIRE(::tcgetattr(slave_, &settings) == 0);
  return (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) != 0;
}

Ran run(const std::vector<std::string>& command) {
  Terminal terminal(command);
  const int status = terminal.wait();
  std::istringstream lines(terminal.shown());
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    // Bytes that begin a character.
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    CHECK(columns <= 80);
  }
  return {status, terminal.shown()};
}

}  // namespace cli_test
