// SPDX-License-Identifier: MIT
// Spread of samples, CSV, the machine behind a report, and atomic files.
#include "roofline/measurement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "roofline/checks.hpp"

namespace roofline {
namespace {

double percentile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = place - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string optional_number(const std::optional<double>& value) {
  std::ostringstream text;
  text.precision(10);
  if (value) text << *value;
  return text.str();
}

// A measured rate may exceed its limit by rounding of the datasheet and of the clock, no more.
constexpr double kAboveLimit = 1.02;

constexpr std::array<std::string_view, 4> kLevelOrder = {"L1", "L2", "LLC", "DRAM"};
constexpr int kLevels = static_cast<int>(kLevelOrder.size());

int distance_from_core(const std::string& level) {
  return static_cast<int>(std::find(kLevelOrder.begin(), kLevelOrder.end(), level) -
                          kLevelOrder.begin());
}

MemoryLevel& level_of(Machine& machine, const std::string& name) {
  for (MemoryLevel& level : machine.levels) {
    if (level.name == name) return level;
  }
  machine.levels.push_back({});
  machine.levels.back().name = name;
  return machine.levels.back();
}

void add_bandwidth(Machine& machine, const MeasuredRoof& roof) {
  if (distance_from_core(roof.level) == kLevels) return;  // between two levels
  if (roof.level == "DRAM" && !roof.name.starts_with("ladder."))
    machine.streams[roof.name] = roof.rate.median;
  MemoryLevel& level = level_of(machine, roof.level);
  if (roof.level == "DRAM" && roof.name.starts_with("ladder.")) {
    // A cache still serves a part of a rung that is little larger: streams count, where there are
    // any, and else the largest rung, which comes last.
    if (!machine.streams.empty()) return;
  } else if (level.bytes_per_second && *level.bytes_per_second >= roof.rate.median) {
    return;
  }
  level.bytes_per_second = roof.rate.median;
  level.provenance = {"roofline measure: " + roof.name, Confidence::kMeasured, roof.note};
}

void add_peak(Machine& machine, const MeasuredRoof& roof) {
  Peak peak;
  peak.precision = roof.precision.value();
  peak.unit = roof.unit.value();
  peak.operations_per_second = roof.rate.median;
  peak.provenance = {"roofline measure: " + roof.name, Confidence::kMeasured, roof.configuration};
  machine.peaks.push_back(peak);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_on(const std::filesystem::path& file) {
  throw std::runtime_error("cannot write " + file.string() + ": " + std::strerror(errno));
}

/// A new file in the folder of `file`, open for writing: its descriptor and its name.
std::pair<int, std::string> new_file_beside(const std::filesystem::path& file) {
  std::string name = file.string() + ".XXXXXX";
  const int number = ::mkstemp(name.data());
  if (number < 0) fail_on(file);
  return {number, name};
}

void write_all(const Descriptor& out, const std::string& content,
               const std::filesystem::path& file) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t written = ::write(out.number(), content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on(file);
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

void hold_against(MeasuredRoof& roof, const RoofLimits& limits) {
  roof.datasheet = limits.datasheet;
  roof.limit = limits.at_clock;
  if (!limits.possible || !roof.refused.empty()) return;
  // Negated, so that NaN is refused.
  if (roof.rate.median <= kAboveLimit * *limits.possible) return;
  std::ostringstream text;
  text.precision(4);
  text << 100 * roof.rate.median / *limits.possible
       << " % of what the device can do; the measurement is wrong";
  roof.refused = text.str();
}

Spread summarize(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples to summarise");
  for (const double sample : samples) {
    if (!std::isfinite(sample)) throw std::invalid_argument("a sample is not a finite number");
  }
  std::sort(samples.begin(), samples.end());
  return {percentile(samples, 0.5), percentile(samples, 0.05), percentile(samples, 0.95),
          static_cast<int>(samples.size())};
}

const char* to_string(RoofKind kind) {
  switch (kind) {
    case RoofKind::kBandwidth:
      return "bandwidth";
    case RoofKind::kCompute:
      return "compute";
    case RoofKind::kLatency:
      return "latency";
  }
  throw std::invalid_argument("not a value of roofline::RoofKind");
}

std::string report_csv(const Report& report) {
  std::ostringstream csv;
  csv.precision(10);
  csv << "name,kind,level,precision,unit,median,percentile_5,percentile_95,samples,base_unit,"
         "working_set_bytes,datasheet,limit,configuration,refused,note\n";
  for (const MeasuredRoof& roof : report.roofs) {
    const char* base_unit = roof.kind == RoofKind::kBandwidth ? "B/s"
                            : roof.kind == RoofKind::kLatency ? "s"
                            : is_integer(*roof.precision)     ? "OP/s"
                                                              : "FLOP/s";
    csv << roof.name << ',' << to_string(roof.kind) << ',' << roof.level << ','
        << (roof.precision ? to_string(*roof.precision) : "") << ','
        << (roof.unit ? to_string(*roof.unit) : "") << ',' << roof.rate.median << ','
        << roof.rate.percentile_5 << ',' << roof.rate.percentile_95 << ',' << roof.rate.samples
        << ',' << base_unit << ',' << roof.working_set_bytes << ','
        << optional_number(roof.datasheet) << ',' << optional_number(roof.limit) << ','
        << csv_field(roof.configuration) << ',' << csv_field(roof.refused) << ','
        << csv_field(roof.note) << '\n';
  }
  return csv.str();
}

Machine machine_from_report(const Report& report) {
  Machine machine;
  machine.id = "measured";
  machine.name = report.device.name;
  machine.kind = report.device.backend == "cpu" ? "cpu" : "gpu";
  machine.architecture = report.device.architecture;
  machine.measured = true;
  for (const MeasuredRoof& roof : report.roofs) {
    if (!roof.refused.empty()) continue;
    if (roof.kind == RoofKind::kBandwidth) add_bandwidth(machine, roof);
    if (roof.kind == RoofKind::kCompute) add_peak(machine, roof);
    if (roof.kind == RoofKind::kLatency && roof.name == "launch") {
      machine.launch_overhead_seconds = roof.rate.median;
    }
  }
  std::stable_sort(machine.levels.begin(), machine.levels.end(),
                   [](const MemoryLevel& a, const MemoryLevel& b) {
                     return distance_from_core(a.name) < distance_from_core(b.name);
                   });
  for (MemoryLevel& level : machine.levels) {
    if (level.name == "DRAM") level.capacity_bytes = report.device.memory_bytes;
    if (level.name == "LLC") level.capacity_bytes = report.device.last_level_cache_bytes;
  }
  return machine;
}

void require_writable(const std::filesystem::path& file) {
  const auto [number, name] = new_file_beside(file);
  ::close(number);
  ::unlink(name.c_str());
}

void write_file_atomically(const std::filesystem::path& file, const std::string& content) {
  const auto [number, name] = new_file_beside(file);
  const Descriptor out(number);
  try {
    write_all(out, content, file);
    if (::fchmod(out.number(), 0644) != 0 || ::fsync(out.number()) != 0) fail_on(file);
    if (::rename(name.c_str(), file.c_str()) != 0) fail_on(file);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

}  // namespace roofline
