// SPDX-License-Identifier: MIT
// A class's term through the program `grader`: numbers of every student's own handed out at
// the start, four topics, three deadlines, several attempts that come late, answers taken from a
// neighbour, a lost slice, a killed batch, two regrades, decisions of people, every export. What
// everybody should have is computed here independently, from what was handed out and handed in.
// Where ROOFLINE_LOSE_NODE is a command that lets a node of a cluster go down, the slices are tasks
// on that cluster, and the command is given in their middle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "class_size.hpp"
#include "support/archives.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kTopics = 4;
constexpr std::size_t kAssignments = 3;
constexpr std::size_t kAttempts = 2;
constexpr std::size_t kParts = 3;  // exercises of a topic: bytes, time, bound
constexpr int kLateDays = 3;
constexpr double kPenalty = 0.2;
constexpr int kLimit = 4;
constexpr int kDay = 86400;
constexpr double kCredit = 0.5;
constexpr double kTolerance = 1e-3;
constexpr const char* kSecret = "a secret of this test only";

const std::array<const char*, kTopics> kNumbers = {"91", "92", "93", "94"};
const std::array<const char*, kParts> kNames = {"bytes", "time", "bound"};
// Decimal fractions whose sums differ in the last bit, depending on the order.
const std::array<std::array<double, kParts>, kTopics> kPoints = {
    {{1, 2, 1}, {2, 1, 1}, {0.7, 0.6, 0.1}, {0.3, 1, 2}}};
const std::array<std::vector<std::size_t>, kAssignments> kTopicsOf = {{{0}, {1}, {2, 3}}};
const std::array<double, kAssignments> kWeights = {1, 2, 3};
const std::array<const char*, kAssignments> kMonths = {"10", "11", "12"};
// No common mistake leads from one of them to another.
const std::vector<double> kCounts = {1e9, 3e9, 7e9, 11e9};
// Gets the second edition of the numbers, because the first was leaked.
constexpr std::size_t kSecondEdition = 21;

std::string id_of(std::size_t student) {
  return fmt::format("s{:03}", student);
}
std::string exercise_of(std::size_t topic, std::size_t part) {
  return fmt::format("{}.{}", kNumbers.at(topic), kNames.at(part));
}
std::string folder_of(std::size_t topic) {
  return fmt::format("{}-topic", kNumbers.at(topic));
}
std::string name_of(std::size_t assignment) {
  return fmt::format("A{}", assignment);
}

/// The numbers in exercises.toml that a regrade changes.
struct Course {
  std::array<double, kTopics> per{4, 4, 4, 4};               ///< bytes of a number
  std::array<double, kTopics> rate{1e11, 1e11, 1e11, 1e11};  ///< bytes per second
};

/// A student's answers for one topic.
struct Sheet {
  double count = 0;  ///< from the student's own numbers
  std::optional<double> bytes;
  bool is_garbage = false;  ///< a word instead of bytes
  std::optional<double> time;
  std::string word;
  bool is_copied = false;  ///< right for the neighbour's numbers, which differ
};
struct Attempt {
  bool is_there = false;
  std::vector<Sheet> sheets;  ///< one for each topic of the assignment
  int seconds_late = 0;
};
using HandIns = std::array<std::array<Attempt, kAttempts>, kAssignments>;

/// Points of an attempt's exercises, in the order of the course.
using Points = std::vector<double>;

bool is_near(double is, double should) {
  return std::fabs(is - should) <= kTolerance * should;
}

Points points_of(const Attempt& attempt, std::size_t assignment, const Course& course) {
  Points points;
  for (std::size_t i = 0; i < attempt.sheets.size(); ++i) {
    const Sheet& sheet = attempt.sheets[i];
    const std::size_t topic = kTopicsOf.at(assignment)[i];
    const auto& most = kPoints.at(topic);
    const double bytes = sheet.count * course.per.at(topic);
    const double rate = course.rate.at(topic);
    points.push_back(sheet.bytes && is_near(*sheet.bytes, bytes) ? most[0] : 0);
    const bool is_right = sheet.time && is_near(*sheet.time, bytes / rate);
    const bool is_of_others =
        sheet.bytes && std::any_of(kCounts.begin(), kCounts.end(), [&](double count) {
          return is_near(*sheet.bytes, count * course.per.at(topic));
        });
    const bool follows =
        sheet.time && sheet.bytes && !is_of_others && is_near(*sheet.time, *sheet.bytes / rate);
    points.push_back(is_right ? most[1] : follows ? kCredit * most[1] : 0);
    points.push_back(sheet.word == "memory" ? most[2] : 0);
  }
  return points;
}

std::vector<bool> tried(const Attempt& attempt) {
  std::vector<bool> result;
  for (const Sheet& sheet : attempt.sheets) {
    result.push_back(sheet.bytes || sheet.is_garbage);
    result.push_back(sheet.time.has_value());
    result.push_back(!sheet.word.empty());
  }
  return result;
}

double sum(const Points& points) {
  double total = 0;
  for (const double one : points) total += one;
  return total;
}

std::vector<std::string> exercises_of(std::size_t assignment) {
  std::vector<std::string> ids;
  for (const std::size_t topic : kTopicsOf.at(assignment)) {
    for (std::size_t part = 0; part < kParts; ++part) ids.push_back(exercise_of(topic, part));
  }
  return ids;
}

