// SPDX-License-Identifier: MIT
// Numbers of topic 02, peaks, and of the README's measured example.
#include <fmt/format.h>

#include <string>

#include "roofline/bounds.hpp"
#include "roofline/peaks.hpp"
#include "value.hpp"

namespace {

using docs::Sources;

constexpr double kGiga = 1e9;
constexpr double kMega = 1e6;
constexpr double kKilo = 1e3;
// Weights of a model of eight billion parameters in 16 bits, all read once per decode step.
constexpr double kEightBillionWeightBytes = 8e9 * 2;
constexpr double kMeasuredBytesPerSecond = 4300 * kGiga;
// Little's law at the latency that the text assumes.
constexpr double kLatencySeconds = 700e-9;
constexpr double kH200Multiprocessors = 132;

double h200_bandwidth(const Sources& sources) {
  return roofline::bandwidth(sources.machine("h200-sxm"));
}

/// The median that bench-saxpy reported on an H200 for one kernel, in bytes/s.
double measured_saxpy(const Sources& sources, const std::string& kernel) {
  return kGiga * std::stod(sources.measured_cell("saxpy_h200.csv", {{"kernel", kernel}},
                                                 "gb_per_s_median"));
}

std::string saxpy_rate(const Sources& sources, const std::string& kernel) {
  return fmt::format("{:.0f}", measured_saxpy(sources, kernel) / kGiga);
}

std::string saxpy_percent(const Sources& sources, const std::string& kernel) {
  return fmt::format("{:.0f}", 100 * measured_saxpy(sources, kernel) / h200_bandwidth(sources));
}

DOC_VALUE("a100.bandwidth_gb_s", [](const Sources&) {
  return fmt::format("{:.0f}", roofline::memory_peak(1593e6, 5120) / kGiga);
})
DOC_VALUE("h200.dram_gb_s", [](const Sources& sources) {
  return fmt::format("{:.0f}", h200_bandwidth(sources) / kGiga);
})
DOC_VALUE("llm8b.step_ms", [](const Sources& sources) {
  return fmt::format("{:.2f}", kEightBillionWeightBytes / h200_bandwidth(sources) * kKilo);
})
DOC_VALUE("llm8b.step_measured_ms", [](const Sources&) {
  return fmt::format("{:.2f}", kEightBillionWeightBytes / kMeasuredBytesPerSecond * kKilo);
})
DOC_VALUE("little.h200_mb", [](const Sources& sources) {
  return fmt::format("{:.1f}", h200_bandwidth(sources) * kLatencySeconds / kMega);
})
DOC_VALUE("little.h200_kb_per_sm", [](const Sources& sources) {
  return fmt::format("{:.0f}",
                     h200_bandwidth(sources) * kLatencySeconds / kH200Multiprocessors / kKilo);
})
DOC_VALUE("h200.saxpy.plain_gb_s",
          [](const Sources& sources) { return saxpy_rate(sources, "one element per thread"); })
DOC_VALUE("h200.saxpy.plain_percent",
          [](const Sources& sources) { return saxpy_percent(sources, "one element per thread"); })
DOC_VALUE("h200.saxpy.four_gb_s",
          [](const Sources& sources) { return saxpy_rate(sources, "four elements per thread"); })
DOC_VALUE("h200.saxpy.four_percent",
          [](const Sources& sources) { return saxpy_percent(sources, "four elements per thread"); })
DOC_VALUE("h200.saxpy.float4_gb_s",
          [](const Sources& sources) { return saxpy_rate(sources, "one float4 per thread"); })
DOC_VALUE("h200.saxpy.float4_percent",
          [](const Sources& sources) { return saxpy_percent(sources, "one float4 per thread"); })

}  // namespace
