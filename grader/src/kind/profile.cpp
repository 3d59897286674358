// SPDX-License-Identifier: MIT
// Judges a kernel's behaviour on a virtual GPU: limits on the figures of its profile. No clock is
// involved, so the same kernel earns the same everywhere.
#include "grader/kind/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "grader/kind/kernel.hpp"
#include "grader/kind/speed.hpp"
#include "grader/program/sanitize.hpp"
#include "grader/timing/race.hpp"
#include "kind/checked_run.hpp"
#include "kind/count_limits.hpp"
#include "roofline/kernel/kernel_time.hpp"
#include "roofline/machine.hpp"

namespace grader {
namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Profile;
using vgpu::Site;
using vgpu::Space;

/// The predicted times of two equally fast correct kernels may differ by this factor.
constexpr double kVirtualMargin = 0.9;
constexpr double kMicro = 1e-6;
/// The share of inputs and results that must have gone through DRAM; cache lines at the edges may
/// be shared.
constexpr double kLeastTouched = 0.99;

const ProfileExercise& profile_of(const Exercise& exercise) {
  return exercise.as<ProfileExercise>();
}

std::vector<ProfileLimit> read_limits(TableReader& reader, Complaints& complaints) {
  std::vector<ProfileLimit> limits;
  const std::vector<std::string> known = profile_figures();
  reader.items("limits", true, [&](const toml::node& item) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.complain(item, "limits", "must be tables");
    TableReader entry(*table, "limits.", complaints);
    ProfileLimit limit{entry.text("figure", true), {}, {}};
    if (entry.has("least")) limit.least = entry.number("least", true, 0);
    if (entry.has("most")) limit.most = entry.number("most", true, 0);
    entry.complain_about_unknown_keys();
    if (!limit.least && !limit.most) entry.complain("figure", "needs least or most");
    if (std::find(known.begin(), known.end(), limit.figure) == known.end()) {
      std::string names;
      for (const std::string& name : known) names += " " + name;
      entry.complain("figure", "must be one of" + names);
    }
    limits.push_back(std::move(limit));
  });
  return limits;
}

void read_profile(Declaration& declaration, Exercise& exercise) {
  ProfileExercise own;
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.virtual_gpu = declaration.keys().text("virtual_gpu", true);
  own.size = declaration.read_size();
  own.limits = read_limits(declaration.keys(), declaration.complaints());
  exercise.fields = std::move(own);
}

/// A kernel's profile, with its problem and the virtual GPU.
struct Run {
  const Profile& profile;
  const Problem& problem;
  const roofline::Machine& machine;
  const roofline::Efficiencies& reached;
  roofline::Code code;

  roofline::KernelTime time_of(const Launch& launch) const {
    return roofline::time_of(launch, machine, reached, code);
  }
};

double sum(const Profile& profile, const std::function<double(const Launch&)>& figure) {
  return std::accumulate(profile.launches.begin(), profile.launches.end(), 0.0,
                         [&](double so_far, const Launch& l) { return so_far + figure(l); });
}

double ratio(const Profile& profile, Space space, std::initializer_list<Access> kinds,
             double Site::*above, double Site::*below) {
  double upper = 0;
  double lower = 0;
  for (const Access access : kinds) {
    upper += sum(profile, [&](const Launch& l) { return l.total(space, access, above); });
    lower += sum(profile, [&](const Launch& l) { return l.total(space, access, below); });
  }
  return lower > 0 ? upper / lower : 0;
}

/// The bytes that a launch reads from DRAM, and those that it writes or leaves in the cache to be
/// written.
double dram_bytes(const Launch& launch) {
  return launch.dram_bytes_read + launch.dram_bytes_written + launch.l2_dirty_bytes;
}

/// The minimum over all launches.
double least(const Profile& profile, const std::function<double(const Launch&)>& figure) {
  double smallest = 1;
  for (const Launch& launch : profile.launches) smallest = std::min(smallest, figure(launch));
  return smallest;
}

