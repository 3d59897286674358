// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "counter_text.hpp"
#include "roofline/measurement.hpp"

namespace comparison {
namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;

constexpr double kNanosecond = 1e-9;
constexpr double kSectorBytes = 32;
constexpr int kLanes = 32;
constexpr const char* kTime = "time";
constexpr const char* kMatrix = "matrix instructions";
constexpr const char* kSectorsWritten = "L2 sectors written";
constexpr const char* kBytesWritten = "DRAM bytes written";
constexpr double kLeastRankCorrelation = 0.97;
constexpr const char* kNoReason = "NO REASON KNOWN";

using Theirs = std::function<std::optional<double>(const Counters&)>;

/// The sum of counters, in their unit.
Theirs sum_of(std::vector<std::string> names, double unit = 1) {
  return [=](const Counters& counters) -> std::optional<double> {
    double sum = 0;
    for (const std::string& name : names) {
      const auto found = counters.find(name);
      if (found == counters.end()) return std::nullopt;
      sum += found->second;
    }
    return unit * sum;
  };
}

/// Passes over shared memory: those of single instructions if they were collected. The other
/// counter has more, see docs/pages/virtual_gpu.md.
Theirs wavefronts(const std::string& operation) {
  const Theirs of_instructions =
      sum_of({"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + operation + ".sum"});
  const Theirs of_unit =
      sum_of({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + operation + ".sum"});
  return [=](const Counters& counters) {
    const auto exact = of_instructions(counters);
    return exact ? exact : of_unit(counters);
  };
}

/// What `combine` makes of two counters.
template <class Combine>
Theirs both(const std::string& first, const std::string& second, Combine combine) {
  return [=](const Counters& counters) -> std::optional<double> {
    const auto a = sum_of({first})(counters);
    const auto b = sum_of({second})(counters);
    return a && b ? std::optional<double>(combine(*a, *b)) : std::nullopt;
  };
}

/// How far ours is from theirs; empty if there is nothing to compare.
std::optional<double> error_of(const Row& row) {
  if (row.theirs == 0 && row.ours == 0) return std::nullopt;
  return std::abs(row.ours - row.theirs) / row.theirs;
}

/// What each launch stored, according to the real GPU.
std::map<std::string, double> bytes_stored(const std::vector<Row>& rows) {
  std::map<std::string, double> stored;
  for (const Row& row : rows) {
    if (row.figure == kSectorsWritten) stored[row.launch] = kSectorBytes * row.theirs;
  }
  return stored;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) {
      ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    }
    first = end;
  }
  return ranks;
}

const char* exception_for(const std::string& launch, const std::string& figure,
                          const std::vector<Exception>& exceptions) {
  for (const Exception& exception : exceptions) {
    if (figure == exception.figure &&
        std::ranges::find(exception.launches, launch) != exception.launches.end()) {
      return exception.why;
    }
  }
  return nullptr;
}

/// Rank correlation of the predicted times with the real ones; empty for fewer than three.
std::optional<double> correlation_of_times(const std::vector<Row>& rows) {
  std::vector<double> ours;
  std::vector<double> real;
  for (const Row& row : rows) {
    if (row.figure != kTime) continue;
    ours.push_back(row.ours);
    real.push_back(row.theirs);
  }
  return ours.size() < 3 ? std::nullopt : std::optional(rank_correlation(ours, real));
}

}  // namespace

Machine load_machine(const std::string& machine_file, const std::string& measured_file) {
  Machine result{roofline::load_machine(machine_file), {}};
  result.reached = roofline::efficiencies_of(roofline::read_report(measured_file), result.machine);
  return result;
}

