# SPDX-License-Identifier: MIT
# Builds every topics/NN-name with its solutions, by convention: the contents of a folder determine
# what is built; topics, labs and exercises are never listed.
#
#   topics/T/code/X.cu        program bin/T/X                  the student's lab
#                             CTest oracle.NN.X                 the same with --oracle
#   topics/T/code/X.cmake     libraries that X links: set(RL_LAB_LIBRARIES rl::gpu_blas)
#   solutions/T/code/X.cu     program bin/solutions/T/X        the reference
#   topics/T/formulas.cpp     program bin/T/formulas           the student's functions
#   solutions/T/formulas.cpp  program bin/solutions/T/formulas
#   solutions/T/formulas_wrong.cpp  linked into it: the formulas behind common mistakes
#   solutions/T/answers*.cpp  program bin/solutions/T/answers  reference numbers and choices
#   topics/T/oracle/*.cpp      program bin/T/oracle              double-precision oracles (trusted)
#   topics/T/exercises.toml   CTest grade.ID                   one test per exercise
#   topics/T/checklist.txt    CTest checklist.NN.NAME          claims about measurements, a line each
#   topics/T/X/CMakeLists.txt whatever else the topic builds from its labs

# rl_submitted_lab(TOPIC NAME SOURCE): a lab that students submit.
function(rl_submitted_lab topic name source)
  set(RL_LAB_LIBRARIES "")
  include("${PROJECT_SOURCE_DIR}/topics/${topic}/code/${name}.cmake" OPTIONAL)
  rl_submitted_program(${topic} ${name} lab "${source}" ${RL_LAB_LIBRARIES})
endfunction()

# rl_add_lab(TARGET OUTPUT_FOLDER SOURCE DEFAULTS [PROGRAM]): one kernel file becomes one program.
# The kernel is an object library, so that the topic's checks can link it too. The last part of the
# folder names the topic; PROGRAM defaults to the source's own name.
function(rl_add_lab target folder source defaults)
  get_filename_component(name "${source}" NAME_WE)
  if(ARGC GREATER 4)
    set(name "${ARGV4}")
  endif()
  get_filename_component(topic "${folder}" NAME)
  set(RL_LAB_LIBRARIES "")
  include("${PROJECT_SOURCE_DIR}/topics/${topic}/code/${name}.cmake" OPTIONAL)
  rl_lab_program(${target} "${source}" ${defaults} ${RL_LAB_LIBRARIES})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${folder}")
  if(ROOFLINE_CAN_CHECK_KERNELS)
    rl_add_checked_lab(${target} ${folder} "${source}" ${name} ${defaults})
  endif()
endfunction()

# The same kernels checked, as program NAME-checked, which is used to judge races, stray accesses
# and counts.
function(rl_add_checked_lab target folder source name defaults)
  rl_checked_lab_program(${target}-checked "${source}" ${defaults} ${RL_LAB_LIBRARIES})
  # Also for the student's: a missing include shows in the plain program.
  string(MAKE_C_IDENTIFIER "checked-${defaults}" kind)
  rl_precompile_alike(${target}-checked-kernels ${kind} gpu/cpu/watched.hpp gpu/gpu.hpp harness/counted.hpp)
  set_target_properties(${target}-checked PROPERTIES
    OUTPUT_NAME ${name}-checked RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${folder}")
endfunction()

# rl_add_plain_checked_lab(TOPIC NAME SOURCE): program NAME-checked-plain of a counted lab, for a
# kernel that does not compile with counting numbers. It can be checked, but not counted.
function(rl_add_plain_checked_lab topic name source)
  file(STRINGS "${source}" counted REGEX "^HARNESS_COUNTED_LAB")
  if(NOT counted)
    return()
  endif()
  set(RL_LAB_LIBRARIES "")
  include("${PROJECT_SOURCE_DIR}/topics/${topic}/code/${name}.cmake" OPTIONAL)
  set(target ${topic}-${name}-checked-plain)
  rl_checked_lab_program(${target} "${source}" rl::student_defaults ${RL_LAB_LIBRARIES})
  target_compile_definitions(${target}-kernels PRIVATE HARNESS_PLAIN_NUMBERS_ONLY)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}-checked-plain RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${topic}")
  set_target_properties(${target} ${target}-kernels PROPERTIES EXCLUDE_FROM_ALL TRUE)
