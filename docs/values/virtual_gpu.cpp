// SPDX-License-Identifier: MIT
// The virtual GPU compared with a real one, for the write-ups: patterns of
// tests/virtual_gpu/patterns.cu.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "roofline/machine.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

/// What a column of a table shows for a pattern, from the virtual GPU or from the hardware.
using Figure = std::string (*)(const Sources&, const std::string& pattern, const char* of);

double cell(const Sources& sources, const std::string& pattern, const std::string& figure,
            const char* of) {
  return sources.measured_number("virtual_gpu_h200.csv", {{"pattern", pattern}, {"figure", figure}},
                                 of);
}

std::string sectors(const Sources& sources, const std::string& pattern, const char* of,
                    const std::string& access) {
  return fixed(cell(sources, pattern, access + " sectors", of) /
                   cell(sources, pattern, access + " requests", of),
               1);
}

std::string sectors_a_load(const Sources& sources, const std::string& pattern, const char* of) {
  return sectors(sources, pattern, of, "load");
}
std::string sectors_a_store(const Sources& sources, const std::string& pattern, const char* of) {
  return sectors(sources, pattern, of, "store");
}
std::string mb_read(const Sources& sources, const std::string& pattern, const char* of) {
  return fixed(cell(sources, pattern, "DRAM bytes read", of) / 1e6, 1);
}
std::string microseconds(const Sources& sources, const std::string& pattern, const char* of) {
  return fixed(cell(sources, pattern, "time", of) * 1e6, 1);
}
std::string passes_of_loads(const Sources& sources, const std::string& pattern, const char* of) {
  return fixed(cell(sources, pattern, "shared load wavefronts", of) / 1e6, 2);
}

struct Column {
  const char* head;
  Figure figure;
};

constexpr Column kSectorsALoad{"sectors a load", sectors_a_load};
constexpr Column kSectorsAStore{"sectors a store", sectors_a_store};
constexpr Column kMbRead{"MB read from DRAM", mb_read};
constexpr Column kMicroseconds{"us", microseconds};
constexpr Column kPasses{"million passes of shared loads", passes_of_loads};

/// Every value twice: virtual, and measured.
std::string side_by_side(const Sources& sources, const std::vector<std::string>& patterns,
                         const std::vector<Column>& columns) {
  Row heads{"pattern"};
  for (const Column& column : columns) {
    heads.push_back(fmt::format("{}, virtual", column.head));
    heads.push_back(fmt::format("{}, H200", column.head));
  }
  std::vector<Row> rows;
  for (const std::string& pattern : patterns) {
    Row row{pattern};
    for (const Column& column : columns) {
      row.push_back(column.figure(sources, pattern, "virtual"));
      row.push_back(column.figure(sources, pattern, "hardware"));
    }
    rows.push_back(row);
  }
  return docs::markdown_table(heads, rows);
}

const std::vector<std::string> kCopies = {
    "copy, stride 1",      "copy, stride 2",      "copy, stride 8",
    "copy, stride 32",     "copy, offset 1",      "copy, offset 8",
    "array of structures", "structure of arrays", "sums of rows"};
DOC_FORMULA("01.table.warp_sectors", side_by_side(s, kCopies, {kSectorsALoad, kSectorsAStore}))
DOC_FORMULA("01.table.warp_times", side_by_side(s, kCopies, {kMbRead, kMicroseconds}))

DOC_VALUE("01.warp_times.worst", [](const Sources& sources) {
  double worst = 0;
  for (const std::string& pattern : kCopies) {
    const double off =
        cell(sources, pattern, "time", "virtual") / cell(sources, pattern, "time", "hardware") - 1;
    worst = std::max(worst, std::abs(off));
  }
  return fixed(100 * worst, 0);
})

DOC_FORMULA("02.table.in_flight",
            side_by_side(s,
                         {"copy, stride 1", "copy of float2", "copy of float4",
                          "20 MB read three times", "64 blocks that read"},
                         {kMbRead, kMicroseconds}))

// Little's law for an H200.
double latency_seconds(const Sources& sources) {
  return sources.machine("h200-sxm").multiprocessor->dram.latency_seconds;
}
double bytes_needed(const Sources& sources) {
  return roofline::bandwidth(sources.machine("h200-sxm")) * latency_seconds(sources);
}
DOC_FORMULA("02.vgpu.latency_ns", fixed(latency_seconds(s) * 1e9, 0))
DOC_FORMULA("02.vgpu.bytes_needed_mb", fixed(bytes_needed(s) / 1e6, 2))
DOC_VALUE("02.vgpu.bytes_per_thread", [](const Sources& sources) {
  const roofline::Multiprocessor part = *sources.machine("h200-sxm").multiprocessor;
  return fixed(bytes_needed(sources) / (part.count * part.resident.max_threads), 1);
})
constexpr double kFewThreads = 132.0 * 256, kLoadsInFlight = 4;
constexpr double kFewLoads = kFewThreads * kLoadsInFlight;
DOC_FORMULA("q.02.in_flight_float_kb", fixed(4 * kFewLoads / 1e3, 0))
DOC_FORMULA("q.02.in_flight_float4_kb", fixed(16 * kFewLoads / 1e3, 0))

DOC_FORMULA("03.table.lanes",
            side_by_side(s, {"branches", "reduction, interleaved", "reduction, sequential"},
                         {kPasses, kMicroseconds}))
/// Active threads per warp instruction on the H200, from the counters of "branches".
DOC_VALUE("03.vgpu.branch_lanes", [](const Sources& sources) {
  const std::filesystem::path file =
      sources.data().parent_path() / "tests" / "virtual_gpu" / "h200_patterns.csv";
  std::vector<std::string> heads;
  std::istringstream lines(base::read_file(file));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; (at = line.find('"', at)) != std::string::npos;) {
      const std::size_t end = line.find('"', at + 1);
      cells.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    if (!cells.empty() && cells[0] == "ID") heads = cells;
    if (line.find("::branches(") == std::string::npos) continue;
    const auto column =
        std::find(heads.begin(), heads.end(), "smsp__thread_inst_executed_per_inst_executed.ratio");
    return fixed(std::stod(cells.at(static_cast<std::size_t>(column - heads.begin()))), 1);
  }
  throw std::runtime_error(file.string() + " has no counters of branches");
})
DOC_FORMULA("03.table.atomics",
            side_by_side(s, {"histogram, global atomics", "histogram, shared atomics"},
                         {kMbRead, kMicroseconds}))
DOC_FORMULA("03.vgpu.histogram_gain",
            fixed(cell(s, "histogram, global atomics", "time", "hardware") /
                      cell(s, "histogram, shared atomics", "time", "hardware"),
                  0))
DOC_FORMULA("03.table.reuse", side_by_side(s,
                                           {"20 MB read three times", "40 MB read three times",
                                            "80 MB read three times"},
                                           {kMbRead, kMicroseconds}))
DOC_FORMULA("03.table.banks",
            side_by_side(s, {"transpose, tiled", "transpose, padded", "transpose, swizzled"},
                         {kPasses, kMicroseconds}))
DOC_FORMULA("03.table.columns",
            side_by_side(s, {"sums of rows", "sums of columns"}, {kSectorsALoad, kMicroseconds}))

}  // namespace
