// SPDX-License-Identifier: MIT
// What the terminal can show.
#pragma once

#include <cstdio>

namespace roofline::program {

/// True when the stream is a terminal and not a file or a pipe.
bool is_terminal(std::FILE* stream);

/// True when the locale's characters are UTF-8.
bool locale_is_utf8();

}  // namespace roofline::program
