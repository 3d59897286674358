// SPDX-License-Identifier: MIT
// One reader per benchmark.
#include <algorithm>
#include <array>
#include <string_view>

#include "base/prefixes.hpp"
#include "base/text.hpp"
#include "bench_text.hpp"

namespace roofline {
namespace {

using namespace base::prefixes;

bool any_line(const Lines& lines, std::string_view part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

// "Copy        297715.310  0.00180     0.00256     0.00194", or as CSV.
BenchOutput read_babelstream(const Lines& lines) {
  BenchOutput output;
  const bool csv = any_line(lines, "function,num_times,");
  if (!any_line(lines, "BabelStream") && !csv) return output;
  output.tool = "BabelStream";
  output.device = text_behind(lines, "Using CUDA device");
  for (const char* label : {"Using HIP device", "Using OpenCL device", "Using alpaka device"}) {
    if (output.device.empty()) output.device = text_behind(lines, label);
  }
  const double unit =
      any_line(lines, "MiBytes/sec") || any_line(lines, "max_mibytes_per_sec") ? kMebi : kMega;
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kFunctions = {
      {{"Copy", "copy"},
       {"Mul", "scale"},
       {"Add", "add"},
       {"Triad", "triad"},
       {"Dot", "read"},
       {"Nstream", ""}}};
  for (const std::string& line : lines) {
    const auto fields = csv ? parts_of(line, ',') : words_of(line);
    // As CSV: function, runs, elements, bytes of one, rate ...
    const std::size_t column = csv ? 4 : 1;
    if (fields.size() <= column) continue;
    const auto rate = number_of(fields[column]);
    for (const auto& [function, ours] : kFunctions) {
      if (!rate || fields[0] != function) continue;
      keep_best(output, {std::string(function), RoofKind::kBandwidth, *rate * unit, ours, false});
    }
  }
  return output;
}

// One line per intensity; groups of four columns hold a precision's Flops/byte, time, GFLOPS and
// GB/sec. The line before the column names has the names of the groups.
BenchOutput read_mixbench(const Lines& lines) {
  BenchOutput output;
  if (!any_line(lines, "mixbench")) return output;
  output.tool = "mixbench";
  output.device = text_behind(lines, "Device:");
  struct Group {
    std::string name;
    const char* ours;
    bool integers;
  };
  std::vector<Group> groups;
  for (const std::string& line : lines) {
    const auto fields = parts_of(line, ',');
    if (fields.size() > 1 && fields[0] == "Experiment ID") {
      for (const std::string& field : fields) {
        if (field.starts_with("Single"))
          groups.push_back({"single precision", "fp32.vector", false});
        if (field.starts_with("Double"))
          groups.push_back({"double precision", "fp64.vector", false});
        if (field.starts_with("Half") || field.starts_with("Packed half")) {
          groups.push_back({"half precision", "fp16.vector", false});
        }
        if (field.starts_with("Integer")) groups.push_back({"integer", "", true});
      }
      continue;
    }
    if (groups.empty() || fields.size() < 1 + 4 * groups.size() || !number_of(fields[0])) continue;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto gflops = number_of(fields[4 * group + 3]);
      const auto gbytes = number_of(fields[4 * group + 4]);
      const auto& [name, ours, integers] = groups[group];
      if (gflops) {
        keep_best(output, {name, RoofKind::kCompute, *gflops * kGiga, ours, integers});
      }
      if (gbytes) {
        keep_best(output, {"memory", RoofKind::kBandwidth, *gbytes * kGiga, "read", false});
      }
    }
  }
  return output;
}

// One line per block size: "... |  GB/s:  3884  2756  3165  3534  3128  3110".
BenchOutput read_gpu_stream(const Lines& lines) {
  BenchOutput output;
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const auto bar = line.find('|');
    if (bar == std::string::npos) continue;
    if (line.find("blockSize") != std::string::npos) {
      output.tool = "gpu-stream";
      names = words_of(line.substr(bar + 1));
      continue;
    }
    const auto values = words_of(line.substr(bar + 1));
    if (names.empty() || values.size() != names.size() + 1 || values[0] != "GB/s:") continue;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto rate = number_of(values[i + 1]);
      const std::string ours = names[i] == "init" ? "write"
                               : names[i] == "read" || names[i] == "scale" || names[i] == "triad"
                                   ? names[i]
                                   : "";
      if (rate) keep_best(output, {names[i], RoofKind::kBandwidth, *rate * kGiga, ours, false});
    }
  }
  return output;
}

