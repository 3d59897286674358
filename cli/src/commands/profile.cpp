// SPDX-License-Identifier: MIT
// ./lab profile: runs an exercise's kernel, or one of the user's own, on the virtual GPU.
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
#include "grader/program/checked_names.hpp"
#include "grader/program/launch_errors.hpp"
#include "grader/program/process.hpp"
#include "lock.hpp"
#include "own_kernel.hpp"
#include "roofline/chart/chart_html.hpp"
#include "roofline/kernel/kernel_page.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestSize = std::int64_t{1} << 22;
constexpr double kWallSeconds = 120;

/// The kernel's function; a counted exercise's entry is derived from it.
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

/// @throws std::runtime_error if this build has no checked kernels.
void refuse_what_cannot_check(const Course& course) {
  if (!fs::exists(course.build() / "CMakeCache.txt")) return;
  if (grader::cache_entry(course.build(), "ROOFLINE_CAN_CHECK_KERNELS") != "OFF") return;
  throw std::runtime_error(
      "kernels cannot be profiled with this build: it is for a GPU, for the thread sanitizer, "
      "or without libdw; ./lab doctor says what is missing");
}

/// The compiler's errors for a checked program of an exercise; empty if it is built.
std::string build_checked(const Course& course, const grader::Exercise& exercise,
                          const char* kind) {
  return grader::build_targets(
      course.build(), {exercise.topic + "-" + exercise.program + kind}, course.root(), [] {
        std::fprintf(stderr, "Another build of this tree is running; waiting for it to finish.\n");
      });
}

/// Builds the checked program from the saved files and returns its path. A kernel that does not
/// compile with counting numbers is profiled with plain ones.
fs::path checked_program(const Course& course, const grader::Exercise& exercise) {
  const fs::path plain = course.build() / "bin" / exercise.topic / exercise.program;
  const fs::path counted = plain.string() + grader::kChecked;
  const fs::path uncounted = plain.string() + grader::kCheckedPlain;
  if (!fs::exists(course.build() / "CMakeCache.txt")) {
    if (fs::exists(counted)) return counted;
    if (fs::exists(uncounted)) return uncounted;
    throw std::runtime_error("the program " + exercise.topic + "/" + counted.filename().string() +
                             " is not built; run ./lab start");
  }
  const std::string errors = build_checked(course, exercise, grader::kChecked);
  if (errors.empty()) return counted;
  if (grader::is_about_counting(errors) &&
      build_checked(course, exercise, grader::kCheckedPlain).empty()) {
    return uncounted;
  }
  throw std::runtime_error("it does not compile:\n" + errors);
}

/// Files through which ./lab and the program communicate: only one ./lab may use them at a time.
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

/// A request to a program with checked kernels.
struct Question {
  std::string kernel;  ///< its name in messages
  fs::path program;
  std::string entry;   ///< empty: the program's first
  std::int64_t n = 0;  ///< 0: the program's choice
  grader::Limits limits;
};

/// Runs the kernel in a separate process, like a check.
vgpu::Profile run_profiled(const Exchange& exchange, const Question& question,
                           const ProfileOptions& options, const vgpu::Geometry& geometry) {
  base::write_file_atomically(exchange.geometry(), vgpu::to_json(geometry));
  grader::Command command;
  command.arguments = {question.program.string(),    "--profile", "--geometry",
                       exchange.geometry().string(), "--out",     exchange.profile().string()};
  const auto add = [&](const char* option, const std::string& value) {
    command.arguments.emplace_back(option);
    command.arguments.push_back(value);
  };
  if (!question.entry.empty()) add("--entry", question.entry);
  if (question.n > 0) add("--n", std::to_string(question.n));
  if (options.registers > 0) add("--registers", std::to_string(options.registers));
  command.environment = grader::clean_environment();
  grader::Limits limits = question.limits;
  limits.wall_seconds = std::max(limits.wall_seconds, kWallSeconds);
  limits.threads_only = true;
  grader::Child child(command, limits);
  const int status = child.wait();
  if (status != 0) {
    const std::string said = child.output();
    throw std::runtime_error(
        "the kernel of " + question.kernel + " could not be profiled" +
        (said.empty() ? " (exit status " + std::to_string(status) + ")" : ": " + said));
  }
  if (!fs::exists(exchange.profile())) {
    throw std::runtime_error(question.kernel + " wrote no profile. " + kOwnMain);
  }
  vgpu::Profile found = vgpu::profile_from_json(base::read_file(exchange.profile()));
  if (found.launches.empty()) {
    throw std::runtime_error(question.kernel + " launched no kernel: there is nothing to profile");
  }
  return found;
}

vgpu::Profile profile_exercise(const Course& course, const grader::Exercise& exercise,
                               const ProfileOptions& options, const vgpu::Geometry& geometry) {
  refuse_what_cannot_check(course);
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  const fs::path program = checked_program(course, exercise);
  const Exchange exchange(course);
  return run_profiled(exchange,
                      {exercise.id, program, kernel_of(exercise),
                       options.n > 0 ? options.n : profiled_size(course.exercises(), exercise),
                       grader::Session(workspace).limits_for(exercise)},
                      options, geometry);
}

vgpu::Profile profile_own(const Course& course, const fs::path& file, const ProfileOptions& options,
                          const vgpu::Geometry& geometry) {
  refuse_what_cannot_check(course);
  const Exchange exchange(course);
  const fs::path program = build_own_kernel(course.build(), file, exchange.folder);
  grader::Limits limits;
  limits.cpu_seconds = 0;
  return run_profiled(exchange,
                      {file.filename().string(), program, options.entry, options.n, limits},
                      options, geometry);
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
  if (const auto judged = exercise.virtual_problem()) return judged->size;
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
  const bool is_own = target.ends_with(".cu");
  if (is_own && !fs::is_regular_file(target)) {
    throw std::runtime_error("there is no file " + target);
  }
  if (!is_own && !options.entry.empty()) {
    throw std::runtime_error("--entry chooses in a file of your own; an exercise has one kernel");
  }
  const grader::Exercise* exercise = is_own ? nullptr : &course.one(target);
  if (exercise != nullptr) refuse_what_has_no_kernel(*exercise);
  roofline::Machine machine = machine_named(course, options.machine);
  int multiprocessors = options.multiprocessors;
  if (exercise != nullptr && multiprocessors == 0) {
    multiprocessors =
        exercise->virtual_problem().value_or(grader::VirtualProblem{}).multiprocessors;
  }
  const bool is_part = multiprocessors > 0;
  if (is_part) machine = roofline::part_of(machine, multiprocessors);
  const vgpu::Geometry geometry = roofline::geometry_of(machine);
  // Find errors before the long work, so that it is not lost.
  if (!options.compare.empty()) roofline::import_profile(options.compare);
  if (!options.html.empty()) base::require_writable(options.html);
  const vgpu::Profile found = is_own ? profile_own(course, target, options, geometry)
                                     : profile_exercise(course, *exercise, options, geometry);
  roofline::Sources sources;
  for (const fs::path& file : is_own ? files_beside(target) : course.files_of(*exercise)) {
    if (!fs::exists(file)) continue;  // a record that does not exist yet
    sources[file.filename().string()] = base::lines_of(base::read_file(file));
  }
  print_report(
      roofline::report_of(found, machine, roofline::measured_efficiencies(course.root() / "data"),
                          is_part ? roofline::Code::kUnrolled : roofline::Code::kInOrder),
      sources, options);
  return 0;
}

}  // namespace cli
