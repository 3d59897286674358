# SPDX-License-Identifier: MIT
# Draws the charts that pages tell readers to draw, with the same commands, into OUT/TOPIC.
#   cmake -DROOFLINE=program -DROOT=project -DOUT=folder -P charts.cmake
file(GLOB scripts "${ROOT}/topics/*/images/draw.sh")
foreach(script IN LISTS scripts)
  string(REGEX REPLACE ".*/([^/]+)/images/draw.sh" "\\1" topic "${script}")
  file(MAKE_DIRECTORY "${OUT}/${topic}")
  execute_process(COMMAND sh "${script}" "${ROOFLINE}" "${OUT}/${topic}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
