# SPDX-License-Identifier: MIT
# Draws the charts of the docs site from data files.
#   cmake -DROOFLINE=program -DDATA=folder -DOUT=folder -P charts.cmake
function(draw name)
  execute_process(COMMAND "${ROOFLINE}" plot ${ARGN} --out "${OUT}/${name}.svg" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "roofline plot could not draw ${name}")
  endif()
endfunction()
# cell(VARIABLE FILE ROW COLUMN): one cell of a CSV file whose rows begin with a name.
function(cell variable file row column)
  file(STRINGS "${DATA}/measured/${file}" lines)
  foreach(line IN LISTS lines)
    string(REPLACE "," ";" fields "${line}")
    list(GET fields 0 name)
    if(name STREQUAL row)
      list(GET fields ${column} value)
      set(${variable} "${value}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${file} has no row '${row}'")
endfunction()

# SAXPY does two operations for twelve bytes; the file has GB/s with one decimal.
cell(bandwidth saxpy_h200.csv "four elements per thread" 3)
string(REPLACE "." "" tenths "${bandwidth}")
math(EXPR rate "${tenths} * 1000 / 6")
draw(roofline_h200 "${DATA}/measured/h200_roofs_quick.json" --kernel "SAXPY:0.16667:${rate}e5"
     --precision fp32,fp64)