std::vector<Figure> figures(const Machine& machine) {
  const auto global = [](Access access, double Site::*figure) {
    return [=](const Launch& launch) { return launch.total(Space::kGlobal, access, figure); };
  };
  const auto shared = [](Access access, double Site::*figure) {
    return [=](const Launch& launch) { return launch.total(Space::kShared, access, figure); };
  };
  const auto l1 = [](const char* what, const char* operation) {
    return fmt::format("l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", what, operation);
  };
  const auto l2 = [](const char* operation) {
    return fmt::format("lts__t_sectors_srcunit_tex_op_{}.sum", operation);
  };
  const auto executed = [](const char* operation) {
    return fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", operation);
  };
  constexpr double kExact = 0.01;
  std::vector<Figure> list = {
      {"load requests", global(Access::kLoad, &Site::requests), sum_of({l1("requests", "ld")}),
       kExact, kExact},
      {"load sectors", global(Access::kLoad, &Site::sectors), sum_of({l1("sectors", "ld")}), kExact,
       kExact},
      {"store requests", global(Access::kStore, &Site::requests), sum_of({l1("requests", "st")}),
       kExact, kExact},
      {"store sectors", global(Access::kStore, &Site::sectors), sum_of({l1("sectors", "st")}),
       kExact, kExact},
      {"atomic requests", global(Access::kAtomic, &Site::requests),
       sum_of({l1("requests", "atom"), l1("requests", "red")}), kExact, kExact},
      {"atomic sectors", global(Access::kAtomic, &Site::sectors),
       sum_of({l1("sectors", "atom"), l1("sectors", "red")}), kExact, kExact},
      {"shared load wavefronts", shared(Access::kLoad, &Site::wavefronts), wavefronts("ld"), kExact,
       kExact},
      {"shared store wavefronts", shared(Access::kStore, &Site::wavefronts), wavefronts("st"),
       kExact, kExact},
      {"active lanes", [](const Launch& l) { return kLanes * l.lane_use(kLanes); },
       both("smsp__thread_inst_executed.sum", "smsp__inst_executed.sum", std::divides()), kExact,
       kExact},
      {"L1 sectors missed", [](const Launch& l) { return l.l1_load_sectors - l.l1_load_hits; },
       both(l1("sectors", "ld"), l1("sectors", "ld_lookup_hit"), std::minus()), 0.03, 0.15},
      {"L2 sectors read", [](const Launch& l) { return l.l2_read_sectors; }, sum_of({l2("read")}),
       0.03, 0.15},
      {kSectorsWritten, [](const Launch& l) { return l.l2_write_sectors; }, sum_of({l2("write")}),
       0.03, 0.15},
      {"DRAM bytes read", [](const Launch& l) { return l.dram_bytes_read; },
       sum_of({"dram__bytes_read.sum"}), 0.05, 0.25},
      {kBytesWritten, [](const Launch& l) { return l.dram_bytes_written; },
       sum_of({"dram__bytes_write.sum"}), 0.1, 0.3}};
  list.push_back({kTime,
                  [machine](const Launch& l) {
                    return roofline::time_of(l, machine.machine, machine.reached).expected_seconds;
                  },
                  sum_of({"gpu__time_duration.sum"}, kNanosecond), 0.15, 0.4});
  list.push_back({"FLOPs", [](const Launch& l) { return l.flops(); },
                  sum_of({executed("fadd"), executed("fmul"), executed("ffma"), executed("ffma"),
                          executed("dadd"), executed("dmul"), executed("dfma"), executed("dfma")}),
                  kExact, kExact});
  // The counter also includes part of the packed FP16 arithmetic and moves of constants, which an
  // H100 executes there, so kernels without products are left out.
  list.push_back({kMatrix, [](const Launch& l) { return l.matrix_instructions(); },
                  sum_of({"sm__inst_executed_pipe_tensor.sum"}), kExact, kExact});
  return list;
}

Counters counters_of(const std::vector<std::string>& header, const std::vector<std::string>& row) {
  Counters counters;
  for (std::size_t i = 0; i < std::min(header.size(), row.size()); ++i) {
    if (const auto value = roofline::parse_counter(row[i])) counters[header[i]] = *value;
  }
  return counters;
}

void add_rows(std::vector<Row>& rows, const std::vector<Figure>& figures, const std::string& name,
              const Launch& launch, const Counters& counters) {
  for (const Figure& figure : figures) {
    if (figure.name == kMatrix && launch.matrix.empty()) continue;
    if (const auto real = figure.theirs(counters)) {
      rows.push_back({name, figure.name, figure.ours(launch), *real});
    }
  }
}

constexpr const char* kHeader = "pattern,figure,virtual,hardware";