/// The shortest time that a machine allows for a problem's bytes and FLOPs, in one launch, at the
/// rates that programs achieve.
double roof_seconds(const Run& run) {
  double written = 0;
  for (const ProblemArgument& argument : run.problem.arguments) {
    if (argument.is_buffer && argument.role != harness::Role::kInput) {
      written += static_cast<double>(argument.count * size_of(argument.element));
    }
  }
  const double share = std::min(1.0, written / run.problem.bytes_moved);
  const roofline::Peak* peak =
      find_peak(run.machine, roofline::Precision::kFp32, roofline::Unit::kVector);
  if (peak == nullptr) throw std::runtime_error(run.machine.id + " has no FP32 vector peak");
  const auto reached = run.reached.vector.find(roofline::Precision::kFp32);
  const double rate =
      peak->operations_per_second * (reached == run.reached.vector.end() ? 1 : reached->second);
  return roofline::launch_seconds(*run.machine.multiprocessor) +
         std::max(run.problem.bytes_moved / (bandwidth(run.machine) * run.reached.dram(share)),
                  run.problem.flops / rate);
}

double predicted_seconds(const Run& run) {
  return sum(run.profile,
             [&](const Launch& launch) { return run.time_of(launch).expected_seconds; });
}

/// Bytes of loads in flight, relative to what DRAM needs, in the launch that reads the most.
double bytes_in_flight(const Run& run) {
  const auto most = std::max_element(
      run.profile.launches.begin(), run.profile.launches.end(),
      [](const Launch& a, const Launch& b) { return a.dram_bytes_read < b.dram_bytes_read; });
  if (most == run.profile.launches.end()) return 0;
  const roofline::Concurrency held = run.time_of(*most).concurrency;
  return held.bytes_needed > 0 ? held.bytes_available / held.bytes_needed : 0;
}

/// A figure summed over all accesses to a memory space.
double everything(const Profile& profile, Space space, double Site::*figure) {
  return sum(profile, [&](const Launch& launch) {
    return launch.total(space, Access::kLoad, figure) +
           launch.total(space, Access::kStore, figure) +
           launch.total(space, Access::kAtomic, figure);
  });
}

struct Figure {
  const char* name;
  const char* meaning;
  double (*of)(const Run& run);
  /// A source line's contribution to the figure; the worst line is reported. Null if lines do not
  /// contribute.
  double (*of_site)(const Site& site);
};

double excess(const Site& site, Space space, Access access) {
  const bool counts = site.space == space && site.access == access;
  return counts ? site.sectors_per_request() : 0;
}

constexpr Figure kFigures[] = {
    {"sectors_per_load", "32-byte sectors that a warp's load touches, on average",
     [](const Run& run) {
       return ratio(run.profile, Space::kGlobal, {Access::kLoad}, &Site::sectors, &Site::requests);
     },
     [](const Site& site) { return excess(site, Space::kGlobal, Access::kLoad); }},
    {"sectors_per_store", "32-byte sectors that a warp's store touches, on average",
     [](const Run& run) {
       return ratio(run.profile, Space::kGlobal, {Access::kStore}, &Site::sectors, &Site::requests);
     },
     [](const Site& site) { return excess(site, Space::kGlobal, Access::kStore); }},
    {"sectors_per_compulsory",
     "sectors that all warps request, over those that inputs and results fill",
     [](const Run& run) {
       return everything(run.profile, Space::kGlobal, &Site::sectors) *
              run.profile.geometry.sector_bytes / run.problem.bytes_moved;
     },
     [](const Site& site) { return site.space == Space::kGlobal ? site.sectors : 0; }},
    {"wavefronts_per_ideal", "passes over the banks of shared memory, over those without conflicts",
     [](const Run& run) {
       return ratio(run.profile, Space::kShared, {Access::kLoad, Access::kStore, Access::kAtomic},
                    &Site::wavefronts, &Site::ideal_wavefronts);
     },
     [](const Site& site) { return site.conflicts(); }},
    {"bank_conflicts",
     "passes over the banks of shared memory, beyond those needed without conflicts",
     [](const Run& run) {
       return everything(run.profile, Space::kShared, &Site::wavefronts) -
              everything(run.profile, Space::kShared, &Site::ideal_wavefronts);
     },
     [](const Site& site) { return site.conflicts(); }},
    {"shared_bytes", "shared memory of a block",
     [](const Run& run) {
       double most = 0;
       for (const Launch& launch : run.profile.launches) {
         most = std::max(most, static_cast<double>(launch.shared_bytes));
       }
       return most;
     },
     nullptr},
    {"atomics", "atomic operations of lanes on device memory",
     [](const Run& run) {
       return sum(run.profile, [](const Launch& l) {
         return l.total(Space::kGlobal, Access::kAtomic, &Site::lanes);
       });
     },
     [](const Site& site) {
       return site.space == Space::kGlobal && site.access == Access::kAtomic ? site.lanes : 0;
     }},
    {"dram_bytes_per_compulsory", "DRAM bytes over those of inputs and results",
     [](const Run& run) { return sum(run.profile, dram_bytes) / run.problem.bytes_moved; },
     nullptr},
    {"occupancy", "resident threads over those that a multiprocessor can hold",
     [](const Run& run) {
       return least(run.profile, [](const Launch& l) { return l.occupancy.share; });
     },
     nullptr},
    {"bytes_in_flight",
     "bytes of loads in flight, over the least that DRAM needs; at most four loads of a line in a "
     "loop count, unless more are stored only after all of them",
     bytes_in_flight, nullptr},
    {"lane_use", "active lanes, over all lanes of the warps that run",
     [](const Run& run) {
       return least(run.profile,
                    [&](const Launch& l) { return l.lane_use(run.profile.geometry.lanes); });
     },
     nullptr},
    {"idle_lanes", "idle lane slots per sector of input and output",
     [](const Run& run) {
       const double sectors = run.problem.bytes_moved / run.profile.geometry.sector_bytes;
       return sum(run.profile,
                  [&](const Launch& launch) {
                    double idle = 0;
                    for (const vgpu::LineWork& line : launch.lines) {
                      idle += line.warp_steps * run.profile.geometry.lanes - line.lanes;
                    }
                    return idle;
                  }) /
              sectors;
     },
     nullptr},
    {"share_of_roof", "the least time that the machine allows, over the predicted time",
     [](const Run& run) { return roof_seconds(run) / predicted_seconds(run); }, nullptr},
};

