// SPDX-License-Identifier: MIT
// Text that arrives in pieces which may end within a character.
#pragma once

#include <string>
#include <string_view>

namespace engine {

/// Puts characters together from bytes. What can never become one is replaced by U+FFFD.
class Utf8Stream {
 public:
  /// The characters that are complete with these bytes.
  std::string add(std::string_view bytes);
  /// What is left at the end: nothing, or one U+FFFD for a character that was not completed.
  std::string finish();

 private:
  std::string pending_;
};

}  // namespace engine
