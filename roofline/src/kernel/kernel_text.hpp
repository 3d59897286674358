// SPDX-License-Identifier: MIT
// Numbers and rows shared by the pages about a kernel.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "roofline/kernel/kernel_page.hpp"
#include "roofline/units.hpp"

namespace roofline {

/// "131", "0.25"; three digits.
std::string three_digits(double value);

/// "131 k", "4.19 M"; three digits.
std::string count_text(double count);

/// "1.50 us"; three digits.
inline std::string time_text(double seconds) {
  return format_quantity(seconds, kSeconds, 3);
}

inline std::string bytes_text(double bytes) {
  return format_quantity(bytes, kBytes, 3);
}

/// "87 %"; empty if the whole is zero.
std::string percent_text(double part, double whole);

/// A row of the memory table: name, requests, sectors, sectors per request, hits, bytes.
struct MemoryRow {
  std::string name;
  std::string requests, sectors, per_request, hits, bytes;
};
std::vector<MemoryRow> memory_rows(const vgpu::Launch& launch, const vgpu::Geometry& geometry);

/// A row of the table of matrix units: factors, instructions, FLOPs.
struct MatrixRow {
  std::string factors;
  std::string instructions, flops;
};
std::vector<MatrixRow> matrix_rows(const vgpu::Launch& launch);

/// The combined accesses of one line of the source.
struct LineFigures {
  /// Accesses to global memory of one kind; means per request.
  struct Global {
    const char* name = "";  ///< "loads", "stores", "atomics"
    double sectors = 0;
    double ideal = 0;
  };

  std::string file;
  int line = 0;
  double requests = 0;
  std::vector<Global> global;
  double conflicts = 0;
  double wavefronts = 0;
  double lanes = 0;  ///< mean per warp, over accesses and steps
  double flops = 0;
};

/// Sorted by file and line.
std::vector<LineFigures> line_figures(const vgpu::Launch& launch, const vgpu::Geometry& geometry);

/// Values of the metrics that kernel_csv() writes, by Nsight Compute's names, in base units.
std::map<std::string, double> metrics_of(const KernelFindings& kernel, const KernelReport& report);

/// "1024 x 4 blocks of 256 threads".
std::string shape_text(const vgpu::Launch& launch);

/// The sentence about what limits the launch.
std::string bound_text(const KernelTime& time);

/// Text of a line of a file; empty if the source is not available.
std::string source_line(const Sources& sources, const std::string& file, int line);

}  // namespace roofline
