# SPDX-License-Identifier: MIT
# Writes a manual page from a program's own --help:
#   cmake -DPROGRAM=FILE -DPAGE=FILE -DVERSION=0.1.0 -P manual_page.cmake
cmake_policy(VERSION 3.25)
get_filename_component(name "${PROGRAM}" NAME)
string(TOUPPER "${name}" title)

# The program's output, escaped so that roff shows it unchanged.
function(help_of result)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} --help OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ${ARGN} --help failed (${status})")
  endif()
  string(REPLACE "${PROGRAM}" "${name}" text "${text}") # as if it were found on PATH
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

help_of(all)
string(REGEX REPLACE "\n *Usage.*" "" about "${all}")
string(REPLACE "\n" " " about "${about}")
set(page ".TH ${title} 1 \"\" \"Roofline Labs ${VERSION}\"\n.SH NAME\n${name} \\- ${about}\n")
string(APPEND page ".SH USAGE\n.nf\n${all}.fi\n")
execute_process(COMMAND "${PROGRAM}" --help OUTPUT_VARIABLE plain)
string(REGEX REPLACE ".*\nSubcommands:\n" "" commands "${plain}")
string(REGEX MATCHALL "(^|\n)  [a-z][a-z-]+" commands "${commands}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  help_of(text ${command})
  string(APPEND page ".SH ${name} ${command}\n.nf\n${text}.fi\n")
endforeach()
string(APPEND page ".SH SEE ALSO\nThe book, which ./lab docs builds.\n")
file(WRITE "${PAGE}" "${page}")