double most_of(std::size_t assignment) {
  double most = 0;
  for (const std::size_t topic : kTopicsOf.at(assignment)) {
    for (const double points : kPoints.at(topic)) most += points;
  }
  return most;
}

/// Manual decisions.
struct Decisions {
  bool are_made = false;
  // s007 was ill for A1, s011 has a certificate for A0, s013 explained 94.bound.
  static constexpr std::size_t kIll = 7, kExcused = 11, kExplained = 13;
  static constexpr int kExtension = 10;  // days
};

/// The expected share of an assignment.
struct Share {
  std::optional<std::size_t> attempt;  ///< the attempt that counts
  Points points;
  double share = 0;
  int days_late = 0;
  int free_days = 0;
  bool is_excused = false;
};
struct Standing {
  std::array<Share, kAssignments> shares;
  int late_days_left = kLateDays;
  double total = 0;
};

constexpr double kRounding = 1e-9;

/// An independent implementation of the policy, for the collected assignments.
Standing standing_of(std::size_t student, const HandIns& hand_ins, const Course& course,
                     const Decisions& decisions, std::size_t collected) {
  Standing standing;
  double weights = 0;
  for (std::size_t a = 0; a < collected; ++a) {
    Share& own = standing.shares.at(a);
    own.points = Points(kParts * kTopicsOf.at(a).size(), 0);
    own.is_excused = decisions.are_made && student == Decisions::kExcused && a == 0;
    const bool is_longer = decisions.are_made && student == Decisions::kIll && a == 1;
    std::array<std::size_t, kAttempts> order = {0, 1};
    if (hand_ins.at(a)[1].seconds_late < hand_ins.at(a)[0].seconds_late) order = {1, 0};
    bool is_within = false;
    for (const std::size_t t : order) {
      const Attempt& attempt = hand_ins.at(a).at(t);
      if (!attempt.is_there) continue;
      Share one;
      one.attempt = t;
      one.is_excused = own.is_excused;
      one.points = points_of(attempt, a, course);
      if (decisions.are_made && student == Decisions::kExplained && a == 2) {
        one.points.back() = kPoints.at(3)[2];
      }
      const int late = attempt.seconds_late - (is_longer ? Decisions::kExtension * kDay : 0);
      if (late > 0 && !own.is_excused) one.days_late = (late + kDay - 1) / kDay;
      const bool counts = one.days_late <= kLimit;
      if (counts) {
        one.free_days = std::min(standing.late_days_left, one.days_late);
        one.share = sum(one.points) / most_of(a) * (1 - kPenalty * (one.days_late - one.free_days));
      }
      const bool takes =
          !own.attempt || (counts && !is_within) || (counts && one.share > own.share + kRounding);
      if (takes) own = one;
      is_within = is_within || counts;
    }
    if (!own.attempt && decisions.are_made && student == Decisions::kExplained && a == 2) {
      own.points.back() = kPoints.at(3)[2];
      own.share = sum(own.points) / most_of(a);
    }
    standing.late_days_left -= own.free_days;
    if (own.is_excused) continue;
    standing.total += kWeights.at(a) * own.share;
    weights += kWeights.at(a);
  }
  if (weights > 0) standing.total /= weights;
  return standing;
}

/// The attempt that a batch counts: the most points, and the earlier of equal ones.
std::optional<std::size_t> best_attempt(const HandIns& hand_ins, std::size_t a,
                                        const Course& course) {
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t t = 0; t < kAttempts; ++t) {
    if (!hand_ins.at(a).at(t).is_there) continue;
    const double points = sum(points_of(hand_ins.at(a).at(t), a, course));
    if (!best || points > most + kRounding) {
      best = t;
      most = points;
    }
  }
  return best;
}

class PlayedTerm {
 public:
  PlayedTerm() {
    for (std::size_t topic = 0; topic < kTopics; ++topic) {
      const fs::path bin = build() / "bin/solutions" / folder_of(topic);
      fs::create_directories(bin);
      fs::create_symlink(RL_TERM_ANSWERS, bin / "answers");
    }
    folder_.write("build/CMakeCache.txt", fmt::format("CMAKE_HOME_DIRECTORY:INTERNAL={}\n",
                                                      (folder_.path / "course").string()));
    folder_.write("secret.txt", std::string(kSecret) + "\n");
    write_course();
    std::string roster = "id,name,email,sis-id,section,variant-version\n";
    for (std::size_t s = 0; s < kStudents; ++s) {
      roster += fmt::format("{0},Student {0},{0}@example.org,u{0},A,{1}\n", id_of(s),
                            s == kSecondEdition ? "2" : "");
    }
    folder_.write("roster.csv", roster);
    hand_out();
    draw();
    for (std::size_t s = 0; s < kStudents; ++s) {
      for (std::size_t a = 0; a < kAssignments; ++a) hand_in(s, a);
    }
    for (std::size_t a = 0; a < kAssignments; ++a) write_times(a);
  }

  fs::path build() const { return folder_.path / "build"; }
  fs::path graded(std::size_t a) const { return folder_.path / "graded" / name_of(a); }
  fs::path book_folder() const { return folder_.path / "book"; }
  fs::path log() const { return folder_.path / "log"; }
  std::string said() const { return base::read_file(log()); }