const Figure& figure_named(const std::string& name) {
  for (const Figure& figure : kFigures) {
    if (figure.name == name) return figure;
  }
  throw std::runtime_error("there is no figure named " + name);
}

/// " (worst: transpose.cu:19)", or nothing.
std::string worst_line(const Profile& profile, const Figure& figure) {
  if (figure.of_site == nullptr) return {};
  const Site* worst = nullptr;
  for (const Launch& launch : profile.launches) {
    for (const Site& site : launch.sites) {
      if (figure.of_site(site) <= 0) continue;
      if (worst == nullptr || figure.of_site(site) > figure.of_site(*worst)) worst = &site;
    }
  }
  if (worst == nullptr) return {};
  return " (most at " + worst->file + ":" + std::to_string(worst->line) + ")";
}

/// " (limited by grid)": the limit in the launch with the fewest resident threads.
std::string limiter(const Profile& profile) {
  const auto fewest = std::min_element(
      profile.launches.begin(), profile.launches.end(),
      [](const Launch& a, const Launch& b) { return a.occupancy.share < b.occupancy.share; });
  if (fewest == profile.launches.end()) return {};
  return std::string(" (limited by ") + to_string(fewest->occupancy.limiter) + ")";
}

/// " (bound by latency)": what sets the time of the launch that is predicted to take longest.
std::string bound(const Run& run) {
  roofline::KernelTime longest;
  for (const Launch& launch : run.profile.launches) {
    roofline::KernelTime time = run.time_of(launch);
    if (time.expected_seconds > longest.expected_seconds) longest = std::move(time);
  }
  return longest.bound.empty() ? "" : " (bound by " + longest.bound + ")";
}

/// A line per figure: those beyond their limits, or all of them.
struct Judged {
  std::string wrong;
  std::string right;
};

Judged judge(const Exercise& exercise, const Run& run) {
  Judged judged;
  for (const ProfileLimit& limit : profile_of(exercise).limits) {
    const Figure& figure = figure_named(limit.figure);
    const double value = figure.of(run);
    const bool holds = value <= limit.most.value_or(value) && value >= limit.least.value_or(value);
    // Counts are whole numbers; four digits are enough for a ratio.
    std::string line =
        limit.figure + ": " +
        (value == std::floor(value) ? plain_number(value) : fmt::format("{:.4g}", value));
    if (limit.most) line += ", at most " + plain_number(*limit.most);
    if (limit.least) line += ", at least " + plain_number(*limit.least);
    if (holds) {
      judged.right += line + "\n";
    } else {
      if (limit.figure == "occupancy") line += limiter(run.profile);
      if (limit.figure == "share_of_roof") line += bound(run);
      judged.wrong += line + worst_line(run.profile, figure) + "\n  " + figure.meaning + "\n";
    }
  }
  return judged;
}

