// SPDX-License-Identifier: MIT
// The student's commands, one function each. Each returns the exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "course.hpp"

namespace cli {

/// Measures this machine's roofs unless that was done, shows them, and then the first exercise.
int start(const Course& course, bool measure_again);

/// The first exercise that does not have all its points: file, task, command.
int next(const Course& course);

/// Builds and judges the exercises with these ids or prefixes; all of them when there are none.
/// 0 when all points were earned, 1 when not.
int check(const Course& course, const std::vector<std::string>& prefixes, std::uint64_t seed);

/// Judges one exercise whenever one of its files is saved, and listens to keys. `id` empty: the
/// first that is not solved. `polling`: look at the files instead of asking the system for events.
int watch(const std::filesystem::path& root, const std::filesystem::path& build,
          const std::string& id, bool polling);

/// Every exercise with its points, or those of a prefix.
int list(const Course& course, const std::string& prefix);

/// A bar of the points of each topic, or the same as JSON.
int progress(const Course& course, bool json);

/// One more hint each time; .lab/hints.json keeps the count.
int hint(const Course& course, const std::string& id);

/// Restores an exercise's part of the files to the starter (`whole_file`: the whole files), and
/// keeps what was there beside them.
int reset(const Course& course, const std::string& id, bool whole_file);

/// The solution of an exercise, once it is solved or the student insists.
int show(const Course& course, const std::string& id, bool spoiler);

/// How ./lab profile runs a kernel, and what it prints.
struct ProfileOptions {
  std::string machine = "h200-sxm";  ///< id or file
  std::string entry;                 ///< in a file of the user's own; empty: its first
  std::int64_t n = 0;                ///< 0: chosen
  int registers = 0;                 ///< of a thread; 0: assumed
  bool json = false;
  bool csv = false;
  std::string html;     ///< file to write
  std::string compare;  ///< a real profile's file
};

/// An exercise's kernel on the virtual GPU, or that of a .cu file with a HARNESS_LAB of its own:
/// what bounds it, its time, and what each line does.
int profile(const Course& course, const std::string& target, const ProfileOptions& options);

/// This machine's roofline with the kernels that were timed on it; `out` also writes a picture.
int roofline_chart(const Course& course, const std::string& out);

/// Topic 04's engine continues a text; `mine`: with the student's kernels. The arguments are those
/// of the program engine.
int engine(const Course& course, bool mine, std::vector<std::string> arguments);

/// The same for each line that is typed.
int chat(const Course& course, bool mine, std::vector<std::string> arguments);

}  // namespace cli
