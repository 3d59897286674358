// SPDX-License-Identifier: MIT
// What a student handed in: found, taken apart, and compiled in a pristine tree.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/course_headers.hpp"
#include "grader/exercise.hpp"

namespace grader {

/// A folder or archive in the folder of submissions.
struct Submission {
  std::string student;  ///< file name without .zip, .tar.gz, .tgz
  std::filesystem::path path;
};

/// Folders and archives of a folder, sorted by name; hidden files are left out.
std::vector<Submission> find_submissions(const std::filesystem::path& folder);

/// The content of the files that the exercises allow, by path relative to topics/.
struct Collected {
  std::map<std::string, std::string> files;  ///< "02-peaks/code/saxpy.cu" -> content
  std::vector<std::string> notes;            ///< what was refused or found twice, in words
};

/// Takes the allowed files out of a folder or archive, wherever they lie in it: the end of a path
/// must be TOPIC/FILE, or FILE when only one topic allows a file of that name. Links are never
/// followed; files beyond 1 MB, archives of more than 20000 entries or 64 MB, and everything else
/// are left behind. @throws std::runtime_error when the archive cannot be read at all.
Collected collect(const Submission& submission, const std::vector<Topic>& topics);

/// SHA-256 of the collected files, as hexadecimal text.
std::string content_hash(const Collected& collected);

/// A program of which a submission has the source.
struct HandedInProgram {
  std::string topic;
  std::string program;
  std::string source;                        ///< "02-peaks/code/saxpy.cu"
  std::map<std::string, std::string> files;  ///< what was handed in for it, the source included

  /// "02-peaks/saxpy".
  std::string name() const { return topic + "/" + program; }
};

/// The programs that a submission has the source of, by topic and name.
std::vector<HandedInProgram> handed_in_programs(const Collected& collected,
                                                const std::vector<Topic>& topics);

/// Where the course's programs are built, and which build tree serves as pattern.
struct Course {
  std::filesystem::path source;
  std::filesystem::path root;
  std::filesystem::path build;
  std::shared_ptr<CourseHeaders> headers;      ///< nothing is compiled beforehand without
  std::vector<std::filesystem::path> outside;  ///< folders_outside() of `build`
};

/// Writes the collected files to work/topics, where the grader reads answers and records.
void unpack(const Collected& collected, const std::filesystem::path& work);

/// What the compiler made of a program.
struct CompileResult {
  std::string errors;        ///< the first ones; empty when it compiles
  bool was_stopped = false;  ///< at a limit: a machine with less to do might have compiled it
};

/// Compiles a program inside the sandbox, in a fresh tree that has the course's headers and what
/// was handed in for this program alone; so the result depends on nothing else. The program comes
/// to work/build/bin/TOPIC.
CompileResult compile_program(const HandedInProgram& program, const Course& course,
                              const std::filesystem::path& work);

}  // namespace grader
