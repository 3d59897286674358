// SPDX-License-Identifier: MIT
// bubblewrap for compiling and running student code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/program/process.hpp"

namespace grader {

/// How student code is isolated.
enum class Isolation {
  kLight,   ///< own process, limits, clean environment: for a student's own machine
  kSandbox  ///< the same inside bubblewrap: no network, no solutions, no home, private /tmp
};

/// True when bubblewrap is installed and may make namespaces on this machine.
bool sandbox_available();

/// Parts of the machine that a program needs besides the system's libraries.
struct MachineParts {
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of the tree it was built in
  bool gpu = false;                            ///< pass the GPUs' device files through
};

/// The command that runs PROGRAM (a file below `programs`) with --serve. It sees only the system's
/// libraries, these parts, and that folder, read-only, at /lab.
Command sandboxed_program(const std::filesystem::path& programs,
                          const std::filesystem::path& program, const MachineParts& parts);

/// The folders that a student's program is compiled in, and that its compiler sees besides the
/// system.
struct CompileFolders {
  /// Where `work` appears inside the sandbox.
  static constexpr const char* kPlace = "/submission";

  std::filesystem::path sdk;      ///< sdk_of() the course's build tree
  std::filesystem::path work;     ///< work/topics: the submission; work/build: the output
  std::filesystem::path headers;  ///< the course's compiled headers; empty when there are none
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of the course's build tree
};

/// The command that runs a compiler or linker in kPlace/build. Only the course's package and the
/// submission are visible: no solutions, tests, oracles or classmates' work.
Command sandboxed_compile(const CompileFolders& folders, const std::vector<std::string>& command);

/// The folders that it shows the compiler, by their names outside of the sandbox: what a file may
/// be read from where there is none.
std::vector<std::filesystem::path> folders_for_compiler(const CompileFolders& folders);

}  // namespace grader
