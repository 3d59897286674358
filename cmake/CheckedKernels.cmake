# SPDX-License-Identifier: MIT
# Checked kernels (docs/pages/gpu_language.md): on the CPU every memory access is checked. The
# compiler's thread-sanitizer instrumentation reports the accesses; instead of its runtime we link
# gpu/cpu/check. If that is impossible the kernels are built unchecked.
#
# This file determines whether they can be, and with which options; LabPrograms.cmake has the
# functions.
#
#   rl::checked_link  linked by programs that contain checked objects
if(ROOFLINE_BACKEND STREQUAL "cpu")
  find_path(ROOFLINE_DW_INCLUDE elfutils/libdwfl.h)
  find_library(ROOFLINE_DW_LIBRARY dw)
  find_path(ROOFLINE_CAPSTONE_INCLUDE capstone/capstone.h)
  find_library(ROOFLINE_CAPSTONE_LIBRARY capstone)
endif()
set(ROOFLINE_CAN_CHECK_KERNELS OFF)
if(ROOFLINE_BACKEND STREQUAL "cpu" AND NOT ROOFLINE_SANITIZE MATCHES "thread")
  if(ROOFLINE_DW_INCLUDE AND ROOFLINE_DW_LIBRARY AND ROOFLINE_CAPSTONE_INCLUDE
     AND ROOFLINE_CAPSTONE_LIBRARY)
    set(ROOFLINE_CAN_CHECK_KERNELS ON)
  else()
    message(STATUS "Kernels are neither checked nor counted nor profiled: libdw or capstone is missing "
                   "(sudo apt-get install libdw-dev libcapstone-dev)")
  endif()
endif()
set(ROOFLINE_CAN_CHECK_KERNELS ${ROOFLINE_CAN_CHECK_KERNELS} CACHE INTERNAL
  "Kernels can be checked: CPU backend, libdw present, no real thread sanitizer")

# Its headers shadow the backend's.
set(RL_CHECK_INCLUDE "${PROJECT_SOURCE_DIR}/gpu/cpu/check/include" CACHE INTERNAL "")

# A string, because tests/gpu/counts_everywhere.sh, which calls compilers itself, reads it too.
set(RL_CHECK_OPTIONS "-fno-sanitize=all -fsanitize=thread -fsanitize-coverage=trace-pc -O0 -g" CACHE INTERNAL "")
# By default clang omits a read that is followed by a write of the same word; "sum += 1" needs both.
# The end of a function must not be reported: the cleanup that would report it during an exception
# makes the compiler assume that accesses cannot throw, and a stray access that does throw would end
# the program. Without aranges libdw finds no lines for clang's code. By default clang also omits
# the report of a basic block that is implied by others; but it runs a different number of times, so
# each must report itself.
set(RL_CHECK_OPTIONS_CLANG
  "-fsanitize-coverage=no-prune -mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-handle-cxx-exceptions=0 -gdwarf-aranges" CACHE INTERNAL "")
# GCC also ends the lifetime of a temporary during an exception, and the counting of basic blocks
# prevents that from being optimised away; then GCC, too, assumes that accesses cannot throw. If
# stack slots are not reused, no lifetime is ended. A structure that is handed over by value straight
# from memory, or returned straight into it, is reported only if a constructor makes the copy.
set(RL_CHECK_OPTIONS_GNU
  "--param=tsan-instrument-func-entry-exit=0 -fstack-reuse=none -fno-elide-constructors")
# clang reports an index in a separate basic block, which profiles would count.
if(NOT ROOFLINE_SANITIZE)
  string(APPEND RL_CHECK_OPTIONS_GNU " -fsanitize=bounds")
endif()
set(RL_CHECK_OPTIONS_GNU "${RL_CHECK_OPTIONS_GNU}" CACHE INTERNAL "")
# clang copies structures such as a float4 with memcpy, which it does not report.
set(RL_CHECK_LINK_OPTIONS "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset" CACHE INTERNAL "")

add_library(rl_checked_link INTERFACE)
add_library(rl::checked_link ALIAS rl_checked_link)
if(ROOFLINE_CAN_CHECK_KERNELS)
  target_link_libraries(rl_checked_link INTERFACE rl_gpu_check)
  target_link_options(rl_checked_link INTERFACE ${RL_CHECK_LINK_OPTIONS})
endif()
