// SPDX-License-Identifier: MIT
// Step by step: wait for the prompt, then send a key or run a shell command.
#include "session.hpp"

#include <stdexcept>
#include <vector>

#include "shown.hpp"
#include "support/terminal.hpp"

namespace docs {
namespace {

constexpr std::string_view kArrow = " => ";

/// The command and its steps.
std::vector<std::string> parts_of(std::string_view session) {
  std::vector<std::string> parts;
  for (;;) {
    const auto arrow = session.find(kArrow);
    parts.emplace_back(session.substr(0, arrow));
    if (arrow == std::string_view::npos) return parts;
    session.remove_prefix(arrow + kArrow.size());
  }
}

bool is_key(const std::string& step) {
  return step.size() == 3 && step.front() == '[' && step.back() == ']';
}

}  // namespace

std::string command_of_session(std::string_view session) {
  return parts_of(session).front();
}

std::string output_of_session(std::string_view session, const std::string& prompt) {
  const std::vector<std::string> parts = parts_of(session);
  const std::string& command = parts.front();
  support::Terminal terminal({"/bin/sh", "-c", "exec " + command});
  for (auto step = parts.begin() + 1; step != parts.end(); ++step) {
    if (!terminal.expect(prompt)) {
      throw std::runtime_error("'" + command + "' did not show '" + prompt + "' before " + *step +
                               "; it showed:\n" + terminal.shown());
    }
    if (is_key(*step)) {
      terminal.type(step->substr(1, 1));
    } else {
      prepare(*step);
    }
  }
  const int status = terminal.wait();
  if (status != 0) {
    throw std::runtime_error("'" + command + "' ended with " + std::to_string(status) + ":\n" +
                             terminal.shown());
  }
  return terminal.shown();
}

}  // namespace docs
