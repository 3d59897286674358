// SPDX-License-Identifier: MIT
// Hexadecimal digits.
#include "base/hex.hpp"

#include <charconv>
#include <stdexcept>

namespace base {

std::string to_hex(std::string_view bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string from_hex(std::string_view text) {
  const auto refuse = [] { throw std::invalid_argument("not hexadecimal text"); };
  if (text.size() % 2 != 0) refuse();
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned char byte = 0;
    const char* const begin = text.data() + i;
    const auto [end, error] = std::from_chars(begin, begin + 2, byte, 16);
    if (error != std::errc{} || end != begin + 2) refuse();
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace base
