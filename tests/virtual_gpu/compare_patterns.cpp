// SPDX-License-Identifier: MIT
// Compares the virtual GPU's counts for every pattern with the counters of a real one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "comparison.hpp"
#include "gpu/profile.hpp"
#include "patterns.hpp"

namespace {

constexpr const char* kReplacement =
    "which sector an H200's L1 evicts is not published; here, the least recently used one";
const std::vector<comparison::Exception> kExceptions = {
    {"load sectors", "nvcc unrolls the loop and reads ahead", {"sparse product, uneven rows"}},
    {"atomic sectors",
     "how an H200 splits a request that updates one number twice is not published",
     {"histogram, global atomics", comparison::kAllLaunches}},
    {"active lanes",
     "nvcc lets all lanes execute a short branch, and some ignore it",
     {"reduction, interleaved", "scan of blocks", "branches"}},
    {"active lanes",
     "every line counts once here, however many instructions it takes",
     {"reduction, shuffled", "sparse product, uneven rows"}},
    {"L1 sectors missed", kReplacement, {"gather, from a cache"}},
    {"L1 sectors missed",
     "which blocks share a multiprocessor is not published; here, block b runs on b mod 132",
     {"product, tiles of 8"}},
    {"L2 sectors read", kReplacement, {"gather, from a cache", "40 MB read three times"}},
    {"L2 sectors read",
     "the L2 request coalescer joins reads of several multiprocessors that arrive together; what "
     "L1 missed agrees",
     {"product, naive", "product, tiles of 16", "product, tiles of 32"}},
    {"L2 sectors written",
     "an H200 joins stores of several warps to one sector on their way to L2",
     {"reduction, shuffled"}},
    {"time",
     "nvcc issues 16 loads of the loop before the first addition; four are assumed",
     {"sums of columns"}},
    {"time",
     "nvcc makes a warp wait twice for four loads of the loop; once is assumed",
     {"64 blocks that read"}},
};

/// Rows of `ncu --csv --page raw`, in launch order.
std::vector<comparison::Counters> counters_of(const std::string& file) {
  const base::CsvTable table = base::parse_csv(base::read_file(file));
  const base::CsvRow* header = nullptr;
  std::vector<comparison::Counters> launches;
  for (const base::CsvRow& row : table.rows) {
    if (row.front() == "ID") header = &row;
    if (header == nullptr || row.size() != header->size() || row.front().empty() ||
        &row == header) {
      continue;  // names printed by the program, and the row of units
    }
    launches.push_back(comparison::counters_of(*header, row));
  }
  return launches;
}

struct Options : comparison::Options {
  std::string profiles;
};

/// The pattern's profile, from the folder of profiles if it is there.
vgpu::Profile profile_of(const Options& options, std::size_t number,
                         const patterns::Pattern& pattern, const vgpu::Geometry& geometry,
                         int registers) {
  const std::filesystem::path kept =
      std::filesystem::path(options.profiles) / (std::to_string(number) + ".json");
  if (!options.profiles.empty() && std::filesystem::exists(kept)) {
    return vgpu::profile_from_json(base::read_file(kept));
  }
  vgpu::Profile profile = gpu::profile(geometry, registers, pattern.run);
  if (!options.profiles.empty()) base::write_file_atomically(kept, vgpu::to_json(profile));
  return profile;
}

std::vector<comparison::Row> measure(const Options& options) {
  const comparison::Machine machine = comparison::load_machine(options.machine, options.measured);
  const vgpu::Geometry geometry = roofline::geometry_of(machine.machine);
  const std::vector<comparison::Counters> counters = counters_of(options.counters);
  const std::vector<patterns::Pattern> all = patterns::all();
  if (counters.size() != all.size()) {
    throw std::runtime_error(fmt::format("{} launches were counted, and there are {} patterns",
                                         counters.size(), all.size()));
  }
  const std::vector<comparison::Figure> figures = comparison::figures(machine);
  std::vector<comparison::Row> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<std::string>& only = options.only;
    if (!only.empty() && std::find(only.begin(), only.end(), all[i].name) == only.end()) continue;
    fmt::print(stderr, "{} of {}: {}\n", i + 1, all.size(), all[i].name);
    const int registers = static_cast<int>(counters[i].at("launch__registers_per_thread"));
    const vgpu::Profile profile = profile_of(options, i, all[i], geometry, registers);
    comparison::add_rows(rows, figures, all[i].name, profile.launches.back(), counters[i]);
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Compares patterns of access on the virtual GPU with a real one's counters.");
  comparison::add_options(app, options);
  app.add_option("--profiles", options.profiles,
                 "A folder to keep profiles in, and to take them from after a change of the time");
  CLI11_PARSE(app, argc, argv);
  return comparison::compare("compare-patterns", options, kExceptions,
                             [&] { return measure(options); });
}
