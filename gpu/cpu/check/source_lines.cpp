// SPDX-License-Identifier: MIT
// Reads debug information with libbacktrace, which comes with GCC.
#include "source_lines.hpp"

#include <backtrace.h>

#include <cstdio>

namespace gpu::cpu::check {
namespace {

void ignore_error(void*, const char*, int) {}

int take_first(void* result, std::uintptr_t, const char* file, int line, const char*) {
  auto& text = *static_cast<std::string*>(result);
  if (!text.empty() || file == nullptr) return 0;
  text = std::string(file) + ":" + std::to_string(line);
  // From clang's tables libbacktrace joins the build folder and a path that is absolute already.
  if (const auto joint = text.find("//"); joint != std::string::npos) text.erase(0, joint + 1);
  return 0;
}

}  // namespace

std::string source_line(std::uintptr_t return_address) {
  static backtrace_state* const state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  std::string text;
  if (state != nullptr) {
    backtrace_pcinfo(state, return_address - 1, take_first, ignore_error, &text);
  }
  if (!text.empty()) return text;
  char address[2 + 2 * sizeof(return_address) + 1];
  std::snprintf(address, sizeof(address), "%#zx", static_cast<std::size_t>(return_address));
  return address;
}

}  // namespace gpu::cpu::check
