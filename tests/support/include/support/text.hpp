// SPDX-License-Identifier: MIT
// Inputs of tests that differ from a right one in one place.
#pragma once

#include <stdexcept>
#include <string>

namespace support {

/// `text` with `to` in the place of the first `from`. @throws std::logic_error when there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no \"" + from + "\" in the test's input");
  return text.replace(at, from.size(), to);
}

}  // namespace support
