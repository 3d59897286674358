# SPDX-License-Identifier: MIT
# How submitted programs are built: with the installed package (Package.cmake) and nothing else.
# Configuring CMake for every submission would take longer than compiling it. So one project that
# finds the package, cmake/submission, is built once with a fake compiler that only records how it
# is called (record.cmake); the grader then calls the real one in the same way, inside its sandbox.
#
# The results, for each student program TOPIC/NAME and for TOPIC/NAME-checked:
#   BUILD/sdk/                                what `cmake --install --component sdk` installs
#   BUILD/sdk/programs/TOPIC/NAME.compile     arguments, one per line
#   BUILD/sdk/programs/TOPIC/NAME.link
# In them @PLACE@ is the folder whose topics/ has the submission, @OBJECT@ the object, @PROGRAM@ the
# program.

# rl_submitted_program(TOPIC NAME KIND SOURCE [LIBRARY...]): a program whose source students submit;
# KIND is lab or functions. The source is in ROOT/topics/TOPIC.
function(rl_submitted_program topic name kind source)
  string(REGEX REPLACE "/topics/.*" "" root "${source}")
  list(JOIN ARGN " " libraries)
  set_property(GLOBAL APPEND_STRING PROPERTY rl_submitted_programs
    "submitted(${topic} ${name} ${kind} \"${source}\" \"${root}\" ${libraries})\n")
endfunction()

# Call this when all programs are known.
function(rl_add_sdk)
  # A placeholder for any file of the user: `lab profile FILE.cu` compiles with the same commands.
  set(own "${PROJECT_BINARY_DIR}/submissions/topics/own/kernel.cu")
  file(CONFIGURE OUTPUT "${own}" CONTENT "" @ONLY)
  rl_submitted_program(own kernel lab "${own}")
  get_property(programs GLOBAL PROPERTY rl_submitted_programs)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/submissions/programs.cmake" CONTENT "${programs}" @ONLY)
  set(sdk "${PROJECT_BINARY_DIR}/sdk")
  set(stamp "${PROJECT_BINARY_DIR}/submissions/stamp")
  set(headers "")
  foreach(part IN ITEMS base gpu harness roofline)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${part}/*.hpp")
    list(APPEND headers ${found})
  endforeach()
  set(languages CXX)
  set(flags "${CMAKE_CXX_FLAGS}")
  set(link_flags "${CMAKE_EXE_LINKER_FLAGS}")
  if(ROOFLINE_SANITIZE)
    string(JOIN " " flags "${flags}" ${RL_SANITIZE_FLAGS})
    string(APPEND link_flags " -fsanitize=${ROOFLINE_SANITIZE}")
  endif()
  set(cuda "")
  if(ROOFLINE_BACKEND STREQUAL "cuda")
    list(APPEND languages CUDA)
    set(cuda "-DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}"
      "-DCMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}"
      "-DCMAKE_CUDA_FLAGS=${CMAKE_CUDA_FLAGS}"
      "-DCMAKE_CUDA_FLAGS_RELEASE=${CMAKE_CUDA_FLAGS_RELEASE}"
      "-DCMAKE_CUDA20_STANDARD_COMPILE_OPTION=${CMAKE_CUDA20_STANDARD_COMPILE_OPTION}"
      "-DCMAKE_CUDA20_EXTENSION_COMPILE_OPTION=${CMAKE_CUDA20_EXTENSION_COMPILE_OPTION}")
  endif()
  add_custom_command(OUTPUT "${stamp}"
    COMMAND ${CMAKE_COMMAND} --install "${PROJECT_BINARY_DIR}" --component sdk --prefix "${sdk}"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${sdk}/programs" "${PROJECT_BINARY_DIR}/submissions/build"
    COMMAND ${CMAKE_COMMAND} -S "${PROJECT_SOURCE_DIR}/cmake/submission"
            -B "${PROJECT_BINARY_DIR}/submissions/build" -G "${CMAKE_GENERATOR}" "-DLANGUAGES=${languages}"
            "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" "-DRooflineLabs_ROOT=${sdk}"
            "-DPROGRAMS=${PROJECT_BINARY_DIR}/submissions/programs.cmake" "-DOUT=${sdk}/programs"
            "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
            "-DCMAKE_CXX_FLAGS=${flags}" "-DCMAKE_CXX_FLAGS_RELEASE=${CMAKE_CXX_FLAGS_RELEASE}"
            "-DCMAKE_EXE_LINKER_FLAGS=${link_flags}" ${cuda}
    COMMAND ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}/submissions/build"
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS ${RL_SDK_LIBRARIES} ${headers} "${PROJECT_BINARY_DIR}/submissions/programs.cmake"
            "${PROJECT_BINARY_DIR}/package/RooflineLabsConfig.cmake"
            "${PROJECT_SOURCE_DIR}/cmake/LabPrograms.cmake"
            "${PROJECT_SOURCE_DIR}/cmake/submission/CMakeLists.txt"
            "${PROJECT_SOURCE_DIR}/cmake/submission/record.cmake"
    COMMENT "The package that submissions are compiled against"
    VERBATIM)
  add_custom_target(sdk ALL DEPENDS "${stamp}")
  add_dependencies(course sdk)
endfunction()