endfunction()

# rl_add_kernels_unit(TOPIC SOLUTION SOURCE...): all kernels of a topic in one program, which is
# never run.
function(rl_add_kernels_unit topic solution)
  set(unit "${PROJECT_BINARY_DIR}/units/${topic}.cu")
  rl_add_unit("${unit}" ${ARGN})
  set(RL_LAB_LIBRARIES "")
  file(GLOB includes "${PROJECT_SOURCE_DIR}/topics/${topic}/code/*.cmake")
  foreach(file IN LISTS includes)
    include("${file}")
  endforeach()
  add_executable(${topic}-kernels)
  rl_kernel_sources(${topic}-kernels "${unit}")
  target_include_directories(${topic}-kernels PRIVATE "${solution}/code")
  target_link_libraries(${topic}-kernels PRIVATE rl::defaults rl::lab rl::harness_main ${RL_LAB_LIBRARIES})
  set_target_properties(${topic}-kernels PROPERTIES LINKER_LANGUAGE CXX)
  add_dependencies(kernels ${topic}-kernels)
endfunction()

# rl_add_formulas(TARGET OUTPUT_FOLDER TOPIC_FOLDER SOURCE DEFAULTS [SOURCE...]): a student's or the
# reference's functions, declared by the topic.
function(rl_add_formulas target folder topic_folder source defaults)
  rl_add_served_program(${target} ${folder} formulas ${defaults} "${source}" ${ARGN})
  target_include_directories(${target} PRIVATE "${topic_folder}")
endfunction()

# rl_precompile_lab(TARGET KIND), rl_precompile_formulas(TARGET KIND): for the course's own labs and
# formulas. Not for the student's: their sources must include what they use, and the grader compiles
# submissions with the same commands elsewhere.
function(rl_precompile_lab target kind)
  if(ROOFLINE_BACKEND STREQUAL "cpu")
    rl_precompile_alike(${target}-code lab-${kind} gpu/gpu.hpp harness/lab.hpp)
  endif()
endfunction()
function(rl_precompile_formulas target kind)
  rl_precompile_alike(${target} formulas-${kind} harness/function.hpp)
endfunction()

# rl_add_served_program(TARGET OUTPUT_FOLDER NAME DEFAULTS SOURCE...): a program without kernels
# that answers the grader.
function(rl_add_served_program target folder name defaults source)
  rl_function_program(${target} "${source}" ${defaults} ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${folder}")
endfunction()

# rl_add_oracle_tests(TOPIC NAME): CTest oracle.NN.NAME, the student's program with --oracle, which earns
# no points; and proof-oracle.NN.NAME.wide, the solution's with warps of 64 lanes on the CPU
# backend, where a variable sets the warp width.
function(rl_add_oracle_tests topic name)
  if(NOT BUILD_TESTING)
    return()
  endif()
  string(SUBSTRING "${topic}" 0 2 number)
  rl_add_student_test(oracle.${number}.${name} ${topic}-${name} ${topic}-oracle "oracle;topic-${number}")
  if(ROOFLINE_BACKEND STREQUAL "cpu" AND TARGET ${topic}-${name}-solution)
    set(test proof-oracle.${number}.${name}.wide)
    add_test(NAME ${test} COMMAND ${topic}-${name}-solution --oracle)
    set_tests_properties(${test} PROPERTIES ENVIRONMENT ROOFLINE_WARP_WIDTH=64
      LABELS "proof-oracle;topic-${number}")
  endif()
endfunction()

# rl_add_checklist(TOPIC): topics/T/checklist.txt has a line for each claim that a lab's
# measurements must satisfy: "NAME PROGRAM ARGUMENT...". Each becomes CTest test checklist.NN.NAME
# of the student's program and proof-checklist.NN.NAME of the solution's. They need an idle machine
# (label idle).
function(rl_add_checklist topic)
  set(file "${PROJECT_SOURCE_DIR}/topics/${topic}/checklist.txt")
  if(NOT BUILD_TESTING OR NOT EXISTS "${file}")
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  string(SUBSTRING "${topic}" 0 2 number)
  file(STRINGS "${file}" lines REGEX "^[a-z]")
  foreach(line IN LISTS lines)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words name program)
    add_test(NAME checklist.${number}.${name} COMMAND ${topic}-${program} ${words})
    add_test(NAME proof-checklist.${number}.${name} COMMAND ${topic}-${program}-solution ${words})
    set_tests_properties(checklist.${number}.${name} PROPERTIES
      LABELS "checklist;topic-${number}" RUN_SERIAL TRUE)
    set_tests_properties(proof-checklist.${number}.${name} PROPERTIES
      LABELS "proof-checklist;topic-${number};idle" RUN_SERIAL TRUE)
  endforeach()
