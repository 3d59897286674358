// SPDX-License-Identifier: MIT
// Telling profiles apart, placing kernels on a roofline, and the JSON form.
#include "roofline/profile.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "profile_formats.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSqliteMagic = "SQLite format 3";

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open the profile " + file.string());
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

// "fp16.matrix" -> the machine's peak for it, if any.
const Peak* peak_of(const Machine& machine, const std::string& kind) {
  const auto dot = kind.find('.');
  const std::string name = kind.substr(0, dot);
  for (const Precision precision : all_precisions()) {
    if (name == to_string(precision)) {
      return find_peak(machine, precision, parse_unit_name(kind.substr(dot + 1)));
    }
  }
  return nullptr;
}

// Every kind of operation at its own peak; empty when one of them has none.
std::optional<double> compute_seconds(const KernelCounts& counts, const Machine& machine) {
  double seconds = 0;
  for (const auto& [kind, operations] : counts.operations) {
    if (operations == 0) continue;
    const Peak* peak = peak_of(machine, kind);
    if (!peak) return std::nullopt;
    seconds += operations / peak->operations_per_second;
  }
  return seconds;
}

Json roofline_json(const KernelCounts& counts, const Machine* machine) {
  const ProfilePoint point = place(counts, machine);
  Json json = {{"seconds", counts.seconds}, {"flops", counts.flops()}};
  json["operations"] = counts.operations;
  json["bytes"] = counts.bytes;
  json["level"] = point.level;
  // JSON has no infinity; cache-resident work is said in words.
  json["intensity"] = std::isfinite(point.intensity) ? Json(point.intensity) : Json(nullptr);
  if (!std::isfinite(point.intensity)) json["cache_resident"] = true;
  json["flops_per_second"] = point.flops_per_second;
  json["bytes_per_second"] = point.bytes_per_second;
  if (point.bound) {
    json["bound"] = to_string(*point.bound);
    json["fraction_of_roof"] = point.fraction_of_roof;
  }
  return json;
}

}  // namespace

double KernelCounts::flops() const {
  double sum = 0;
  for (const auto& [kind, count] : operations) {
    if (!kind.starts_with("int")) sum += count;
  }
  return sum;
}

bool Profile::complete() const {
  return std::all_of(kernels.begin(), kernels.end(),
                     [](const KernelProfile& kernel) { return kernel.counts.has_value(); });
}

Profile import_profile(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string content = content_of(file);
  if (content.starts_with(kSqliteMagic)) return read_rocpd(file, options);
  const CsvTable table = parse_csv(content);
  const std::size_t nsight = nsight_header(table);
  Profile profile;
  if (nsight < table.rows.size()) {
    profile = read_nsight(table, nsight);
  } else if (!table.rows.empty() && is_rocprofv3_header(table.rows.front())) {
    profile = read_rocprofv3(table, options);
  } else {
    throw std::runtime_error(
        file.string() +
        ": this is neither Nsight Compute CSV (ncu --csv --page raw), nor rocprofv3's "
        "counter_collection.csv, nor a rocpd database");
  }
  if (profile.kernels.empty()) throw std::runtime_error(file.string() + ": holds no kernel launch");
  return profile;
}

ProfilePoint place(const KernelCounts& counts, const Machine* machine) {
  const char* level = counts.bytes.count("DRAM") ? "DRAM" : "fabric";
  if (!counts.bytes.count(level)) throw std::invalid_argument("the counts hold no memory traffic");
  if (!(counts.seconds > 0)) throw std::invalid_argument("the counts hold no time");
  const double bytes = counts.bytes.at(level);
  ProfilePoint point;
  point.level = level;
  point.intensity = arithmetic_intensity(counts.flops(), bytes);
  point.flops_per_second = counts.flops() / counts.seconds;
  point.bytes_per_second = bytes / counts.seconds;
  if (!machine) return point;
  const auto computing = compute_seconds(counts, *machine);
  if (!computing) return point;
  const double moving = bytes / bandwidth(*machine);
  point.bound = moving > *computing ? Bound::kMemory : Bound::kCompute;
  point.fraction_of_roof = std::max(moving, *computing) / counts.seconds;
  return point;
}

std::string profile_json(const Profile& profile, const Machine* machine) {
  Json json = {{"schema", "roofline.profile"}, {"version", 1}, {"format", profile.format}};
  if (machine) json["machine"] = machine->name;
  json["complete"] = profile.complete();
  json["kernels"] = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json entry = {{"id", kernel.id}, {"name", kernel.name}, {"device", kernel.device}};
    entry["roofline"] = nullptr;
    std::string problem = kernel.problem;
    if (kernel.counts) {
      try {
        entry["roofline"] = roofline_json(*kernel.counts, machine);
      } catch (const std::invalid_argument& error) {
        problem = error.what();
      }
    }
    if (!problem.empty()) entry["problem"] = problem;
    entry["notes"] = kernel.notes;
    json["kernels"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace roofline
