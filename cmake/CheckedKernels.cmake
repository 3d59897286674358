# SPDX-License-Identifier: MIT
# Checked kernels (docs/pages/gpu_language.md): on the CPU every memory access is judged. The
# compiler's thread-sanitizer instrumentation reports the accesses; its runtime is not linked,
# gpu/cpu/check takes its place. Where this cannot be done the kernels are built unchecked.
#
#   rl_checked_kernel_sources(TARGET FILE...)  as rl_kernel_sources(), checked; another target may
#                                              have the same files unchecked
#   rl_check_kernels(TARGET)                   every source of an OBJECT or STATIC library, checked
#   rl_checked_link                            what a program links that holds checked objects
if(ROOFLINE_BACKEND STREQUAL "cpu")
  find_path(ROOFLINE_DW_INCLUDE elfutils/libdwfl.h)
  find_library(ROOFLINE_DW_LIBRARY dw)
endif()
set(ROOFLINE_CAN_CHECK_KERNELS OFF)
if(ROOFLINE_BACKEND STREQUAL "cpu" AND NOT ROOFLINE_SANITIZE MATCHES "thread")
  if(ROOFLINE_DW_INCLUDE AND ROOFLINE_DW_LIBRARY)
    set(ROOFLINE_CAN_CHECK_KERNELS ON)
  else()
    message(STATUS "Kernels are neither checked nor counted: libdw is missing (sudo apt-get install libdw-dev)")
  endif()
endif()
set(ROOFLINE_CAN_CHECK_KERNELS ${ROOFLINE_CAN_CHECK_KERNELS} CACHE INTERNAL
  "Kernels can be checked: CPU backend, libdw present, no real thread sanitizer")

# As text: tests/gpu/counts_everywhere.sh, which calls compilers itself, takes them too.
set(RL_CHECK_OPTIONS "-fno-sanitize=all -fsanitize=thread -O0 -g" CACHE INTERNAL "")
# clang leaves out a read that a write of the same word follows; "sum += 1" needs both.
set(RL_CHECK_OPTIONS_CLANG "-mllvm -tsan-instrument-read-before-write=1" CACHE INTERNAL "")
# clang copies structures such as a float4 with memcpy, which it does not report.
set(RL_CHECK_LINK_OPTIONS "-Wl,--wrap=memcpy,--wrap=memset" CACHE INTERNAL "")

add_library(rl_checked_link INTERFACE)
if(ROOFLINE_CAN_CHECK_KERNELS)
  target_link_libraries(rl_checked_link INTERFACE rl_gpu_check)
  target_link_options(rl_checked_link INTERFACE ${RL_CHECK_LINK_OPTIONS})
endif()

function(rl_check_kernels target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    return()
  endif()
  target_include_directories(${target} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/gpu/cpu/check/include")
  target_compile_options(${target} PRIVATE "SHELL:${RL_CHECK_OPTIONS}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:${RL_CHECK_OPTIONS_CLANG}")
  endif()
  target_link_libraries(${target} PUBLIC rl_checked_link)
endfunction()

function(rl_checked_kernel_sources target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    rl_kernel_sources(${target} ${ARGN})
    return()
  endif()
  set(objects ${target}-kernels)
  add_library(${objects} OBJECT)
  rl_kernel_sources(${objects} ${ARGN})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(libraries)
    target_link_libraries(${objects} PRIVATE ${libraries})
  endif()
  rl_check_kernels(${objects})
  target_link_libraries(${target} PRIVATE ${objects})
endfunction()
