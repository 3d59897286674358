# SPDX-License-Identifier: MIT
# Every library the project uses comes from the distribution. If a required one is missing,
# configuring stops with one command that installs it; if an optional one is missing, it is disabled
# with a message.
set_property(GLOBAL PROPERTY rl_missing_required "")
set_property(GLOBAL PROPERTY rl_missing_optional "")

# rl_missing(DEBIAN_PACKAGE WITHOUT): reports a missing package. WITHOUT says what is lost without
# it; if it is empty, the package is required.
function(rl_missing debian_package without)
  if(without)
    set_property(GLOBAL APPEND PROPERTY rl_missing_optional "${debian_package}|${without}")
  else()
    set_property(GLOBAL APPEND PROPERTY rl_missing_required "${debian_package}")
  endif()
endfunction()

# CMake 3.25, the version in Debian 12, fails with CUDA 13, which no longer has a library that
# FindCUDAToolkit marks as deprecated.
if(CMAKE_VERSION VERSION_LESS 3.26)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED GLOBAL)
endif()

macro(rl_need package debian_package)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    rl_missing(${debian_package} "")
  endif()
endmacro()

rl_need(Threads libc6-dev)
rl_need(CLI11 libcli11-dev)
rl_need(tomlplusplus libtomlplusplus-dev)
rl_need(nlohmann_json nlohmann-json3-dev)
rl_need(fmt libfmt-dev)
rl_need(Eigen3 libeigen3-dev NO_MODULE)
rl_need(pugixml libpugixml-dev)
rl_need(SQLite3 libsqlite3-dev)
if(SQLite3_FOUND AND NOT TARGET SQLite3::SQLite3) # its name before CMake 4.3
  add_library(SQLite3::SQLite3 ALIAS SQLite::SQLite3)
endif()
rl_need(OpenSSL libssl-dev COMPONENTS Crypto)
rl_need(LibArchive libarchive-dev)
if(ROOFLINE_BACKEND STREQUAL "cpu")
  rl_need(Boost libboost-context-dev CONFIG COMPONENTS context)
  if(Boost_FOUND AND NOT TARGET Boost::context) # found only headers of a Boost without it
    rl_missing(libboost-context-dev "")
  endif()
endif()
if(BUILD_TESTING)
  rl_need(Catch2 catch2)
endif()

find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  rl_missing(libomp-dev "the native loops that the CPU backend is compared with run on one core")
endif()
find_package(benchmark QUIET)
if(NOT benchmark_FOUND)
  rl_missing(libbenchmark-dev "no benchmarks (bench/)")
endif()
find_package(BLAS QUIET)
if(NOT BLAS_FOUND)
  rl_missing(libopenblas-dev "no vendor GEMM roof on the CPU")
endif()

get_property(missing GLOBAL PROPERTY rl_missing_required)
if(missing)
  list(JOIN missing " " packages)
  message(FATAL_ERROR
    "Missing libraries. On Debian and Ubuntu install them with\n"
    "    sudo apt-get install ${packages}\n"
    "or let ./lab start do it, then configure again.")
endif()

# Called last: reports what was left out, and what it would add.
function(rl_report_dependencies)
  get_property(optional GLOBAL PROPERTY rl_missing_optional)
  foreach(entry IN LISTS optional)
    string(REPLACE "|" ";" entry "${entry}")
    list(POP_FRONT entry package without)
    message(STATUS "Optional and missing: ${package} (${without})")
  endforeach()
  message(STATUS "Backend: ${ROOFLINE_BACKEND}; programs in ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()
