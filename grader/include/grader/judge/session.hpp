// SPDX-License-Identifier: MIT
// The folders of a grading run on one checkout, and the trusted programs that are kept running.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/exercise/answers.hpp"
#include "grader/exercise/exercise.hpp"
#include "grader/exercise/seed.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/handout/handout.hpp"
#include "grader/judge/function_cases.hpp"
#include "grader/judge/reference_answers.hpp"
#include "grader/judge/verdict.hpp"
#include "grader/program/program.hpp"
#include "grader/program/sandbox.hpp"
#include "roofline/machine.hpp"

namespace grader {

/// Folders and settings of one grading run.
struct Workspace {
  std::filesystem::path root;        ///< checkout: topics/, solutions/
  std::filesystem::path build;       ///< build tree: bin/, and machine.json from `roofline measure`
  std::filesystem::path submission;  ///< folder with topics/ of the student; root when empty
  std::filesystem::path student_bin;  ///< the student's programs; build/bin when empty
  bool solutions = false;             ///< grade the solutions instead of the student's files
  std::uint64_t seed = 0;             ///< of generated inputs
  Isolation isolation = Isolation::kLight;
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of `build`, for the sandbox
  bool race_without_gpu = false;  ///< for tests of the race: speed gives points on the CPU too
  Variant variant;                ///< whose parameters; canonical when it has no secret
  /// Reference values shared with other sessions; if empty, the session has its own.
  std::shared_ptr<ReferenceAnswers> references;
  /// Cases of functions, shared likewise; if empty, created for each judgement.
  std::shared_ptr<KnownCases> cases;
  /// Seconds for compiling and running all of a submission; 0 for no limit.
  double budget_seconds = 0;
  /// Called when a student's program cannot be built yet because another build is running.
  std::function<void()> when_build_waits;
};

/// Reference values of a build tree, kept in it between runs.
std::shared_ptr<ReferenceAnswers> references_of(const std::filesystem::path& build);

/// One grading run. The oracle program of a topic is started once.
class Session {
 public:
  explicit Session(Workspace workspace);

  const Workspace& workspace() const { return workspace_; }
  const std::string& backend() const { return backend_; }

  /// False for an exercise that is only shown on this backend.
  bool gives_points_for(const Exercise& exercise) const {
    return workspace_.race_without_gpu || is_graded_on(exercise, backend_);
  }

