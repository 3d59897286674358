// SPDX-License-Identifier: MIT
// The numbers in the write-ups' prose: computes each, and checks or fills in the Markdown files.
//
// A number stands between comments that name it: <!--v:a100.bandwidth_gb_s-->2039<!--/v-->
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/peaks.hpp"

namespace {

namespace fs = std::filesystem;
using roofline::arithmetic_intensity;

constexpr double kGiga = 1e9;
constexpr double kMega = 1e6;
constexpr double kKilo = 1e3;

/// Machines of data/machines by id.
class Machines {
 public:
  explicit Machines(fs::path folder) : folder_(std::move(folder)) {}
  roofline::Machine load(std::string_view id) const {
    return roofline::load_machine(roofline::resolve_machine(id, folder_));
  }

 private:
  fs::path folder_;
};

std::string fp32_ridge(const Machines& machines, std::string_view id) {
  const roofline::Machine machine = machines.load(id);
  const roofline::Peak* peak =
      roofline::find_peak(machine, roofline::Precision::kFp32, roofline::Unit::kVector);
  if (peak == nullptr) throw std::runtime_error(fmt::format("{} has no FP32 vector peak", id));
  return fmt::format("{:.1f}",
                     roofline::ridge({peak->operations_per_second, roofline::bandwidth(machine)}));
}

/// The median that bench-saxpy reported on an H200 for one kernel, in GB/s.
double measured_saxpy(const fs::path& folder, std::string_view kernel) {
  std::ifstream rows(folder / "saxpy_h200.csv");
  for (std::string line; std::getline(rows, line);) {
    std::istringstream fields(line);
    std::string name, n, rounds, median;
    if (std::getline(fields, name, ',') && std::getline(fields, n, ',') &&
        std::getline(fields, rounds, ',') && std::getline(fields, median, ',') && name == kernel) {
      return std::stod(median);
    }
  }
  throw std::runtime_error(fmt::format("saxpy_h200.csv has no row '{}'", kernel));
}

using Compute = std::function<std::string()>;

std::map<std::string, Compute> values(const Machines& machines, const fs::path& measured) {
  constexpr double kFloat = 4;  // bytes
  // Weights of a model of eight billion parameters in 16 bits, all read once per decode step.
  constexpr double kEightBillionWeightBytes = 8e9 * 2;
  constexpr double kMeasuredBytesPerSecond = 4300 * kGiga;
  // Little's law at the latency that the text assumes.
  constexpr double kLatencySeconds = 700e-9;
  constexpr double kH200Multiprocessors = 132;

  std::map<std::string, Compute> table;
  table["a100.bandwidth_gb_s"] = [] {
    return fmt::format("{:.0f}", roofline::memory_peak(1593e6, 5120) / kGiga);
  };
  table["h200.dram_gb_s"] = [&machines] {
    return fmt::format("{:.0f}", roofline::bandwidth(machines.load("h200-sxm")) / kGiga);
  };
  table["llm8b.step_ms"] = [&machines] {
    return fmt::format("{:.2f}", kEightBillionWeightBytes /
                                     roofline::bandwidth(machines.load("h200-sxm")) * kKilo);
  };
  table["llm8b.step_measured_ms"] = [] {
    return fmt::format("{:.2f}", kEightBillionWeightBytes / kMeasuredBytesPerSecond * kKilo);
  };
  table["little.h200_mb"] = [&machines] {
    return fmt::format("{:.1f}",
                       roofline::bandwidth(machines.load("h200-sxm")) * kLatencySeconds / kMega);
  };
  table["little.h200_kb_per_sm"] = [&machines] {
    return fmt::format("{:.0f}", roofline::bandwidth(machines.load("h200-sxm")) * kLatencySeconds /
                                     kH200Multiprocessors / kKilo);
  };
  for (const auto& [key, kernel] :
       {std::pair{"plain", "one element per thread"}, std::pair{"four", "four elements per thread"},
        std::pair{"float4", "one float4 per thread"}}) {
    table[fmt::format("h200.saxpy.{}_gb_s", key)] = [measured, kernel = kernel] {
      return fmt::format("{:.0f}", measured_saxpy(measured, kernel));
    };
    table[fmt::format("h200.saxpy.{}_percent", key)] = [measured, &machines, kernel = kernel] {
      return fmt::format("{:.0f}", 100 * kGiga * measured_saxpy(measured, kernel) /
                                       roofline::bandwidth(machines.load("h200-sxm")));
    };
  }
  table["ai.vector_add"] = [] {
    return fmt::format("{:.4f}", arithmetic_intensity(1, 3 * kFloat));
  };
  table["ai.saxpy"] = [] { return fmt::format("{:.4f}", arithmetic_intensity(2, 3 * kFloat)); };
  table["ai.dot"] = [] { return fmt::format("{:.2f}", arithmetic_intensity(2, 2 * kFloat)); };
  table["ai.stencil5"] = [] { return fmt::format("{:.1f}", arithmetic_intensity(4, 2 * kFloat)); };
  table["ai.gqa_decode"] = [] {
    constexpr double kQueryHeads = 32, kKeyValueHeads = 8, kHeadSize = 128, kContext = 8192;
    constexpr double kElementBytes = 2;
    return fmt::format(
        "{:.0f}", arithmetic_intensity(4 * kQueryHeads * kHeadSize * kContext,
                                       2 * kElementBytes * kKeyValueHeads * kHeadSize * kContext));
  };
  table["ridge.rtx3090"] = [&machines] { return fp32_ridge(machines, "rtx-3090"); };
  table["ridge.a100"] = [&machines] { return fp32_ridge(machines, "a100-80gb-sxm"); };
  table["ridge.v100"] = [&machines] { return fp32_ridge(machines, "v100-sxm2"); };
  table["ridge.t4"] = [&machines] { return fp32_ridge(machines, "t4"); };
  return table;
}

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", file.string()));
  return text.str();
}

