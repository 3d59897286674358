// SPDX-License-Identifier: MIT
// A student's submission: finding it, unpacking it, and compiling it in a pristine tree.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/batch/archive.hpp"
#include "grader/batch/choose_files.hpp"
#include "grader/exercise/exercise.hpp"
#include "grader/judge/verdict.hpp"
#include "grader/program/course_headers.hpp"
#include "grader/program/object_check.hpp"

namespace grader {

/// A folder, an archive or a single source in the folder of submissions.
struct Submission {
  std::string student;  ///< file name without .zip, .tar.gz and the like, as UTF-8
  std::filesystem::path path;
  std::vector<std::filesystem::path> beside{};  ///< more single files of the same hand-in
};

/// Something else in the folder of submissions, such as a PDF or a link.
struct Other {
  std::string student;  ///< file name without its ending, as UTF-8
  std::string problem;  ///< "ada.pdf is neither a folder nor an archive nor a source"
};

/// The content of a folder of submissions, without hidden files.
struct Found {
  std::vector<Submission> submissions;  ///< sorted by name, with numbers compared as numbers
  std::vector<Other> others{};          ///< sorted by problem
};
Found find_submissions(const std::filesystem::path& folder);

/// Whether it is a source that was handed in without a folder or an archive.
bool is_single_file(const Submission& submission);

/// Takes the allowed files out of a submission, wherever they are in it; choose_files() decides
/// which files and which of several copies. `topics` are all of the course. Archives in a folder
/// are read like folders. Links are never followed; files beyond 1 MB and everything else are
/// skipped.
/// @throws UnreadableSubmission when it cannot be read at all.
Collected collect(const Submission& submission, const std::vector<Topic>& topics);

/// Drops the files that no exercise of `topics` asks for.
void keep_asked_for(Collected& collected, const std::vector<Topic>& topics);

/// SHA-256 of the collected files, as hexadecimal text.
std::string content_hash(const Collected& collected);

/// A program whose source is in a submission.
struct HandedInProgram {
  std::string topic;
  std::string program;
  std::string source;                        ///< "02-peaks/code/saxpy.cu"
  std::map<std::string, std::string> files;  ///< the files handed in for it, including the source

  /// "02-peaks/saxpy".
  std::string name() const { return topic + "/" + program; }
};

/// The programs whose source is in a submission, by topic and name.
std::vector<HandedInProgram> handed_in_programs(const Collected& collected,
                                                const std::vector<Topic>& topics);

/// Seconds that the topics of these programs allow for a submission.
double budget_for(const std::vector<HandedInProgram>& programs, const std::vector<Topic>& topics);

/// The sources that a submission lacks, by the name of their program: "02-peaks/saxpy" and
/// "code/saxpy.cu".
std::map<std::string, std::string> programs_left_out(const Collected& collected,
                                                     const std::vector<Topic>& topics);

/// Where the course's programs are built, and which build tree serves as the model.
struct Course {
  std::filesystem::path root;
  std::filesystem::path build;
  std::shared_ptr<CourseHeaders> headers;      ///< null: no headers are precompiled
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of `build`
  /// The names that the build tree's libraries define, for the check of objects.
  std::shared_ptr<LibraryNames> libraries = std::make_shared<LibraryNames>();
  /// False if bubblewrap does not work and light isolation was requested: the compiler can then
  /// read everything that its user can.
  bool has_sandbox = true;
};

/// Writes the collected files to work/topics, from where the grader reads answers and records.
void unpack(const Collected& collected, const std::filesystem::path& work);

/// What the compiler made of a program.
struct CompileResult {
  std::string errors;        ///< the first ones; empty when it compiles
  std::string uncounted;     ///< errors with numbers that count, if it compiles without them
  std::string refusal;       ///< why it must not run although it compiles; empty when it may run
  bool was_stopped = false;  ///< stopped by a limit: a less busy machine might have compiled it
};

/// True if a verdict says that a limit stopped the compiler, so that the next batch compiles again.
bool is_of_stopped_compiler(const Verdict& verdict);

/// Compiles a program inside the sandbox, in a fresh tree with only the course's headers and the
/// files handed in for this program, so that the result depends on nothing else. The program is put
/// into work/build/bin/TOPIC.
/// @throws std::runtime_error when the grader itself fails.
CompileResult compile_program(const HandedInProgram& program, const Course& course,
                              const std::filesystem::path& work, double most_seconds = 120);

/// Call this when a submission did not compile, with the compiler's `errors`: a full disk or a
/// missing library is not the student's mistake. It compiles the course's own starter of the
/// program.
/// @throws std::runtime_error with the compiler's output when the disk is full, or when the starter
/// does not compile either.
void require_compiler(const HandedInProgram& program, const Course& course,
                      const std::filesystem::path& work, const std::string& errors);

}  // namespace grader
