// SPDX-License-Identifier: MIT
// Reads this process's debug information with libdw, of elfutils.
#include "source_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

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

/// A range of code that comes from an inlined call; `depth` counts the calls that enclose it.
struct InlinedCode {
  Dwarf_Addr begin = 0, end = 0;
  int depth = 0;
  const char* file = nullptr;  ///< of the call; null if unknown
  int line = 0;
};

/// Whether code may be described below an entry of this kind.
bool may_hold_code(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
         tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
         tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

/// All inlined code of a unit. dwarf_getscopes() would go through the whole unit for every address.
std::vector<InlinedCode> inlined_code(Dwarf_Die* unit) {
  std::vector<InlinedCode> result;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0) return result;
  const auto collect = [&](const auto& self, Dwarf_Die* scope, int depth) -> void {
    for_each_child(scope, [&](Dwarf_Die* die) {
      const int tag = dwarf_tag(die);
      if (!may_hold_code(tag)) return;
      if (tag != DW_TAG_inlined_subroutine) return self(self, die, depth);
      const auto number = static_cast<std::size_t>(number_of(die, DW_AT_call_file));
      InlinedCode code;
      code.depth = depth;
      code.file = number < count ? dwarf_filesrc(files, number, nullptr, nullptr) : nullptr;
      code.line = number_of(die, DW_AT_call_line);
      Dwarf_Addr base = 0;
      std::ptrdiff_t next = 0;
      while ((next = dwarf_ranges(die, next, &base, &code.begin, &code.end)) > 0) {
        result.push_back(code);
      }
      self(self, die, depth + 1);
    });
  };
  collect(collect, unit, 0);
  return result;
}

/// The innermost call of an inlined function in a kernel file; nothing if there is none.
std::optional<SourcePlace> call_in_kernel(Dwarf_Die* unit, Dwarf_Addr address, Through through) {
  static auto& of_units = *new std::unordered_map<const void*, std::vector<InlinedCode>>;
  const auto [known, is_new] = of_units.try_emplace(unit->addr);
  if (is_new) known->second = inlined_code(unit);
  const InlinedCode* innermost = nullptr;
  for (const InlinedCode& code : known->second) {
    if (address < code.begin || address >= code.end) continue;
    if (innermost != nullptr && code.depth < innermost->depth) continue;
    const bool is_in_kernel_file = code.file != nullptr && is_kernel_file(code.file);
    if (is_in_kernel_file || through == Through::kOneCall) innermost = &code;
  }
  if (innermost == nullptr || innermost->file == nullptr || !is_kernel_file(innermost->file)) {
    return std::nullopt;
  }
  return place_in(innermost->file, innermost->line);
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
