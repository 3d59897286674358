// SPDX-License-Identifier: MIT
// Complete characters are passed on; the start of one waits for the rest.
#include "engine/text/utf8_stream.hpp"

#include <algorithm>
#include <cstddef>

#include "base/utf8.hpp"

namespace engine {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// True if these bytes are an incomplete character that further bytes can complete.
bool is_beginning(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes.front());
  const std::size_t wanted = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 1;
  if (bytes.size() >= wanted) return false;
  return std::all_of(bytes.begin() + 1, bytes.end(),
                     [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; });
}

}  // namespace

std::string Utf8Stream::add(std::string_view bytes) {
  pending_ += bytes;
  std::string text;
  std::string_view rest = pending_;
  while (!rest.empty() && !is_beginning(rest)) {
    const base::Character next = base::first_character(rest);
    text += next.code == base::kInvalid ? kReplacement : rest.substr(0, next.bytes);
    rest.remove_prefix(next.bytes);
  }
  pending_ = std::string(rest);
  return text;
}

std::string Utf8Stream::finish() {
  const bool is_complete = pending_.empty();
  pending_.clear();
  return is_complete ? "" : kReplacement;
}

}  // namespace engine
