// SPDX-License-Identifier: MIT
// The readers behind import_profile(), and what they share.
#pragma once

#include <map>
#include <string>

#include "csv.hpp"
#include "roofline/profile.hpp"

namespace roofline {

/// Counter values of one launch, by name, in base units.
using Counters = std::map<std::string, double>;

/// Thrown inside a reader when one launch cannot be counted; becomes KernelProfile::problem.
struct CountingProblem {
  std::string reason;
};

/// The index of the header row of an ncu page, or rows.size().
std::size_t nsight_header(const CsvTable& table);
Profile read_nsight(const CsvTable& table, std::size_t header);

/// True for the header row of rocprofv3's counter_collection.csv.
bool is_rocprofv3_header(const CsvRow& row);
Profile read_rocprofv3(const CsvTable& table, const ImportOptions& options);

Profile read_rocpd(const std::filesystem::path& file, const ImportOptions& options);

/// FLOPs and bytes from an AMD GPU's counters. Throws CountingProblem.
KernelCounts counts_from_amd(const Counters& counters, double seconds,
                             const std::string& architecture, std::vector<std::string>& notes);

/// One launch of an AMD file: counts, or the reason why there are none.
void count_amd(KernelProfile& kernel, const Counters& counters, double seconds,
               const ImportOptions& options);

}  // namespace roofline
