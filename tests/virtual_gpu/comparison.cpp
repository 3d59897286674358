// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <stdexcept>

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
constexpr const char* kTime = "time";
constexpr const char* kMatrix = "matrix instructions";
constexpr double kLeastRankCorrelation = 0.97;
constexpr const char* kNoReason = "NO REASON KNOWN";

/// The sum of a figure's counters; empty if one was not collected.
std::optional<double> theirs(const Counters& counters, const Figure& figure) {
  double sum = 0;
  for (const std::string& name : figure.theirs) {
    const auto found = counters.find(name);
    if (found == counters.end()) return std::nullopt;
    sum += found->second;
  }
  return figure.unit * sum;
}

/// How far ours is from theirs; empty if there is nothing to compare.
std::optional<double> error_of(double ours, double theirs, double noise) {
  if (theirs <= noise && ours <= noise) return std::nullopt;
  return std::abs(ours - theirs) / std::max(theirs, noise);
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

const char* exception_for(const Row& row, const std::vector<Exception>& exceptions) {
  for (const Exception& exception : exceptions) {
    if (row.launch == exception.launch && row.figure == exception.figure) return exception.why;
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
  const auto bank = [](const char* what, const char* operation) {
    return fmt::format("l1tex__data_pipe_lsu_{}_mem_shared_op_{}.sum", what, operation);
  };
  const auto l2 = [](const char* operation) {
    return fmt::format("lts__t_sectors_srcunit_tex_op_{}.sum", operation);
  };
  const auto executed = [](const char* operation) {
    return fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", operation);
  };
  constexpr double kExact = 0.01;
  std::vector<Figure> list = {
      {"load requests",
       global(Access::kLoad, &Site::requests),
       {l1("requests", "ld")},
       kExact,
       kExact},
      {"load sectors",
       global(Access::kLoad, &Site::sectors),
       {l1("sectors", "ld")},
       kExact,
       kExact},
      {"store requests",
       global(Access::kStore, &Site::requests),
       {l1("requests", "st")},
       kExact,
       kExact},
      {"store sectors",
       global(Access::kStore, &Site::sectors),
       {l1("sectors", "st")},
       kExact,
       kExact},
      {"atomic requests",
       global(Access::kAtomic, &Site::requests),
       {l1("requests", "atom"), l1("requests", "red")},
       kExact,
       kExact},
      {"atomic sectors",
       global(Access::kAtomic, &Site::sectors),
       {l1("sectors", "atom"), l1("sectors", "red")},
       0.02,
       kExact},
      // The hardware's counter includes what its arbiter adds to the bank conflicts, up to a tenth.
      {"shared load wavefronts",
       shared(Access::kLoad, &Site::wavefronts),
       {bank("wavefronts", "ld")},
       0.1,
       0.15},
      {"shared store wavefronts",
       shared(Access::kStore, &Site::wavefronts),
       {bank("wavefronts", "st")},
       0.1,
       0.15},
      {"L2 sectors read",
       [](const Launch& l) { return l.l2_read_sectors; },
       {l2("read")},
       0.03,
       0.15},
      {"L2 sectors written",
       [](const Launch& l) { return l.l2_write_sectors; },
       {l2("write")},
       0.03,
       0.15},
      {"DRAM bytes read",
       [](const Launch& l) { return l.dram_bytes_read; },
       {"dram__bytes_read.sum"},
       0.05,
       0.25},
      {"DRAM bytes written",
       [](const Launch& l) { return l.dram_bytes_written; },
       {"dram__bytes_write.sum"},
       0.1,
       0.3,
       3e6}};
  list.push_back({kTime,
                  [machine](const Launch& l) {
                    return roofline::time_of(l, machine.machine, machine.reached).expected_seconds;
                  },
                  {"gpu__time_duration.sum"},
                  0.1,
                  0.4,
                  0,
                  kNanosecond});
  list.push_back({"FLOPs",
                  [](const Launch& l) { return l.flops(); },
                  {executed("fadd"), executed("fmul"), executed("ffma"), executed("ffma"),
                   executed("dadd"), executed("dmul"), executed("dfma"), executed("dfma")},
                  kExact,
                  kExact});
  // The counter also includes part of the packed FP16 arithmetic and moves of constants, which an
  // H100 executes there, so kernels without products are left out.
  list.push_back({kMatrix,
                  [](const Launch& l) { return l.matrix_instructions(); },
                  {"sm__inst_executed_pipe_tensor.sum"},
                  kExact,
                  kExact});
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
    if (const auto real = theirs(counters, figure)) {
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

bool summarise(const std::vector<Row>& rows, const std::vector<Exception>& exceptions,
               bool has_all) {
  bool holds = true;
  std::string missed;
  fmt::print("{:<24} {:>8} {:>9} {:>9} {:>7}\n", "figure", "launches", "median", "worst", "goal");
  for (const Figure& goal : figures({})) {
    std::vector<double> errors;
    for (const Row& row : rows) {
      const auto error =
          row.figure == goal.name ? error_of(row.ours, row.theirs, goal.noise) : std::nullopt;
      if (!error) continue;
      errors.push_back(*error);
      if (*error <= goal.worst) continue;
      const char* const why = exception_for(row, exceptions);
      holds = holds && why != nullptr;
      const bool is_time = row.figure == kTime;
      const double unit = is_time ? 1e-6 : 1e6;
      missed += fmt::format("{0}, {1}: {2:.4g} {4}, the GPU {3:.4g} {4}\n  {5}\n", row.launch,
                            row.figure, row.ours / unit, row.theirs / unit, is_time ? "us" : "M",
                            why == nullptr ? kNoReason : why);
    }
    if (errors.empty()) continue;
    const double worst = *std::max_element(errors.begin(), errors.end());
    // Goals for the median are goals for all launches.
    holds = holds && (!has_all || median(errors) <= goal.median);
    fmt::print("{:<24} {:>8} {:>7.2f} % {:>7.1f} % {:>5.0f} %\n", goal.name, errors.size(),
               100 * median(errors), 100 * worst, 100 * goal.worst);
  }
  if (const auto correlation = correlation_of_times(rows)) {
    fmt::print("\nrank correlation of the times: {:.3f}; goal {:.2f}\n", *correlation,
               kLeastRankCorrelation);
    const char* const why = exception_for({kAllLaunches, kRanks}, exceptions);
    if (has_all && *correlation < kLeastRankCorrelation) {
      holds = holds && why != nullptr;
      missed +=
          fmt::format("{}, {}\n  {}\n", kAllLaunches, kRanks, why == nullptr ? kNoReason : why);
    }
  }
  if (!missed.empty()) fmt::print("\nbeyond the goal:\n{}", missed);
  return holds;
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
