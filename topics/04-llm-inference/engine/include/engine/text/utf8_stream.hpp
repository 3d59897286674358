// SPDX-License-Identifier: MIT
// Text that arrives in pieces, which may end within a character.
#pragma once

#include <string>
#include <string_view>

namespace engine {

/// Assembles characters from bytes. Bytes that can never become a character are replaced by U+FFFD.
class Utf8Stream {
 public:
  /// The characters that these bytes complete.
  std::string add(std::string_view bytes);
  /// What remains at the end: nothing, or one U+FFFD for an incomplete character.
  std::string finish();

 private:
  std::string pending_;
};

}  // namespace engine
