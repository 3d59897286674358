// SPDX-License-Identifier: MIT
// The corpus: every attack that is tried, and every honest twin, as a row of the guide's table.
#pragma once

#include <string>
#include <vector>

namespace corpus {

/// Where an attack is stopped.
enum class Where { kBoth, kSandboxOnly };

struct Row {
  std::string name;
  std::string stopped_by;  ///< empty for an honest twin
  Where where = Where::kBoth;
};

// One function for each file of cases; the test cases there try the same lists.
std::vector<Row> hand_in_rows();
std::vector<Row> object_rows();
std::vector<Row> process_rows();
std::vector<Row> source_rows();
std::vector<Row> number_rows();
std::vector<Row> record_rows();
/// From the heads of the kernels beside this file.
std::vector<Row> kernel_rows();

}  // namespace corpus
