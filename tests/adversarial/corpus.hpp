// SPDX-License-Identifier: MIT
// The corpus: every attack that is tried, and every honest twin, as a row of the guide's table.
#pragma once

#include <string>
#include <vector>

namespace corpus {

/// Where an attack is stopped.
enum class Where {
  kEverywhere,
  kHandedIn,    ///< a batch, with bubblewrap or without; elsewhere nothing is handed in
  kBatch,       ///< the same, and not a student's own ./lab check
  kSandboxOnly  ///< a batch with bubblewrap
};

/// How it was tried, as the guide says it.
inline constexpr const char* kTriedBoth = "with bubblewrap and without";
inline constexpr const char* kTriedInSandbox = "with bubblewrap";
inline constexpr const char* kTriedLight = "without bubblewrap";
inline constexpr const char* kTriedReading = "no program runs";
inline constexpr const char* kTriedObject = "an object of GCC or clang";

struct Row {
  std::string name;
  std::string stopped_by = {};  ///< empty for an honest twin
  std::string tried = {};       ///< empty for an honest twin
  Where where = Where::kEverywhere;
};

// One function per file of cases; the test cases there use the same lists.
std::vector<Row> hand_in_rows();
std::vector<Row> object_rows();
std::vector<Row> process_rows();
std::vector<Row> source_rows();
std::vector<Row> number_rows();
std::vector<Row> record_rows();
/// From the headers of the kernel files next to this one.
std::vector<Row> kernel_rows();

}  // namespace corpus
