// SPDX-License-Identifier: MIT
// The readers behind import_profile(), and the code that they share.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/csv.hpp"
#include "counter_text.hpp"
#include "roofline/profile.hpp"

namespace roofline {

/// Counter values of one launch, by name, in base units.
using Counters = std::map<std::string, double>;

/// What is known about one launch on an AMD GPU while a file is read.
struct Dispatch {
  KernelProfile kernel;
  Counters counters;
  double seconds = 0;
};

/// Thrown inside a reader if one launch cannot be counted; becomes KernelProfile::problem.
struct CountingProblem {
  std::string reason;
};

/// The index of the header row of an ncu page, or rows.size().
std::size_t nsight_header(const base::CsvTable& table);
/// `program` is the profiled program, for Profile::rerun; empty if the file does not say.
Profile read_nsight(const base::CsvTable& table, std::size_t header, const std::string& program);

/// True for the tables that ncu prints without --csv.
bool is_nsight_text(std::string_view content);
/// The program from ncu's line "==PROF== Connected to process 4242 (/path/to/program)", or "".
std::string nsight_program(std::string_view content);
/// The compute capability in a heading of ncu's text, "... Device 0, CC 9.0" -> "9.0", or "".
std::string nsight_text_capability(std::string_view content);
/// The ncu command that collects what read_nsight() reads on a GPU of this compute capability
/// ("9.0"); if that is unknown, without the tensor cores' counters.
std::string nsight_command(const std::string& program, const std::string& capability);

/// True for the content of a .ncu-rep file.
bool is_nsight_report(std::string_view content);
/// The output of `ncu --import FILE --csv --page raw`. Throws std::runtime_error if ncu is not
/// installed, with the command to run where it is, and if it fails, with its error.
std::string nsight_report_as_csv(const std::filesystem::path& file);

/// What a counter of arithmetic counts, in one word: "ffma", "FMA_F32", "bf16".
std::string counter_subject(const std::string& counter);

/// True for the header row of rocprofv3's counter_collection.csv.
bool is_rocprofv3_header(const base::CsvRow& row);
Profile read_rocprofv3(const base::CsvTable& table, const ImportOptions& options);

Profile read_rocpd(const std::filesystem::path& file, const ImportOptions& options);

/// FLOPs and bytes from an AMD GPU's counters. Throws CountingProblem.
KernelCounts counts_from_amd(const Counters& counters, double seconds,
                             const std::string& architecture, std::vector<std::string>& notes);

/// One launch of an AMD file: its counts, or the reason why there are none.
void count_amd(KernelProfile& kernel, const Counters& counters, double seconds,
               const ImportOptions& options);

}  // namespace roofline
