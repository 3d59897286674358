// SPDX-License-Identifier: MIT
// A common interface to Catch2: the header moved between versions 2 and 3, and version 3 renamed
// the matcher for substrings.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <string>

using Catch::Approx;

namespace Catch::Matchers {
// Overloads for strings, each a better match than version 3's template for ranges.
inline auto Contains(const char* text) {
  return ContainsSubstring(text);
}
inline auto Contains(const std::string& text) {
  return ContainsSubstring(text);
}
inline auto Contains(std::string& text) {
  return ContainsSubstring(text);
}
inline auto Contains(std::string&& text) {
  return ContainsSubstring(text);
}
}  // namespace Catch::Matchers
namespace Catch {
using Matchers::Contains;
}
#else
#include <catch2/catch.hpp>
#endif