  void write_course() const {
    for (std::size_t topic = 0; topic < kTopics; ++topic) {
      const std::string bytes = exercise_of(topic, 0);
      const auto& points = kPoints.at(topic);
      folder_.write(
          "course/topics/" + folder_of(topic) + "/exercises.toml",
          fmt::format("[[exercise]]\nid = \"{0}\"\ntitle = \"Bytes\"\ntask = \"Bytes of {{count}} "
                      "numbers of {{per}} bytes.\"\nkind = \"number\"\npoints = {1}\nunit = \"B\"\n"
                      "rtol = {2}\nwriteup = \"x\"\nhints = [\"Multiply.\"]\nmisconceptions = "
                      "[{{factor = 2, message = \"every byte is counted twice\"}}]\n"
                      "[exercise.parameters]\ncount = {{canonical = {3:g}, choices = [{4:g}]}}\n"
                      "per = {5}\n\n",
                      bytes, points[0], kTolerance, kCounts.front(), fmt::join(kCounts, ", "),
                      course_.per.at(topic)) +
              fmt::format(
                  "[[exercise]]\nid = \"{0}\"\ntitle = \"Time\"\ntask = \"Seconds at {{rate}} "
                  "B/s.\"\nkind = \"number\"\npoints = {1}\nunit = \"s\"\nrtol = {2}\n"
                  "writeup = \"x\"\nhints = [\"Divide.\"]\nbuilds_on = [\"{3}\"]\n"
                  "carried = {{from = \"{3}\", credit = {4}}}\n[exercise.parameters]\n"
                  "count = {{same_as = \"{3}\"}}\nper = {5}\nrate = {6:g}\n\n",
                  exercise_of(topic, 1), points[1], kTolerance, bytes, kCredit,
                  course_.per.at(topic), course_.rate.at(topic)) +
              fmt::format("[[exercise]]\nid = \"{}\"\ntitle = \"Bound\"\ntask = \"memory or "
                          "compute?\"\nkind = \"choice\"\npoints = {}\nchoices = [\"memory\", "
                          "\"compute\"]\nwriteup = \"x\"\nhints = [\"Bytes.\"]\n",
                          exercise_of(topic, 2), points[2]));
    }
  }

