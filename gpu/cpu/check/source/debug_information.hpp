// SPDX-License-Identifier: MIT
// This process's debug information, as libdw of elfutils reads it.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <string_view>

namespace gpu::cpu::check {

/// The modules of this process; nullptr when they cannot be read.
Dwfl* this_process();

template <class Action>
void for_each_child(Dwarf_Die* die, const Action& action) {
  Dwarf_Die child;
  for (int status = dwarf_child(die, &child); status == 0;
       status = dwarf_siblingof(&child, &child)) {
    action(&child);
  }
}

/// Whether a source file is one with kernels.
bool is_kernel_file(std::string_view file);

}  // namespace gpu::cpu::check
