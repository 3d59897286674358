// SPDX-License-Identifier: MIT
// Hand-ins of every shape: where files lie in what a student hands in, and under which names.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/archives.hpp"

namespace adversarial {

/// A student's right sources of topic 02, which the shapes hold.
struct Work {
  std::string formulas;
  std::string saxpy;
};

/// Formulas that lie beside the right ones and must not be taken: they do not compile.
std::string other_attempt(const std::string& formulas);

/// The same text with the line ends of Windows.
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
  /// Writes it as STEM with an ending of its own.
  std::function<std::filesystem::path(const std::filesystem::path& stem)> make;
};

const std::vector<BadArchive>& bad_archives();

}  // namespace adversarial
