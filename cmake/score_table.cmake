# SPDX-License-Identifier: MIT
# Run by CTest after its summary: prints the score table of what this run graded, if anything.
#   cmake -DGRADER=program -DRESULTS=folder -P score_table.cmake
file(GLOB results "${RESULTS}/*.json")
foreach(result IN LISTS results)
  # RESULTS/session was touched when this run of CTest started. Older results are from another run,
  # perhaps of a different version of the file.
  if("${result}" IS_NEWER_THAN "${RESULTS}/session")
    execute_process(COMMAND "${GRADER}" report --table "${RESULTS}" --since "${RESULTS}/session")
    return()
  endif()
endforeach()
