// SPDX-License-Identifier: MIT
// The page about a kernel as text, 80 columns wide.
#include "roofline/kernel/kernel_page.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "kernel_text.hpp"

namespace roofline {
namespace {

using base::formatted;

constexpr std::size_t kColumns = 80;
constexpr std::size_t kMostAdvice = 5;
constexpr int kContext = 1;  // lines of the source before and after one with figures

std::string wrapped(const std::string& text, std::size_t indent) {
  return base::wrap(text, kColumns, std::string(indent, ' '));
}

/// At most `width` characters, tabs as two spaces; never cuts a character in half.
std::string fitted(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t used = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    const std::size_t columns = c == '\t' ? 2 : begins ? 1 : 0;
    if (used + columns > width) break;
    result += c == '\t' ? "  " : std::string(1, c);
    used += columns;
  }
  result.erase(result.find_last_not_of(" \r") + 1);
  return result;
}

std::string head(const KernelReport& report, const KernelFindings& kernel) {
  const vgpu::Launch& launch = kernel.launch;
  const KernelTime& time = kernel.time;
  std::string text = wrapped(launch.kernel + ": " + shape_text(launch), 0);
  text += "  machine  " + fitted(report.machine.name, 50) + ", virtual\n";
  text += "  bound    " + bound_text(time) + "\n";
  text += "  time     " + time_text(time.expected_seconds) + ", between " +
          time_text(time.low_seconds) + " and " + time_text(time.high_seconds) + "\n";
  if (launch.blocks_run < launch.blocks()) {
    const std::string error =
        launch.sample_error < 0
            ? std::string("the sample is one wave, so its error is unknown")
            : formatted("its halves differ by %.2g %%", 100 * launch.sample_error);
    text += wrapped(formatted("sample: %lld of %lld blocks were run; ",
                              static_cast<long long>(launch.blocks_run),
                              static_cast<long long>(launch.blocks())) +
                        error,
                    2);
  }
  return text;
}

std::string occupancy_part(const KernelReport& report, const KernelFindings& kernel) {
  const vgpu::Launch& launch = kernel.launch;
  const Concurrency& flight = kernel.time.concurrency;
  std::string text = "\nOccupancy\n";
  const int blocks = launch.occupancy.blocks;
  text += formatted("  %.0f %% of the threads: %d block%s per multiprocessor, limited by %s\n",
                    100 * launch.occupancy.share, blocks, blocks == 1 ? "" : "s",
                    vgpu::to_string(launch.occupancy.limiter));
  text +=
      formatted("  %.3g wave%s, %d registers/thread%s", launch.waves, launch.waves == 1 ? "" : "s",
                launch.registers_per_thread, launch.registers_are_assumed ? " (assumed)" : "");
  if (launch.shared_bytes > 0) {
    text += ", " + bytes_text(static_cast<double>(launch.shared_bytes)) + " of shared memory/block";
  }
  text += "\n";
  if (flight.bytes_available > 0) {
    text += "  in flight: " + bytes_text(flight.bytes_available) +
            " of loads; DRAM needs at least " + bytes_text(flight.bytes_needed) + "\n";
  }
  text += formatted("  active lanes: %.0f %%\n", 100 * launch.lane_use(report.geometry.lanes));
  return text;
}

std::string units_part(const KernelTime& time) {
  std::string text = "\nUnits                                        work       time   of peak\n";
  for (const UnitTime& unit : time.units) {
    const std::string work =
        unit.what == "B" ? bytes_text(unit.amount) : count_text(unit.amount) + " " + unit.what;
    text += formatted("%c %-18s %30s %10s %8.0f %%\n", unit.name == time.bound ? '>' : ' ',
                      unit.name.c_str(), work.c_str(), time_text(unit.seconds).c_str(),
                      100 * unit.share_of_peak);
  }
  text += formatted("%c %-18s %30s %10s\n", time.bound == "latency" ? '>' : ' ', "latency", "",
                    time_text(time.chain_seconds).c_str());
  text += formatted("%c %-18s %30s %10s\n", time.bound == "launch" ? '>' : ' ', "launch", "",
                    time_text(time.start_seconds).c_str());
  return text;
}

std::string memory_part(const KernelReport& report, const vgpu::Launch& launch) {
  std::string text =
      "\nMemory             requests      sectors   /request      hits          bytes\n";
  bool has_shared = false;
  for (const MemoryRow& row : memory_rows(launch, report.geometry)) {
    has_shared = has_shared || row.sectors.ends_with("*");
    text += formatted("  %-15s %9s %12s %10s %9s %14s\n", row.name.c_str(), row.requests.c_str(),
                      row.sectors.c_str(), row.per_request.c_str(), row.hits.c_str(),
                      row.bytes.c_str());
  }
  if (has_shared) text += "  * wavefronts: passes over the banks of shared memory\n";
  return text;
}

std::string matrix_part(const vgpu::Launch& launch) {
  if (launch.matrix.empty()) return {};
  std::string text = "\nMatrix units         instructions          FLOPs\n";
  for (const MatrixRow& row : matrix_rows(launch)) {
    text += formatted("  %-18s %12s %14s\n", row.factors.c_str(), row.instructions.c_str(),
                      row.flops.c_str());
  }
  return text;
}

/// `row` and as much of the source as fits.
std::string with_source(const std::string& row, const std::string& source) {
  return fitted(row + source, kColumns) + "\n";
}

std::string listing_row(const LineFigures& line, bool is_bad, const std::string& source) {
  std::string sectors;
  for (const LineFigures::Global& access : line.global) {
    sectors += formatted("%s%.3g", sectors.empty() ? "" : "/", access.sectors);
  }
  const std::string conflicts = line.wavefronts > 0 ? count_text(line.conflicts) : "";
  const std::string requests = line.requests > 0 ? count_text(line.requests) : "";
  const std::string row =
      formatted("%c%4d %6s %7s %6s %5.3g | ", is_bad ? '!' : ' ', line.line, requests.c_str(),
                sectors.c_str(), conflicts.c_str(), line.lanes);
  return with_source(row, source);
}

/// Number of spaces that start every non-empty line.
std::size_t common_indent(const std::vector<std::string>& lines) {
  std::size_t indent = kColumns;
  for (const std::string& line : lines) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos) indent = std::min(indent, first);
  }
  return indent;
}

