// SPDX-License-Identifier: MIT
// Queries of the terminal and the locale.
#include "base/terminal.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>

namespace base {

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1;
}

std::size_t terminal_columns() {
  constexpr std::size_t kFewest = 20;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kMostColumns;
  return std::clamp<std::size_t>(size.ws_col, kFewest, kMostColumns);
}

bool colour_wanted() {
  return is_terminal(stdout) && std::getenv("NO_COLOR") == nullptr;
}

bool locale_is_utf8() {
  std::setlocale(LC_CTYPE, "");
  const bool utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::setlocale(LC_CTYPE, "C");
  return utf8;
}

std::string painted(std::string_view text, Paint paint) {
  return "\x1b[" + std::to_string(static_cast<int>(paint)) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace base