std::vector<fs::path> markdown_files(const fs::path& root) {
  std::vector<fs::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const char* folder : {"topics", "docs/pages", "docs/adr"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  return files;
}

/// Outcome over all files.
struct Tally {
  int numbers = 0;
  int wrong = 0;
  std::set<std::string> used;
};

void handle_file(const fs::path& file, const std::map<std::string, Compute>& table, bool write,
                 Tally& tally) {
  static const std::regex kMark("<!--v:([^>]*?)-->([^<]*)<!--/v-->");
  const std::string before = read_file(file);
  std::string after;
  auto rest = before.cbegin();
  for (std::sregex_iterator it(before.begin(), before.end(), kMark), end; it != end; ++it) {
    const std::string key = (*it)[1];
    const std::string is = (*it)[2];
    ++tally.numbers;
    tally.used.insert(key);
    const auto found = table.find(key);
    if (found == table.end()) {
      throw std::runtime_error(
          fmt::format("{}: no value is called {} in docs/values.cpp", file.string(), key));
    }
    const std::string should = found->second();
    if (is != should) {
      ++tally.wrong;
      fmt::print("{}: {} is {} in the text and {} by computation\n", file.string(), key, is,
                 should);
    }
    after.append(rest, (*it)[0].first);
    after += fmt::format("<!--v:{}-->{}<!--/v-->", key, should);
    rest = (*it)[0].second;
  }
  after.append(rest, before.cend());
  if (write && after != before) roofline::write_file_atomically(file, after);
}

int run(const fs::path& root, bool write) {
  const Machines machines(root / "data" / "machines");
  const std::map<std::string, Compute> table = values(machines, root / "data" / "measured");
  Tally tally;
  for (const fs::path& file : markdown_files(root)) handle_file(file, table, write, tally);
  for (const auto& [key, compute] : table) {
    if (!tally.used.contains(key)) {
      fmt::print("docs/values.cpp: no text uses {}\n", key);
      ++tally.wrong;
    }
  }
  fmt::print("{} numbers in the texts, {} {}\n", tally.numbers, tally.wrong,
             write ? "corrected or unused" : "wrong or unused");
  if (tally.numbers == 0) throw std::runtime_error("no number was found: is this the project?");
  return tally.wrong == 0 || write ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[2] : "";
  if (mode != "--check" && mode != "--write") {
    std::fputs("usage: doc_values PROJECT_ROOT --check|--write\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], mode == "--write");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "doc_values: %s\n", error.what());
    return 1;
  }
}