/// Figures that are impossible if kernels did all of the work; else empty.
std::string judge_work(const Profile& profile, const Problem& problem) {
  if (profile.launches.empty()) return "no kernel was launched\n";
  const double touched = sum(profile, dram_bytes);
  if (touched < kLeastTouched * problem.bytes_moved) {
    return "the kernel moves " + plain_number(touched) + " bytes of DRAM, and " +
           plain_number(problem.bytes_moved) +
           " hold inputs and results: some of the results were not computed by a kernel\n";
  }
  const double flops =
      sum(profile, [](const Launch& launch) { return launch.flops() + launch.matrix_flops(); });
  if (flops >= problem.flops / 2) return {};  // no known method halves the work of these problems
  return "the kernel does " + plain_number(flops) + " FLOPs, and the problem has " +
         plain_number(problem.flops) + ": some of the results were not computed by a kernel\n";
}

/// The message about a launch that was only sampled, so that results are missing; else empty.
std::string judge_whole(const Profile& profile) {
  for (const Launch& launch : profile.launches) {
    if (launch.blocks_run == launch.blocks()) continue;
    return fmt::format("{}: only {} of {} blocks were run; the solution's launches are run whole\n",
                       sanitize_line(launch.kernel, 100), launch.blocks_run, launch.blocks());
  }
  return {};
}

}  // namespace

std::vector<std::string> profile_figures() {
  std::vector<std::string> names;
  for (const Figure& figure : kFigures) names.emplace_back(figure.name);
  return names;
}

namespace {

/// The profile of a student's kernel on a virtual GPU, or the verdict if there is none.
struct Profiled {
  roofline::Machine machine;
  roofline::Efficiencies reached;
  Problem problem;
  Profile profile;
  roofline::Code code = roofline::Code::kInOrder;
  std::optional<Verdict> verdict;

  Run run() const { return {profile, problem, machine, reached, code}; }
};

/// The verdict on a kernel that the checker stops, at the largest size that is small enough. This
/// is needed because the virtual GPU runs threads one after another, so a race does no harm there.
std::optional<Verdict> checked_verdict(Session& session, const Exercise& exercise,
                                       std::int64_t size) {
  const auto problem_of = [&](std::int64_t n) {
    return session.oracle(exercise.topic)
        .make_problem(exercise.entry, n, session.seed_for(exercise), false);
  };
  Problem problem = problem_of(size);
  while (!is_small(problem) && problem.n > 1) problem = problem_of(problem.n / 2);
  // In a separate process, because a lab may keep what it allocated once.
  CheckedRun run = run_checked(*session.start_checked(exercise), exercise.entry, problem,
                               {exercise.rtol, exercise.atol});
  if (run.stopped.empty()) return std::nullopt;
  return stopped_verdict(session, exercise, run.stopped, "n = " + std::to_string(problem.n));
}

/// On all multiprocessors, or, with unrolled code, on as many as given.
Profiled run_profiled(Session& session, const Exercise& exercise, const std::string& gpu,
                      std::int64_t size, int multiprocessors = 0) {
  Profiled result;
  const std::unique_ptr<Program> student = session.start_checked(exercise);
  if (!student) {
    result.verdict = verdict_for(exercise, Status::kSkipped,
                                 "profiling needs the CPU build with checked kernels (see ./lab "
                                 "doctor)");
    return result;
  }
  const std::filesystem::path data = session.workspace().root / "data";
  result.machine = roofline::load_machine(roofline::resolve_machine(gpu, data / "machines"));
  if (multiprocessors > 0) {
    result.machine = roofline::part_of(result.machine, multiprocessors);
    result.code = roofline::Code::kUnrolled;
  }
  result.reached = roofline::measured_efficiencies(data);
  result.problem = session.oracle(exercise.topic)
                       .make_problem(exercise.entry, size, session.seed_for(exercise), false);
  result.verdict = refusal_of_kernel(session, exercise);
  if (!result.verdict) result.verdict = checked_verdict(session, exercise, size);
  if (result.verdict) return result;
  Slot slot(*student, 0, exercise.entry, result.problem, 0);
  result.profile = slot.profile(roofline::geometry_of(result.machine));
  if (std::string sampled = judge_whole(result.profile); !sampled.empty()) {
    result.verdict = verdict_for(exercise, Status::kFailed,
                                 "far too many accesses to memory to be run to the end");
    result.verdict->detail = std::move(sampled);
    return result;
  }
  slot.fetch();
  std::string wrong = slot.check({std::max(exercise.rtol, kCheckedTolerance.relative),
                                  std::max(exercise.atol, kCheckedTolerance.absolute)});
  if (!wrong.empty()) {
    result.verdict = verdict_for(exercise, Status::kFailed,
                                 "the results are wrong for n = " + std::to_string(size) +
                                     ", so the profile does not count");
    result.verdict->detail = std::move(wrong);
    if (exercise.kernel) {
      result.verdict->detail += "It was right for the smaller sizes of " + exercise.kernel->id +
                                ". What grows with n is the rounding of a long sum in a single "
                                "number, and an index that does not fit into 32 bits.\n";
    }
  }
  return result;
}

}  // namespace