/// Lines of one file with figures, and a line of context around each.
std::string listing_of(const std::vector<LineFigures>& lines, const std::string& file,
                       const std::set<std::pair<std::string, int>>& bad, const Sources& sources) {
  std::string text =
      "\nSource: " + fitted(file, kColumns - 8) + "\n line   reqs sectors  confl lanes\n";
  // Only some compilers emit code for the end of a block.
  const auto is_shown = [&](const LineFigures& line) {
    return line.file == file && base::trimmed(source_line(sources, file, line.line)) != "}";
  };
  std::map<int, const LineFigures*> shown;
  for (const LineFigures& line : lines) {
    if (!is_shown(line)) continue;
    for (int near = line.line - kContext; near <= line.line + kContext; ++near) shown[near];
  }
  for (const LineFigures& line : lines) {
    if (is_shown(line)) shown[line.line] = &line;
  }
  std::vector<std::string> texts;
  for (const auto& [number, figures] : shown) texts.push_back(source_line(sources, file, number));
  const std::size_t indent = common_indent(texts);
  int previous = 0;
  for (const auto& [number, figures] : shown) {
    std::string source = source_line(sources, file, number);
    source.erase(0, std::min(indent, source.find_first_not_of(' ')));
    if (figures == nullptr && source.empty()) continue;
    if (previous > 0 && number > previous + 1) text += "  ...\n";
    previous = number;
    if (figures != nullptr) {
      text += listing_row(*figures, bad.count({file, number}) > 0, source);
    } else {
      text += with_source(formatted(" %4d %6s %7s %6s %5s | ", number, "", "", "", ""), source);
    }
  }
  return text;
}

std::string listing_part(const KernelReport& report, const KernelFindings& kernel,
                         const Sources& sources) {
  std::set<std::pair<std::string, int>> bad;
  for (const LineAdvice& advice : kernel.advice) bad.insert({advice.file, advice.line});
  const std::vector<LineFigures> lines = line_figures(kernel.launch, report.geometry);
  std::set<std::string> files;
  for (const LineFigures& line : lines) files.insert(line.file);
  std::string text;
  for (const std::string& file : files) text += listing_of(lines, file, bad, sources);
  if (!text.empty()) text += "  sectors: per request; 4/32: 4 per load, 32 per store\n";
  return text;
}

std::string advice_part(const KernelFindings& kernel) {
  std::string text = "\nAdvice\n";
  std::size_t given = 0;
  for (const LineAdvice& advice : kernel.advice) {
    if (given++ == kMostAdvice) break;
    text += wrapped(advice.file + ":" + std::to_string(advice.line) + ": " + advice.text, 2);
    text += "    read " + advice.section + "\n";
  }
  if (kernel.advice.empty()) text += "  No line wastes traffic.\n";
  if (kernel.advice.size() > kMostAdvice) {
    text += formatted("  and %zu more marked lines\n", kernel.advice.size() - kMostAdvice);
  }
  text += "\nAssumptions\n";
  for (const std::string& sentence : kernel.time.assumptions) text += wrapped(sentence, 2);
  return text;
}

}  // namespace

KernelReport report_of(const vgpu::Profile& profile, const Machine& machine,
                       const Efficiencies& reached, Code code) {
  KernelReport report{machine, profile.geometry, {}};
  for (const vgpu::Launch& launch : profile.launches) {
    report.kernels.push_back({launch, time_of(launch, machine, reached, code),
                              advise_on_lines(launch, profile.geometry)});
  }
  return report;
}

std::string kernel_page(const KernelReport& report, const Sources& sources) {
  std::string text;
  for (const KernelFindings& kernel : report.kernels) {
    if (!text.empty()) text += "\n" + std::string(kColumns, '-') + "\n";
    text += head(report, kernel) + occupancy_part(report, kernel) + units_part(kernel.time) +
            matrix_part(kernel.launch) + memory_part(report, kernel.launch) +
            listing_part(report, kernel, sources) + advice_part(kernel);
  }
  return text;
}

}  // namespace roofline