endfunction()

function(rl_add_topic topic)
  set(folder "${PROJECT_SOURCE_DIR}/topics/${topic}")
  set(solution "${PROJECT_SOURCE_DIR}/solutions/${topic}")
  string(SUBSTRING "${topic}" 0 2 number)
  set(programs "")
  set(reference_programs "")

  file(GLOB oracles CONFIGURE_DEPENDS "${folder}/oracle/*.cpp")
  if(oracles)
    set(unit "${PROJECT_BINARY_DIR}/units/${topic}-oracle.cpp")
    rl_add_unit("${unit}" ${oracles})
    rl_add_served_program(${topic}-oracle ${topic} oracle rl::defaults "${unit}")
    target_include_directories(${topic}-oracle PRIVATE "${folder}/oracle")
    list(APPEND reference_programs ${topic}-oracle)
  endif()

  file(GLOB labs CONFIGURE_DEPENDS "${folder}/code/*.cu")
  foreach(source IN LISTS labs)
    get_filename_component(name "${source}" NAME_WE)
    rl_add_lab(${topic}-${name} ${topic} "${source}" rl::student_defaults)
    list(APPEND programs ${topic}-${name})
    rl_submitted_lab(${topic} ${name} "${source}")
    if(TARGET ${topic}-${name}-checked)
      # Built when it is judged. The course's own tests judge every starter: if they built them, one
      # after the other under the lock of the build tree, the other cores would be idle.
      if(NOT EXISTS "${solution}")
        set_target_properties(${topic}-${name}-checked ${topic}-${name}-checked-kernels PROPERTIES
          EXCLUDE_FROM_ALL TRUE)
      endif()
      rl_add_plain_checked_lab(${topic} ${name} "${source}")
    endif()
    if(NOT ROOFLINE_BACKEND STREQUAL "cpu")
      # A GPU compiler takes many seconds per file. The solution, a superset of the same file, is
      # always built; the student's by the target course, and when it is graded.
      set_target_properties(${topic}-${name} ${topic}-${name}-code PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endforeach()
  file(GLOB references CONFIGURE_DEPENDS "${solution}/code/*.cu")
  foreach(source IN LISTS references)
    get_filename_component(name "${source}" NAME_WE)
    rl_add_lab(${topic}-${name}-solution solutions/${topic} "${source}" rl::defaults)
    rl_precompile_lab(${topic}-${name}-solution solution)
    list(APPEND reference_programs ${topic}-${name}-solution)
    if(NOT ROOFLINE_COMPILE_ONLY OR "${topic}-${name}-solution" STREQUAL RL_FULL_LAB)
      add_dependencies(kernels ${topic}-${name}-solution)
    endif()
  endforeach()
  if(ROOFLINE_COMPILE_ONLY AND references)
    rl_add_kernels_unit(${topic} "${solution}" ${references})
  endif()
  foreach(source IN LISTS labs)
    get_filename_component(name "${source}" NAME_WE)
    rl_add_oracle_tests(${topic} ${name})
  endforeach()

  if(EXISTS "${folder}/formulas.cpp")
    rl_add_formulas(${topic}-formulas ${topic} "${folder}" "${folder}/formulas.cpp"
                    rl::student_defaults)
    rl_submitted_program(${topic} formulas functions "${folder}/formulas.cpp")
    list(APPEND programs ${topic}-formulas)
  endif()
  if(EXISTS "${solution}/formulas.cpp")
    file(GLOB wrong_formulas CONFIGURE_DEPENDS "${solution}/formulas_wrong.cpp")
    rl_add_formulas(${topic}-formulas-solution solutions/${topic} "${folder}"
                    "${solution}/formulas.cpp" rl::defaults ${wrong_formulas})
    rl_precompile_formulas(${topic}-formulas-solution solution)
    list(APPEND reference_programs ${topic}-formulas-solution)
  endif()
  file(GLOB answers CONFIGURE_DEPENDS "${solution}/answers*.cpp")
  if(answers)
    rl_add_served_program(${topic}-answers solutions/${topic} answers rl::defaults ${answers})
    target_link_libraries(${topic}-answers PRIVATE rl::llm)
    rl_leave_unoptimised(${topic}-answers)
    if(number STREQUAL "01")
      add_dependencies(first ${topic}-answers)
    endif()
    list(APPEND reference_programs ${topic}-answers)
  endif()
  foreach(program IN LISTS programs reference_programs)
    add_dependencies(course ${program})
  endforeach()

  file(GLOB parts CONFIGURE_DEPENDS "${folder}/*/CMakeLists.txt")
  foreach(part IN LISTS parts)
    get_filename_component(part "${part}" DIRECTORY)
    add_subdirectory("${part}")
  endforeach()
  rl_add_checklist(${topic})
  if(BUILD_TESTING AND EXISTS "${folder}/exercises.toml")
    rl_add_grading(${topic} "${folder}/exercises.toml")
  endif()
endfunction()

# A test of the student's own work: the programs are built when the test runs, so that edits take
# effect at once and a file that does not compile fails only its own test. It uses the grader's
# lock, because the grader builds in this tree too while other tests run.
find_program(FLOCK_PROGRAM flock)
mark_as_advanced(FLOCK_PROGRAM)
function(rl_add_student_test name target oracle labels)
  set(locked "")
  if(FLOCK_PROGRAM)
    set(locked "${FLOCK_PROGRAM}" "${PROJECT_BINARY_DIR}/.build-lock")
  endif()
  add_test(NAME ${name}.build COMMAND ${locked} ${CMAKE_COMMAND} --build "${PROJECT_BINARY_DIR}"
                                      --target ${target} ${oracle})
  # Run through cmake, because CTest looks for programs when it lists tests, before this one is
  # built.
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E env $<TARGET_FILE:${target}> --oracle)
  set_tests_properties(${name}.build PROPERTIES
    FIXTURES_SETUP ${name}.program LABELS "${labels}" RESOURCE_LOCK student-build)
  set_tests_properties(${name} PROPERTIES
    FIXTURES_REQUIRED ${name}.program LABELS "${labels}" SKIP_RETURN_CODE 77)
  if(NOT ROOFLINE_BACKEND STREQUAL "cpu")
    set_property(TEST ${name} APPEND PROPERTY LABELS gpu)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK gpu)
  endif()
