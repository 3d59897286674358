// SPDX-License-Identifier: MIT
// Measurements that a lab program recorded (PROGRAM --json FILE).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace grader {

/// A recorded measurement, in base units.
struct Record {
  std::string program;
  std::string backend;
  std::string device;
  std::string commit;
  std::string time;
  std::int64_t n = 0;
  double bytes_moved = 0;
  double flops = 0;
  double seconds = 0;  ///< median
  double bytes_per_second = 0;
  double flops_per_second = 0;
};

/// Reads a record. @throws std::runtime_error in plain words when the file is missing, larger than
/// 1 MB, not JSON, of another format, or contradicts itself (rate x time is not the work).
Record read_record(const std::filesystem::path& file);

/// What the grader knows about a measurement independently of the student.
struct RecordTerms {
  std::string program;
  std::string backend;
  std::string device;      ///< as reported by a program of the course
  std::int64_t least_n{};  ///< smaller sizes would fit in the caches
};

/// Why a record is refused before anything is measured; empty when it is not.
std::string contradiction(const Record& record, const RecordTerms& terms);

/// Why its work is refused when the task has `flops` and `bytes_moved` for the same n; empty when
/// it is not.
std::string other_work(const Record& record, double flops, double bytes_moved);

}  // namespace grader
