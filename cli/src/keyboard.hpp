// SPDX-License-Identifier: MIT
// Single keys from the terminal, without Enter.
#pragma once

#include <optional>

namespace cli {

/// During its lifetime, keys arrive immediately and are not echoed. The destructor restores the
/// terminal, as does a signal that ends the program. If standard input is not a terminal, there are
/// no keys.
class Keyboard {
 public:
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  /// Standard input, to wait on; -1 when there are no keys.
  int descriptor() const;
  /// The next key, if one was pressed; end of input counts as q.
  std::optional<char> key() const;
};

}  // namespace cli
