# SPDX-License-Identifier: MIT
# rl_add_unit_test(): one Catch2 program, registered as one CTest test.
#
#   rl_add_unit_test(NAME gpu.buffers
#                    SOURCES buffers.cpp            # host C++
#                    KERNELS buffers.cu             # compiled for the chosen machine
#                    LIBRARIES rl::roofline
#                    LABELS unit
#                    [GPU])                         # needs a GPU when the backend has one
function(rl_add_unit_test)
  cmake_parse_arguments(arg "GPU" "NAME;TIMEOUT" "SOURCES;KERNELS;LIBRARIES;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  string(REPLACE "." "-" target "test-${arg_NAME}")
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests")
  target_link_libraries(${target} PRIVATE rl_defaults rl::catch ${arg_LIBRARIES})
  if(arg_KERNELS)
    rl_kernel_sources(${target} ${arg_KERNELS})
  endif()
  if(arg_GPU)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/gpu/require_device.cpp")
    target_link_libraries(${target} PRIVATE rl::gpu)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${target})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(gpu_properties "")
  if(arg_GPU AND NOT ROOFLINE_BACKEND STREQUAL "cpu")
    list(APPEND arg_LABELS gpu)
    # Only the test's own main prints this line (tests/support), before any test runs.
    set(gpu_properties RESOURCE_LOCK gpu SKIP_REGULAR_EXPRESSION "SKIPPED-BY-HARNESS: ")
  endif()
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${arg_ENVIRONMENT}" ${gpu_properties})
endfunction()
