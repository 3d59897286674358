// SPDX-License-Identifier: MIT
// Compiles a submission with the build tree's own command lines, inside the sandbox.
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "grader/build.hpp"
#include "grader/sandbox.hpp"
#include "grader/submission.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr double kCompileSeconds = 120;

Limits compile_limits() {
  Limits limits;
  limits.wall_seconds = kCompileSeconds;
  limits.cpu_seconds = kCompileSeconds;
  limits.memory_bytes = std::uint64_t{3} << 30;
  limits.file_bytes = std::uint64_t{256} << 20;
  limits.kept_output_bytes = std::size_t{4} << 20;
  return limits;
}

/// What the build tree would run for a target: compiling `source`, and linking `output`.
std::string build_lines(const Course& course, const std::string& target, const std::string& source,
                        const std::string& output) {
  Child child({{"/usr/bin/ninja", "-C", course.build.string(), "-t", "commands", target},
               course.build,
               clean_environment()},
              compile_limits());
  if (child.wait() != 0) throw std::runtime_error("the build tree has no target " + target);
  std::istringstream lines(child.raw_output());
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const bool compiles = line.find(" -c " + source) != std::string::npos;
    const bool links = line.find(" -o " + output + " ") != std::string::npos;
    if (compiles || links) result += (result.empty() ? "" : " && ") + line;
  }
  if (result.empty()) throw std::runtime_error("the build tree does not build " + target);
  return result;
}

void write_file(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

/// Headers beside the student's files, such as formulas.hpp: the course's, never the student's.
void copy_headers(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().extension() != ".hpp") continue;
    fs::create_directories(to);
    fs::copy_file(entry.path(), to / entry.path().filename(), fs::copy_options::overwrite_existing);
  }
}

struct Target {
  std::string topic;
  std::string program;
  std::string source;  ///< relative to topics/
  bool operator<(const Target& other) const {
    return std::tie(topic, program) < std::tie(other.topic, other.program);
  }
};

std::set<Target> targets_of(const Collected& collected, const std::vector<Topic>& topics) {
  std::set<Target> targets;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      for (const std::string& file : exercise.files) {
        const bool is_source = file.ends_with(".cu") || file.ends_with(".cpp");
        const std::string path = topic.name + "/" + file;
        if (exercise.program.empty() || !is_source || !collected.files.contains(path)) continue;
        targets.insert({topic.name, exercise.program, path});
      }
    }
  }
  return targets;
}

/// Compiler errors, or nothing.
std::string compile(const Target& target, const Course& course, const fs::path& work) {
  const std::string source = (course.root / "topics" / target.source).string();
  const std::string output = "bin/" + target.topic + "/" + target.program;
  const std::string lines =
      build_lines(course, target.topic + "-" + target.program, source, output);
  // The folders that the build tool would have made: those of the object and of the program.
  const auto object = lines.find(" -o ") + 4;
  const fs::path object_file = lines.substr(object, lines.find(' ', object) - object);
  fs::create_directories(work / "build" / object_file.parent_path());
  fs::create_directories(work / "build" / "bin" / target.topic);
  const CompileFolders folders{course.source, course.root, course.build, work};
  try {
    Child child(sandboxed_compile(folders, lines), compile_limits());
    if (child.wait() == 0) return {};
    const std::string errors = first_errors(child.raw_output(), course.root);
    return errors.empty() ? "the compiler failed" : errors;
  } catch (const ChildFailure& failure) {
    return std::string("compiling: ") + failure.what();
  }
}

}  // namespace

std::map<std::string, std::string> build_submission(const Collected& collected,
                                                    const std::vector<Topic>& topics,
                                                    const Course& course, const fs::path& work) {
  fs::create_directories(work / "topics");
  fs::create_directories(work / "build");
  for (const char* part : {"gpu", "roofline", "harness"}) {
    fs::create_directories(work / "build" / part);
  }
  for (const Topic& topic : topics) copy_headers(topic.folder, work / "topics" / topic.name);
  for (const auto& [name, content] : collected.files) write_file(work / "topics" / name, content);
  std::map<std::string, std::string> errors;
  for (const Target& target : targets_of(collected, topics)) {
    std::string text = compile(target, course, work);
    if (!text.empty()) errors[target.topic + "/" + target.program] = std::move(text);
  }
  return errors;
}

}  // namespace grader
