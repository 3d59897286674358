# SPDX-License-Identifier: MIT
# Run by CTest after its summary: prints the score table when this run graded something.
#   cmake -DGRADER=program -DRESULTS=folder -P score_table.cmake
file(GLOB results "${RESULTS}/*.json")
foreach(result IN LISTS results)
  # RESULTS/session was touched when this run of CTest began.
  if("${result}" IS_NEWER_THAN "${RESULTS}/session")
    execute_process(COMMAND "${GRADER}" report --table "${RESULTS}")
    return()
  endif()
endforeach()
