// SPDX-License-Identifier: MIT
#pragma once

#include <string>

/// Whether a verdict's text has this part.
inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
