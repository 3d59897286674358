# SPDX-License-Identifier: MIT
# Writes a unit (SourceUnits.cmake) unless it is up to date: cmake -DUNIT=FILE "-DSOURCES=FILE;..."
# -DHEADER=LINE -DAFTER_EACH=LINE -DAFTER_ALL=LINE -P write_unit.cmake
# The sources' headers come first and under the same conditions, so that none ends up inside a
# namespace.
set(headers "")
set(bodies "")
foreach(source IN LISTS SOURCES)
  get_filename_component(name "${source}" NAME_WE)
  file(STRINGS "${source}" lines REGEX "^#(include|if|ifdef|ifndef|elif|else|endif)")
  file(STRINGS "${source}" macros REGEX "^#define ")
  list(TRANSFORM macros REPLACE "^#define ([A-Za-z0-9_]+).*" "#undef \\1")
  list(JOIN lines "\n" lines)
  list(JOIN macros "\n" macros)
  string(REPLACE "<NAME>" "${name}" after "${AFTER_EACH}")
  string(APPEND headers "${lines}\n")
  string(APPEND bodies "namespace unit_${name} {\n#include \"${source}\"\n${after}\n}\n${macros}\n")
endforeach()
file(CONFIGURE OUTPUT "${UNIT}" @ONLY CONTENT "${headers}${HEADER}\n${bodies}${AFTER_ALL}\n")
