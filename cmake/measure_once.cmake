# SPDX-License-Identifier: MIT
# Measures this machine's roofs unless that has been done for this build tree. Without a device
# there is nothing to measure: the grader then skips the exercises that need the roofs.
#   cmake -DROOFLINE=program -DMACHINE=file -P measure_once.cmake
if(EXISTS "${MACHINE}")
  message("${MACHINE} exists; measure again with ./lab start --measure")
  return()
endif()
execute_process(COMMAND "${ROOFLINE}" measure --quick --out "${MACHINE}"
                RESULT_VARIABLE status ERROR_VARIABLE words ECHO_ERROR_VARIABLE)
if(NOT status EQUAL 0 AND NOT words MATCHES "no (cuda|hip) device on this machine")
  message(FATAL_ERROR "roofline measure failed (${status})")
endif()
