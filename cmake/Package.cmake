# SPDX-License-Identifier: MIT
# Libraries, headers and the CMake package RooflineLabs as installed by `cmake --install`, component
# sdk: for building labs outside this repository, and for compiling submissions.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(RL_PACKAGE_FOLDER "${CMAKE_INSTALL_LIBDIR}/cmake/RooflineLabs")
set(rl_headers "${CMAKE_INSTALL_INCLUDEDIR}/roofline-labs")

set(RL_SDK_LIBRARIES rl_base rl_virtual_gpu rl_gpu rl_gpu_blas rl_protocol rl_harness rl_harness_main
    rl_lab rl_roofline rl_llm)
if(ROOFLINE_CAN_CHECK_KERNELS)
  list(APPEND RL_SDK_LIBRARIES rl_gpu_check)
endif()
foreach(library IN LISTS RL_SDK_LIBRARIES ITEMS rl_defaults rl_student_defaults rl_checked_link)
  string(REGEX REPLACE "^rl_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  # The location of headers differs between the build tree and the installed package.
  get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    list(TRANSFORM folders REPLACE "^([^$].*)$" "$<BUILD_INTERFACE:\\1>")
    set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folders}")
  endif()
endforeach()
install(TARGETS ${RL_SDK_LIBRARIES} rl_defaults rl_student_defaults rl_checked_link
  EXPORT RooflineLabs
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/roofline-labs" COMPONENT sdk
  INCLUDES DESTINATION "${rl_headers}")

set(rl_header_folders base/include gpu/include gpu/${ROOFLINE_BACKEND}/include gpu/virtual/include
    harness/include roofline/include)
if(NOT ROOFLINE_BACKEND STREQUAL "cpu")
  list(APPEND rl_header_folders gpu/cuda_hip/include)
endif()
list(TRANSFORM rl_header_folders APPEND "/")
install(DIRECTORY ${rl_header_folders} DESTINATION "${rl_headers}" COMPONENT sdk
  FILES_MATCHING PATTERN "*.hpp" PATTERN "oracle" EXCLUDE)
if(ROOFLINE_CAN_CHECK_KERNELS)
  install(DIRECTORY gpu/cpu/check/include/ DESTINATION "${rl_headers}-checked" COMPONENT sdk
    FILES_MATCHING PATTERN "*.hpp")
endif()

configure_package_config_file(cmake/package/RooflineLabsConfig.cmake.in
  "${PROJECT_BINARY_DIR}/package/RooflineLabsConfig.cmake" INSTALL_DESTINATION "${RL_PACKAGE_FOLDER}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/RooflineLabsConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(EXPORT RooflineLabs FILE RooflineLabsTargets.cmake NAMESPACE rl::
  DESTINATION "${RL_PACKAGE_FOLDER}" COMPONENT sdk)
install(FILES "${PROJECT_BINARY_DIR}/package/RooflineLabsConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/RooflineLabsConfigVersion.cmake"
              cmake/LabPrograms.cmake
  DESTINATION "${RL_PACKAGE_FOLDER}" COMPONENT sdk)

# --- The programs, component programs: found relative to one another (base/program.hpp). ---
install(TARGETS lab grader roofline RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
set(RL_SHARE "${CMAKE_INSTALL_DATADIR}/roofline-labs")
install(DIRECTORY data DESTINATION "${RL_SHARE}" COMPONENT programs)
install(FILES cli/completion/lab.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  RENAME lab COMPONENT programs)
install(FILES cli/completion/lab.zsh DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
  RENAME _lab COMPONENT programs)
install(FILES cli/completion/lab.fish
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT programs)
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT programs)
install(DIRECTORY tests/package/own_kernel DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
  COMPONENT sdk OPTIONAL)

# A manual page is the --help output of a program and its commands.
foreach(program IN ITEMS lab grader roofline)
  set(page "${PROJECT_BINARY_DIR}/man/${program}.1")
  add_custom_command(OUTPUT "${page}"
    COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:${program}>" "-DPAGE=${page}"
            "-DVERSION=${PROJECT_VERSION}" -P "${PROJECT_SOURCE_DIR}/cmake/manual_page.cmake"
    DEPENDS ${program} "${PROJECT_SOURCE_DIR}/cmake/manual_page.cmake"
    COMMENT "Manual page of ${program}"
    VERBATIM)
  list(APPEND rl_manual_pages "${page}")
endforeach()
add_custom_target(manual-pages ALL DEPENDS ${rl_manual_pages})
install(FILES ${rl_manual_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs)

# What grader and roofline know about their own options; ./lab has a file for each shell.
foreach(program IN ITEMS grader roofline)
  set(script "${PROJECT_BINARY_DIR}/completion/${program}")
  add_custom_command(OUTPUT "${script}"
    COMMAND ${program} --completion > "${script}"
    DEPENDS ${program}
    COMMENT "Completion of ${program}"
    VERBATIM)
  list(APPEND rl_completions "${script}")
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/completion")
add_custom_target(completions ALL DEPENDS ${rl_completions})
install(FILES ${rl_completions} DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  COMPONENT programs)

# --- cpack -G DEB. Configured with -DROOFLINE_NATIVE=OFF, or it runs only on machines like this one. ---
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roofline-labs)
set(CPACK_PACKAGE_CONTACT "The Roofline Labs authors <roofline-labs@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, libjs-chart.js, gnuplot-nox")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "g++, cmake, ninja-build, libboost-context-dev, libtomlplusplus-dev, libsqlite3-dev, libdw-dev")
set(CPACK_COMPONENTS_ALL programs sdk)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
include(CPack)
