// SPDX-License-Identifier: MIT
// Where things lie while grading one checkout, and the trusted programs that are kept running.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/answers.hpp"
#include "grader/exercise.hpp"
#include "grader/handout.hpp"
#include "grader/program.hpp"
#include "grader/reference_answers.hpp"
#include "grader/sandbox.hpp"
#include "grader/variant.hpp"
#include "roofline/machine.hpp"

namespace grader {

/// Folders and choices of one grading run.
struct Workspace {
  std::filesystem::path root;        ///< checkout: topics/, solutions/
  std::filesystem::path build;       ///< build tree: bin/, and machine.json from `roofline measure`
  std::filesystem::path submission;  ///< folder with topics/ of the student; root when empty
  std::filesystem::path student_bin;  ///< the student's programs; build/bin when empty
  bool solutions = false;             ///< grade the solutions in the student's place
  std::uint64_t seed = 0;             ///< of generated inputs
  Isolation isolation = Isolation::kLight;
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of `build`, for the sandbox
  Variant variant;  ///< whose parameters; canonical when it has no secret
  /// Reference values shared with other sessions; the session has its own when empty.
  std::shared_ptr<ReferenceAnswers> references;
  /// Called when a student's program cannot be built yet, because another build is at work.
  std::function<void()> when_build_waits;
};

/// Reference values of a build tree, kept in it between runs.
std::shared_ptr<ReferenceAnswers> references_of(const std::filesystem::path& build);

/// One grading run. The truth program of a topic is started once.
class Session {
 public:
  explicit Session(Workspace workspace);

  const Workspace& workspace() const { return workspace_; }
  const std::string& backend() const { return backend_; }

  /// The value that the solutions compute for a number or choice, from the exercise's parameters
  /// and the given further ones. @throws ChildFailure.
  ReferenceAnswer reference(const Exercise& exercise, const std::string& id,
                            std::vector<std::pair<std::string, double>> further = {});
  /// The student's entry; with solutions, the reference value written as an answer.
  StudentAnswer student_answer(const Exercise& exercise);
  /// What the student wrote under an id of a topic; nothing when there is no such entry.
  std::optional<StudentAnswer> written_answer(const std::string& topic, const std::string& id);
  /// The truth program of a topic.
  Program& truth(const std::string& topic);
  /// Builds the student's program of an exercise from what is saved, and starts it under the
  /// exercise's limits. @throws ChildFailure(kDoesNotCompile) with the compiler's words.
  std::unique_ptr<Program> start_student(const Exercise& exercise);
  /// Starts the reference's program of an exercise.
  std::unique_ptr<Program> start_reference(const Exercise& exercise) const;
  std::filesystem::path student_program(const Exercise& exercise) const;
  /// Says that a program of the submission ("02-peaks/saxpy") does not compile, and why.
  void set_compile_error(const std::string& program, std::string words);
  /// The student's topic folder.
  std::filesystem::path student_folder(const std::string& topic) const;
  /// This machine's measured roofs; nothing when it has not been measured.
  const std::optional<roofline::Machine>& machine() const { return machine_; }
  /// What stands in the place of the solutions where a class hands out none; else nothing.
  const std::optional<Handout>& handout() const { return handout_; }
  /// A seed that differs between exercises and runs.
  std::uint64_t seed_for(const Exercise& exercise) const;

 private:
  void build_student(const Exercise& exercise);
  std::filesystem::path machine_file() const;
  std::filesystem::path reference_bin(const std::string& topic) const;
  Limits limits_for(const Exercise& exercise) const;

  Workspace workspace_;
  std::string backend_;
  std::optional<roofline::Machine> machine_;
  std::optional<Handout> handout_;
  std::map<std::string, std::unique_ptr<Program>> truths_;
  std::map<std::string, AnswerFile> student_answers_;
  std::map<std::string, std::string> built_;  ///< compiler errors by target; empty when it builds
  std::map<std::string, std::string> compile_errors_;  ///< by TOPIC/PROGRAM, of a submission
};

}  // namespace grader
