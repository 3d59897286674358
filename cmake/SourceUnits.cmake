# SPDX-License-Identifier: MIT
# Many small programs spend most of their compile time on the headers that all of them include. A unit
# includes the sources of several, each in a namespace of its own.
#
# rl_add_unit(OUTPUT SOURCE...) has the build write one, again when a source was edited; sources may be
# generated themselves. If these variables are set, RL_UNIT_HEADER comes after the sources' headers,
# RL_AFTER_EACH after each source, in its namespace and with <NAME> for its name, and RL_AFTER_ALL at
# the end.
function(rl_add_unit output)
  set(script "${PROJECT_SOURCE_DIR}/cmake/write_unit.cmake")
  file(RELATIVE_PATH name "${PROJECT_BINARY_DIR}" "${output}")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DUNIT=${output}" "-DSOURCES=${ARGN}" "-DHEADER=${RL_UNIT_HEADER}"
            "-DAFTER_EACH=${RL_AFTER_EACH}" "-DAFTER_ALL=${RL_AFTER_ALL}" -P "${script}"
    DEPENDS "${script}" ${ARGN}
    COMMENT "Unit ${name}"
    VERBATIM)
endfunction()