  /// Runs `grader` to its end and returns its exit status.
  int run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), RL_GRADER);
    return support::end_of(support::start_program(arguments, log()));
  }
  std::vector<std::string> batch(std::size_t a, const std::vector<std::string>& exercises,
                                 const fs::path& out,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"batch",
                                      (folder_.path / "in" / name_of(a)).string(),
                                      "--root",
                                      (folder_.path / "course").string(),
                                      "--build",
                                      build().string(),
                                      "--out",
                                      out.string(),
                                      "--roster",
                                      (folder_.path / "roster.csv").string(),
                                      "--secret-file",
                                      (folder_.path / "secret.txt").string(),
                                      "--attempt",
                                      "best",
                                      "--isolation-light"};
    for (const std::string& id : exercises) words.insert(words.end(), {"--exercise", id});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::vector<std::string> topics_of(std::size_t a) {
    std::vector<std::string> numbers;
    for (const std::size_t topic : kTopicsOf.at(a)) numbers.emplace_back(kNumbers.at(topic));
    return numbers;
  }

  /// Starts a batch and kills it when it has stored some results, but not all of them.
  void kill_in_the_middle(std::vector<std::string> arguments, const fs::path& out,
                          std::size_t all) const {
    constexpr std::size_t kSome = 20;
    arguments.insert(arguments.begin(), RL_GRADER);
    const pid_t pid = support::start_program(arguments, log());
    const bool is_killed = support::kill_when(pid, [&] { return results_in(out) >= kSome; });
    INFO(said());
    REQUIRE(is_killed);
    REQUIRE(results_in(out) < all);
  }
  /// A0's batch in three slices, of which one is killed and not started again. Returns their
  /// folders.
  std::vector<fs::path> grade_in_slices() const {
    std::vector<fs::path> parts;
    for (std::size_t slice = 0; slice < 3; ++slice) {
      parts.push_back(folder_.path / "parts" / std::to_string(slice));
      const auto words =
          batch(0, topics_of(0), parts.back(), {"--slice", fmt::format("{}/3", slice)});
      if (slice == 1) {
        kill_in_the_middle(words, parts.back(), kStudents / 3);
      } else {
        REQUIRE(run(words) == 0);
      }
    }
    std::vector<std::string> taken;
    for (const fs::path& part : parts) taken.insert(taken.end(), {"--take", part.string()});
    REQUIRE(run(batch(0, topics_of(0), graded(0), taken)) == 0);
    return parts;
  }
  /// The same in six tasks of a cluster that loses a node.
  std::vector<fs::path> grade_on_nodes(const char* lose_node) const {
    constexpr std::size_t kSome = 20;
    REQUIRE(run(batch(0, topics_of(0), graded(0), {"--slurm", "6"})) == 0);
    std::vector<fs::path> parts;
    for (int task = 0; task < 6; ++task) {
      parts.push_back(graded(0) / "slurm/parts" / std::to_string(task));
    }
    const auto stored = [&] {
      std::size_t all = 0;
      for (const fs::path& part : parts) all += results_in(part);
      return all;
    };
    REQUIRE(comes_true([&] { return stored() >= kSome; }));
    REQUIRE(std::system(lose_node) == 0);
    REQUIRE(stored() < kStudents / 2);
    const fs::path merged = graded(0) / "slurm/merge.log";
    REQUIRE(comes_true(
        [&] { return base::read_file_if_any(merged).find(" a minute)") != std::string::npos; }));
    fs::copy_file(merged, log(), fs::copy_options::overwrite_existing);
    return parts;
  }
  /// Waits until it does. A job that lost its node begins again two minutes later.
  static bool comes_true(const std::function<bool()>& condition) {
    constexpr int kMostSeconds = 600;
    for (int tenths = 0; tenths < 10 * kMostSeconds; ++tenths) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }
  /// The number of students who handed something in and have a result in the folder.
  std::size_t work_in(const fs::path& out, std::size_t a) const {
    std::size_t found = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      if (!best_attempt(hand_ins_.at(s), a, course_)) continue;
      found += fs::exists(out / "results" / (id_of(s) + ".json")) ? 1U : 0U;
    }
    return found;
  }
  static std::size_t results_in(const fs::path& out) {
    std::size_t found = 0;
    if (!fs::exists(out / "results")) return 0;
    for (const auto& entry : fs::directory_iterator(out / "results")) {
      found += entry.path().extension() == ".json" ? 1U : 0U;
    }
    return found;
  }

  void write_policy(std::size_t collected, const Decisions& decisions) const {
    std::string policy =
        fmt::format("course = \"A term\"\nlate-days = {}\nlate-penalty = {}\nlate-limit = {}\n",
                    kLateDays, kPenalty, kLimit);
    for (std::size_t a = 0; a < kAssignments; ++a) {
      policy += fmt::format(
          "[[assignment]]\nname = \"{0}\"\nexercises = [\"{1}\"]\n"
          "deadline = 2026-{2}-10T00:00:00Z\nweight = {3}\n",
          name_of(a), fmt::join(topics_of(a), "\", \""), kMonths.at(a), kWeights.at(a));
      if (a >= collected) continue;
      policy += fmt::format(
          "[[assignment.submission]]\nresults = \"graded/{0}\"\ntimes = \"{0}.csv\"\n", name_of(a));
    }
    if (decisions.are_made) {
      policy += fmt::format(
          "[[extension]]\nstudent = \"{}\"\nassignment = \"A1\"\ndays = {}\nreason = \"ill\"\n"
          "by = \"Li\"\n[[excuse]]\nstudent = \"{}\"\nassignment = \"A0\"\nreason = "
          "\"certificate\"\n"
          "by = \"Li\"\n[[override]]\nstudent = \"{}\"\nexercise = \"94.bound\"\npoints = {}\n"
          "reason = \"explained it in person\"\nby = \"Li\"\n",
          id_of(Decisions::kIll), Decisions::kExtension, id_of(Decisions::kExcused),
          id_of(Decisions::kExplained), kPoints.at(3)[2]);
    }
    folder_.write("policy.toml", policy);
  }

  /// Writes the book and compares every number in it.
  std::vector<Standing> book(std::size_t collected, const Decisions& decisions = {}) const {
    write_policy(collected, decisions);
    const int status = run({"book", (folder_.path / "policy.toml").string(), "--roster",
                            (folder_.path / "roster.csv").string(), "--root",
                            (folder_.path / "course").string(), "--out", book_folder().string()});
    INFO(said());
    REQUIRE(status == 0);
    CHECK(said().find("needs attention") == std::string::npos);
    std::vector<Standing> all;
    for (std::size_t s = 0; s < kStudents; ++s) {
      all.push_back(standing_of(s, hand_ins_.at(s), course_, decisions, collected));
    }
    const base::CsvFile table(book_folder() / "book.csv");
    REQUIRE(table.size() == kStudents);
    int wrong = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      const auto is = [&](const std::string& column, double should, double rounding) {
        const std::string& text = table.field(s, column);
        if (!text.empty() && std::fabs(std::stod(text) - should) <= rounding) return;
        ++wrong;
        UNSCOPED_INFO(id_of(s) << ", " << column << ": " << text << ", should be " << should);
      };
      constexpr double kPercentRounding = 0.005 + 1e-6;
      for (std::size_t a = 0; a < collected; ++a) {
        const Share& should = all[s].shares.at(a);
        is(name_of(a) + " points", sum(should.points), kRounding);
        is(name_of(a) + " of", most_of(a), kRounding);
        is(name_of(a) + " days late", should.days_late, 0);
        is(name_of(a) + " percent", 100 * should.share, kPercentRounding);
        const char* counts = should.is_excused ? "excused" : "yes";
        if (table.field(s, name_of(a) + " counts") != counts) ++wrong;
      }
      is("late days left", all[s].late_days_left, 0);
      is("total percent", 100 * all[s].total, kPercentRounding);
    }
    CHECK(wrong == 0);
    return all;
  }

  /// Compares a batch's gradebook, and checks that nobody is missing.
  void check_gradebook(std::size_t a) const {
    REQUIRE(results_in(graded(a)) == kStudents);
    const base::CsvFile table(graded(a) / "gradebook.csv");
    REQUIRE(table.size() == kStudents);
    const std::vector<std::string> ids = exercises_of(a);
    int wrong = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      const auto best = best_attempt(hand_ins_.at(s), a, course_);
      Points should(ids.size(), 0);
      if (best) should = points_of(hand_ins_.at(s).at(a).at(*best), a, course_);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string& is = table.field(s, ids[i]);
        if (table.field(s, "id") == id_of(s) && !is.empty() &&
            std::fabs(std::stod(is) - should[i]) < kRounding) {
          continue;
        }
        ++wrong;
        UNSCOPED_INFO(id_of(s) << ", " << ids[i] << ": " << is << ", should be " << should[i]);
      }
    }
    CHECK(wrong == 0);
  }

  /// The expected output of `grader report --diff` after the course was `before`.
  std::set<std::string> differences(std::size_t a, const Course& before) const {
    std::set<std::string> lines;
    const std::vector<std::string> ids = exercises_of(a);
    for (std::size_t s = 0; s < kStudents; ++s) {
      const auto was_best = best_attempt(hand_ins_.at(s), a, before);
      const auto best = best_attempt(hand_ins_.at(s), a, course_);
      if (!best) continue;
      const Points was = points_of(hand_ins_.at(s).at(a).at(*was_best), a, before);
      const Points is = points_of(hand_ins_.at(s).at(a).at(*best), a, course_);
      std::vector<std::string> parts;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (was[i] == is[i]) continue;
        parts.push_back(fmt::format("{} {:g} -> {:g}", ids[i], was[i], is[i]));
      }
      if (parts.empty()) continue;
      lines.insert(fmt::format("{}: {:g} -> {:g} points ({})", id_of(s), sum(was), sum(is),
                               fmt::join(parts, ", ")));
    }
    return lines;
  }
  std::set<std::string> said_differences(const fs::path& before, const fs::path& after) const {
    REQUIRE(run({"report", "--diff", before.string(), after.string()}) == 0);
    const std::vector<std::string> lines = base::lines_of(said());
    return {lines.begin(), lines.end()};
  }

  /// Checks that the book's list of changes contains exactly the students whose points or share
  /// changed, with every exercise that changed.
  void check_changes(const std::vector<Standing>& before, const std::vector<Standing>& after) {
    std::map<std::string, std::string> why;
    const base::CsvFile table(book_folder() / "changes.csv");
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::string& reasons = table.field(i, "why");
      CHECK_FALSE(reasons.empty());
      const std::string key = table.field(i, "id") + " " + table.field(i, "assignment");
      why[key] = reasons;
      explained_[key] += reasons + "\n";
    }
    std::size_t changed = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      for (std::size_t a = 0; a < kAssignments; ++a) {
        const Share& was = before[s].shares.at(a);
        const Share& is = after[s].shares.at(a);
        const bool differs = std::fabs(was.share - is.share) > kRounding ||
                             was.points != is.points || was.is_excused != is.is_excused;
        if (!differs) continue;
        ++changed;
        const std::string key = id_of(s) + " " + name_of(a);
        INFO(key << ": " << (why.count(key) > 0 ? why.at(key) : "no line"));
        REQUIRE(why.count(key) == 1);
        for (std::size_t i = 0; i < is.points.size(); ++i) {
          if (was.points[i] == is.points[i]) continue;
          CHECK(why.at(key).find(exercises_of(a)[i]) != std::string::npos);
        }
      }
    }
    CHECK(changed > 0);
    CHECK(why.size() == changed);
  }

  void check_platforms(const std::vector<Standing>& all) const {
    const base::CsvFile canvas(book_folder() / "canvas.csv");
    const base::CsvFile moodle(book_folder() / "moodle.csv");
    REQUIRE(canvas.size() == kStudents + 1);  // plus the line "Points Possible"
    REQUIRE(moodle.size() == kStudents);
    int wrong = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      if (canvas.field(s + 1, "SIS User ID") != "u" + id_of(s)) ++wrong;
      if (moodle.field(s, "Email address") != id_of(s) + "@example.org") ++wrong;
      for (std::size_t a = 0; a < kAssignments; ++a) {
        const Share& should = all[s].shares.at(a);
        const std::string& in_canvas = canvas.field(s + 1, name_of(a));
        const std::string& in_moodle = moodle.field(s, name_of(a));
        if (should.is_excused) {
          wrong += in_canvas == "EX" && in_moodle.empty() ? 0 : 1;
          continue;
        }
        for (const std::string& is : {in_canvas, in_moodle}) {
          if (is.empty() || std::fabs(std::stod(is) - 100 * should.share) > 0.0051) ++wrong;
        }
      }
    }
    CHECK(wrong == 0);
  }

  /// Compares solved, untried and tries for every exercise.
  void check_statistics(const std::vector<Standing>& all) const {
    const base::CsvFile table(book_folder() / "statistics.csv");
    REQUIRE(table.size() == kTopics * kParts);
    std::size_t row = 0;
    for (std::size_t a = 0; a < kAssignments; ++a) {
      const std::vector<std::string> ids = exercises_of(a);
      for (std::size_t i = 0; i < ids.size(); ++i, ++row) {
        int students = 0;
        int solved = 0;
        int untried = 0;
        int doubled = 0;
        double tries = 0;
        int triers = 0;
        for (std::size_t s = 0; s < kStudents; ++s) {
          const Share& own = all[s].shares.at(a);
          if (!own.attempt) continue;
          ++students;
          const auto& attempts = hand_ins_.at(s).at(a);
          const std::size_t topic = kTopicsOf.at(a)[i / kParts];
          const bool is_decided = s == Decisions::kExplained && ids[i] == "94.bound";
          if (own.points[i] == kPoints.at(topic).at(i % kParts)) ++solved;
          if (!tried(attempts.at(*own.attempt))[i] && !is_decided) ++untried;
          if (i % kParts == 0) {
            const Sheet& sheet = attempts.at(*own.attempt).sheets.at(i / kParts);
            const double twice = 2 * sheet.count * course_.per.at(topic);
            doubled += sheet.bytes && is_near(*sheet.bytes, twice) ? 1 : 0;
          }
          int own_tries = 0;
          for (const Attempt& attempt : attempts) {
            own_tries += attempt.is_there && tried(attempt)[i] ? 1 : 0;
          }
          tries += own_tries;
          triers += own_tries > 0 ? 1 : 0;
        }
        INFO(ids[i]);
        CHECK(table.field(row, "exercise") == ids[i]);
        CHECK(std::stoi(table.field(row, "students")) == students);
        CHECK(std::stoi(table.field(row, "solved")) == solved);
        CHECK(std::stoi(table.field(row, "untried")) == untried);
        CHECK(std::stod(table.field(row, "tries")) == Approx(tries / triers).epsilon(1e-3));
        CHECK(std::stod(table.field(row, "median_seconds")) > 0);
        if (i % kParts == 0) {
          CHECK(doubled > 1);
          const std::string mistakes = " | " + table.field(row, "mistakes") + " | ";
          CHECK_THAT(mistakes, Catch::Contains(
                                   fmt::format(" | {}: every byte is counted twice | ", doubled)));
        }
      }
    }
    const std::string dashboard = base::read_file(book_folder() / "dashboard.html");
    for (std::size_t a = 0; a < kAssignments; ++a) {
      for (const std::string& id : exercises_of(a)) {
        CHECK(dashboard.find(id) != std::string::npos);
      }
    }
    CHECK(dashboard.find("every byte is counted twice") != std::string::npos);
    CHECK(dashboard.find(id_of(Decisions::kIll)) == std::string::npos);
  }

  /// Checks Gradescope's file for some students, and the pages for all.
  void check_pages_and_gradescope(const std::vector<Standing>& all) const {
    for (std::size_t s = 0; s < kStudents; ++s) {
      const std::string page = base::read_file(book_folder() / "students" / (id_of(s) + ".html"));
      REQUIRE(page.find("Student " + id_of(s)) != std::string::npos);
      REQUIRE(page.find(fmt::format("{:.1f} %", 100 * all[s].total)) != std::string::npos);
      for (std::size_t a = 0; a < kAssignments; ++a) {
        REQUIRE(
            base::read_file(graded(a) / "reports" / (id_of(s) + ".html")).ends_with("</html>\n"));
      }
    }
    constexpr std::size_t kEvery = 50;
    for (std::size_t s = 0; s < kStudents; s += kEvery) {
      for (std::size_t a = 0; a < kAssignments; ++a) {
        const fs::path file = folder_.path / "gradescope.json";
        REQUIRE(run({"report", "--from", (graded(a) / "results" / (id_of(s) + ".json")).string(),
                     "--gradescope", file.string()}) == 0);
        const auto best = best_attempt(hand_ins_.at(s), a, course_);
        const double should =
            best ? sum(points_of(hand_ins_.at(s).at(a).at(*best), a, course_)) : 0;
        CHECK(nlohmann::json::parse(base::read_file(file)).at("score") == Approx(should));
      }
    }
  }

  /// Checks that students who copied a neighbour's answers get no points for them, in the gradebook
  /// before any regrade, and read why.
  void check_copied(std::size_t a) const {
    const base::CsvFile table(graded(a) / "gradebook.csv");
    int copied = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      const auto best = best_attempt(hand_ins_.at(s), a, course_);
      if (!best) continue;
      const Attempt& attempt = hand_ins_.at(s).at(a).at(*best);
      for (std::size_t i = 0; i < attempt.sheets.size(); ++i) {
        if (!attempt.sheets[i].is_copied) continue;
        ++copied;
        const std::size_t topic = kTopicsOf.at(a)[i];
        INFO(id_of(s) << ", topic " << kNumbers.at(topic));
        CHECK(table.field(s, exercise_of(topic, 0)) == "0");
        CHECK(table.field(s, exercise_of(topic, 1)) == "0");
        const std::string report = base::read_file(graded(a) / "reports" / (id_of(s) + ".html"));
        CHECK(report.find("which is right for other numbers than yours") != std::string::npos);
      }
    }
    CHECK(copied > static_cast<int>(kStudents / 50));
  }

  /// Checks that the books' lists of changes, together, explain every change since the first book.
  void check_all_is_explained(const std::vector<Standing>& first,
                              const std::vector<Standing>& last) const {
    std::size_t changed = 0;
    for (std::size_t s = 0; s < kStudents; ++s) {
      for (std::size_t a = 0; a < kAssignments; ++a) {
        const Points& was = first[s].shares.at(a).points;
        const Points& is = last[s].shares.at(a).points;
        for (std::size_t i = 0; i < is.size(); ++i) {
          if (was[i] == is[i]) continue;
          ++changed;
          const auto why = explained_.find(id_of(s) + " " + name_of(a));
          INFO(id_of(s) << ": " << exercises_of(a)[i]);
          REQUIRE(why != explained_.end());
          CHECK(why->second.find(exercises_of(a)[i]) != std::string::npos);
        }
      }
    }
    CHECK(changed > kStudents / 4);
  }

  /// The number of parameters in a student's sheet.
  static double count_in(const std::string& sheet, std::size_t topic) {
    const std::string words = "\n" + exercise_of(topic, 0) + "  Bytes\n  Bytes of ";
    const std::size_t place = sheet.find(words);
    REQUIRE(place != std::string::npos);
    return std::stod(sheet.substr(place + words.size()));
  }

  Course course_;
  support::TemporaryFolder folder_;
  std::vector<HandIns> hand_ins_ = std::vector<HandIns>(kStudents);
  std::vector<std::map<std::string, std::string>> handed_out_;  ///< files by student
  std::map<std::string, std::string> explained_;  ///< the reasons for all changes of "s007 A0"

 private:
  /// Creates everybody's own files according to the roster, and reads them back from the archives.
  void hand_out() {
    const fs::path out = folder_.path / "handed-out";
    const int status =
        run({"variants", "--roster", (folder_.path / "roster.csv").string(), "--root",
             (folder_.path / "course").string(), "--build", build().string(), "--out", out.string(),
             "--secret-file", (folder_.path / "secret.txt").string()});
    INFO(said());
    REQUIRE(status == 0);
    for (std::size_t s = 0; s < kStudents; ++s) {
      handed_out_.push_back(support::files_of(out / (id_of(s) + ".zip")));
    }
  }

  double count_of(std::size_t student, std::size_t topic) const {
    return count_in(handed_out_.at(student).at("numbers.txt"), topic);
  }

  void draw() {
    std::mt19937 random(26);
    const auto below = [&](int most) {
      return static_cast<int>(std::uniform_int_distribution<>(0, most - 1)(random));
    };
    for (std::size_t s = 0; s < kStudents; ++s) {
      for (std::size_t a = 0; a < kAssignments; ++a) {
        for (std::size_t t = 0; t < kAttempts; ++t) {
          Attempt& attempt = hand_ins_.at(s).at(a).at(t);
          attempt.is_there = below(10) < (t == 0 ? 8 : 4);
          attempt.seconds_late = below(8 * kDay) - 2 * kDay;
          for (const std::size_t topic : kTopicsOf.at(a)) {
            attempt.sheets.push_back(drawn_sheet(s, topic, below));
          }
        }
      }
    }
  }

  template <class Below>
  Sheet drawn_sheet(std::size_t student, std::size_t topic, const Below& below) const {
    Sheet sheet;
    sheet.count = count_of(student, topic);
    const double bytes = sheet.count * course_.per.at(topic);
    // Half of the value is what a later version of the course considers right.
    const std::array<double, 10> wrong = {1, 1, 1, 1, 1, 0.5, 0.5, 2, 0, -1};
    const double factor = wrong.at(static_cast<std::size_t>(below(10)));
    if (factor > 0) sheet.bytes = factor * bytes;
    sheet.is_garbage = factor < 0;
    const double time = bytes / course_.rate.at(topic);
    const int way = below(10);
    if (way < 4) sheet.time = time;
    if (way >= 4 && way < 7 && sheet.bytes) sheet.time = *sheet.bytes / course_.rate.at(topic);
    if (way == 7) sheet.time = 7.3 * time;
    if (way == 8) sheet.time = time / 2;
    const std::array<const char*, 4> words = {"memory", "memory", "compute", ""};
    sheet.word = words.at(static_cast<std::size_t>(below(4)));
    constexpr int kCopiers = 12;  // one in twelve
    if (below(kCopiers) > 0) return sheet;
    // Right for the neighbour; also right here if both have the same numbers.
    const double theirs = count_of((student + 1) % kStudents, topic);
    sheet.bytes = theirs * course_.per.at(topic);
    sheet.time = *sheet.bytes / course_.rate.at(topic);
    sheet.is_garbage = false;
    sheet.is_copied = theirs != sheet.count;
    return sheet;
  }

  /// The student's own answers.toml with the answers filled in.
  std::string written(const Sheet& sheet, std::size_t student, std::size_t topic) const {
    std::string text = handed_out_.at(student).at("topics/" + folder_of(topic) + "/answers.toml");
    const auto add = [&](std::size_t part, const std::string& value) {
      const std::string empty = fmt::format("[\"{}\"]\nvalue = \"", exercise_of(topic, part));
      const std::size_t place = text.find(empty + "\"");
      REQUIRE(place != std::string::npos);
      text.insert(place + empty.size(), value);
    };
    if (sheet.bytes) add(0, fmt::format("{:.9g} B", *sheet.bytes));
    if (sheet.is_garbage) add(0, "plenty");
    if (sheet.time) add(1, fmt::format("{:.9g} s", *sheet.time));
    if (!sheet.word.empty()) add(2, sheet.word);
    return text;
  }

  /// Hands in a folder, or for every third student an archive.
  void hand_in(std::size_t s, std::size_t a) const {
    for (std::size_t t = 0; t < kAttempts; ++t) {
      const Attempt& attempt = hand_ins_.at(s).at(a).at(t);
      if (!attempt.is_there) continue;
      const std::string name = fmt::format("in/{}/{}_{}", name_of(a), id_of(s), t + 1);
      std::vector<support::Entry> files;
      for (std::size_t i = 0; i < attempt.sheets.size(); ++i) {
        const std::size_t topic = kTopicsOf.at(a)[i];
        files.push_back(
            {folder_of(topic) + "/answers.toml", written(attempt.sheets[i], s, topic), ""});
      }
      fs::create_directories((folder_.path / name).parent_path());
      if (s % 3 == 0) {
        support::write_archive(folder_.path / (name + ".zip"), files);
        continue;
      }
      for (const support::Entry& file : files) folder_.write(name + "/" + file.path, file.content);
    }
  }

  void write_times(std::size_t a) const {
    std::string times = "id,attempt,time\n";
    for (std::size_t s = 0; s < kStudents; ++s) {
      for (std::size_t t = 0; t < kAttempts; ++t) {
        const Attempt& attempt = hand_ins_.at(s).at(a).at(t);
        if (!attempt.is_there) continue;
        // Deadlines are at midnight of the tenth.
        const int seconds = 9 * kDay + attempt.seconds_late;
        const int clock = seconds % kDay;
        times += fmt::format("{0},{0}_{1},2026-{2}-{3:02}T{4:02}:{5:02}:{6:02}Z\n", id_of(s), t + 1,
                             kMonths.at(a), seconds / kDay + 1, clock / 3600, clock / 60 % 60,
                             clock % 60);
      }
    }
    folder_.write(name_of(a) + ".csv", times);
  }
};

