// SPDX-License-Identifier: MIT
// Catch2 under one name: the header moved between its versions 2 and 3, and version 3 gave the
// matcher for a part of a text another name.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <string>

using Catch::Approx;

namespace Catch::Matchers {
// Overloads for texts, each a better match than version 3's template for ranges.
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
