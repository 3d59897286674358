// SPDX-License-Identifier: MIT
// ./lab profile: an exercise's kernel on the virtual GPU.
#include "profile.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "base/files.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "grader/judge/session.hpp"
#include "grader/program/build.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/program/process.hpp"
#include "lock.hpp"
#include "roofline/chart_html.hpp"
#include "roofline/kernel_page.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestSize = std::int64_t{1} << 22;
constexpr double kWallSeconds = 120;

/// The kernel's function; a counted exercise's entry is made from it.
std::string kernel_of(const grader::Exercise& exercise) {
  return exercise.entry.substr(0, exercise.entry.find('.'));
}

void refuse_what_has_no_kernel(const grader::Exercise& exercise) {
  if (exercise.rules().has_kernels) return;
  throw std::runtime_error(exercise.id + " is a " + std::string(name_of(exercise.kind())) +
                           ": it has no kernel to profile");
}

roofline::Machine machine_named(const Course& course, const std::string& name) {
  return roofline::load_machine(
      roofline::resolve_machine(name, course.root() / "data" / "machines"));
}

/// Builds the checked program from what is saved, and returns where it is.
fs::path checked_program(const Course& course, const grader::Exercise& exercise) {
  const std::string name = exercise.program + "-checked";
  const fs::path file = course.build() / "bin" / exercise.topic / name;
  if (fs::exists(course.build() / "CMakeCache.txt")) {
    if (grader::cache_entry(course.build(), "ROOFLINE_CAN_CHECK_KERNELS") == "OFF") {
      throw std::runtime_error(
          "kernels cannot be profiled with this build: it is for a GPU, for the thread sanitizer, "
          "or without libdw; ./lab doctor says what is missing");
    }
    const std::string errors =
        grader::build_targets(course.build(), {exercise.topic + "-" + name}, course.root(), [] {
          std::fprintf(stderr,
                       "Another build of this tree is at work; waiting until it is done.\n");
        });
    if (!errors.empty()) throw std::runtime_error("it does not compile:\n" + errors);
  }
  if (fs::exists(file)) return file;
  throw std::runtime_error("the program " + exercise.topic + "/" + name +
                           " is not built; run ./lab start");
}

/// Files by which ./lab and the program talk, so that only one of them may be at work.
struct Exchange {
  explicit Exchange(const Course& course)
      : lock(lock_checkout(course.memory_folder(), "profile")),
        folder(course.memory_folder() / "profile") {
    fs::create_directories(folder);
    fs::remove(profile());
  }
  fs::path geometry() const { return folder / "geometry.json"; }
  fs::path profile() const { return folder / "profile.json"; }

  base::FileLock lock;
  fs::path folder;
};

/// Runs the student's kernel in a process of its own, as a check does.
vgpu::Profile run_profiled(const Course& course, const grader::Exercise& exercise,
                           const ProfileOptions& options, const vgpu::Geometry& geometry) {
  const fs::path program = checked_program(course, exercise);
  const Exchange exchange(course);
  base::write_file_atomically(exchange.geometry(), vgpu::to_json(geometry));
  const std::int64_t n = options.n > 0 ? options.n : profiled_size(course.exercises(), exercise);
  grader::Command command;
  command.arguments = {program.string(),
                       "--profile",
                       "--entry",
                       kernel_of(exercise),
                       "--n",
                       std::to_string(n),
                       "--geometry",
                       exchange.geometry().string(),
                       "--out",
                       exchange.profile().string()};
  if (options.registers > 0) {
    command.arguments.insert(command.arguments.end(),
                             {"--registers", std::to_string(options.registers)});
  }
  command.environment = grader::clean_environment();
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  grader::Limits limits = grader::Session(workspace).limits_for(exercise);
  limits.wall_seconds = std::max(limits.wall_seconds, kWallSeconds);
  limits.threads_only = true;
  grader::Child child(command, limits);
  if (const int status = child.wait(); status != 0 || !fs::exists(exchange.profile())) {
    const std::string said = child.output();
    throw std::runtime_error(
        "the kernel of " + exercise.id + " could not be profiled" +
        (said.empty() ? " (exit status " + std::to_string(status) + ")" : ": " + said));
  }
  return vgpu::profile_from_json(base::read_file(exchange.profile()));
}

void print_html(const roofline::KernelReport& report, const roofline::Sources& sources,
                const std::string& file) {
  const roofline::ChartLibrary library = roofline::find_chart_library();
  base::write_file_atomically(
      file, roofline::kernel_html(report, sources, library.script, library.licence));
  std::printf("Written: %s\n", file.c_str());
}

void print_report(const roofline::KernelReport& report, const roofline::Sources& sources,
                  const ProfileOptions& options) {
  if (!options.compare.empty()) {
    const roofline::Profile real = roofline::import_profile(options.compare);
    std::fputs(roofline::kernel_comparison(report, real).c_str(), stdout);
  } else if (options.json) {
    std::fputs(roofline::kernel_json(report).c_str(), stdout);
  } else if (options.csv) {
    std::fputs(roofline::kernel_csv(report).c_str(), stdout);
  } else if (!options.html.empty()) {
    print_html(report, sources, options.html);
  } else {
    std::fputs(roofline::kernel_page(report, sources).c_str(), stdout);
  }
}

}  // namespace

std::int64_t profiled_size(const std::vector<grader::Exercise>& exercises,
                           const grader::Exercise& exercise) {
  if (exercise.kind() == grader::Kind::kProfile) return exercise.timed_size().on_cpu;
  std::int64_t timed = exercise.timed_size().on_cpu;
  std::int64_t judged = 1;
  for (const grader::Exercise& other : exercises) {
    if (other.topic != exercise.topic || other.program != exercise.program ||
        kernel_of(other) != kernel_of(exercise)) {
      continue;
    }
    if (timed == 0) timed = other.timed_size().on_cpu;
    for (const std::int64_t size : other.sizes()) judged = std::max(judged, size);
  }
  return std::min(timed > 0 ? timed : judged, kLargestSize);
}

int profile(const Course& course, const std::string& target, const ProfileOptions& options) {
  if (target.ends_with(".cu")) {
    throw std::runtime_error(
        "only kernels of exercises can be profiled so far, not a file of your own; ./lab list "
        "shows "
        "the exercises");
  }
  const grader::Exercise& exercise = course.one(target);
  refuse_what_has_no_kernel(exercise);
  const roofline::Machine machine = machine_named(course, options.machine);
  const vgpu::Geometry geometry = roofline::geometry_of(machine);
  // Before long work, not after it.
  if (!options.compare.empty()) roofline::import_profile(options.compare);
  if (!options.html.empty()) base::require_writable(options.html);
  const vgpu::Profile found = run_profiled(course, exercise, options, geometry);
  if (found.launches.empty()) {
    throw std::runtime_error(exercise.id + " launched no kernel: there is nothing to profile");
  }
  roofline::Sources sources;
  for (const fs::path& file : course.files_of(exercise)) {
    if (!fs::exists(file)) continue;  // a record that is not there yet
    sources[file.filename().string()] = base::lines_of(base::read_file(file));
  }
  print_report(
      roofline::report_of(found, machine, roofline::measured_efficiencies(course.root() / "data")),
      sources, options);
  return 0;
}

}  // namespace cli
