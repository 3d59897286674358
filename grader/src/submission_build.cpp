// SPDX-License-Identifier: MIT
// Compiles a submission with the build tree's own command lines, inside the sandbox.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "grader/build.hpp"
#include "grader/build_tree.hpp"
#include "grader/content.hpp"
#include "grader/object_check.hpp"
#include "grader/sandbox.hpp"
#include "grader/submission.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr double kCompileSeconds = 120;

Limits compile_limits(double most_seconds) {
  Limits limits;
  limits.wall_seconds = std::clamp(most_seconds, 1.0, kCompileSeconds);
  limits.cpu_seconds = limits.wall_seconds;
  limits.memory_bytes = std::uint64_t{3} << 30;
  limits.resident_bytes = std::uint64_t{4} << 30;
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
              compile_limits(kCompileSeconds));
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
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string() + "; is the disk full?");
}

/// The words of shell commands; quotes hold blanks together.
std::vector<std::string> words_of(const std::string& lines) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char c : lines) {
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == ' ' && quote == 0) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// The folders of the checkout that the lines include from, topics left out.
std::vector<fs::path> included_folders(const std::string& lines, const Course& course) {
  const auto is_in = [](const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
  };
  std::vector<fs::path> folders;
  const std::vector<std::string> words = words_of(lines);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string path = words[i].starts_with("-I") ? words[i].substr(2) : "";
    if (words[i] == "-isystem" && i + 1 < words.size()) path = words[i + 1];
    if (path.empty() || is_in(path, course.root / "topics") || !is_in(path, course.source))
      continue;
    folders.emplace_back(path);
  }
  return folders;
}

/// The libraries that the lines link, such as harness/librl_lab.a.
std::vector<fs::path> linked_libraries(const std::string& lines, const fs::path& build) {
  std::vector<fs::path> libraries;
  for (const std::string& word : words_of(lines)) {
    if (word.ends_with(".a") || word.find(".so") != std::string::npos) {
      libraries.push_back(build / word);
    }
  }
  return libraries;
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

CompileResult run_lines(const CompileFolders& folders, const std::string& lines,
                        double most_seconds) {
  CompileResult result;
  try {
    Child child(sandboxed_compile(folders, lines), compile_limits(most_seconds));
    if (child.wait() == 0) return result;
    result.errors = first_errors(child.raw_output(), folders.root);
    if (result.errors.empty()) result.errors = "the compiler failed";
  } catch (const ChildFailure& failure) {
    result.errors = std::string("compiling: ") + failure.what();
    result.was_stopped = true;
  }
  return result;
}

/// Compiles with the course's headers read beforehand, and again without when that fails: a source
/// must not depend on how the grader saves time.
CompileResult compile_in(const fs::path& place, const std::string& lines, const std::string& source,
                         const Course& course, double most_seconds) {
  CompileFolders folders{course.root,   course.build, place, {}, included_folders(lines, course),
                         course.outside};
  if (course.headers) folders.headers = course.headers->compiled_for(lines, source);
  if (!folders.headers.empty()) {
    CompileResult result = run_lines(folders, CourseHeaders::including(lines), most_seconds);
    if (result.errors.empty() || result.was_stopped) return result;
    folders.headers.clear();
  }
  return run_lines(folders, lines, most_seconds);
}

bool is_source(const std::string& file) {
  return file.ends_with(".cu") || file.ends_with(".cpp");
}

/// Kernels are compiled twice where they can be: plain, and checked.
std::vector<const char*> kinds_of(const HandedInProgram& program, const Course& course) {
  if (!program.source.ends_with(".cu") ||
      cache_entry(course.build, "ROOFLINE_CAN_CHECK_KERNELS") != "ON") {
    return {""};
  }
  return {"", "-checked"};
}

/// The lines without the headers that the build tree has compiled beforehand: they are not in the
/// sandbox.
std::string without_compiled_headers(std::string lines) {
  constexpr std::string_view kBegin = " -Winvalid-pch -include ", kEnd = "cmake_pch.hxx";
  const std::size_t begin = lines.find(kBegin);
  const std::size_t end = lines.find(kEnd, begin == std::string::npos ? begin : begin + 1);
  if (end == std::string::npos) return lines;
  return lines.erase(begin, lines.find(' ', end) - begin);
}

/// Compiles and looks at one of the programs that are made of a source; `kind` ends its name.
CompileResult compile_kind(const HandedInProgram& program, const std::string& kind,
                           const Course& course, const fs::path& place, double most_seconds) {
  const std::string source = (course.root / "topics" / program.source).string();
  const std::string output = "bin/" + program.topic + "/" + program.program + kind;
  const std::string target = program.topic + "-" + program.program + kind;
  const std::string lines = without_compiled_headers(build_lines(course, target, source, output));
  const auto at = lines.find(" -o ") + 4;
  const std::string object = lines.substr(at, lines.find(' ', at) - at);
  make_folders(place / "build", object, target, program.topic);
  CompileResult result = compile_in(place, lines, program.source, course, most_seconds);
  if (result.errors.empty()) {
    result.refusal = refusal_of(read_bytes(place / "build" / object), *course.libraries,
                                linked_libraries(lines, course.build));
  }
  return result;
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
                              const fs::path& work, double most_seconds) {
  const fs::path place = work / "compile";
  fs::remove_all(place);
  const fs::path topic = course.root / "topics" / program.topic;
  for (const char* folder : {"", "code"}) {
    if (!fs::is_directory(topic / folder)) continue;
    copy_headers(topic / folder, place / "topics" / program.topic / folder);
  }
  for (const auto& [name, content] : program.files) write_file(place / "topics" / name, content);
  fs::create_directories(work / "build" / "bin" / program.topic);
  const auto start = Clock::now();
  CompileResult result;
  for (const char* kind : kinds_of(program, course)) {
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    result = compile_kind(program, kind, course, place, most_seconds - spent);
    if (!result.errors.empty() || !result.refusal.empty()) return result;
    const std::string output = "bin/" + program.topic + "/" + program.program + kind;
    fs::rename(place / "build" / output, work / "build" / output);
  }
  fs::remove_all(place);
  return result;
}

void require_compiler(const HandedInProgram& program, const Course& course, const fs::path& work) {
  HandedInProgram starter = program;
  for (auto& [name, content] : starter.files) content = read_bytes(course.root / "topics" / name);
  const CompileResult result = compile_program(starter, course, work / "starter");
  fs::remove_all(work / "starter");
  if (result.errors.empty()) return;
  throw std::runtime_error("not even the starter of " + program.name() +
                           " compiles here; is the disk full, or the build tree changed?\n" +
                           result.errors);
}

}  // namespace grader