/// The number before these words in the last output of a batch.
std::size_t number_before(const std::string& text, const std::string& words) {
  const std::size_t end = text.rfind(words);
  REQUIRE(end != std::string::npos);
  const std::size_t begin = text.find_last_not_of("0123456789", end - 1) + 1;
  return std::stoul(text.substr(begin, end - begin));
}

}  // namespace

TEST_CASE("a term is played through by the grader", "[term]") {
  PlayedTerm term;
  // A0 in parts, of which one is lost in the middle.
  const char* lose_node = std::getenv("ROOFLINE_LOSE_NODE");
  const std::vector<fs::path> parts =
      lose_node == nullptr ? term.grade_in_slices() : term.grade_on_nodes(lose_node);
  std::size_t stored = 0;
  for (const fs::path& part : parts) stored += term.work_in(part, 0);
  CHECK(number_before(term.said(), " graded, ") + number_before(term.said(), " unchanged") +
            number_before(term.said(), " without a submission") ==
        kStudents);
  // Results of a finished slice are not judged again.
  CHECK(number_before(term.said(), " unchanged") == stored);
  term.check_gradebook(0);
  term.check_copied(0);
  term.book(1);

  // A1 on one machine, killed in the middle; the same command continues.
  const auto second = term.batch(1, term.topics_of(1), term.graded(1));
  term.kill_in_the_middle(second, term.graded(1), kStudents);
  const std::size_t done = term.work_in(term.graded(1), 1);
  REQUIRE(term.run(second) == 0);
  CHECK(number_before(term.said(), " unchanged") == done);
  term.check_gradebook(1);
  term.check_copied(1);
  CHECK_FALSE(fs::exists(term.graded(1) / "before"));  // there were no earlier results
  term.book(2);

  REQUIRE(term.run(term.batch(2, term.topics_of(2), term.graded(2))) == 0);
  term.check_gradebook(2);
  term.check_copied(2);
  const std::vector<Standing> collected = term.book(3);

  // The first regrade: a number has two bytes in topic 92, not four.
  const Course as_it_was = term.course_;
  term.course_.per[1] = 2;
  term.write_course();
  REQUIRE(term.run(second) == 0);
  term.check_gradebook(1);
  const std::set<std::string> first_diff = term.differences(1, as_it_was);
  CHECK(first_diff.size() > kStudents / 4);
  CHECK(term.said_differences(term.graded(1) / "before", term.graded(1)) == first_diff);
  const std::vector<Standing> regraded = term.book(3);
  term.check_changes(collected, regraded);

  // Manual decisions, which persist.
  const Decisions decisions{true};
  const std::vector<Standing> decided = term.book(3, decisions);
  term.check_changes(regraded, decided);
  const std::string page = base::read_file(term.book_folder() / "students/s013.html");
  CHECK(page.find("explained it in person, by Li") != std::string::npos);

  // The second regrade: of one exercise only.
  const Course after_first = term.course_;
  term.course_.rate[2] = 2e11;
  term.write_course();
  REQUIRE(term.run(term.batch(2, {"93.time"}, term.graded(2))) == 0);
  term.check_gradebook(2);
  const std::set<std::string> second_diff = term.differences(2, after_first);
  CHECK(second_diff.size() > kStudents / 10);
  CHECK(term.said_differences(term.graded(2) / "before", term.graded(2)) == second_diff);
  const std::vector<Standing> last = term.book(3, decisions);
  term.check_changes(decided, last);

  // Repeating it changes nothing.
  term.book(3, decisions);
  CHECK(base::CsvFile(term.book_folder() / "changes.csv").size() == 0);
  term.check_platforms(last);
  term.check_statistics(last);
  term.check_pages_and_gradescope(last);
  term.check_all_is_explained(collected, last);
  // No student's numbers changed while the course did; one student has the second edition.
  for (const std::size_t student : {Decisions::kIll, kSecondEdition}) {
    const std::string edition = student == kSecondEdition ? "2" : "1";
    REQUIRE(term.run({"variants", "--root", (term.folder_.path / "course").string(), "--student",
                      id_of(student), "--variant-version", edition, "--secret-file",
                      (term.folder_.path / "secret.txt").string()}) == 0);
    const double count = term.hand_ins_.at(student).at(0).at(0).sheets.at(0).count;
    CHECK(term.said().find(fmt::format("edition {})", edition)) != std::string::npos);
    CHECK(term.count_in(term.said(), 0) == count);
  }
}
