# SPDX-License-Identifier: MIT
# rl_checked_kernel_sources(TARGET FILE...): as rl_kernel_sources(), and on the CPU with every memory
# access of the kernels checked (docs/pages/gpu_language.md). The same file may be added to another target
# unchecked. The compiler's thread-sanitizer instrumentation reports the accesses; its runtime is not
# linked, gpu/cpu/check takes its place.
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
  target_include_directories(${objects} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/gpu/cpu/check/include")
  target_compile_options(${objects} PRIVATE -fno-sanitize=all -fsanitize=thread -O1 -g)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang leaves out a read that a write of the same word follows; "sum += 1" needs both.
    target_compile_options(${objects} PRIVATE "SHELL:-mllvm -tsan-instrument-read-before-write=1")
  endif()
  target_link_libraries(${target} PRIVATE ${objects} rl_gpu_check)
  target_link_options(${target} PRIVATE "LINKER:--wrap=memcpy,--wrap=memset")
endfunction()
