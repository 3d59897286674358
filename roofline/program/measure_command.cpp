// SPDX-License-Identifier: MIT
// `roofline measure`: measures this machine and writes the report.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "measure/measure.hpp"
#include "roofline/concurrency.hpp"
#include "roofline/units.hpp"
#include "tables/paragraph.hpp"
#include "tables/rate_text.hpp"

namespace roofline::program {
namespace {

constexpr int kExitInterrupted = 130;
constexpr int kExitRefused = 3;

// A signal handler can only access globals.
std::atomic<bool> stop_requested{false};

extern "C" void request_stop(int) {
  stop_requested = true;
}

std::string line_for(const MeasuredRoof& roof) {
  std::string of_limit;
  if (roof.limit && roof.datasheet) {
    of_limit = base::formatted("  %.1f %% of datasheet, %.1f %% at this clock",
                               100 * roof.rate.median / *roof.datasheet,
                               100 * roof.rate.median / *roof.limit);
  }
  std::string text = base::formatted(
      "%-22s %14s  (%s to %s)%s", roof.name.c_str(), rate_text(roof, roof.rate.median).c_str(),
      rate_text(roof, roof.rate.percentile_5).c_str(),
      rate_text(roof, roof.rate.percentile_95).c_str(), of_limit.c_str());
  if (!roof.refused.empty()) text += "  REFUSED: " + roof.refused;
  return text;
}

// Progress goes to stderr: on a terminal one line that is rewritten, otherwise plain lines.
class ProgressLine {
 public:
  void tell(const measure::Progress& progress) {
    if (progress.result) {
      if (!terminal_) {
        std::fprintf(stderr, "[%d/%d] %s\n", progress.done, progress.total,
                     line_for(*progress.result).c_str());
      }
      return;
    }
    if (!terminal_) return;
    std::string left;
    if (progress.seconds_left > 0) {
      left = base::formatted(", about %.0f s left", progress.seconds_left + 0.5);
    }
    std::fprintf(stderr, "\r\033[K[%d/%d] measuring %s%s", progress.done + 1, progress.total,
                 progress.roof.c_str(), left.c_str());
    std::fflush(stderr);
  }
  void clear() {
    if (terminal_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = base::is_terminal(stderr);
};

struct MeasureArguments {
  bool quick = false;
  std::vector<std::string> only;
  std::string like_file;
  std::string json_file;
  std::string csv_file;
};

void print_header(const Report& report) {
  const DeviceInfo& device = report.device;
  std::printf("%s: %s, %d units", device.backend.c_str(), device.name.c_str(), device.units);
  if (device.clock_hz)
    std::printf(", %s measured", format_quantity(*device.clock_hz, kHertz).c_str());
  std::printf("\n");
}

void print_power(const MeasuredRoof& roof) {
  const RoofPower& power = *roof.power;
  const double share = metered_share(roof);
  std::printf("      %s, %s at %.1f %% of the roof",
              format_quantity(power.watts, kWatts, 3).c_str(),
              energy_text(roof, power.joules_per_unit).c_str(), 100 * share);
  if (power.clock_hz) std::printf(", %s", format_quantity(*power.clock_hz, kHertz).c_str());
  if (!power.held_back_by.empty()) {
    std::printf(", the clock held back by %s", power.held_back_by.c_str());
  }
  std::printf("\n");
  if (share < kFullyMetered) {
    std::printf("      (metered below the roof: power and energy are of that rate)\n");
  }
}

void print_in_flight(const Report& report) {
  if (report.in_flight.empty()) return;
  std::printf("  DRAM by bytes in flight on each unit:\n");
  for (const ConcurrencyPoint& point : report.in_flight) {
    std::printf("      %9s  %10s\n", format_quantity(point.bytes_per_unit, kBytes, 3).c_str(),
                format_quantity(point.bytes_per_second, kBytesPerSecond, 4).c_str());
  }
}

// One line for each number of rows, one column for each matrix of weights.
void print_products(const Report& report) {
  if (report.products.empty()) return;
  std::vector<std::string> names;
  std::map<int, std::map<std::string, std::string>> cells;
  for (const MeasuredProduct& product : report.products) {
    if (std::find(names.begin(), names.end(), product.name) == names.end()) {
      names.push_back(product.name);
    }
    cells[product.rows][product.name] =
        product.refused.empty() ? format_quantity(product.rate.median, kOperationsPerSecond, 3)
                                : "REFUSED";
  }
  std::printf("  products of a Llama-3-8B layer in BF16, weights from DRAM:\n      %6s", "rows");
  for (const std::string& name : names) std::printf("  %13s", name.c_str());
  std::printf("\n");
  for (const auto& [rows, line] : cells) {
    std::printf("      %6d", rows);
    for (const std::string& name : names) {
      const auto cell = line.find(name);
      std::printf("  %13s", cell == line.end() ? "" : cell->second.c_str());
    }
    std::printf("\n");
  }
}

void print_sustained(const MeasuredRoof& roof) {
  std::printf("      %s without rests between the samples\n",
              rate_text(roof, *roof.sustained).c_str());
  if (roof.sustained_configuration != roof.configuration) {
    std::printf("      (that is with %s)\n", roof.sustained_configuration.c_str());
  }
}

void print_energy(const Report& report) {
  if (!report.no_energy.empty()) {
    print_paragraph("  energy: not available; ", report.no_energy);
  }
  if (!report.energy) return;
  const MeasuredEnergy& energy = *report.energy;
  std::printf("  energy (%s): %s idle\n", energy.meter.c_str(),
              format_quantity(energy.idle_watts, kWatts, 3).c_str());
  if (!energy.fit) return;
  const EnergyCosts& costs = energy.fit->costs;
  std::printf("      under load %s, and %s/FLOP (FP32), and %s/B (DRAM)\n",
              format_quantity(costs.idle_watts, kWatts, 3).c_str(),
              format_quantity(costs.joules_per_flop, kJoules, 3).c_str(),
              format_quantity(costs.joules_per_byte, kJoules, 3).c_str());
  std::printf("      (%zu loads, all within %.1f %%); a byte costs as much as %.3g FLOPs\n",
              energy.sweep.size(), 100 * energy.fit->worst_relative_error, energy_ridge(costs));
}

// Bytes per load, and per transfer from memory.
constexpr double kBytesOfLoad = 16;
constexpr double kLineOfGpu = 128;
constexpr double kLineOfCpu = 64;

// Threads that a multiprocessor can hold, if the machine's file states it.
std::optional<int> resident_threads(const Report& report) {
  if (report.device.datasheet.empty()) return std::nullopt;
  const Machine machine = load_machine(resolve_machine(report.device.datasheet, machine_folder()));
  if (!machine.multiprocessor) return std::nullopt;
  return machine.multiprocessor->resident.max_threads;
}

void print_concurrency(const Report& report) {
  const std::vector<LevelConcurrency> levels = concurrency_of(report);
  if (levels.empty()) return;
  const bool cpu = report.device.backend == "cpu";
  const double line = cpu ? kLineOfCpu : kLineOfGpu;
  const std::optional<int> threads = resident_threads(report);
  std::printf("  in flight at full bandwidth, at least (latency x bandwidth, of each unit):\n");
  for (const LevelConcurrency& level : levels) {
    std::printf("      %-4s %s, %.3g lines of %.0f B", level.level.c_str(),
                format_quantity(level.bytes_per_unit, kBytes, 3).c_str(),
                level.bytes_per_unit / line, line);
    if (threads) {
      std::printf("; %.2g loads of %.0f B per thread",
                  loads_in_flight(level.bytes_per_unit, *threads, kBytesOfLoad), kBytesOfLoad);
    }
    std::printf("\n");
  }
  if (threads) std::printf("      with %d threads resident on each unit\n", *threads);
  if (cpu) {
    print_paragraph("      ",
                    "the processor does not report how many lines a core can have in flight");
  }
}

void print_table(const Report& report) {
  print_header(report);
  for (const MeasuredRoof& roof : report.roofs) {
    std::printf("  %s\n", line_for(roof).c_str());
    if (!roof.configuration.empty()) std::printf("      %s\n", roof.configuration.c_str());
    if (roof.sustained) print_sustained(roof);
    if (roof.power) print_power(roof);
  }
  for (const std::string& problem : report.problems) {
    std::printf("  not measured: %s\n", problem.c_str());
  }
  print_concurrency(report);
  print_in_flight(report);
  print_products(report);
  print_energy(report);
}

bool is_empty(const Report& report) {
  return report.roofs.empty() && report.in_flight.empty() && report.products.empty() &&
         !report.energy;
}

void write_files(const MeasureArguments& arguments, const Report& report) {
  if (!arguments.json_file.empty()) {
    base::write_file_atomically(arguments.json_file, report_json(report));
  }
  if (!arguments.csv_file.empty()) {
    base::write_file_atomically(arguments.csv_file, report_csv(report));
  }
}

int run(const MeasureArguments& arguments) {
  measure::Options options;
  options.quick = arguments.quick;
  options.only = arguments.only;
  if (!arguments.like_file.empty()) options.like = read_report(arguments.like_file);
  options.machine_folder = machine_folder();
  for (const std::string& file : {arguments.json_file, arguments.csv_file}) {
    if (!file.empty()) base::require_writable(file);
  }
  options.command = arguments.quick ? "roofline measure --quick" : "roofline measure";
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  ProgressLine progress;
  const Report report = measure::measure(
      options, [&](const measure::Progress& step) { progress.tell(step); }, stop_requested);
  progress.clear();
  const bool empty = is_empty(report);  // it must not replace an earlier report
  std::exception_ptr unwritten;
  try {
    if (!empty) write_files(arguments, report);
  } catch (...) {
    unwritten = std::current_exception();
  }
  print_table(report);
  if (unwritten) std::rethrow_exception(unwritten);
  if (!report.complete) {
    std::fprintf(stderr, "roofline: interrupted; the %zu roofs above were measured and kept\n",
                 report.roofs.size());
    return kExitInterrupted;
  }
  if (empty) {
    std::fprintf(stderr, "roofline: nothing was measured\n");
    return 1;
  }
  for (const MeasuredRoof& roof : report.roofs) {
    if (!roof.refused.empty()) return kExitRefused;
  }
  return 0;
}

}  // namespace

void add_measure_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "measure", "Measure this machine's roofs (exit code 3: a figure was refused, 130: stopped)");
  auto arguments = std::make_shared<MeasureArguments>();
  command->add_flag("--quick", arguments->quick, "Only streams and vector peaks, in seconds");
  command->add_option("--only", arguments->only,
                      "Only the roofs of these names (or tables: in_flight, products, energy)");
  command->add_option(
      "--like", arguments->like_file,
      "Measure the roofs of this report again, briefly, in its best configurations");
  command->add_option("--out", arguments->json_file, "Write the report as JSON to this file");
  command->add_option("--csv", arguments->csv_file, "Write the roofs as CSV to this file");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace roofline::program
