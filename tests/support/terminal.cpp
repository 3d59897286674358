// SPDX-License-Identifier: MIT
// openpty, fork and waiting.
#include "support/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

namespace support {

Terminal::Terminal(const std::vector<std::string>& command, unsigned short columns) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
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
  if (::write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
    throw std::runtime_error("the terminal does not take keys");
  }
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
    // "Erase the line" removes a notice.
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
  if (::tcgetattr(slave_, &settings) != 0) throw std::runtime_error("the terminal is gone");
  return (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) != 0;
}

}  // namespace support
