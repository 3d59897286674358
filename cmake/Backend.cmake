# SPDX-License-Identifier: MIT
# Chooses the machine for which .cu files are built, and how they are compiled for it.
set(ROOFLINE_BACKEND "cpu" CACHE STRING "Machine that kernels are built for: cpu, cuda or hip")
set_property(CACHE ROOFLINE_BACKEND PROPERTY STRINGS cpu cuda hip)
option(ROOFLINE_COMPILE_ONLY "No GPU is here: show only that kernels compile and link, and quickly" OFF)
set(ROOFLINE_HOST_TREE "" CACHE PATH "With ROOFLINE_COMPILE_ONLY: a CPU build tree, whose objects are taken")
set(ROOFLINE_HIP_ARCHITECTURES "gfx90a;gfx940" CACHE STRING "AMD GPU targets of the hip backend")

if(ROOFLINE_BACKEND STREQUAL "cuda")
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR
      "The cuda backend needs nvcc (CUDA Toolkit 12 or later), and none was found.\n"
      "Install the toolkit and put its bin folder on PATH, or set CUDACXX=/path/to/nvcc.\n"
      "Without a toolkit use the default: cmake --preset cpu.")
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "NVIDIA targets, e.g. 80;90")
  endif()
  enable_language(CUDA)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake 3.25 does not know that nvcc has had C++20 since version 12.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "The cuda backend needs CUDA 12 or later; nvcc is ${CMAKE_CUDA_COMPILER_VERSION}.")
  endif()
elseif(ROOFLINE_BACKEND STREQUAL "hip")
  if(NOT CMAKE_CXX_COMPILER MATCHES "hipcc$")
    message(FATAL_ERROR
      "The hip backend compiles through hipcc, and the C++ compiler is ${CMAKE_CXX_COMPILER}.\n"
      "Use cmake --preset hip, or set CXX=hipcc. On Debian 12: sudo apt-get install hipcc libamdhip64-dev.")
  endif()
elseif(NOT ROOFLINE_BACKEND STREQUAL "cpu")
  message(FATAL_ERROR "ROOFLINE_BACKEND is '${ROOFLINE_BACKEND}'; it must be cpu, cuda or hip.")
endif()

# All programs with kernels, and none without: the part of that backend that can be tested on a
# machine that has a GPU's compiler but no GPU.
add_custom_target(kernels)

# With ROOFLINE_COMPILE_ONLY the labs of a topic are one unit (SourceUnits.cmake), for one
# architecture, and host code is not optimised; only this lab is built as it would be on a machine
# with a GPU.
set(RL_FULL_LAB "03-roofline-modeling-gemm_vectorised-solution")
if(ROOFLINE_COMPILE_ONLY)
  string(REPLACE "-O3" "-O0" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  string(REPLACE "-O3" "-O0" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
endif()

# rl_take_host_objects(TARGET...): these libraries have no kernels, so their objects are reused from
# a CPU tree that has been built. Call it right after a library is defined.
function(rl_take_host_objects)
  if(NOT ROOFLINE_COMPILE_ONLY OR NOT ROOFLINE_HOST_TREE)
    return()
  endif()
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(target IN LISTS ARGN)
    get_target_property(objects ${target} SOURCES)
    list(TRANSFORM objects REPLACE "(.+)" "${ROOFLINE_HOST_TREE}/${folder}/CMakeFiles/${target}.dir/\\1.o")
    set_target_properties(${target} PROPERTIES SOURCES "${objects}" LINKER_LANGUAGE CXX
      RL_FROM_HOST ON)
  endforeach()
endfunction()

include(LabPrograms)

# Several hundred programs are linked, and mold needs a third of the time of GNU's linker.
if(ROOFLINE_BACKEND STREQUAL "cpu")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold ROOFLINE_HAS_MOLD)
  if(ROOFLINE_HAS_MOLD)
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -fuse-ld=mold")
  endif()
endif()
