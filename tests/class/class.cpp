// SPDX-License-Identifier: MIT
// A class of generated submissions of topic 02's numbers, choices, functions and kernels: honest,
// wrong, hostile and broken ones, a fifth of them oddly packed or attacks by the hand-in itself,
// each student with individual numbers. Everyone must get the points that their work deserves,
// whatever the others do; and no work is done twice: programs with the same content are compiled
// once, and a second run judges only what has changed. With --functions the class hands in only
// correct numbers and functions, all of them different, to measure how long these take.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bad_sources.hpp"
#include "base/files.hpp"
#include "grader/batch/batch.hpp"
#include "grader/judge/grade.hpp"
#include "harness/build_info.hpp"
#include "odd_hand_ins.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using grader::Kind;
using support::write_text;

constexpr const char* kTopic = "02-peaks";
constexpr const char* kUntouched = "as it was";
constexpr const char* kSecret = "a secret of this test only";

/// What the class hands in; kOdd is kAll with every student odd.
enum class Work { kAll, kOdd, kFunctions };

/// kFunctions selects exercises that need no kernel and no measured machine.
bool is_chosen(const grader::Exercise& exercise, Work work) {
  switch (exercise.kind()) {
    case Kind::kNumber:
    case Kind::kChoice:
    case Kind::kFunction:
      return work != Work::kFunctions ? !exercise.needs_gpu : !exercise.needs_machine();
    case Kind::kKernel:
      return work != Work::kFunctions && !exercise.needs_gpu;
    default:
      return false;
  }
}

/// Also of what bubblewrap runs, which is orphaned when bubblewrap ends: this process adopts it,
/// see main(), and waits for it.
double processor_seconds() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
  return support::processor_seconds();
}

/// What a student deserves: points by exercise; exercises not listed are not checked.
using Deserved = std::map<std::string, double>;

class ClassRoom {
 public:
  ClassRoom(fs::path root, fs::path build, fs::path out, Work work)
      : work_(work),
        root_(std::move(root)),
        build_(std::move(build)),
        out_(std::move(out)),
        references_(grader::references_of(build_)) {
    std::vector<grader::SchemaError> errors;
    for (grader::Topic& topic : grader::load_topics(root_, errors)) {
      if (topic.name != kTopic) continue;
      for (const grader::Exercise& exercise : topic.exercises) {
        if (is_chosen(exercise, work_)) exercises_.push_back(exercise);
      }
    }
    if (exercises_.empty()) throw std::runtime_error("topic 02 has no exercises");
    fs::remove_all(out_);
    const fs::path tests = root_ / "tests";
    hostile_ = hostile_kernels(root_);
    for (const Bad& bad : bad_sources(root_, tests / "wrong" / kTopic)) {
      if (bad.file.parent_path().filename() == "formulas") {
        wrong_formulas_.push_back(bad);
      } else if (find(bad.exercise) != nullptr) {
        wrong_kernels_.push_back(bad);
      }
    }
    for (const auto& entry : fs::directory_iterator(root_ / "solutions" / kTopic / "code")) {
      if (entry.path().extension() == ".cu") kernels_.push_back(entry.path());
    }
    std::sort(kernels_.begin(), kernels_.end());
    write_text(canary(), kUntouched);
  }

  /// Writes the submission of student number `i`: every fifth is odd.
  void enrol(int i) {
    ++enrolled_;
    const std::string student = fmt::format("student{:03}", i);
    if (work_ == Work::kFunctions) {
      Deserved& deserved = deserve_nothing(student);
      answer(student, deserved, 1);
      hand_in_right(student, "formulas.cpp", root_ / "solutions" / kTopic / "formulas.cpp",
                    signature(student), deserved);
      return;
    }
    if (work_ == Work::kOdd) return enrol_odd(student, odd::drawn(static_cast<std::size_t>(i)));
    constexpr int kOdd = 5;
    if (i % kOdd == kOdd - 1)
      return enrol_odd(student, odd::drawn(static_cast<std::size_t>(i / kOdd)));
    enrol_usual(student, i - i / kOdd);
  }