void write_rows(const std::string& file, const std::vector<Row>& rows) {
  std::ofstream out(file);
  out << kHeader << "\n";
  for (const Row& row : rows) {
    out << fmt::format("\"{}\",\"{}\",{:.9g},{:.9g}\n", row.launch, row.figure, row.ours,
                       row.theirs);
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

std::vector<Row> read_rows(const std::string& file) {
  std::vector<Row> rows;
  const base::CsvTable table = base::parse_csv(base::read_file(file));
  for (const base::CsvRow& row : table.rows) {
    if (row.size() != 4) throw std::runtime_error(file + " is not a table of figures");
    if (row[0] == "pattern") continue;
    rows.push_back({row[0], row[1], roofline::parse_counter(row[2]).value(),
                    roofline::parse_counter(row[3]).value()});
  }
  return rows;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 3 || a.size() != b.size()) return 0;
  const std::vector<double> x = ranks_of(a);
  const std::vector<double> y = ranks_of(b);
  const double middle = static_cast<double>(a.size() - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double foreign_bytes_written(const std::vector<Row>& rows) {
  std::map<std::string, double> stored = bytes_stored(rows);
  double most = 0;
  for (const Row& row : rows) {
    if (row.figure == kBytesWritten) most = std::max(most, row.theirs - stored[row.launch]);
  }
  return most;
}

namespace {

/// Collects what is beyond its goal, and the exceptions that it needs.
class Beyond {
 public:
  explicit Beyond(const std::vector<Exception>& exceptions) : exceptions_(exceptions) {}

  /// Returns whether there is a reason.
  bool add(const std::string& launch, const std::string& figure, const std::string& how) {
    const char* const why = exception_for(launch, figure, exceptions_);
    lines_[{figure, why == nullptr ? kNoReason : why}].push_back(launch + ": " + how);
    needed_.insert({launch, figure});
    return why != nullptr;
  }

  void print() const {
    for (const auto& [cause, lines] : lines_) {
      fmt::print("\n{}:\n  {}\n", cause.first, cause.second);
      for (const std::string& line : lines) fmt::print("    {}\n", line);
    }
  }

  /// Prints the exceptions that were not needed; returns whether there are none.
  bool all_are_needed() const {
    bool all = true;
    for (const Exception& exception : exceptions_) {
      for (const std::string& launch : exception.launches) {
        if (needed_.contains({launch, exception.figure})) continue;
        fmt::print("\nNOT BEYOND ITS GOAL, so this exception must go: {}, {}\n", launch,
                   exception.figure);
        all = false;
      }
    }
    return all;
  }

 private:
  const std::vector<Exception>& exceptions_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> lines_;
  std::set<std::pair<std::string, std::string>> needed_;
};

std::string values_of(const Row& row) {
  const char* const unit = row.figure == kTime ? " us" : "";
  const double scale = row.figure == kTime ? 1e6 : 1;
  const double change = row.theirs > 0 ? 100 * (row.ours / row.theirs - 1) : 100;
  return fmt::format("{:.5g}{}, the GPU {:.5g}{} ({:+.0f} %)", scale * row.ours, unit,
                     scale * row.theirs, unit, change);
}

}  // namespace

bool summarise(const std::vector<Row>& rows, const std::vector<Exception>& exceptions,
               bool has_all) {
  bool holds = true;
  Beyond beyond(exceptions);
  const double foreign = foreign_bytes_written(rows);
  std::map<std::string, double> stored = bytes_stored(rows);
  const auto is_foreign = [&](const Row& row) {
    return row.figure == kBytesWritten && (!has_all || stored[row.launch] <= foreign ||
                                           (row.ours <= foreign && row.theirs <= foreign));
  };
  fmt::print("{:<24} {:>8} {:>9} {:>6} {:>9} {:>6} {:>7}\n", "figure", "launches", "median", "goal",
             "worst", "goal", "beyond");
  for (const Figure& goal : figures({})) {
    std::vector<double> errors;
    int missed = 0;
    for (const Row& row : rows) {
      if (row.figure != goal.name) continue;
      const auto error = error_of(row);
      if (!error || is_foreign(row)) continue;
      errors.push_back(*error);
      if (*error <= goal.worst) continue;
      ++missed;
      holds = beyond.add(row.launch, row.figure, values_of(row)) && holds;
    }
    if (errors.empty()) continue;
    if (has_all && median(errors) > goal.median) {
      holds = beyond.add(kAllLaunches, goal.name, "the median") && holds;
    }
    const double worst = *std::max_element(errors.begin(), errors.end());
    fmt::print("{:<24} {:>8} {:>7.2f} % {:>4.0f} % {:>7.1f} % {:>4.0f} % {:>7}\n", goal.name,
               errors.size(), 100 * median(errors), 100 * goal.median, 100 * worst,
               100 * goal.worst, missed);
  }
  if (const auto correlation = correlation_of_times(rows)) {
    fmt::print("\nrank correlation of the times: {:.3f}; goal {:.2f}\n", *correlation,
               kLeastRankCorrelation);
    if (has_all && *correlation < kLeastRankCorrelation) {
      holds = beyond.add(kAllLaunches, kRanks, fmt::format("{:.3f}", *correlation)) && holds;
    }
  }
  if (has_all && foreign > 0) {
    fmt::print("DRAM bytes written that no store of the launch explains: up to {:.2f} MB\n",
               foreign / 1e6);
  }
  beyond.print();
  return (!has_all || beyond.all_are_needed()) && holds;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--counters", options.counters, "What ncu counted, --csv --page raw: profile now");
  app.add_option("--machine", options.machine, "The GPU's data file");
  app.add_option("--measured", options.measured, "What `roofline measure` found on it");
  app.add_option("--only", options.only, "Only these");
  app.add_option("--figures", options.figures, "Written with --counters, read without");
}

int compare(const char* program, const Options& options, const std::vector<Exception>& exceptions,
            const std::function<std::vector<Row>()>& measure) {
  try {
    const std::vector<Row> rows = options.counters.empty() ? read_rows(options.figures) : measure();
    if (!options.counters.empty() && !options.figures.empty()) write_rows(options.figures, rows);
    return summarise(rows, exceptions, options.only.empty()) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 2;
  }
}

}  // namespace comparison