// "0 1056 blocks   8 its   2.250 Fl/B   3760 GB/s   8459 GF/s   1980 Mhz   615 W   60 C"
BenchOutput read_gpu_roofline(const Lines& lines) {
  BenchOutput output;
  for (const std::string& line : lines) {
    const auto words = words_of(line);
    const auto value_before = [&](const char* unit) -> std::optional<double> {
      const auto found = std::find(words.begin(), words.end(), unit);
      return found == words.begin() || found == words.end() ? std::nullopt : number_of(found[-1]);
    };
    const auto rate = value_before("GF/s");
    const auto bytes = value_before("GB/s");
    if (!rate || !bytes || !value_before("Fl/B")) continue;
    output.tool = "gpu-roofline";
    keep_best(output, {"multiply-adds", RoofKind::kCompute, *rate * kGiga, "fp32.vector", false});
    keep_best(output, {"memory", RoofKind::kBandwidth, *bytes * kGiga, "read", false});
  }
  if (!output.figures.empty()) {
    output.notes.push_back("the output does not tell the precision; FP32 is assumed");
  }
  return output;
}

// "512 kB   1536 kB   4ms   1.0%   13526.6 GB/s ...", by increasing data set.
BenchOutput read_gpu_l2_cache(const Lines& lines) {
  BenchOutput output;
  if (!any_line(lines, "Eff. bw") || !any_line(lines, "data set")) return output;
  output.tool = "gpu-l2-cache";
  double last = 0;
  for (const std::string& line : lines) {
    const auto words = words_of(line);
    const auto unit = std::find(words.begin(), words.end(), "GB/s");
    if (unit == words.begin() || unit == words.end()) continue;
    const auto rate = number_of(unit[-1]);
    if (!rate) continue;
    keep_best(output, {"smallest data set", RoofKind::kBandwidth, *rate * kGiga, "", false});
    last = *rate;
  }
  keep_best(output, {"largest data set", RoofKind::kBandwidth, last * kGiga, "read", false});
  return output;
}

BenchOutput read_clpeak(const Lines& lines) {
  struct Section {
    std::string_view title;
    const char* name;
    RoofKind kind;
    const char* ours;
    bool integers;
  };
  constexpr std::array<Section, 6> kSections = {{
      {"Global memory bandwidth (GBPS)", "global memory", RoofKind::kBandwidth, "read", false},
      {"Single-precision compute (GFLOPS)", "single precision", RoofKind::kCompute, "fp32.vector",
       false},
      {"Half-precision compute (GFLOPS)", "half precision", RoofKind::kCompute, "fp16.vector",
       false},
      {"Double-precision compute (GFLOPS)", "double precision", RoofKind::kCompute, "fp64.vector",
       false},
      {"Integer compute (GIOPS)", "integer", RoofKind::kCompute, "", true},
      {"Integer compute Fast 24bit (GIOPS)", "integer, 24 bit", RoofKind::kCompute, "", true},
  }};
  BenchOutput output;
  const Section* section = nullptr;
  int devices = 0;
  for (const std::string& line : lines) {
    const auto parts = parts_of(line, ':');
    const std::string label = parts.empty() ? "" : parts[0];
    if (label == "Device" && parts.size() > 1 && ++devices == 1) {
      output.device = parts[1];
    }
    if (devices > 1) continue;
    if (label == "Kernel launch latency" && parts.size() > 1) {
      const auto words = words_of(parts[1]);
      if (words.size() == 2 && words[1] == "us" && number_of(words[0])) {
        keep_best(output, {"kernel launch", RoofKind::kLatency, *number_of(words[0]) * 1e-6,
                           "launch", false});
      }
      continue;
    }
    if (parts.size() == 1) {
      const auto found = std::find_if(kSections.begin(), kSections.end(),
                                      [&](const Section& known) { return known.title == label; });
      section = found == kSections.end() ? nullptr : found;
      if (section) output.tool = "clpeak";
      continue;
    }
    const auto rate = parts.size() == 2 ? number_of(parts[1]) : std::nullopt;
    if (!section || !rate) continue;
    keep_best(output,
              {section->name, section->kind, *rate * kGiga, section->ours, section->integers});
  }
  if (output.tool.empty()) return {};
  if (devices > 1) output.notes.push_back("of several devices, the first");
  return output;
}

