# SPDX-License-Identifier: MIT
# Draws the pictures of the pages from data files: those of docs/images into OUT, those of a topic into
# OUT/TOPIC.
#   cmake -DROOFLINE=program -DGNUPLOT=program -DROOT=project -DOUT=folder -P charts.cmake
set(DATA "${ROOT}/data")
file(MAKE_DIRECTORY "${OUT}")
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

# kernels(VARIABLE FILE N NAME_COLUMN PREFIX): "--kernel NAME:FLOP/B:RATE" of each row whose size is N; the
# files have gflop_per_s and flop_per_byte in columns 9 and 10.
function(kernels variable file n name_column prefix)
  file(STRINGS "${DATA}/measured/${file}" lines)
  set(result "")
  foreach(line IN LISTS lines)
    string(REPLACE "," ";" fields "${line}")
    list(GET fields 3 size)
    if(NOT size STREQUAL n)
      continue()
    endif()
    list(GET fields ${name_column} name)
    list(GET fields 9 rate)
    list(GET fields 10 intensity)
    list(APPEND result --kernel "${prefix}${name}:${intensity}:${rate}GFLOP/s")
  endforeach()
  if(result STREQUAL "")
    message(FATAL_ERROR "${file} has no row of size ${n}")
  endif()
  set(${variable} "${result}" PARENT_SCOPE)
endfunction()
kernels(products roofline_gemm_h200.csv 4096 0 "")
kernels(sweep roofline_sweep_h200.csv 67108864 11 "fma ")
draw(03_ladder_h200 h200-sxm ${products} ${sweep} --precision fp32)

execute_process(COMMAND "${GNUPLOT}" -c "${ROOT}/docs/images/plateau.gnuplot" "${DATA}/measured"
                "${OUT}/plateau.svg" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB scripts "${ROOT}/topics/*/images/draw.sh")
foreach(script IN LISTS scripts)
  string(REGEX REPLACE ".*/([^/]+)/images/draw.sh" "\\1" topic "${script}")
  file(MAKE_DIRECTORY "${OUT}/${topic}")
  execute_process(COMMAND sh "${script}" "${ROOFLINE}" "${OUT}/${topic}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