Verdict grade_profile(Session& session, const Exercise& exercise) {
  Profiled profiled =
      run_profiled(session, exercise, profile_of(exercise).virtual_gpu, profile_of(exercise).size);
  if (profiled.verdict) return *profiled.verdict;
  Judged judged = judge(exercise, profiled.run());
  judged.wrong = judge_work(profiled.profile, profiled.problem) + judged.wrong;
  const bool passed = judged.wrong.empty();
  Verdict verdict = verdict_for(exercise, passed ? Status::kPassed : Status::kFailed,
                                fmt::format("{} the limits on the virtual {}",
                                            passed ? "within" : "beyond", profiled.machine.name));
  verdict.detail = passed ? judged.right : judged.wrong;
  return verdict;
}

namespace {

/// ", on 8 multiprocessors"; empty for all of them.
std::string on_some(const VirtualRace& race) {
  if (race.multiprocessors == 0) return {};
  return fmt::format(", on {} multiprocessor{}", race.multiprocessors,
                     race.multiprocessors == 1 ? "" : "s");
}

}  // namespace

Verdict grade_virtual_race(Session& session, const Exercise& exercise) {
  const SpeedExercise& speed = exercise.as<SpeedExercise>();
  const VirtualRace& race = *speed.virtual_race;
  Profiled profiled = run_profiled(session, exercise, race.gpu, race.size, race.multiprocessors);
  if (profiled.verdict) return *profiled.verdict;
  if (std::string missing = judge_work(profiled.profile, profiled.problem); !missing.empty()) {
    Verdict verdict = verdict_for(exercise, Status::kFailed, "the kernels do not do the work");
    verdict.detail = std::move(missing);
    return verdict;
  }
  const double seconds = predicted_seconds(profiled.run());
  const double ratio = race.microseconds * kMicro / seconds;
  const double full = kVirtualMargin * speed.full_ratio;
  const double score = speed_score(speed, ratio / full);
  char text[160];
  std::snprintf(text, sizeof text, "%.0f %% of the reference's speed, predicted for the virtual %s",
                100 * ratio, profiled.machine.name.c_str());
  Verdict verdict = verdict_for(exercise,
                                score > 1 - kStep / 2 ? Status::kPassed
                                : score > 0           ? Status::kPartial
                                                      : Status::kFailed,
                                text);
  verdict.points = score * exercise.points;
  verdict.detail =
      fmt::format("{:.4g} us for n = {}{}{}. All points from {:.0f} %", seconds / kMicro, race.size,
                  on_some(race), bound(profiled.run()), 100 * full);
  verdict.metrics = {{"predicted_seconds", seconds}, {"ratio_to_reference", ratio}};
  return verdict;
}

constinit const KindRules kProfileRules{.name = "profile",
                                        .read = read_profile,
                                        .judge = grade_profile,
                                        .has_kernels = true,
                                        .judges_how = true,
                                        .is_shared = true};

}  // namespace grader