  void enrol_usual(const std::string& student, int i) {
    Deserved& deserved = deserve_nothing(student);
    const fs::path right_formulas = root_ / "solutions" / kTopic / "formulas.cpp";
    switch (i % 10) {
      case 3:
      case 4:  // exactly the same files
        answer(student, deserved, 1);
        hand_in_right(student, "formulas.cpp", right_formulas, "", deserved);
        hand_in_right(student, "code/" + kernels_.front().filename().string(), kernels_.front(), "",
                      deserved);
        break;
      case 5:
        answer(student, deserved, 1.37);
        hand_in_right(student, "formulas.cpp", right_formulas, signature(student), deserved);
        break;
      case 6: {
        const Bad& bad = wrong_formulas_[static_cast<std::size_t>(i / 10) % wrong_formulas_.size()];
        answer(student, deserved, 1);
        hand_in_bad(student, "formulas.cpp", bad, bad.exercise, deserved);
        break;
      }
      case 7: {
        const Bad& bad = wrong_kernels_[static_cast<std::size_t>(i / 10) % wrong_kernels_.size()];
        answer(student, deserved, 1);
        hand_in_bad(student, "code/" + bad.file.parent_path().filename().string() + ".cu", bad,
                    bad.exercise, deserved);
        break;
      }
      case 8: {
        const Bad& bad = hostile_[static_cast<std::size_t>(i / 10) % hostile_.size()];
        answer(student, deserved, 1);
        hand_in_bad(student, "code/saxpy.cu", bad, "02.saxpy.kernel", deserved);
        break;
      }
      case 9:
        break_something(student, i / 10);
        break;
      default: {
        answer(student, deserved, 1);
        hand_in_right(student, "formulas.cpp", right_formulas, signature(student), deserved);
        const fs::path& kernel = kernels_[static_cast<std::size_t>(i) % kernels_.size()];
        hand_in_right(student, "code/" + kernel.filename().string(), kernel, signature(student),
                      deserved);
      }
    }
  }

  void enrol_odd(const std::string& id, const odd::HandIn& shape) {
    Deserved* deserved = &deserve_nothing(id);
    odd::Student student{id, out_ / "in", root_, canary(), {}};
    if (!shape.id_goes_on.empty()) {
      student.id += shape.id_goes_on;
      deserved = &deserve_nothing(student.id);
    }
    odd_[student.id] = shape.name;
    Deserved numbers;
    student.work = {
        {"answers.toml", answers(student.id, numbers, 1)},
        {"formulas.cpp",
         base::read_file(root_ / "solutions" / kTopic / "formulas.cpp") + signature(student.id)},
        {"code/saxpy.cu",
         base::read_file(root_ / "solutions" / kTopic / "code/saxpy.cu") + signature(student.id)}};
    fs::create_directories(student.in);
    const odd::Outcome outcome = shape.write(student);
    for (const auto& [file, text] : outcome.earns) {
      if (file == "answers.toml") {
        for (const auto& [exercise, points] : numbers) (*deserved)[exercise] = points;
        continue;
      }
      programs_.insert(file + "\n" + text);
      for (const auto* exercise : exercises_of(file)) (*deserved)[exercise->id] = exercise->points;
    }
    for (const std::string& exercise : outcome.lost) (*deserved)[exercise] = 0;
    for (const auto& [file, text] : outcome.refused) programs_.insert(file + "\n" + text);
    unreadable_ += outcome.is_unreadable ? 1U : 0U;
  }

  /// Grades the class twice and returns the number of mistakes.
  int grade(int jobs) {
    write_text(out_ / "roster.csv", "id,name\n" + roster_);
    const grader::BatchOptions options = options_with(jobs);
    const double before = processor_seconds();
    const grader::BatchSummary first = grader::run_batch(options);
    const double spent = processor_seconds() - before;
    fmt::print("{} graded, {} without a submission, {:.0f} s: {:.1f} submissions a minute\n",
               first.graded, first.missing, first.seconds,
               60.0 * static_cast<double>(first.graded) / first.seconds);
    fmt::print("{} programs compiled, {} verdicts shared by the same work\n", first.compiled,
               first.shared);
    fmt::print("{:.1f} s of processor time: {:.2f} s a submission\n", spent,
               spent / static_cast<double>(first.graded));
    print_record(first, jobs, spent);
    int wrong = compare();
    wrong += expect("programs compiled", first.compiled, programs_.size());
    const grader::BatchSummary second = grader::run_batch(options);
    fmt::print("again: {} reused, {:.1f} s\n", second.reused, second.seconds);
    wrong += expect("programs compiled again", second.compiled, 0);
    wrong += expect("results reused", second.reused, first.graded - unreadable_);
    wrong += expect("points changed", second.changes.size(), 0);
    for (const std::string& change : second.changes) fmt::print("  {}\n", change);
    return wrong;
  }

 private:
  /// A file of the class that no submission may change.
  fs::path canary() const { return fs::absolute(out_) / "canary.txt"; }

