// SPDX-License-Identifier: MIT
// termios settings, and the signal handlers that restore them.
#include "keyboard.hpp"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <array>

namespace cli {
namespace {

// Signal handlers can only reach static variables.
termios g_before;
termios g_during;
volatile sig_atomic_t g_active = 0;

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void end_program(int signal_number) {
  if (g_active != 0) ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

/// After Ctrl-Z and fg the shell has restored its own settings.
void continue_program(int) {
  if (g_active != 0) ::tcsetattr(STDIN_FILENO, TCSANOW, &g_during);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

Keyboard::Keyboard() {
  if (::isatty(STDIN_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &g_before) != 0) return;
  g_during = g_before;
  g_during.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  g_during.c_cc[VMIN] = 1;
  g_during.c_cc[VTIME] = 0;
  for (const int signal_number : kEndingSignals) handle(signal_number, end_program);
  handle(SIGCONT, continue_program);
  g_active = 1;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &g_during);
}

Keyboard::~Keyboard() {
  if (g_active == 0) return;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
  g_active = 0;
}

int Keyboard::descriptor() const {
  return g_active != 0 ? STDIN_FILENO : -1;
}

std::optional<char> Keyboard::key() const {
  if (g_active == 0) return std::nullopt;
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  if (::poll(&ready, 1, 0) <= 0) return std::nullopt;
  char key = 0;
  return ::read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
}

}  // namespace cli
