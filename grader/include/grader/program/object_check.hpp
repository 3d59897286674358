// SPDX-License-Identifier: MIT
// The look at a student's object file before it runs.
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
  /// The library among `libraries` that defines a name strongly; with `and_common` also among those
  /// that every program has (C and C++). Empty when none does.
  std::string owner_of(const std::string& name, const std::vector<std::filesystem::path>& libraries,
                       bool and_common);

 private:
  const std::set<std::string>& names_of(const std::filesystem::path& library);
  const std::vector<std::filesystem::path>& of_every_program();

  std::mutex mutex_;
  std::map<std::filesystem::path, std::set<std::string>> names_;
  std::vector<std::filesystem::path> common_;
};

/// What a student's source is for.
enum class ObjectOf { kKernel, kFunction };

/// Why an object must not be linked with `libraries` and run, in words for the student; empty when
/// it may. It may define any functions and data of its own, but no name that a library defines; no
/// code that runs before main besides what the compiler makes for variables; no function chosen at
/// load time; no sections that the compiler has no use for; and it may not register oracles,
/// answers or devices, nor use what the harness keeps to itself; nor may it call what maps memory,
/// finds functions by name, asks the system for anything or interrupts the program, and, in a
/// kernel's file, what starts threads. An object that is not ELF is not looked at.
std::string refusal_of(std::string_view object, LibraryNames& names,
                       const std::vector<std::filesystem::path>& libraries, ObjectOf what);

}  // namespace grader
