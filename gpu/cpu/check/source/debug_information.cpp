// SPDX-License-Identifier: MIT
// Opens the files that are mapped into this process.
#include "debug_information.hpp"

#include <unistd.h>

namespace gpu::cpu::check {
namespace {

Dwfl* opened() {
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

}  // namespace

Dwfl* this_process() {
  static Dwfl* const process = opened();
  return process;
}

bool is_kernel_file(std::string_view file) {
  return file.ends_with(".cu");
}

}  // namespace gpu::cpu::check
