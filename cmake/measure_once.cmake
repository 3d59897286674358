# SPDX-License-Identifier: MIT
# Measures this machine's roofs unless that was done for this build tree.
#   cmake -DROOFLINE=program -DMACHINE=file -P measure_once.cmake
if(EXISTS "${MACHINE}")
  message("${MACHINE} exists; measure again with ./lab start --measure")
  return()
endif()
execute_process(COMMAND "${ROOFLINE}" measure --quick --out "${MACHINE}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "roofline measure failed (${status})")
endif()
