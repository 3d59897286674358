# SPDX-License-Identifier: MIT
# Many small programs spend most of their compile time on common headers. A unit includes the
# sources of several, each in its own namespace.
#
# rl_add_unit(OUTPUT SOURCE...) makes the build write a unit, again whenever a source was edited;
# sources may be generated themselves. If these variables are set, RL_UNIT_HEADER comes after the
# sources' headers, RL_AFTER_EACH after each source, in its namespace and with <NAME> replaced by
# its name, and RL_AFTER_ALL at the end.
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

# rl_derive_wrong(RESULT ROOT TOPIC PROGRAM SOURCE...): the whole source of each, all of one folder. The build
# writes that of a NAME.diff, which tests/wrong/README.md describes.
function(rl_derive_wrong result root topic program)
  set(solution "${root}/solutions/${topic}/code/${program}.cu")
  if(program STREQUAL "formulas")
    set(solution "${root}/solutions/${topic}/formulas.cpp")
  endif()
  get_filename_component(extension "${solution}" LAST_EXT)
  get_filename_component(folder "${ARGV4}" DIRECTORY)
  file(RELATIVE_PATH out "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${out}")
  set(changes ${ARGN})
  list(FILTER changes INCLUDE REGEX "[.]diff$")
  list(TRANSFORM changes REPLACE ".*/([^/]+)[.]diff$" "${out}/\\1${extension}" OUTPUT_VARIABLE derived)
  set(bases "")
  foreach(source IN LISTS changes)
    set(base "${solution}")
    file(STRINGS "${source}" line REGEX "^// Changes: " LIMIT_COUNT 1)
    if(line)
      string(REPLACE "// Changes: " "${root}/" base "${line}")
    endif()
    list(APPEND bases "${base}")
  endforeach()
  if(changes)
    list(REMOVE_DUPLICATES bases)
    add_custom_command(OUTPUT ${derived}
      COMMAND grader wrong "${folder}" --root "${root}" --out "${out}"
      DEPENDS grader ${bases} ${changes}
      COMMENT "Wrong solutions of ${topic}/${program}"
      VERBATIM)
  endif()
  set(whole ${ARGN})
  list(FILTER whole EXCLUDE REGEX "[.]diff$")
  set(${result} ${whole} ${derived} PARENT_SCOPE)
endfunction()
