// SPDX-License-Identifier: MIT
// Compiles a submission with the build tree's own command lines, inside the sandbox.
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "grader/build.hpp"
#include "grader/build_tree.hpp"
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

/// Whether a line of the build tool compiles `source`; a path with a blank stands between quotes.
bool is_compiling(const std::string& line, const std::string& source) {
  return line.find(" -c " + source) != std::string::npos ||
         line.find(" -c '" + source + "'") != std::string::npos;
}

/// What the build tree would run for a target: compiling `source`, and linking `output`.
std::string build_lines(const Course& course, const std::string& target, const std::string& source,
                        const std::string& output) {
  Child child({{cache_entry(course.build, "CMAKE_MAKE_PROGRAM"), "-C", course.build.string(), "-t",
                "commands", target},
               course.build,
               clean_environment()},
              compile_limits());
  if (child.wait() != 0) throw std::runtime_error("the build tree has no target " + target);
  std::istringstream lines(child.raw_output());
  std::string result;
  bool is_compiled = false, is_linked = false;
  for (std::string line; std::getline(lines, line);) {
    const bool compiles = is_compiling(line, source);
    const bool links = line.find(" -o " + output + " ") != std::string::npos;
    if (compiles || links) result += (result.empty() ? "" : " && ") + line;
    is_compiled |= compiles;
    is_linked |= links;
  }
  if (!is_compiled || !is_linked) {
    throw std::runtime_error("the build tree " + course.build.string() + " does not make " +
                             output + " from " + source);
  }
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

/// Folders that the build tool would have made, and those that the sandbox mounts something on.
void make_folders(const fs::path& build, const std::string& object_file, const std::string& target,
                  const std::string& topic) {
  for (const char* part : {"gpu", "roofline", "harness"}) fs::create_directories(build / part);
  fs::create_directories(build / fs::path(object_file).parent_path());
  // Newer versions of CMake have the linker list its inputs there.
  fs::create_directories(build / "CMakeFiles" / (target + ".dir"));
  fs::create_directories(build / "bin" / topic);
}

/// What was handed in for the exercises of `program`, records of measurements left out.
std::map<std::string, std::string> files_of(const std::string& program, const Topic& topic,
                                            const Collected& collected) {
  std::map<std::string, std::string> files;
  for (const Exercise& exercise : topic.exercises) {
    if (exercise.program != program) continue;
    for (const std::string& file : exercise.files) {
      const auto found = collected.files.find(topic.name + "/" + file);
      if (found != collected.files.end() && !file.ends_with(".json")) files.insert(*found);
    }
  }
  return files;
}

CompileResult run_lines(const CompileFolders& folders, const std::string& lines) {
  try {
    Child child(sandboxed_compile(folders, lines), compile_limits());
    if (child.wait() == 0) return {};
    const std::string errors = first_errors(child.raw_output(), folders.root);
    return {errors.empty() ? "the compiler failed" : errors};
  } catch (const ChildFailure& failure) {
    return {std::string("compiling: ") + failure.what(), true};
  }
}

/// Compiles with the course's headers read beforehand, and again without when that fails: a source
/// must not depend on how the grader saves time.
CompileResult compile_in(const fs::path& place, const std::string& lines, const std::string& source,
                         const Course& course) {
  CompileFolders folders{course.source, course.root, course.build, place, {}, course.outside};
  if (course.headers) folders.headers = course.headers->compiled_for(lines, source);
  if (!folders.headers.empty()) {
    CompileResult result = run_lines(folders, CourseHeaders::including(lines));
    if (result.errors.empty() || result.was_stopped) return result;
    folders.headers.clear();
  }
  return run_lines(folders, lines);
}

bool is_source(const std::string& file) {
  return file.ends_with(".cu") || file.ends_with(".cpp");
}

}  // namespace

std::vector<HandedInProgram> handed_in_programs(const Collected& collected,
                                                const std::vector<Topic>& topics) {
  std::map<std::string, HandedInProgram> programs;
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      for (const std::string& file : exercise.files) {
        const std::string source = topic.name + "/" + file;
        if (exercise.program.empty() || !is_source(file)) continue;
        if (!collected.files.contains(source)) continue;
        programs[topic.name + "/" + exercise.program] = {
            topic.name, exercise.program, source, files_of(exercise.program, topic, collected)};
      }
    }
  }
  std::vector<HandedInProgram> result;
  for (auto& [name, program] : programs) result.push_back(std::move(program));
  return result;
}

void unpack(const Collected& collected, const fs::path& work) {
  for (const auto& [name, content] : collected.files) write_file(work / "topics" / name, content);
}

CompileResult compile_program(const HandedInProgram& program, const Course& course,
                              const fs::path& work) {
  const fs::path place = work / "compile";
  fs::remove_all(place);
  const fs::path topic = course.root / "topics" / program.topic;
  for (const char* folder : {"", "code"}) {
    if (!fs::is_directory(topic / folder)) continue;
    copy_headers(topic / folder, place / "topics" / program.topic / folder);
  }
  for (const auto& [name, content] : program.files) write_file(place / "topics" / name, content);
  const std::string source = (course.root / "topics" / program.source).string();
  const std::string output = "bin/" + program.topic + "/" + program.program;
  const std::string target = program.topic + "-" + program.program;
  const std::string lines = build_lines(course, target, source, output);
  const auto object = lines.find(" -o ") + 4;
  make_folders(place / "build", lines.substr(object, lines.find(' ', object) - object), target,
               program.topic);
  CompileResult result = compile_in(place, lines, program.source, course);
  if (!result.errors.empty()) return result;
  fs::create_directories(work / "build" / "bin" / program.topic);
  fs::rename(place / "build" / output, work / "build" / output);
  fs::remove_all(place);
  return {};
}

}  // namespace grader