  /// Adds a student to the roster.
  Deserved& deserve_nothing(const std::string& student) {
    roster_ += fmt::format("{},The {}\n", student, student);
    Deserved& deserved = deserved_[student];
    for (const grader::Exercise& exercise : exercises_) deserved[exercise.id] = 0;
    return deserved;
  }

  /// The measurement as lines of data/measured/grader_class.csv, or grader_functions.csv.
  void print_record(const grader::BatchSummary& summary, int jobs, double processor) const {
    grader::Workspace workspace;
    workspace.root = root_;
    workspace.build = build_;
    workspace.references = references_;
    const grader::Session session(workspace);
    fmt::print(
        "date,device,cores,jobs,students,graded,programs,seconds{}\n{},{},{},{},{},{},{},{:.0f}{}"
        "\n",
        work_ != Work::kFunctions ? "" : ",processor_seconds",
        harness::current_time().substr(0, 10),
        session.machine() ? session.machine()->name : "not measured",
        std::thread::hardware_concurrency(), jobs, enrolled_, summary.graded, summary.compiled,
        summary.seconds, work_ != Work::kFunctions ? "" : fmt::format(",{:.1f}", processor));
  }

  static int expect(const char* what, std::size_t is, std::size_t should) {
    if (is == should) return 0;
    fmt::print("{}: {}, should be {}\n", what, is, should);
    return 1;
  }

  grader::BatchOptions options_with(int jobs) const {
    grader::BatchOptions options;
    options.submissions = out_ / "in";
    options.root = root_;
    options.build = build_;
    options.out = out_ / "graded";
    options.roster = out_ / "roster.csv";
    options.secret = kSecret;
    options.jobs = jobs;
    for (const grader::Exercise& exercise : exercises_) options.exercises.push_back(exercise.id);
    options.progress = [](std::size_t done, std::size_t total, double left) {
      fmt::print("{} of {}, about {:.0f} s left\n", done, total, left);
      std::fflush(stdout);
    };
    return options;
  }

  const grader::Exercise* find(const std::string& id) const {
    const auto found = std::find_if(exercises_.begin(), exercises_.end(),
                                    [&](const grader::Exercise& e) { return e.id == id; });
    return found == exercises_.end() ? nullptr : &*found;
  }

  void hand_in(const std::string& student, const std::string& file, const std::string& text) {
    write_text(out_ / "in" / student / "topics" / kTopic / file, text);
    if (fs::path(file).extension() != ".toml") programs_.insert(file + "\n" + text);
  }

  /// Makes a file that several students hand in unique to one student.
  static std::string signature(const std::string& student) {
    return "// This is the work of " + student + ".\n";
  }

  /// The exercises for which a file is handed in.
  std::vector<const grader::Exercise*> exercises_of(const std::string& file) const {
    std::vector<const grader::Exercise*> result;
    for (const grader::Exercise& exercise : exercises_) {
      const auto& files = exercise.files;
      if (std::find(files.begin(), files.end(), file) != files.end()) result.push_back(&exercise);
    }
    return result;
  }

  void hand_in_right(const std::string& student, const std::string& file, const fs::path& from,
                     const std::string& more, Deserved& deserved) {
    hand_in(student, file, base::read_file(from) + more);
    for (const auto* exercise : exercises_of(file)) deserved[exercise->id] = exercise->points;
  }

  /// Earns nothing for `id`; points for other exercises of its program are not checked.
  void hand_in_bad(const std::string& student, const std::string& file, const Bad& bad,
                   const std::string& id, Deserved& deserved) {
    hand_in(student, file, bad.text + signature(student));
    for (const auto* exercise : exercises_of(file)) deserved.erase(exercise->id);
    deserved[id] = 0;
  }

  /// The student's own correct numbers, each multiplied by `factor`; choices are always correct.
  std::string answers(const std::string& student, Deserved& deserved, double factor) const {
    grader::Workspace workspace;
    workspace.root = root_;
    workspace.build = build_;
    workspace.variant = {kSecret, student, 1};
    workspace.references = references_;
    grader::Session session(workspace);
    std::string text;
    for (const grader::Exercise& exercise : exercises_) {
      if (exercise.kind() != Kind::kNumber && exercise.kind() != Kind::kChoice) continue;
      const grader::ReferenceAnswer reference = session.reference(exercise, exercise.id);
      const bool is_number = exercise.kind() == Kind::kNumber;
      text +=
          fmt::format("[\"{}\"]\nvalue = \"{}\"\n", exercise.id,
                      is_number ? fmt::format("{:.9g} {}", reference.value * factor, reference.unit)
                                : reference.word);
      const bool is_right = !is_number || factor == 1;
      deserved[exercise.id] = is_right ? exercise.points : 0;
    }
    return text;
  }

