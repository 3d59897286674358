# SPDX-License-Identifier: MIT
# Build type, output folders, language standard, warnings and sanitizers: the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release: measured kernels need optimisation" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

option(ROOFLINE_NATIVE "Use this machine's full instruction set (needed for honest CPU roofs)" ON)
option(ROOFLINE_WERROR "Treat compiler warnings as errors (on in CI)" OFF)
set(ROOFLINE_SANITIZE "" CACHE STRING "Sanitizers for all C++ code, e.g. address,undefined or thread")

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR
    "Roofline Labs needs GCC 12 or Clang 14, or later; CMake found ${CMAKE_CXX_COMPILER_ID} "
    "${CMAKE_CXX_COMPILER_VERSION} at ${CMAKE_CXX_COMPILER}.\n"
    "On Debian and Ubuntu: sudo apt-get install g++ (or set CXX to a newer compiler).")
endif()

# Flags for this machine's own instructions. With AVX-512 GCC by default prefers half of each
# register, to benefit code with few vectors; kernels have many, and reaching a peak needs the full
# width.
set(ROOFLINE_NATIVE_FLAGS "")
if(ROOFLINE_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-mprefer-vector-width=512 ROOFLINE_HAS_VECTOR_WIDTH)
  set(ROOFLINE_NATIVE_FLAGS -march=native)
  if(ROOFLINE_HAS_VECTOR_WIDTH)
    list(APPEND ROOFLINE_NATIVE_FLAGS -mprefer-vector-width=512)
  endif()
endif()
# The counts of checked kernels must not depend on the machine, so these are compiled for a generic
# one.
set(native_flags
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:RL_ANY_MACHINE>>>>:${ROOFLINE_NATIVE_FLAGS}>")

# Warnings that GCC derives from optimised code depend on the target processor and on whether a
# header was precompiled: they should be read, but must not stop a build that succeeds elsewhere.
set(guessed_warnings -Wno-error=array-bounds -Wno-error=stringop-overflow -Wno-error=stringop-overread
  -Wno-error=maybe-uninitialized -Wno-error=free-nonheap-object -Wno-error=use-after-free
  -Wno-error=dangling-pointer)

# Flags for host C++ only; nvcc passes its own set to the host compiler. Users of an installed
# library choose their own warnings, but not other instructions: types depend on them.
add_library(rl_defaults INTERFACE)
add_library(rl::defaults ALIAS rl_defaults)
target_compile_features(rl_defaults INTERFACE cxx_std_20)
target_compile_options(rl_defaults INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>>
  # GCC 12 reports overlapping copies inside std::string that cannot happen (GCC bug 105651).
  $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>>
  $<BUILD_INTERFACE:$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ROOFLINE_WERROR}>>:-Werror>>
  "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${guessed_warnings}>>"
  "${native_flags}")

# Unsolved student code may have unused parameters; it is never built with -Werror.
add_library(rl_student_defaults INTERFACE)
add_library(rl::student_defaults ALIAS rl_student_defaults)
target_compile_features(rl_student_defaults INTERFACE cxx_std_20)
target_compile_options(rl_student_defaults INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -Wno-unused-function>
  "${native_flags}")

if(ROOFLINE_SANITIZE)
  set(RL_SANITIZE_FLAGS -fsanitize=${ROOFLINE_SANITIZE} -fno-omit-frame-pointer)
  # With detection of use after return, which is the default from GCC 13 on, GCC aligns variables of 64 bytes to
  # 32, and AVX-512's aligned loads crash (GCC bug 110027).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND RL_SANITIZE_FLAGS --param=asan-use-after-return=0)
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${RL_SANITIZE_FLAGS}>")
  add_link_options("-fsanitize=${ROOFLINE_SANITIZE}")
endif()

# A student's first minutes go into building the course, and most of that into large headers.
#
# rl_precompile(TARGET HEADER...): third-party headers that many of the target's files include,
# parsed once. A compiler cache works better without it, and clang-tidy cannot read another
# compiler's precompiled headers.
function(rl_precompile target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES RL_PRECOMPILED ON)
endfunction()

# rl_precompile_alike(TARGET KIND HEADER...): the same, once for all targets of a kind. These are
# many and small, and must have the same options: GCC fails on a header precompiled at another
# optimisation level.
function(rl_precompile_alike target kind)
  get_property(first GLOBAL PROPERTY rl_first_${kind})
  if(NOT first)
    set_property(GLOBAL PROPERTY rl_first_${kind} ${target})
    rl_precompile(${target} ${ARGN})
    return()
  endif()
  rl_reuse_precompiled(${target} ${first})
endfunction()

# rl_reuse_precompiled(TARGET OTHER): uses the headers that OTHER has precompiled, if any.
function(rl_reuse_precompiled target other)
  get_target_property(precompiled ${other} PRECOMPILE_HEADERS)
  if(precompiled)
    target_precompile_headers(${target} REUSE_FROM ${other})
    set_target_properties(${target} PROPERTIES RL_PRECOMPILED ON)
  endif()
endfunction()

# rl_unite(TARGET [FILE...]): compiles its sources eight at a time, except FILEs, which are compiled
# separately. Headers are parsed and templates are instantiated once for all eight, so names local
# to files must differ. clang-tidy checks each file on its own, which also reveals missing includes.
option(ROOFLINE_UNITE "Compile the course's own sources eight at a time (off: quicker after an edit)" ON)
function(rl_unite target)
  if(NOT ROOFLINE_UNITE OR CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# rl_build_quickly(LEVEL): programs of this folder do nothing that more than -O1 or -O0 makes noticeably
# faster, and nobody reads their lines in a report. Of a folder that has kernels or their oracles this must
# not be said. It holds for all targets of the folder and for none of the folders below, wherever it stands.
macro(rl_build_quickly level) # a function's ${level} would be empty when the call is made
  cmake_language(DEFER CALL rl_lower_level "${level}")
endmacro()
macro(rl_lower_level level)
  string(REGEX REPLACE "-O[0-9]( -g1)?" "${level}" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endmacro()

# rl_leave_unoptimised(TARGET): for targets that read arguments and print. The libraries for this
# are header-only, and optimising them takes longer than anything else in such a file.
function(rl_leave_unoptimised target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O0;-g0>")
endfunction()

# rl_reads_arguments(TARGET): a program, or a library with main(), that reads its arguments with
# CLI11. Its header is precompiled in a separate library, because a target must link everything that
# it takes such a header from.
function(rl_reads_arguments target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:CLI11::CLI11>)
  get_target_property(from_host ${target} RL_FROM_HOST) # see rl_take_host_objects()
  if(from_host)
    return()
  endif()
  if(NOT TARGET rl_arguments)
    file(WRITE "${PROJECT_BINARY_DIR}/arguments.cpp" "")
    add_library(rl_arguments OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/arguments.cpp")
    target_link_libraries(rl_arguments PRIVATE CLI11::CLI11 rl::defaults)
    rl_leave_unoptimised(rl_arguments)
    rl_precompile(rl_arguments CLI/CLI.hpp)
  endif()
  rl_leave_unoptimised(${target})
  rl_reuse_precompiled(${target} rl_arguments)
endfunction()
