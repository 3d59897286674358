// SPDX-License-Identifier: MIT
// The check of a student's object file before it runs.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// The names that libraries define, each read once. Threads may share one object.
class LibraryNames {
 public:
  /// The library among `libraries` that defines a name strongly; without `and_shared` only static
  /// ones, with it also those of every program (C and C++). Empty if there is none.
  std::string owner_of(const std::string& name, const std::vector<std::filesystem::path>& libraries,
                       bool and_shared);

 private:
  const std::set<std::string>& names_of(const std::filesystem::path& library);
  const std::vector<std::filesystem::path>& of_every_program();

  std::mutex mutex_;
  std::map<std::filesystem::path, std::set<std::string>> names_;
  std::vector<std::filesystem::path> common_;
};

/// The exercise that a student's source is for.
enum class ObjectOf { kKernel, kFunction };

/// Why an object must not be linked with `libraries` and run, in words for the student; empty if it
/// may. It may define its own functions and data, but it must not
/// - define a name that a library defines,
/// - run code before main, except what the compiler generates for variables,
/// - choose functions at load time,
/// - have sections that the compiler has no use for,
/// - register oracles, answers or devices, or use what the harness keeps to itself,
/// - call what maps memory, finds functions by name, makes system calls or
///   interrupts the program, and, in a kernel's file, what starts threads.
///
/// An object that is not ELF is not checked.
std::string refusal_of(std::string_view object, LibraryNames& names,
                       const std::vector<std::filesystem::path>& libraries, ObjectOf what);

}  // namespace grader
