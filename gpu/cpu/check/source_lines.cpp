// SPDX-License-Identifier: MIT
// Reads this process's debug information with libdw, of elfutils.
#include "source_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "gpu/error.hpp"

namespace gpu::cpu::check {
namespace {

/// The modules of this process; nullptr when they cannot be read.
Dwfl* this_process() {
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = nullptr,
                                           .debuginfo_path = nullptr};
  Dwfl* const process = dwfl_begin(&callbacks);
  if (process == nullptr) return nullptr;
  const bool is_read = dwfl_linux_proc_report(process, ::getpid()) == 0 &&
                       dwfl_report_end(process, nullptr, nullptr) == 0;
  return is_read ? process : nullptr;
}

bool is_kernel_file(std::string_view file) {
  return file.ends_with(".cu");
}

int number_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &value) != 0) return 0;
  return static_cast<int>(value);
}

/// Where the innermost call of an inlined function stands in a kernel file; empty when nowhere.
std::string call_in_kernel(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  Dwarf_Die* scopes = nullptr;
  std::string result;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0) return result;
  const int depth = dwarf_getscopes(unit, address, &scopes);
  for (int i = 0; i < depth && result.empty(); ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    const auto file = static_cast<std::size_t>(number_of(&scopes[i], DW_AT_call_file));
    const char* name = file < count ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
    if (name == nullptr || !is_kernel_file(name)) continue;
    result = gpu::place_of({name, number_of(&scopes[i], DW_AT_call_line)});
  }
  std::free(scopes);
  return result;
}

/// The line of an instruction; where that is in a function inlined into a kernel file, the line
/// there.
std::string line_of(Dwfl* process, Dwarf_Addr address) {
  Dwfl_Module* const module = dwfl_addrmodule(process, address);
  Dwfl_Line* const line = module == nullptr ? nullptr : dwfl_module_getsrc(module, address);
  int number = 0;
  const char* file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr) return {};
  if (is_kernel_file(file)) return gpu::place_of({file, number});
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  const std::string call = unit == nullptr ? std::string() : call_in_kernel(unit, address - bias);
  return call.empty() ? gpu::place_of({file, number}) : call;
}

}  // namespace

std::string source_line(std::uintptr_t return_address) {
  static Dwfl* const process = this_process();
  std::string text;
  if (process != nullptr) text = line_of(process, return_address - 1);
  if (!text.empty()) return text;
  char address[2 + 2 * sizeof(return_address) + 1];
  std::snprintf(address, sizeof(address), "%#zx", static_cast<std::size_t>(return_address));
  return address;
}

}  // namespace gpu::cpu::check
