# SPDX-License-Identifier: MIT
# Kernel files, and programs made from one. The course's own build uses these functions, and so do
# users of the package RooflineLabs (cmake/package/).
#
#   rl_kernel_sources(TARGET FILE...)          adds kernel files (.cu) to a target, compiled for the
#                                              chosen machine
#   rl_checked_kernel_sources(TARGET FILE...)  the same, checked (docs/pages/gpu_language.md); another
#                                              target may have the same files unchecked
#   rl_check_kernels(TARGET)                   every source of an OBJECT or STATIC library, checked
#   rl_lab_program(TARGET SOURCE DEFAULTS [LIBRARY...])          the program of one lab
#   rl_checked_lab_program(TARGET SOURCE DEFAULTS [LIBRARY...])  the same, its kernels checked
#   rl_function_program(TARGET SOURCE DEFAULTS [SOURCE...])      functions that answer the grader
#
# DEFAULTS is rl::defaults, or rl::student_defaults for code written by students. Requires
# ROOFLINE_BACKEND and, if kernels can be checked, the variables set by CheckedKernels.cmake.

# hipcc treats every .cpp as a kernel file unless told otherwise, and unless an architecture is
# given it looks for a GPU, failing with a Python traceback if there is none.
if(ROOFLINE_BACKEND STREQUAL "hip")
  list(GET ROOFLINE_HIP_ARCHITECTURES 0 rl_first_arch)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x c++ --offload-arch=${rl_first_arch}>"
    -Wno-unused-command-line-argument)
  add_link_options(--offload-arch=${rl_first_arch})
endif()

# rl_kernel_sources(TARGET FILE...) adds kernel files (.cu) to a target and compiles each for the
# chosen machine. The files are the same for all three machines.
function(rl_kernel_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${target} PRIVATE rl::gpu)
  if(ROOFLINE_COMPILE_ONLY AND target MATCHES "${RL_FULL_LAB}")
    target_compile_options(${target} PRIVATE $<IF:$<COMPILE_LANGUAGE:CUDA>,-Xcompiler=-O3,-O3>)
  endif()
  if(ROOFLINE_BACKEND STREQUAL "cpu")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC does not know CUDA's "#pragma unroll"; clang and nvcc do.
      set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -Wno-unknown-pragmas)
    endif()
  elseif(ROOFLINE_BACKEND STREQUAL "hip")
    # Debian's HIP 5.2 has no CMake language support: the kernel files are C++ through hipcc.
    set(archs ${ROOFLINE_HIP_ARCHITECTURES})
    if(ROOFLINE_COMPILE_ONLY AND NOT target MATCHES "${RL_FULL_LAB}")
      set(archs ${rl_first_arch} -O1) # at -O0 some kernels need more memory than a block has
      list(TRANSFORM archs REPLACE "^gfx" "--offload-arch=gfx")
    else()
      list(TRANSFORM archs PREPEND "--offload-arch=")
    endif()
    # LANGUAGE CXX makes CMake pass "-x c++"; a later "-x hip" wins.
    # "#pragma unroll" is a hint: clang warns if it does not follow it.
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX
      COMPILE_OPTIONS "-x;hip;${archs};-Wno-pass-failed")
  endif()
endfunction()

# rl_kernel_library(TARGET SOURCE...): the kernels of one library. If they are only compiled, they
# become one source: nvcc and hipcc spend most of their time on the headers.
function(rl_kernel_library target)
  set(sources ${ARGN})
  if(ROOFLINE_COMPILE_ONLY)
    list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN sources "" text)
    set(sources "${PROJECT_BINARY_DIR}/units/${target}.cu")
    file(CONFIGURE OUTPUT "${sources}" CONTENT "${text}" @ONLY)
  endif()
  rl_kernel_sources(${target} ${sources})
endfunction()

function(rl_check_kernels target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES RL_ANY_MACHINE ON) # see rl::defaults
  target_include_directories(${target} BEFORE PRIVATE "${RL_CHECK_INCLUDE}")
  target_compile_options(${target} PRIVATE "SHELL:${RL_CHECK_OPTIONS}")
  # A compiler must read precompiled headers first, so they start with this one.
  target_compile_options(${target} PRIVATE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:RL_PRECOMPILED>>>:SHELL:-include gpu/cpu/watched.hpp>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE "SHELL:${RL_CHECK_OPTIONS_CLANG}")
  else()
    target_compile_options(${target} PRIVATE "SHELL:${RL_CHECK_OPTIONS_GNU}")
  endif()
  target_link_libraries(${target} PUBLIC rl::checked_link)
endfunction()

function(rl_checked_kernel_sources target)
  if(NOT ROOFLINE_CAN_CHECK_KERNELS)
    rl_kernel_sources(${target} ${ARGN})
    return()
  endif()
  set(objects ${target}-kernels)
  add_library(${objects} OBJECT)
  rl_kernel_sources(${objects} ${ARGN})
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(libraries)
    target_link_libraries(${objects} PRIVATE ${libraries})
  endif()
  rl_check_kernels(${objects})
  target_link_libraries(${target} PRIVATE ${objects})
endfunction()

# A warning never stops a student's build, even if the course's own code uses -Werror: options of a
# source come after those of the libraries it links.
function(rl_student_sources defaults)
  if(defaults STREQUAL "rl::student_defaults")
    set_property(SOURCE ${ARGN} APPEND PROPERTY
      COMPILE_OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-Wno-error>)
  endif()
endfunction()

function(rl_lab_program target source defaults)
  # The kernel is an object library, so that other programs can link it as well.
  add_library(${target}-code OBJECT)
  rl_kernel_sources(${target}-code "${source}")
  rl_student_sources(${defaults} "${source}")
  target_link_libraries(${target}-code PRIVATE ${defaults} rl::lab ${ARGN})
  add_executable(${target} $<TARGET_OBJECTS:${target}-code>)
  target_link_libraries(${target} PRIVATE rl::lab rl::harness_main ${ARGN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

function(rl_checked_lab_program target source defaults)
  add_executable(${target})
  rl_checked_kernel_sources(${target} "${source}")
  target_link_libraries(${target}-kernels PRIVATE ${defaults} rl::lab ${ARGN})
  if(source MATCHES "/roofline[.]cu$") # On a CPU its loops are no kernels; on this machine they are.
    target_compile_definitions(${target}-kernels PRIVATE ROOFLINE_MACHINE="harness/machine/checked.hpp")
  endif()
  target_link_libraries(${target} PRIVATE rl::lab rl::harness_main ${ARGN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

function(rl_function_program target source defaults)
  add_executable(${target} "${source}" ${ARGN})
  rl_student_sources(${defaults} "${source}" ${ARGN})
  target_link_libraries(${target} PRIVATE ${defaults} rl::harness rl::harness_main rl::roofline)
endfunction()