// "Running NAME.", then a matrix whose first line numbers the columns.
BenchOutput read_nvbandwidth(const Lines& lines) {
  BenchOutput output;
  std::string test;
  bool local = false;
  for (const std::string& line : lines) {
    const auto words = words_of(line);
    if (words.size() == 2 && words[0] == "Running" && words[1].ends_with('.')) {
      test = words[1].substr(0, words[1].size() - 1);
      continue;
    }
    if (line.find("bandwidth (GB/s)") != std::string::npos && line.find("memcpy") == 0) {
      output.tool = "nvbandwidth";
      if (test.empty()) test = line.substr(0, line.find(" bandwidth"));
      continue;
    }
    if (line.starts_with("Device 0:") && output.device.empty()) {
      const std::string_view name = base::trimmed(std::string_view(line).substr(9));
      output.device = name.substr(0, name.find(" ("));
    }
    // A row: its number, and values with two digits after the point.
    if (test.empty() || words.size() < 2 || words[1].find('.') == std::string::npos) {
      if (test.empty() || words.size() < 3 || words[1] != "N/A") continue;
    }
    if (!number_of(words[0]) || words[0].find('.') != std::string::npos) continue;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto rate = number_of(words[i]);
      if (!rate) continue;
      const bool is_local = test.find("local_copy") != std::string::npos;
      local = local || is_local;
      keep_best(output, {test, RoofKind::kBandwidth, *rate * kGiga, is_local ? "copy" : "", false});
    }
  }
  if (output.tool.empty()) return {};
  if (!output.figures.empty()) output.notes.push_back("of each matrix, the highest value");
  if (local) {
    output.notes.push_back(
        "a local copy counts each byte once; ours counts its read and its write");
  }
  return output;
}

// A matrix of devices under "Unidirectional copy peak bandwidth GB/s", and one under
// "Bidirectional".
BenchOutput read_rocm_bandwidth_test(const Lines& lines) {
  BenchOutput output;
  if (!any_line(lines, "RocmBandwidthTest Version")) return output;
  output.tool = "rocm_bandwidth_test";
  std::string direction;
  std::vector<bool> is_gpu;  // of each device
  for (const std::string& line : lines) {
    const auto words = words_of(line);
    if (words.size() > 1 && words[0] == "Device:") {
      const auto parts = parts_of(line, ',');
      is_gpu.push_back(parts.size() > 2);  // a GPU has an id and an address
      if (is_gpu.back() && output.device.empty()) output.device = parts[1];
    }
    if (line.find("peak bandwidth GB/s") != std::string::npos) {
      direction = words[0] == "Unidirectional" ? "one way" : "both ways";
      continue;
    }
    if (direction.empty() || words.size() < 2) continue;
    const double number = number_of(words[0]).value_or(-1);
    if (!(number >= 0 && number < static_cast<double>(is_gpu.size()))) continue;
    const auto row = static_cast<std::size_t>(number);
    for (std::size_t column = 0; column + 1 < words.size(); ++column) {
      const auto rate = number_of(words[column + 1]);
      if (!rate || column >= is_gpu.size()) continue;
      const bool within_gpu = row == column && is_gpu[row];
      const char* path = within_gpu                      ? "within a GPU"
                         : is_gpu[row] && is_gpu[column] ? "between GPUs"
                         : is_gpu[row] || is_gpu[column] ? "between CPU and GPU"
                                                         : "between CPUs";
      keep_best(output, {std::string(path) + ", " + direction, RoofKind::kBandwidth, *rate * kGiga,
                         within_gpu ? "copy" : "", false});
    }
  }
  if (output.figures.empty()) return output;
  output.notes.push_back("of each matrix, the highest value");
  output.notes.push_back(
      "it does not say whether a copy within a GPU counts its read and its write; ours counts "
      "both");
  return output;
}

}  // namespace roofline
