// SPDX-License-Identifier: MIT
// Recognising profiles, placing kernels on a roofline, and the JSON form.
#include "roofline/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "profile_formats.hpp"
#include "roofline/kernel/kernel_name.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSqliteMagic = "SQLite format 3";

// Whether the file is a profile if read with this separator: some spreadsheets and editors change
// it.
bool is_separated_by(const std::string& content, char separator) {
  const base::CsvTable table = base::parse_csv(content, separator);
  return nsight_header(table) < table.rows.size() ||
         (!table.rows.empty() && is_rocprofv3_header(table.rows.front()));
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

// The time of every kind of operation at its own peak; empty if one of them has none.
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

bool has_matrix_work(const KernelCounts& counts) {
  return std::any_of(counts.operations.begin(), counts.operations.end(),
                     [](const auto& kind) { return kind.first.ends_with(".matrix"); });
}

Json roofline_json(const KernelCounts& counts, const Machine* machine) {
  const ProfilePoint point = place(counts, machine);
  const bool known = counts.flops_known();
  Json json = {{"seconds", counts.seconds}, {"flops", known ? Json(counts.flops()) : Json()}};
  json["flops_are_lower_bound"] = known && !counts.uncounted.empty();
  if (!counts.uncounted.empty()) json["not_collected"] = counts.uncounted;
  json["operations"] = counts.operations;
  json["bytes"] = counts.bytes;
  json["level"] = point.level;
  // JSON has no infinity; cache-resident work is described in words.
  json["intensity"] = std::isfinite(point.intensity) ? Json(point.intensity) : Json(nullptr);
  if (std::isinf(point.intensity)) json["cache_resident"] = true;
  json["flops_per_second"] = known ? Json(point.flops_per_second) : Json();
  json["bytes_per_second"] = point.bytes_per_second;
  if (point.bound) json["bound"] = to_string(*point.bound);
  if (machine && !point.bound) json["bound"] = nullptr;
  if (point.fraction_of_roof > 0) json["fraction_of_roof"] = point.fraction_of_roof;
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
  return std::all_of(kernels.begin(), kernels.end(), [](const KernelProfile& kernel) {
    return kernel.counts && kernel.counts->flops_known();
  });
}

std::string uncounted_text(const KernelCounts& counts) {
  std::string text;
  for (const auto& [kind, counters] : counts.uncounted) {
    text += (text.empty() ? "" : ", ") + kind;
    // For matrix units every format is a separate kind in `operations`.
    const bool in_part =
        counts.operations.count(kind) || (kind.ends_with(" cores") && has_matrix_work(counts));
    if (!in_part || counters.empty()) continue;
    std::string parts;
    for (const std::string& counter : counters) {
      parts += (parts.empty() ? "" : ", ") + counter_subject(counter);
    }
    text += " (" + parts + ")";
  }
  return text;
}

Profile import_profile(const std::filesystem::path& file, const ImportOptions& options) {
  std::string content = base::read_given_file(file);
  if (content.starts_with(kSqliteMagic)) return read_rocpd(file, options);
  if (is_nsight_report(content)) content = nsight_report_as_csv(file);
  if (is_nsight_text(content)) {
    throw std::runtime_error(
        file.string() +
        ": this is the text that ncu prints, and its tables leave the "
        "counters out; run instead, with the program's arguments:\n" +
        nsight_command(nsight_program(content), nsight_text_capability(content)));
  }
  const base::CsvTable table = base::parse_csv(content);
  const std::size_t nsight = nsight_header(table);
  Profile profile;
  if (nsight < table.rows.size()) {
    if (!options.architecture.empty()) {
      throw std::runtime_error(file.string() +
                               ": this is a profile of an NVIDIA GPU; --architecture is for AMD's");
    }
    profile = read_nsight(table, nsight, nsight_program(content));
  } else if (!table.rows.empty() && is_rocprofv3_header(table.rows.front())) {
    profile = read_rocprofv3(table, options);
  } else {
    if (is_separated_by(content, ';') || is_separated_by(content, '\t')) {
      throw std::runtime_error(file.string() +
                               ": commas no longer separate its columns, as after saving from a "
                               "spreadsheet; import the file as the profiler wrote it");
    }
    throw std::runtime_error(
        file.string() +
        ": this is neither Nsight Compute's report or CSV (ncu --csv --page raw), nor rocprofv3's "
        "counter_collection.csv, nor a rocpd database");
  }
  if (profile.kernels.empty())
    throw std::runtime_error(file.string() + ": contains no kernel launch");
  return profile;
}

ProfilePoint place(const KernelCounts& counts, const Machine* machine) {
  const char* level = counts.bytes.count("DRAM") ? "DRAM" : "fabric";
  if (!counts.bytes.count(level)) throw std::invalid_argument("the counts hold no memory traffic");
  if (!(counts.seconds > 0)) throw std::invalid_argument("the counts hold no time");
  const double bytes = counts.bytes.at(level);
  ProfilePoint point;
  point.level = level;
  point.bytes_per_second = bytes / counts.seconds;
  const double moving = machine ? bytes / bandwidth(*machine) : 0;
  if (!counts.flops_known()) {
    point.intensity = point.flops_per_second = std::numeric_limits<double>::quiet_NaN();
    point.fraction_of_roof = moving / counts.seconds;
    return point;
  }
  point.intensity = arithmetic_intensity(counts.flops(), bytes);
  point.flops_per_second = counts.flops() / counts.seconds;
  if (!machine) return point;
  const auto computing = compute_seconds(counts, *machine);
  if (!computing) return point;
  const bool memory = moving > *computing;
  // The uncounted work may take longer than the memory.
  if (!memory || counts.uncounted.empty()) point.bound = memory ? Bound::kMemory : Bound::kCompute;
  point.fraction_of_roof = std::max(moving, *computing) / counts.seconds;
  return point;
}

std::string profile_json(const Profile& profile, const Machine* machine) {
  Json json = {{"schema", "roofline.profile"}, {"version", 1}, {"format", profile.format}};
  if (machine) json["machine"] = machine->name;
  json["complete"] = profile.complete();
  if (!profile.rerun.empty()) json["rerun"] = profile.rerun;
  json["kernels"] = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json entry = {{"id", kernel.id},
                  {"name", kernel.name},
                  {"short_name", short_kernel_name(kernel.name)},
                  {"device", kernel.device}};
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