  /// The value that the solutions compute for a number or choice, from the exercise's parameters
  /// and the additional ones given. @throws ChildFailure.
  ReferenceAnswer reference(const Exercise& exercise, const std::string& id,
                            std::vector<std::pair<std::string, double>> further = {});
  /// The same with given numbers instead of this student's.
  ReferenceAnswer reference_for(const Exercise& exercise,
                                std::vector<std::pair<std::string, double>> numbers);
  /// The student's entry; if the solutions are graded, the reference value written as an answer.
  StudentAnswer student_answer(const Exercise& exercise);
  /// What the student wrote under an id of a topic; nothing when there is no such entry.
  std::optional<StudentAnswer> written_answer(const std::string& topic, const std::string& id);
  /// The oracle program of a topic.
  Program& oracle(const std::string& topic);
  /// Builds the student's program of an exercise from the saved files, and starts it under the
  /// exercise's limits. @throws ChildFailure(kDoesNotCompile) with the compiler's output.
  std::unique_ptr<Program> start_student(const Exercise& exercise);
  /// The same with checked kernels; null if they cannot be built (see cmake/CheckedKernels.cmake).
  std::unique_ptr<Program> start_checked(const Exercise& exercise);
  /// The same for counting arithmetic. @throws ChildFailure(kDoesNotCompile) if the kernel compiles
  /// only with plain numbers.
  std::unique_ptr<Program> start_counted(const Exercise& exercise);
  /// Judges a kernel exercise and keeps the verdict. @throws ChildFailure
  const Verdict& judge_kernel(const Exercise& kernel);
  /// The last verdict, for the exercises that depend on it. If there is none yet, the first of them
  /// triggers the judging. @throws ChildFailure, the same each time
  const Verdict& verdict_on_kernel(const Exercise& kernel);
  /// The sanitized output of the last student's program that printed something; empty if none has
  /// since the last call.
  std::string take_printed();
  /// Starts the reference's program of an exercise.
  std::unique_ptr<Program> start_reference(const Exercise& exercise) const;
  std::filesystem::path student_program(const Exercise& exercise) const;
  /// Says why a program of the submission ("02-peaks/saxpy") cannot be started.
  void set_failure(const std::string& program, const ChildFailure& failure);
  /// Records that a program of the submission was compiled: if it is missing later, that is not the
  /// student's fault.
  void set_compiled(const std::string& program);
  /// Records that a program compiles only with plain numbers, and the compiler's output.
  void set_uncounted(const std::string& program, const std::string& errors);
  /// spend() deducts from the submission's time; seconds_left() is the rest (very large without a
  /// limit).
  void spend(double seconds);
  double seconds_left() const;
  /// Records that the exercise's entry timed out: the next request gets a tenth of the time, and
  /// after two such entries the rest of the program does too.
  void remember_timeout(const Exercise& exercise);
  /// The student's topic folder.
  std::filesystem::path student_folder(const std::string& topic) const;
  /// This machine's measured roofs; nothing when it has not been measured.
  const std::optional<roofline::Machine>& machine() const { return machine_; }
  /// What a class's handout has in place of the solutions; nothing in a checkout that has them.
  const std::optional<Handout>& handout() const { return handout_; }
  /// A seed that differs between exercises and runs, and is the same on every machine.
  std::uint64_t seed_for(const Exercise& exercise) const {
    return seed_of(exercise.id, workspace_.seed);
  }
  /// Changes the inputs from here on. For tests that judge with many seeds.
  void use_seed(std::uint64_t seed) { workspace_.seed = seed; }
  /// Limits for one run of an exercise's student program.
  Limits limits_for(const Exercise& exercise) const;
  /// The problem size for timing an exercise here.
  std::int64_t timed_size(const Exercise& exercise) const {
    const TimedSize size = exercise.timed_size();
    return backend_ == "cpu" ? size.on_cpu : size.on_gpu;
  }

 private:
  std::unique_ptr<Program> start(const Exercise& exercise, const std::filesystem::path& program);
  void build_student(const Exercise& exercise);
  /// If the programs were built beforehand: whether the kernel could not be built with counting
  /// numbers.
  bool is_only_plain(const Exercise& exercise) const;
  ReferenceAnswer ask(const Exercise& exercise, const std::string& id,
                      std::vector<std::pair<std::string, double>> numbers, bool is_canonical);
  std::filesystem::path machine_file() const;
  std::filesystem::path reference_bin(const std::string& topic) const;
  Limits student_limits(const Exercise& exercise) const;

  Workspace workspace_;
  std::string backend_;
  bool can_check_;
  std::optional<roofline::Machine> machine_;
  std::optional<Handout> handout_;
  std::map<std::string, std::unique_ptr<Program>> oracles_;
  std::map<std::string, AnswerFile> student_answers_;
  std::shared_ptr<std::string> printed_ = std::make_shared<std::string>();
  std::map<std::string, std::string> built_;  ///< compiler errors by target; empty when it builds
  std::map<std::string, ChildFailure> failures_;  ///< by TOPIC/PROGRAM, of a submission
  std::set<std::string> compiled_;                ///< TOPIC/PROGRAM, see set_compiled()
  std::map<std::string, std::string> uncounted_;  ///< errors by TOPIC/PROGRAM, see set_uncounted()
  std::map<std::pair<std::string, std::uint64_t>, std::variant<Verdict, ChildFailure>>
      kernels_;                                             ///< by id and seed
  std::map<std::string, std::set<std::string>> timed_out_;  ///< entries by TOPIC/PROGRAM
  double spent_seconds_ = 0;
};

}  // namespace grader
