// SPDX-License-Identifier: MIT
// What the terminal can show: its width, colours, and characters beyond ASCII.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace base {

/// The maximum width of any output, however wide the terminal is.
inline constexpr std::size_t kMostColumns = 80;

/// True when the stream is a terminal and not a file or a pipe.
bool is_terminal(std::FILE* stream);

/// Width of the terminal, from 20 to kMostColumns; kMostColumns when standard output is not a
/// terminal.
std::size_t terminal_columns();

/// True when standard output is a terminal and NO_COLOR is not set.
bool colour_wanted();

/// True when the locale's characters are UTF-8.
bool locale_is_utf8();

enum class Paint { kBold = 1, kRed = 31, kGreen = 32, kYellow = 33 };

/// `text` between the escape sequences of a colour.
std::string painted(std::string_view text, Paint paint);

/// Erases the line that holds a progress report.
inline constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace base
