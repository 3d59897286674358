// SPDX-License-Identifier: MIT
// A kernel's name as text, for error messages.
#pragma once

#include <string_view>

namespace gpu::detail {

/// "saxpy" for kernel_name<saxpy>(), cut out of the compiler's name for this function.
template <auto kKernel>
constexpr std::string_view kernel_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::string_view kKey = "kKernel = ";
  const auto start = text.find(kKey);
  if (start == std::string_view::npos) return "kernel";
  text.remove_prefix(start + kKey.size());
  text = text.substr(0, text.find_first_of(";]"));
  while (!text.empty() && (text.front() == '&' || text.front() == '(')) text.remove_prefix(1);
  return text;
}

}  // namespace gpu::detail
