# SPDX-License-Identifier: MIT
# rl_add_unit_test(): one Catch2 program, registered as one CTest test.
#
#   rl_add_unit_test(NAME gpu.buffers
#                    SOURCES buffers.cpp            # host C++
#                    KERNELS buffers.cu             # compiled for the chosen machine
#                    CHECKED_KERNELS races.cu       # the same, checked if possible
#                    ALONE slow.cpp                 # those SOURCES that are compiled separately
#                    LIBRARIES rl::roofline
#                    LABELS unit
#                    [GPU]                          # needs a GPU if the backend has one
#                    [QUICK])                       # part of ./lab test --quick
function(rl_add_unit_test)
  cmake_parse_arguments(arg "GPU;QUICK" "NAME" "SOURCES;KERNELS;CHECKED_KERNELS;LIBRARIES;LABELS;ENVIRONMENT;ALONE" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  string(REPLACE "." "-" target "test-${arg_NAME}")
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests")
  target_link_libraries(${target} PRIVATE rl::defaults rl::catch ${arg_LIBRARIES})
  rl_unite(${target} ${arg_ALONE})
  if(arg_KERNELS)
    rl_kernel_sources(${target} ${arg_KERNELS})
  endif()
  if(arg_CHECKED_KERNELS)
    rl_checked_kernel_sources(${target} ${arg_CHECKED_KERNELS})
    if(TARGET ${target}-kernels)
      # Catch2 3 contains assembler code, which must not come after the first header of a checked
      # file.
      target_compile_options(${target}-kernels BEFORE PRIVATE "SHELL:-include support/catch.hpp")
    endif()
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${target})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS "${arg_LABELS}" ENVIRONMENT "${arg_ENVIRONMENT}")
  if(arg_GPU)
    rl_require_device(${target} ${arg_NAME})
  endif()
  if(arg_QUICK)
    rl_quick(${arg_NAME} ${target})
  endif()
endfunction()

# rl_quick(TEST TARGET...): a test of ./lab test --quick, and the programs that it needs.
add_custom_target(quick-tests)
function(rl_quick test)
  set_property(TEST ${test} APPEND PROPERTY LABELS quick)
  add_dependencies(quick-tests ${ARGN})
endfunction()

# rl_require_device(TARGET TEST): Catch2 program TARGET, run as TEST, runs kernels. Built for a GPU
# it is reported as skipped if there is none, and never shares one.
function(rl_require_device target test)
  target_link_libraries(${target} PRIVATE rl_require_device rl::gpu)
  add_dependencies(kernels ${target})
  if(NOT ROOFLINE_BACKEND STREQUAL "cpu")
    set_property(TEST ${test} APPEND PROPERTY LABELS gpu)
    # Only require_device.cpp prints this line, before any test case runs.
    set_tests_properties(${test} PROPERTIES
      RESOURCE_LOCK gpu SKIP_REGULAR_EXPRESSION "SKIPPED-BY-HARNESS: ")
  endif()
endfunction()
