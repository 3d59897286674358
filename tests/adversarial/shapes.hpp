// SPDX-License-Identifier: MIT
// Hand-ins of every shape: where their files are, and what they are called.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/archives.hpp"

namespace adversarial {

/// A student's correct sources for topic 02, which the shapes contain.
struct Work {
  std::string formulas;
  std::string saxpy;
};

/// Formulas next to the right ones that must not be chosen: they do not compile.
std::string other_attempt(const std::string& formulas);

/// The same text with Windows line ends.
std::string with_windows_lines(const std::string& text);

/// A submission and what must be taken from it.
struct HandIn {
  std::string name;
  std::vector<support::Entry> entries;
  std::map<std::string, std::string> taken;
  std::string noted = {};       ///< must be part of a note
  std::string stopped_by = {};  ///< empty for an honest one
  bool in_folder = true;        ///< for names that only archives can hold
};

std::vector<HandIn> hand_ins(const Work& work);

/// Writes the files and links of a hand-in into a folder.
void write_folder(const HandIn& hand_in, const std::filesystem::path& folder);

/// An attack by the archive itself, and the words of the refusal.
struct BadArchive {
  std::string name;
  std::string stopped_by;
  std::string says;
  /// Writes it as STEM with its own extension.
  std::function<std::filesystem::path(const std::filesystem::path& stem)> make;
};

const std::vector<BadArchive>& bad_archives();

}  // namespace adversarial
