// SPDX-License-Identifier: MIT
// What the terminal can show.
#include "terminal.hpp"

#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <cstring>

namespace roofline::program {

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1;
}

bool locale_is_utf8() {
  std::setlocale(LC_CTYPE, "");
  const bool utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::setlocale(LC_CTYPE, "C");
  return utf8;
}

}  // namespace roofline::program