endfunction()

if(EXISTS "${PROJECT_SOURCE_DIR}/solutions")
  set(RL_GRADING_RUNS grade proof-starter proof-solution)
else()
  set(RL_GRADING_RUNS check)
endif()

# rl_add_grading(TOPIC EXERCISES): CTest tests made from exercises.toml by the grader, once it is built:
#   grade.ID           the student's work (label grade)
#   proof-starter.ID   the starter is unsolved and earns nothing
#   proof-solution.ID  the solution earns all points
# Only if a class hands out no solutions:
#   check.ID           the student's work, against what `grader export-student` stored (label check)
function(rl_add_grading topic exercises)
  foreach(run IN LISTS RL_GRADING_RUNS)
    set(options "")
    if(run STREQUAL "proof-starter")
      set(options --expect-unsolved)
    elseif(run STREQUAL "proof-solution")
      set(options --solutions)
    endif()
    set(tests "${PROJECT_BINARY_DIR}/${run}/${topic}-tests.cmake")
    add_custom_command(OUTPUT "${tests}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${PROJECT_BINARY_DIR}/${run}"
      COMMAND grader ctest --topic "${PROJECT_SOURCE_DIR}/topics/${topic}"
              --build "${PROJECT_BINARY_DIR}" --prefix ${run} --fixture machine ${options}
              --out "${tests}"
      DEPENDS grader "${exercises}"
      COMMENT "Tests ${run} of ${topic} from exercises.toml"
      VERBATIM)
    list(APPEND scripts "${tests}")
    # Before the grader is built there is a single test, which fails and says so.
    set(include "${PROJECT_BINARY_DIR}/${run}/${topic}-include.cmake")
    file(WRITE "${include}"
      "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n"
      "  add_test(${run}.${topic}.not-built \"${CMAKE_COMMAND}\" -E false)\n"
      "  set_tests_properties(${run}.${topic}.not-built PROPERTIES LABELS ${run})\nendif()\n")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
  endforeach()
  add_custom_target(${topic}-grading ALL DEPENDS ${scripts})
  add_dependencies(course ${topic}-grading)