  void answer(const std::string& student, Deserved& deserved, double factor) {
    hand_in(student, "answers.toml", answers(student, deserved, factor));
  }

  void break_something(const std::string& student, int way) {
    switch (way % 5) {
      case 0:
        ++unreadable_;
        write_text(out_ / "in" / (student + ".zip"), "this is not an archive");
        break;
      case 1:
        fs::create_directories(out_ / "in" / student);
        break;
      case 2:
        hand_in(student, "code/saxpy.cu", "#error this does not compile\n");
        break;
      case 3:
        hand_in(student, "answers.toml", "[\"02.saxpy.ai\"\nvalue = 0.1667\n");
        break;
      default:
        break;  // nothing handed in
    }
  }

  /// The ways in which verdicts may be wrong.
  struct Mistakes {
    int lost = 0;      ///< fewer points than deserved
    int unearned = 0;  ///< more points than deserved
    int harmed = 0;    ///< students without a verdict on everything, files that were changed
  };

  void compare_student(const std::string& student, const Deserved& deserved, Mistakes& mistakes,
                       std::size_t& compared) const {
    const grader::Results results =
        grader::parse_results(base::read_file(out_ / "graded" / "results" / (student + ".json")));
    if (results.verdicts.size() != exercises_.size()) {
      fmt::print("{}: {} verdicts\n", student, results.verdicts.size());
      ++mistakes.harmed;
    }
    for (const grader::Verdict& verdict : results.verdicts) {
      const auto should = deserved.find(verdict.id);
      if (should == deserved.end()) continue;
      ++compared;
      if (verdict.points == should->second) continue;
      ++(verdict.points < should->second ? mistakes.lost : mistakes.unearned);
      const auto shape = odd_.find(student);
      fmt::print("{}{} {}: {} points, should be {} ({}; {})\n", student,
                 shape == odd_.end() ? "" : " (" + shape->second + ")", verdict.id, verdict.points,
                 should->second, name_of(verdict.status), verdict.message);
    }
  }

  int compare() const {
    Mistakes mistakes;
    std::size_t compared = 0;
    for (const auto& [student, deserved] : deserved_) {
      compare_student(student, deserved, mistakes, compared);
    }
    if (base::read_file(canary()) != kUntouched) ++mistakes.harmed;
    fmt::print("{} verdicts compared, {} hand-ins of odd shapes: {} lost, {} unearned, {} harmed\n",
               compared, odd_.size(), mistakes.lost, mistakes.unearned, mistakes.harmed);
    return compared == 0 ? 1 : mistakes.lost + mistakes.unearned + mistakes.harmed;
  }

  Work work_;
  fs::path root_;
  fs::path build_;
  fs::path out_;
  std::shared_ptr<grader::ReferenceAnswers> references_;
  std::vector<grader::Exercise> exercises_;
  std::vector<Bad> wrong_formulas_;
  std::vector<Bad> wrong_kernels_;
  std::vector<Bad> hostile_;
  std::vector<fs::path> kernels_;
  std::string roster_;
  std::map<std::string, Deserved> deserved_;
  std::map<std::string, std::string> odd_;  ///< how students' hand-ins are packed
  std::set<std::string> programs_;          ///< different contents of sources
  std::size_t unreadable_ = 0;
  int enrolled_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  fs::path root, build, out;
  int students = 200;
  int jobs = 2;
  CLI::App app("Grades a generated class and compares with what everyone deserves.");
  app.add_option("--root", root)->required();
  app.add_option("--build", build)->required();
  app.add_option("--out", out)->required();
  app.add_option("--students", students)->check(CLI::Range(1, 1000));
  app.add_option("--jobs", jobs)->check(CLI::Range(1, 256));
  bool functions = false;
  CLI::Option* only_functions =
      app.add_flag("--functions", functions, "Right numbers and functions alone");
  bool is_odd = false;
  app.add_flag("--odd", is_odd, "Odd shapes and attacks alone, none twice")
      ->excludes(only_functions);
  CLI11_PARSE(app, argc, argv);
  if (!grader::sandbox_available()) {
    std::puts("skipped: bubblewrap does not work on this machine");
    return 77;
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  try {
    ClassRoom room(root, build, out,
                   functions ? Work::kFunctions
                   : is_odd  ? Work::kOdd
                             : Work::kAll);
    if (is_odd) students = std::min(students, static_cast<int>(odd::all().size()));
    for (int i = 0; i < students; ++i) room.enrol(i);
    return room.grade(jobs) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "test-class: {}\n", error.what());
    return 1;
  }
}
