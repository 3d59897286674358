// SPDX-License-Identifier: MIT
// Single keys from the terminal, without Enter.
#pragma once

#include <optional>

namespace cli {

/// While it lives, keys arrive at once and are not echoed. The terminal is restored by the
/// destructor, and also when a signal ends the program. When standard input is not a terminal there
/// are no keys.
class Keyboard {
 public:
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  /// Standard input, to wait on; -1 when there are no keys.
  int descriptor() const;
  /// The next key that was pressed, if one was; end of input counts as q.
  std::optional<char> key() const;
};

}  // namespace cli
