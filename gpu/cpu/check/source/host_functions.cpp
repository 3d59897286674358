// SPDX-License-Identifier: MIT
// Asks the loader which library a function is from.
#include "host_functions.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "source_lines.hpp"

namespace gpu::cpu::check {
namespace {

/// Beginnings of names of a C or C++ library that a kernel may call. Some of them have two names.
constexpr std::array kLeft = std::to_array<std::string_view>(
    {"__cxa_", "_Unwind_", "__gxx_", "_Zn", "_Zd", "__stack_chk_fail", "abort", "__assert", "clock",
     "printf", "_IO_printf", "puts", "_IO_puts", "putchar", "malloc", "__libc_malloc", "free",
     "cfree", "__libc_free"});

bool begins_with_one_of(std::string_view name, auto beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

std::string name_on_host(Address function) {
  Dl_info info{}, own{};
  ::dladdr(reinterpret_cast<const void*>(&name_on_host), &own);
  if (::dladdr(reinterpret_cast<const void*>(function), &info) == 0) return {};
  if (info.dli_fbase == own.dli_fbase) {
    std::string name = function_name(function);
    return begins_with_one_of(name, std::array{"_ZN7harness", "_ZNK7harness", "_ZN4base"})
               ? name
               : std::string();
  }
  if (std::string_view(info.dli_fname).find("/libm.") != std::string_view::npos) return {};
  const std::string name = info.dli_sname == nullptr ? "a library's function" : info.dli_sname;
  const bool throws = name.starts_with("_ZSt") && name.find("__throw") != std::string::npos;
  return throws || begins_with_one_of(name, kLeft) ? std::string() : name;
}

}  // namespace gpu::cpu::check
