// SPDX-License-Identifier: MIT
// Command line and output of a lab program that is started alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/help.hpp"
#include "benchmark.hpp"
#include "harness/build_info.hpp"
#include "harness/unsolved.hpp"
#include "integer_options.hpp"
#include "registry.hpp"
#include "shape.hpp"

namespace harness {
namespace {

constexpr int kExitUnsolved = 3;
constexpr int kExitClaimFails = 4;

struct Options {
  std::string entry;
  std::vector<std::int64_t> n;
  IntegerOptions integers;
  bool once = false;
  int repeats = 20;
  int runs = 1;
  bool csv = false;
  std::string json_file;
  std::string require;
};

/// One point of the sweep: an entry, its size and its integer scalars.
struct Point {
  const LabEntry* entry;
  std::int64_t n;
  std::vector<std::int64_t> integers;
};

void print_text(const Measurement& m, Device& device) {
  std::printf("%s on %s (%s), n = %lld", m.program.c_str(), device.name().c_str(),
              device.backend().c_str(), static_cast<long long>(m.n));
  for (const auto& [name, value] : m.integers) {
    std::printf(", %s = %lld", name.c_str(), static_cast<long long>(value));
  }
  std::printf("\n");
  std::printf("  time       %.6g s median of %d, %.6g to %.6g s\n", m.median_seconds, m.repeats,
              m.minimum_seconds, m.maximum_seconds);
  std::printf("  bandwidth  %.4g GB/s\n", m.bytes_per_second() / 1e9);
  std::printf("  compute    %.4g GFLOP/s\n", m.flops_per_second() / 1e9);
  if (m.work.bytes_moved > 0) std::printf("  intensity  %.4g FLOP/B\n", m.flops_per_byte());
}

/// The integer scalars of all measured entries: every row has a field for each.
std::vector<std::string> integer_names(std::span<const Point> points) {
  std::vector<std::string> names;
  for (const Point& point : points) {
    for (const char* name : point.entry->options.integer_names) {
      if (name == nullptr || std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.emplace_back(name);
    }
  }
  return names;
}

void print_csv_header(std::span<const std::string> integer_names) {
  std::printf(
      "program,backend,device,n,repeats,seconds_median,seconds_min,seconds_max,"
      "gb_per_s,gflop_per_s,flop_per_byte");
  for (const std::string& name : integer_names) std::printf(",%s", name.c_str());
  std::printf("\n");
}

/// A scalar that the entry does not have gives an empty field.
void print_csv(const Measurement& m, Device& device, std::span<const std::string> integer_names) {
  std::printf("%s,%s,\"%s\",%lld,%d,%.9g,%.9g,%.9g,%.6g,%.6g,%.6g", m.program.c_str(),
              device.backend().c_str(), device.name().c_str(), static_cast<long long>(m.n),
              m.repeats, m.median_seconds, m.minimum_seconds, m.maximum_seconds,
              m.bytes_per_second() / 1e9, m.flops_per_second() / 1e9, m.flops_per_byte());
  for (const std::string& name : integer_names) {
    const auto integer = std::find_if(m.integers.begin(), m.integers.end(),
                                      [&](const auto& item) { return item.first == name; });
    std::printf(",%s", integer == m.integers.end() ? "" : std::to_string(integer->second).c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// `points`, repeated for every value in `values` of integer scalar `index`; unchanged if no value
/// was given.
std::vector<Point> with_values(std::vector<Point> points, std::size_t index,
                               const std::vector<std::int64_t>& values) {
  if (values.empty()) return points;
  std::vector<Point> all;
  for (const Point& point : points) {
    for (const std::int64_t value : values) {
      all.push_back(point);
      if (index < point.integers.size()) all.back().integers[index] = value;
    }
  }
  return all;
}

std::vector<Point> points_of(const Options& options) {
  std::vector<Point> points;
  for (const LabEntry& entry : registry().labs) {
    if (entry.name.ends_with(".counted")) continue;
    if (!options.entry.empty() && entry.name != options.entry) continue;
    const std::vector<std::int64_t> sizes =
        options.n.empty() ? std::vector{default_size(entry)} : options.n;
    for (const std::int64_t n : sizes) points.push_back({&entry, n, default_integers(entry, n)});
  }
  for (std::size_t i = 0; i < options.integers.size(); ++i) {
    points = with_values(std::move(points), i, options.integers[i]);
  }
  std::vector<Point> all;
  for (const Point& point : points)
    all.insert(all.end(), static_cast<std::size_t>(options.runs), point);
  return all;
}

/// Why a claim about these rows fails; empty when it holds.
std::string why_claim_fails(const std::string& claim, const std::vector<Measurement>& measured) {
  std::vector<double> rates;
  std::vector<double> best_rates;
  std::vector<double> best_seconds;
  for (const Measurement& m : measured) {
    const double amount = m.work.flops > 0 ? m.work.flops : m.work.bytes_moved;
    rates.push_back(amount / m.median_seconds);
    best_rates.push_back(amount / m.minimum_seconds);
    best_seconds.push_back(m.minimum_seconds);
  }
  if (claim == "steady") return why_not_steady(best_seconds);
  if (claim == "plateau") return why_no_plateau(rates);
  return why_not_the_same(best_rates);
}

int run(const Options& options) {
  Device& device = *registry().labs.front().device;
  if (device.count() == 0) {
    throw std::runtime_error("no " + device.backend() +
                             " device on this machine; the preset cpu needs none");
  }
  const std::vector<Point> points = points_of(options);
  if (points.empty()) throw std::runtime_error("there is no entry named " + options.entry);
  if (!options.json_file.empty() && points.size() != 1) {
    throw std::runtime_error("--json records one measurement, and this is a sweep of " +
                             std::to_string(points.size()));
  }
  if (options.once) {
    for (const Point& point : points) call_once(*point.entry, point.n, point.integers);
    return 0;
  }
  const std::vector<std::string> names = integer_names(points);
  if (options.csv) print_csv_header(names);
  std::vector<Measurement> measured;
  for (const Point& point : points) {
    measured.push_back(measure(*point.entry, point.n, options.repeats, point.integers));
    options.csv ? print_csv(measured.back(), device, names) : print_text(measured.back(), device);
    // The start of a plateau differs between machines, and far beyond it registers run out.
    if (options.require == "plateau" && why_claim_fails("plateau", measured).empty()) break;
  }
  if (!options.json_file.empty()) {
    base::write_file_atomically(options.json_file, to_json(measured.back(), device));
  }
  if (options.require.empty()) return 0;
  const std::string complaint = why_claim_fails(options.require, measured);
  std::fprintf(stderr, "%s: %s\n", options.require.c_str(),
               complaint.empty() ? "holds" : complaint.c_str());
  return complaint.empty() ? 0 : kExitClaimFails;
}

}  // namespace

std::string to_json(const Measurement& m, Device& device) {
  const nlohmann::ordered_json json = {
      {"format", "roofline-labs/measurement"},
      {"version", 1},
      {"program", m.program},
      {"backend", device.backend()},
      {"device", device.name()},
      {"compiler", compiler_name()},
      {"commit", current_commit()},
      {"time", current_time()},
      {"n", m.n},
      {"repeats", m.repeats},
      {"bytes_moved", m.work.bytes_moved},
      {"flops", m.work.flops},
      {"seconds",
       {{"median", m.median_seconds},
        {"minimum", m.minimum_seconds},
        {"maximum", m.maximum_seconds}}},
      {"gb_per_s", m.bytes_per_second() / 1e9},
      {"gflop_per_s", m.flops_per_second() / 1e9},
      {"flop_per_byte", m.work.bytes_moved > 0 ? m.flops_per_byte() : 0.0}};
  return json.dump(2) + "\n";
}

int benchmark_main(int argc, char** argv) {
  const LabEntry& first = registry().labs.front();
  Options options;
  CLI::App app("Measures " + first.name + " on this machine.");
  base::fit_help(app);
  app.add_option("--entry", options.entry, "Only this one, if the program has several");
  app.add_option("--n", options.n,
                 "Problem size, or several separated by commas [" +
                     std::to_string(default_size(first)) + "]")
      ->delimiter(',')
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  add_integer_options(app, options.integers);
  app.add_flag("--once", options.once,
               "Call it once on its random inputs and measure nothing: for a profiler");
  app.add_option("--repeats", options.repeats, "Samples")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--runs", options.runs, "Measure everything this many times, with one row each")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--csv", options.csv, "Print a CSV header and a row for each measurement");
  app.add_option("--json", options.json_file, "Also record the measurement in this file");
  app.add_option(
         "--require", options.require,
         "Exit with 4 unless the rows are steady (best times of equal runs within 5 %), a "
         "plateau (rates rise, then stay flat; the sweep ends there) or the same (best rates "
         "within 10 %)")
      ->check(CLI::IsMember({"steady", "plateau", "same"}));
  app.footer(
      "PROGRAM --oracle, alone, compares the results with the oracle at small sizes instead.");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const Unsolved& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitUnsolved;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", first.name.c_str(), error.what());
    return 1;
  }
}

}  // namespace harness
