// SPDX-License-Identifier: MIT
// The student's commands, one function each. Each returns the exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "course.hpp"

namespace cli {

/// Measures this machine's roofs unless they are known, and shows them and the first exercise.
int start(const Course& course, bool measure_again);

/// Shows the first exercise without full points: file, task, command.
int next(const Course& course);

/// Builds and judges the exercises with these ids or prefixes, or all if there are none. Returns 0
/// if all points were earned, else 1.
int check(const Course& course, const std::vector<std::string>& prefixes, std::uint64_t seed);

/// Judges one exercise whenever one of its files is saved, and reacts to keys. An empty `id` means
/// the first unsolved exercise. `polling`: check the files instead of using the system's events.
int watch(const std::filesystem::path& root, const std::filesystem::path& build,
          const std::string& id, bool polling);

/// Lists all exercises with their points, or those with a prefix.
int list(const Course& course, const std::string& prefix);

/// Prints a bar of points per topic, or the same as JSON.
int progress(const Course& course, bool json);

/// Shows one more hint each time; .lab/hints.json stores the count.
int hint(const Course& course, const std::string& id);

/// Restores an exercise's part of the files from the starter (`whole_file`: the whole files), and
/// keeps the old text in a file next to each.
int reset(const Course& course, const std::string& id, bool whole_file);

/// Shows the solution of an exercise once it is solved, or if the student insists.
int show(const Course& course, const std::string& id, bool spoiler);

/// How ./lab profile runs a kernel, and what it prints.
struct ProfileOptions {
  std::string machine = "h200-sxm";  ///< id or file
  std::string entry;                 ///< in a file of the user's own; empty: its first
  std::int64_t n = 0;                ///< 0: chosen
  int registers = 0;                 ///< per thread; 0: assumed
  int multiprocessors = 0;           ///< with unrolled code; 0: as the exercise is judged
  bool json = false;
  bool csv = false;
  std::string html;     ///< file to write
  std::string compare;  ///< file of a profile from a real GPU
};

/// Profiles an exercise's kernel, or one in a .cu file with its own HARNESS_LAB, on the virtual
/// GPU: what bounds it, its time, and what each line does.
int profile(const Course& course, const std::string& target, const ProfileOptions& options);

/// Draws this machine's roofline with the kernels timed on it; `out` also writes a picture.
int roofline_chart(const Course& course, const std::string& out);

/// Topic 04's engine continues a text; `mine` uses the student's kernels. `arguments` are those of
/// the program engine.
int engine(const Course& course, bool mine, std::vector<std::string> arguments);

/// The same for each line that the user types.
int chat(const Course& course, bool mine, std::vector<std::string> arguments);

}  // namespace cli
