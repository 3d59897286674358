// SPDX-License-Identifier: MIT
// Command line and output of a lab program that is started alone.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmark.hpp"
#include "harness/build_info.hpp"
#include "harness/unsolved.hpp"
#include "registry.hpp"

namespace harness {
namespace {

struct Options {
  std::int64_t n = 0;
  int repeats = 20;
  bool csv = false;
  std::string json_file;
};

void print_text(const Measurement& m, Device& device) {
  std::printf("%s on %s (%s), n = %lld\n", m.program.c_str(), device.name().c_str(),
              device.backend().c_str(), static_cast<long long>(m.n));
  std::printf("  time       %.6g s median of %d, %.6g to %.6g s\n", m.median_seconds, m.repeats,
              m.minimum_seconds, m.maximum_seconds);
  std::printf("  bandwidth  %.4g GB/s\n", m.bytes_per_second() / 1e9);
  std::printf("  compute    %.4g GFLOP/s\n", m.flops_per_second() / 1e9);
  if (m.work.bytes_moved > 0) std::printf("  intensity  %.4g FLOP/B\n", m.flops_per_byte());
}

void print_csv(const Measurement& m, Device& device) {
  std::printf(
      "program,backend,device,n,repeats,seconds_median,seconds_min,seconds_max,"
      "gb_per_s,gflop_per_s,flop_per_byte\n");
  std::printf("%s,%s,\"%s\",%lld,%d,%.9g,%.9g,%.9g,%.6g,%.6g,%.6g\n", m.program.c_str(),
              device.backend().c_str(), device.name().c_str(), static_cast<long long>(m.n),
              m.repeats, m.median_seconds, m.minimum_seconds, m.maximum_seconds,
              m.bytes_per_second() / 1e9, m.flops_per_second() / 1e9, m.flops_per_byte());
}

void run(const LabEntry& entry, const Options& options) {
  if (entry.device->count() == 0) {
    throw std::runtime_error("no " + entry.device->backend() +
                             " device on this machine; the preset cpu needs none");
  }
  const Measurement measurement = measure(entry, options.n, options.repeats);
  options.csv ? print_csv(measurement, *entry.device) : print_text(measurement, *entry.device);
  if (!options.json_file.empty()) {
    write_atomically(options.json_file, to_json(measurement, *entry.device));
  }
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

void write_atomically(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "w");
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool synced = std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
  const bool closed = std::fclose(file) == 0;
  if (!written || !synced || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
    throw std::runtime_error("cannot write " + path);
  }
}

int benchmark_main(int argc, char** argv) {
  const LabEntry& entry = registry().labs.front();
  Options options;
  options.n = entry.options.default_n;
  CLI::App app("Measures " + entry.name + " on this machine.");
  app.add_option("--n", options.n, "Size of the problem")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  app.add_option("--repeats", options.repeats, "Samples")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_flag("--csv", options.csv, "Print one CSV header and one row");
  app.add_option("--json", options.json_file, "Also record the measurement in this file");
  CLI11_PARSE(app, argc, argv);
  try {
    run(entry, options);
    return 0;
  } catch (const Unsolved& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", entry.name.c_str(), error.what());
    return 1;
  }
}

}  // namespace harness
