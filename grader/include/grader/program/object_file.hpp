// SPDX-License-Identifier: MIT
// The content of an object file, as the linker will see it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A name that an object file defines or needs, visible to other files.
struct ObjectSymbol {
  std::string name;
  bool is_defined = false;
  bool is_strong = false;  ///< not weak, and not one of many copies of a template
  bool is_code = false;
  bool is_ifunc = false;  ///< chosen by a function that runs before main
};

/// The parts of an ELF file that matter before it is run.
struct ObjectFile {
  std::vector<ObjectSymbol> symbols;
  std::vector<std::string> sections;
  /// Functions that run before or after main, by name; "?" for one without.
  std::vector<std::string> hooks;
};

/// Reads a 64-bit ELF object or library; `is_elf` tells whether it was one. Never reads outside the
/// given bytes, whatever they contain.
ObjectFile parse_object(std::string_view bytes, bool& is_elf);

/// The names that a library (.so, or .a with its members) defines: all of C's, and the strong ones
/// of C++.
std::set<std::string> names_defined_by(const std::filesystem::path& library);

}  // namespace grader
