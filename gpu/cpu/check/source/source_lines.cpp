// SPDX-License-Identifier: MIT
// Reads this process's debug information with libdw, of elfutils.
#include "source_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "debug_information.hpp"

namespace gpu::cpu::check {
namespace {

int number_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &value) != 0) return 0;
  return static_cast<int>(value);
}

SourcePlace place_in(std::string_view file, int line) {
  return {std::string(file.substr(file.rfind('/') + 1)), line, is_kernel_file(file)};
}

/// Which inlined calls are searched.
enum class Through { kOneCall, kAllCalls };

/// The innermost call of an inlined function in a kernel file; nothing if there is none.
std::optional<SourcePlace> call_in_kernel(Dwarf_Die* unit, Dwarf_Addr address, Through through) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  Dwarf_Die* scopes = nullptr;
  std::optional<SourcePlace> result;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0) return result;
  int depth = dwarf_getscopes(unit, address, &scopes);
  if (depth > 0 && through == Through::kAllCalls) {
    // Beyond the innermost call, these are the scopes of its definition, not of its caller.
    Dwarf_Die innermost = scopes[0];
    std::free(std::exchange(scopes, nullptr));
    depth = dwarf_getscopes_die(&innermost, &scopes);
  }
  for (int i = 0; i < depth && !result; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    const auto file = static_cast<std::size_t>(number_of(&scopes[i], DW_AT_call_file));
    const char* name = file < count ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
    if (name == nullptr || !is_kernel_file(name)) continue;
    result = place_in(name, number_of(&scopes[i], DW_AT_call_line));
  }
  std::free(scopes);
  return result;
}

SourcePlace line_of(Dwfl* process, Dwarf_Addr address, Through through) {
  Dwfl_Module* const module = dwfl_addrmodule(process, address);
  Dwfl_Line* const line = module == nullptr ? nullptr : dwfl_module_getsrc(module, address);
  int number = 0;
  const char* file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr) return {};
  const SourcePlace here = place_in(file, number);
  if (here.is_kernel_file) return here;
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  return unit == nullptr ? here : call_in_kernel(unit, address - bias, through).value_or(here);
}

SourcePlace place_of(std::uintptr_t return_address, Through through) {
  Dwfl* const process = this_process();
  return process == nullptr ? SourcePlace{} : line_of(process, return_address - 1, through);
}

/// The result of find(address), remembered: searching debug information and symbols takes a large
/// part of a checked run, and most functions are called from many places. Never destroyed, because
/// kernels may run to the end of the program.
template <class Find>
auto remembered(std::uintptr_t address, const Find& find) -> const decltype(find(address))& {
  static auto& known = *new std::unordered_map<std::uintptr_t, decltype(find(address))>;
  const auto at = known.find(address);
  return at == known.end() ? known.emplace(address, find(address)).first->second : at->second;
}

}  // namespace

const SourcePlace& source_place(std::uintptr_t return_address) {
  return remembered(return_address,
                    [](std::uintptr_t address) { return place_of(address, Through::kOneCall); });
}

SourcePlace kernel_place(std::uintptr_t return_address) {
  return place_of(return_address, Through::kAllCalls);
}

const std::string& function_name(std::uintptr_t function) {
  return remembered(function, [](std::uintptr_t address) {
    Dwfl* const process = this_process();
    Dwfl_Module* const module = process == nullptr ? nullptr : dwfl_addrmodule(process, address);
    const char* const name = module == nullptr ? nullptr : dwfl_module_addrname(module, address);
    return name == nullptr ? std::string() : std::string(name);
  });
}

std::string source_line(std::uintptr_t return_address) {
  const SourcePlace place = kernel_place(return_address);
  if (!place.file.empty()) return place.file + ":" + std::to_string(place.line);
  char address[2 + 2 * sizeof(return_address) + 1];
  std::snprintf(address, sizeof(address), "%#zx", static_cast<std::size_t>(return_address));
  return address;
}

}  // namespace gpu::cpu::check
