# SPDX-License-Identifier: MIT
# Checked kernels (docs/pages/gpu_language.md): on the CPU every memory access is judged. The
# compiler's thread-sanitizer instrumentation reports the accesses; its runtime is not linked,
# gpu/cpu/check takes its place. Where this cannot be done the kernels are built unchecked.
#
#   rl_checked_kernel_sources(TARGET FILE...)  as rl_kernel_sources(), checked; another target may
#                                              have the same files unchecked
#   rl_check_kernels(TARGET)                   every source of an OBJECT or STATIC library, checked
#   rl_checked_link                            what a program links that holds checked objects
#
# With ROOFLINE_CHECK_KERNELS (preset check) every lab program is checked.
option(ROOFLINE_CHECK_KERNELS "Build the labs' kernels checked: slow, and undefined behaviour is explained" OFF)
if(ROOFLINE_BACKEND STREQUAL "cpu")
  file(GLOB rl_gcc_folders "/usr/lib/gcc/*/*")
  find_path(ROOFLINE_BACKTRACE_INCLUDE backtrace.h HINTS ${rl_gcc_folders} PATH_SUFFIXES include)
  find_library(ROOFLINE_BACKTRACE_LIBRARY backtrace HINTS ${rl_gcc_folders})
endif()
set(ROOFLINE_CAN_CHECK_KERNELS OFF)
if(ROOFLINE_BACKEND STREQUAL "cpu" AND ROOFLINE_BACKTRACE_INCLUDE AND ROOFLINE_BACKTRACE_LIBRARY
   AND NOT ROOFLINE_SANITIZE MATCHES "thread")
  set(ROOFLINE_CAN_CHECK_KERNELS ON)
endif()
set(ROOFLINE_CAN_CHECK_KERNELS ${ROOFLINE_CAN_CHECK_KERNELS} CACHE INTERNAL
  "Kernels can be checked: CPU backend, libbacktrace present, no real thread sanitizer")

if(ROOFLINE_CHECK_KERNELS AND NOT ROOFLINE_CAN_CHECK_KERNELS)
  message(FATAL_ERROR
    "ROOFLINE_CHECK_KERNELS needs the cpu backend and libbacktrace, which comes with GCC "
    "(sudo apt-get install g++), and no thread sanitizer.")
endif()
add_library(rl_checked_link INTERFACE)
if(ROOFLINE_CAN_CHECK_KERNELS)
  target_link_libraries(rl_checked_link INTERFACE rl_gpu_check)
  # clang copies structures such as a float4 with memcpy, which it does not report.
  target_link_options(rl_checked_link INTERFACE "LINKER:--wrap=memcpy,--wrap=memset")
endif()

function(rl_check_kernels target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    return()
  endif()
  target_include_directories(${target} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/gpu/cpu/check/include")
  target_compile_options(${target} PRIVATE -fno-sanitize=all -fsanitize=thread -O1 -g)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang leaves out a read that a write of the same word follows; "sum += 1" needs both.
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -tsan-instrument-read-before-write=1")
  endif()
  target_link_libraries(${target} PUBLIC rl_checked_link)
endfunction()

function(rl_checked_kernel_sources target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    rl_kernel_sources(${target} ${ARGN})
    return()
  endif()
  set(objects ${target}-checked-kernels)
  add_library(${objects} OBJECT)
  rl_kernel_sources(${objects} ${ARGN})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(libraries)
    target_link_libraries(${objects} PRIVATE ${libraries})
  endif()
  rl_check_kernels(${objects})
  target_link_libraries(${target} PRIVATE ${objects})
endfunction()