endfunction()

# Required by every grading test: this machine's roofs, measured once per build tree. Without a
# device nothing is measured, and the grader skips what needs it.
function(rl_add_machine_fixture)
  set(machine "${PROJECT_BINARY_DIR}/machine.json")
  add_test(NAME machine.roofs
           COMMAND ${CMAKE_COMMAND} -DROOFLINE=$<TARGET_FILE:roofline> -DMACHINE=${machine}
                   -P "${PROJECT_SOURCE_DIR}/cmake/measure_once.cmake")
  set_tests_properties(machine.roofs PROPERTIES
    FIXTURES_SETUP machine RUN_SERIAL TRUE LABELS "machine")
endfunction()

# CTest touches a file before it runs tests, and prints the score table after its summary.
function(rl_add_score_table)
  list(GET RL_GRADING_RUNS 0 run)
  set(results "${PROJECT_BINARY_DIR}/${run}")
  file(MAKE_DIRECTORY "${results}")
  file(WRITE "${PROJECT_BINARY_DIR}/CTestCustom.cmake"
    "set(CTEST_CUSTOM_PRE_TEST \"\\\"${CMAKE_COMMAND}\\\" -E touch \\\"${results}/session\\\"\")\n"
    "set(CTEST_CUSTOM_POST_TEST \"\\\"${CMAKE_COMMAND}\\\" \\\"-DGRADER=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/grader\\\" "
    "\\\"-DRESULTS=${results}\\\" -P \\\"${PROJECT_SOURCE_DIR}/cmake/score_table.cmake\\\"\")\n")
endfunction()

function(rl_add_topics)
  file(GLOB folders CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/topics"
       "${PROJECT_SOURCE_DIR}/topics/[0-9][0-9]-*")
  foreach(topic IN LISTS folders)
    rl_add_topic(${topic})
  endforeach()
  if(BUILD_TESTING)
    rl_add_machine_fixture()
    rl_add_score_table()
  endif()
endfunction()
