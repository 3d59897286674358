# SPDX-License-Identifier: MIT
# Many small programs spend most of their compile time on the headers that all of them include. A unit
# includes the sources of several, each in a namespace of its own.
#
# rl_write_unit(OUTPUT SOURCE...) writes one. The sources' headers come first and under the same
# conditions, so that no namespace encloses one. Where these variables are set, RL_UNIT_HEADER follows the
# headers, RL_AFTER_EACH each source, in its namespace and with <NAME> for its name, and RL_AFTER_ALL all.
function(rl_write_unit output)
  set(headers "")
  set(bodies "")
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME_WE)
    file(STRINGS "${source}" lines REGEX "^#(include|if|ifdef|ifndef|elif|else|endif)")
    file(STRINGS "${source}" macros REGEX "^#define ")
    list(TRANSFORM macros REPLACE "^#define ([A-Za-z0-9_]+).*" "#undef \\1")
    list(JOIN lines "\n" lines)
    list(JOIN macros "\n" macros)
    string(REPLACE "<NAME>" "${name}" after "${RL_AFTER_EACH}")
    string(APPEND headers "${lines}\n")
    string(APPEND bodies "namespace unit_${name} {\n#include \"${source}\"\n${after}\n}\n${macros}\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  endforeach()
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT
       "${headers}${RL_UNIT_HEADER}\n${bodies}${RL_AFTER_ALL}\n")
endfunction()
