// SPDX-License-Identifier: MIT
// The page about a kernel as HTML, with the roofline chart above.
#include <algorithm>
#include <set>
#include <sstream>

#include "base/html.hpp"
#include "base/text.hpp"
#include "kernel_text.hpp"
#include "roofline/chart/chart_html.hpp"

namespace roofline {
namespace {

const char* const kStyle = R"css(<style>
pre.source { line-height: 1.35; overflow-x: auto; }
pre.source span { display: inline-block; min-width: 100%; }
pre.source span.at { background: #0072b222; }
pre.source span.bad { background: #d55e0044; }
pre.source span:hover { outline: 1px solid; }
</style>
)css";

/// Cells of a table row, the first as text and the others as numbers.
std::string html_row(const std::vector<std::string>& cells) {
  std::string row = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    row += (i == 0 ? "<td>" : "<td class=\"number\">") + base::html_escaped(cells[i]) + "</td>";
  }
  return row + "</tr>\n";
}

std::string table_of(const std::vector<std::string>& header, const std::string& rows) {
  std::string text = "<table><thead><tr>";
  for (const std::string& name : header) text += "<th>" + base::html_escaped(name) + "</th>";
  return text + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n";
}

std::string units_table(const KernelTime& time) {
  std::string rows;
  for (const UnitTime& unit : time.units) {
    const std::string work =
        unit.what == "B" ? bytes_text(unit.amount) : count_text(unit.amount) + " " + unit.what;
    rows +=
        html_row({unit.name, work, time_text(unit.seconds), percent_text(unit.share_of_peak, 1)});
  }
  rows += html_row({"latency", "", time_text(time.chain_seconds), ""});
  rows += html_row({"launch", "", time_text(time.start_seconds), ""});
  return table_of({"unit", "work", "time", "of peak"}, rows);
}

std::string matrix_table(const vgpu::Launch& launch) {
  if (launch.matrix.empty()) return {};
  std::string rows;
  for (const MatrixRow& row : matrix_rows(launch)) {
    rows += html_row({row.factors, row.instructions, row.flops});
  }
  return table_of({"matrix units", "instructions", "FLOPs"}, rows);
}

std::string memory_table(const vgpu::Launch& launch, const vgpu::Geometry& geometry) {
  std::string rows;
  for (const MemoryRow& row : memory_rows(launch, geometry)) {
    rows += html_row({row.name, row.requests, row.sectors, row.per_request, row.hits, row.bytes});
  }
  return table_of(
      {"memory", "requests", "sectors (* passes over the banks)", "per request", "hits", "bytes"},
      rows);
}

/// The text shown when the pointer is on a line of the source.
std::string tip_of(const LineFigures& line, const LineAdvice* advice) {
  std::ostringstream tip;
  if (line.requests > 0) tip << count_text(line.requests) << " requests";
  for (const LineFigures::Global& access : line.global) {
    tip << ", " << access.name << ": " << count_text(access.sectors) << " sectors each (ideal "
        << count_text(access.ideal) << ")";
  }
  if (line.wavefronts > 0) {
    tip << ", " << count_text(line.conflicts) << " bank conflicts in "
        << count_text(line.wavefronts) << " passes";
  }
  if (tip.tellp() > 0) tip << "; ";
  tip << count_text(line.lanes) << " active lanes";
  if (line.flops > 0) tip << ", " << count_text(line.flops) << " FLOP";
  if (advice != nullptr) tip << ". " << advice->text << " See " << advice->section;
  return tip.str();
}

std::string source_of(const std::vector<LineFigures>& lines, const KernelFindings& kernel,
                      const std::string& file, const std::vector<std::string>& source) {
  std::string text = "<h3>" + base::html_escaped(file) + "</h3>\n<pre class=\"source\">";
  for (std::size_t i = 0; i < source.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    const std::string shown = base::formatted("%4d  ", number) + base::html_escaped(source[i]);
    const auto figures = std::find_if(lines.begin(), lines.end(), [&](const LineFigures& line) {
      return line.file == file && line.line == number;
    });
    const auto advice = std::find_if(
        kernel.advice.begin(), kernel.advice.end(),
        [&](const LineAdvice& line) { return line.file == file && line.line == number; });
    const bool is_bad = advice != kernel.advice.end();
    if (figures == lines.end()) {
      text += "<span>" + shown + "</span>\n";
    } else {
      text += std::string("<span class=\"") + (is_bad ? "bad" : "at") + "\" title=\"" +
              base::html_escaped(tip_of(*figures, is_bad ? &*advice : nullptr)) + "\">" + shown +
              "</span>\n";
    }
  }
  return text + "</pre>\n";
}

std::string section_of(const KernelReport& report, const KernelFindings& kernel,
                       const Sources& sources) {
  const KernelTime& time = kernel.time;
  std::string text =
      "<h2>" + base::html_escaped(kernel.launch.kernel) + "</h2>\n<p>" +
      base::html_escaped(shape_text(kernel.launch)) + " on " +
      base::html_escaped(report.machine.name) + ", virtual. Bound: <b>" +
      base::html_escaped(bound_text(time)) + "</b>. Time: <b>" + time_text(time.expected_seconds) +
      "</b>, between " + time_text(time.low_seconds) + " and " + time_text(time.high_seconds) +
      ".</p>\n<p>Occupancy " + percent_text(kernel.launch.occupancy.share, 1) + ", limited by " +
      vgpu::to_string(kernel.launch.occupancy.limiter) + "; active lanes " +
      percent_text(kernel.launch.lane_use(report.geometry.lanes), 1) + ".</p>\n";
  text += units_table(time) + matrix_table(kernel.launch) +
          memory_table(kernel.launch, report.geometry);
  const std::vector<LineFigures> lines = line_figures(kernel.launch, report.geometry);
  std::set<std::string> files;
  for (const LineFigures& line : lines) files.insert(line.file);
  for (const std::string& file : files) {
    const auto source = sources.find(file);
    if (source != sources.end()) text += source_of(lines, kernel, file, source->second);
  }
  if (!kernel.advice.empty()) text += "<h3>Advice</h3>\n<ul>\n";
  for (const LineAdvice& advice : kernel.advice) {
    text += "<li>" + base::html_escaped(advice.file) + ":" + std::to_string(advice.line) + ": " +
            base::html_escaped(advice.text) + " Read " + base::html_escaped(advice.section) +
            ".</li>\n";
  }
  if (!kernel.advice.empty()) text += "</ul>\n";
  text += "<h3>Assumptions</h3>\n<ul>\n";
  for (const std::string& sentence : time.assumptions) {
    text += "<li>" + base::html_escaped(sentence) + "</li>\n";
  }
  return text + "</ul>\n";
}

/// The machine's vector ceilings and the bandwidth of every level in the time model.
Chart chart_of_levels(const KernelReport& report) {
  const Multiprocessor& part = *report.machine.multiprocessor;
  Chart chart;
  chart.title = report.machine.name + ", virtual";
  for (const Precision precision : {Precision::kFp64, Precision::kFp32, Precision::kFp16}) {
    const Peak* peak = find_peak(report.machine, precision, Unit::kVector);
    if (peak == nullptr) continue;
    chart.ceilings.push_back({display_name(precision) + " vector", peak->operations_per_second});
  }
  chart.slopes = {
      {"DRAM", bandwidth(report.machine)},
      {"L2", part.l2.bytes_per_clock * part.clock_hz},
      {"L1", part.l1.bytes_per_clock * part.clock_hz * part.count},
  };
  for (const KernelFindings& kernel : report.kernels) {
    const double flops = kernel.launch.flops() + kernel.launch.matrix_flops();
    for (const UnitTime& unit : kernel.time.units) {
      if (unit.what != "B" || flops <= 0) continue;  // cannot be placed on logarithmic axes
      chart.points.push_back({kernel.launch.kernel + ", bytes of " + unit.name, flops / unit.amount,
                              flops / kernel.time.expected_seconds});
    }
  }
  return chart;
}

}  // namespace

std::string kernel_html(const KernelReport& report, const Sources& sources,
                        const std::string& chart_js, const std::string& licence) {
  std::string below = kStyle;
  for (const KernelFindings& kernel : report.kernels) below += section_of(report, kernel, sources);
  return draw_html(chart_of_levels(report), chart_js, licence, below);
}

}  // namespace roofline
