// SPDX-License-Identifier: MIT
// Compiles a submission against the build tree's package, inside the sandbox.
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "base/files.hpp"
#include "grader/batch/submission.hpp"
#include "grader/program/build.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/program/checked_names.hpp"
#include "grader/program/launch_errors.hpp"
#include "grader/program/object_check.hpp"
#include "grader/program/object_file.hpp"
#include "grader/program/read_files.hpp"
#include "grader/program/recipe.hpp"
#include "grader/program/sandbox.hpp"
#include "grader/program/sanitize.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

constexpr double kCompileSeconds = 120;
constexpr std::size_t kKeptOutput = std::size_t{4} << 20;  // of a compiler

Limits compile_limits(double most_seconds) {
  Limits limits;
  limits.wall_seconds = std::clamp(most_seconds, 1.0, kCompileSeconds);
  limits.cpu_seconds = limits.wall_seconds;
  limits.memory_bytes = std::uint64_t{3} << 30;
  limits.resident_bytes = std::uint64_t{4} << 30;
  limits.file_bytes = std::uint64_t{256} << 20;
  limits.kept_output_bytes = kKeptOutput;
  return limits;
}

void write_file(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string() + "; is the disk full?");
}

/// Headers next to the student's files, such as formulas.hpp: always the course's, not the
/// student's.
void copy_headers(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().extension() != ".hpp") continue;
    fs::create_directories(to);
    fs::copy_file(entry.path(), to / entry.path().filename(), fs::copy_options::overwrite_existing);
  }
}

/// The files handed in for the exercises of `program`, without records of measurements.
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

constexpr const char* kObject = "object.o";
constexpr const char* kProgram = "program";

/// The folder of a submission's files as its compiler sees it.
std::string place_in(const CompileFolders& folders, bool in_sandbox) {
  return in_sandbox ? std::string(CompileFolders::kPlace) : folders.work.string();
}

Command compiling(const CompileFolders& folders, const std::vector<std::string>& command,
                  bool in_sandbox) {
  const auto own = filled(command, place_in(folders, in_sandbox), kObject, kProgram);
  if (in_sandbox) return sandboxed_compile(folders, own);
  std::vector<std::string> environment = clean_environment();
  environment.emplace_back("CCACHE_DISABLE=1");
  return {own, folders.work / "build", environment};
}

/// Whether the compiler was stopped by a limit on time or memory, or by a machine that was out of
/// memory, and not by an error in the source.
bool was_ended(const std::string& output) {
  return std::ranges::any_of(
      std::array{"signal terminated program", "unable to execute command", "cc1plus: out of memory",
                 "virtual memory exhausted", "LLVM ERROR: out of memory"},
      [&](const char* words) { return output.find(words) != std::string::npos; });
}

constexpr std::string_view kCompiledAgain =
    "This may be the machine's doing and not the file's: it is compiled again whenever this "
    "hand-in is graded.";

/// Runs a command of a recipe, in the sandbox if there is one. If it fails, its output is stored in
/// `printed`.
CompileResult run(const CompileFolders& folders, const std::vector<std::string>& command,
                  const Course& course, double most_seconds, std::string* printed = nullptr) {
  CompileResult result;
  try {
    Child child(compiling(folders, command, course.has_sandbox), compile_limits(most_seconds));
    if (child.wait() == 0) return result;
    if (printed != nullptr) *printed = child.raw_output();
    result.errors = first_errors(child.raw_output(), place_in(folders, course.has_sandbox));
    if (result.errors.empty()) result.errors = "the compiler failed";
    result.was_stopped = was_ended(child.raw_output());
  } catch (const ChildFailure& failure) {
    result.errors = std::string("compiling: ") + failure.what();
    result.was_stopped = true;
  }
  if (result.was_stopped) (result.errors += '\n') += kCompiledAgain;
  return result;
}

/// Why files that a compiler has read are refused; empty when they are not.
std::string refusal_of_reading(const CompileFolders& folders,
                               const std::vector<std::string>& files) {
  const std::string file =
      first_file_outside(files, folders.work / "build", folders_for_compiler(folders));
  if (file.empty()) return {};
  return "it takes in " + sanitize_line(file) +
         ", which is none of its own files and no header of the course or the system";
}

/// The same for the files that a make rule in work/build names.
std::string refusal_of_rule(const CompileFolders& folders, const char* rule) {
  return refusal_of_reading(
      folders, prerequisites_of(base::read_file_if_any(folders.work / "build" / rule)));
}

/// Errors show lines of the files that they are about. Of those that the sandbox would hide, and of
/// whatever an assembler has read, nothing may reach the student.
void hide_foreign_lines(const CompileFolders& folders, const std::string& printed,
                        CompileResult& result) {
  result.refusal = refusal_of_reading(folders, files_of_errors(printed));
  if (!result.refusal.empty()) {
    result.errors.clear();
  } else if (printed.find("Assembler messages:") != std::string::npos) {
    result.errors = "the assembler refuses what an asm of the file says";
  }
}

/// Compiles without a sandbox, and refuses files that the sandbox would hide. The first run only
/// follows includes, because a compiler's error messages quote lines of the files it reads.
CompileResult compile_watched(const CompileFolders& folders, const Recipe& recipe,
                              const Course& course, double most_seconds) {
  constexpr const char* kIncluded = "included.d";
  constexpr const char* kAssembled = "assembled.d";
  std::vector<std::string> follow = options_of(recipe.compile);
  follow.insert(follow.end(), {"-M", "-MF", kIncluded, source_of(recipe.compile)});
  CompileResult result = run(folders, follow, course, most_seconds);
  if (result.errors.empty()) {
    result.refusal = refusal_of_rule(folders, kIncluded);
  } else if (!result.was_stopped) {
    // After an error there is no rule, but compilers print each header's name before reading it.
    follow.emplace_back("-H");
    std::string printed;
    run(folders, follow, course, most_seconds, &printed);
    hide_foreign_lines(folders, printed, result);
    if (result.refusal.empty()) {
      result.refusal = printed.size() < kKeptOutput
                           ? refusal_of_reading(folders, headers_named_in(printed))
                           : "it includes too many files";
    }
    if (!result.refusal.empty()) result.errors.clear();  // they may quote forbidden files
  }
  if (!result.errors.empty() || !result.refusal.empty()) return result;
  // -pipe avoids temporary files, which would be listed among the files it reads.
  std::vector<std::string> assembling = recipe.compile;
  assembling.insert(assembling.end(), {"-pipe", std::string("-Wa,--MD,") + kAssembled});
  std::string printed;
  result = run(folders, assembling, course, most_seconds, &printed);
  if (result.errors.find("--MD") != std::string::npos) {  // another assembler than GNU's
    return run(folders, recipe.compile, course, most_seconds);
  }
  if (!result.errors.empty()) {
    hide_foreign_lines(folders, printed, result);
  } else {
    result.refusal = refusal_of_rule(folders, kAssembled);
  }
  return result;
}

/// Compiles with precompiled headers, and again without them if that fails: a source must not
/// depend on how the grader saves time.
CompileResult compile_in(const fs::path& place, const Recipe& recipe, const std::string& source,
                         const Course& course, double most_seconds) {
  CompileFolders folders{sdk_of(course.build), place, {}, course.outside};
  if (!course.has_sandbox) return compile_watched(folders, recipe, course, most_seconds);
  if (course.headers) folders.headers = course.headers->compiled_for(recipe.compile, source);
  if (!folders.headers.empty()) {
    CompileResult result =
        run(folders, CourseHeaders::including(recipe.compile), course, most_seconds);
    if (result.errors.empty() || result.was_stopped) return result;
    folders.headers.clear();
  }
  return run(folders, recipe.compile, course, most_seconds);
}

/// Links functions with the fastest linker available, because linking is a third of their build.
/// Other programs use the build tree's linker.
std::vector<std::string> linked_quickly(std::vector<std::string> link, const std::string& source) {
  if (!source.ends_with(".cpp") || link.empty()) return link;
  for (const char* linker : {"lld", "gold"}) {
    if (!fs::exists(std::string("/usr/bin/ld.") + linker)) continue;
    link.insert(link.begin() + 1, std::string("-fuse-ld=") + linker);
    break;
  }
  return link;
}

bool is_source(const std::string& file) {
  return file.ends_with(".cu") || file.ends_with(".cpp");
}

/// Kernels are compiled twice if possible: plain, and checked.
std::vector<const char*> kinds_of(const HandedInProgram& program, const Course& course) {
  if (!program.source.ends_with(".cu") ||
      cache_entry(course.build, "ROOFLINE_CAN_CHECK_KERNELS") != "ON") {
    return {""};
  }
  return {"", kChecked};
}

/// The commands for one of the programs built from a source; `kind` is the suffix of its name.
Recipe recipe_of(const HandedInProgram& program, const std::string& kind, const Course& course) {
  const bool is_plain = kind == kCheckedPlain;
  Recipe recipe =
      read_recipe(course.build, program.topic, program.program + (is_plain ? kChecked : kind));
  if (is_plain) recipe.compile.emplace_back("-DHARNESS_PLAIN_NUMBERS_ONLY");
  return recipe;
}

/// A command that hides the functions of an object from other objects and then links it. Otherwise
/// the harness would call a student's version of any function that both have as a template, such as
/// one of std::vector. Variables stay visible: inline ones are shared. Not for GPUs, whose objects
/// contain more than functions. One command, because every start of the sandbox costs time.
std::vector<std::string> hiding_functions(const std::vector<std::string>& link,
                                          const std::string& object, const fs::path& build) {
  bool is_elf = false;
  const ObjectFile own = parse_object(object, is_elf);
  if (!is_elf) return link;
  // objcopy fails without a message when such a file is empty, so each begins with a comment.
  std::string functions = "# functions\n", variables = "# variables\n";
  for (const ObjectSymbol& symbol : own.symbols) {
    if (!symbol.is_defined) continue;
    if (symbol.is_code) functions += symbol.name + "\n";
    if (!symbol.is_code && !symbol.is_strong) variables += symbol.name + "\n";
  }
  write_file(build / "functions.txt", functions);
  write_file(build / "variables.txt", variables);
  // objcopy leaves the members of groups visible, so ld dissolves them first.
  std::vector<std::string> command = {
      "/bin/sh", "-c",
      std::string("/usr/bin/ld -r --force-group-allocation ") + kObject + " -o open.o && " +
          "/usr/bin/objcopy --localize-symbols=functions.txt --weaken-symbols=variables.txt "
          "open.o " +
          kObject + " && exec \"$@\"",
      "link"};
  command.insert(command.end(), link.begin(), link.end());
  return command;
}

/// Builds one of the programs of a source as place/build/program. The object is checked before it
/// is linked.
CompileResult make_kind(const HandedInProgram& program, const std::string& kind,
                        const Course& course, const fs::path& place, double most_seconds) {
  const auto start = Clock::now();
  const Recipe recipe = recipe_of(program, kind, course);
  fs::create_directories(place / "build");
  CompileResult result = compile_in(place, recipe, program.source, course, most_seconds);
  if (!result.errors.empty() || !result.refusal.empty()) return result;
  const bool is_kernel = program.source.ends_with(".cu");
  const std::string object = base::read_file_if_any(place / "build" / kObject);
  result.refusal = refusal_of(object, *course.libraries, recipe.libraries(),
                              is_kernel ? ObjectOf::kKernel : ObjectOf::kFunction);
  if (!result.refusal.empty()) return result;
  const double spent = std::chrono::duration<double>(Clock::now() - start).count();
  const CompileFolders folders{sdk_of(course.build), place, {}, course.outside};
  const bool hides = backend_of(course.build) == "cpu";
  const auto link = [&](const std::vector<std::string>& command) {
    return run(folders, hides ? hiding_functions(command, object, place / "build") : command,
               course, most_seconds - spent);
  };
  const std::vector<std::string> quick = linked_quickly(recipe.link, program.source);
  result = link(quick);
  // The fast linker may lack features that the build tree's has.
  if (result.errors.empty() || result.was_stopped || quick == recipe.link) return result;
  return link(recipe.link);
}

/// Whether the compiler ran out of disk space. A student's program that is too large for the
/// sandbox gives the same error, so little space must really be left.
bool was_disk_full(const std::string& errors, const fs::path& work) {
  constexpr std::uintmax_t kLittle = std::uintmax_t{256} << 20;
  if (fs::space(work).available >= kLittle) return false;
  return std::ranges::any_of(
      std::array{"No space left", "Disk full", "quota exceeded"},
      [&](const char* words) { return errors.find(words) != std::string::npos; });
}

/// Calls visit(topic, exercise, file) for every source that a program of the topics is built from.
template <class Visit>
void for_each_source(const std::vector<Topic>& topics, const Visit& visit) {
  for (const Topic& topic : topics) {
    for (const Exercise& exercise : topic.exercises) {
      if (exercise.program.empty()) continue;
      for (const std::string& file : exercise.files) {
        if (is_source(file)) visit(topic, exercise, file);
      }
    }
  }
}

}  // namespace

bool is_of_stopped_compiler(const Verdict& verdict) {
  return verdict.detail.find(kCompiledAgain) != std::string::npos;
}

std::vector<HandedInProgram> handed_in_programs(const Collected& collected,
                                                const std::vector<Topic>& topics) {
  std::map<std::string, HandedInProgram> programs;
  for_each_source(
      topics, [&](const Topic& topic, const Exercise& exercise, const std::string& file) {
        const std::string source = topic.name + "/" + file;
        if (!collected.files.contains(source)) return;
        programs[topic.name + "/" + exercise.program] = {
            topic.name, exercise.program, source, files_of(exercise.program, topic, collected)};
      });
  std::vector<HandedInProgram> result;
  for (auto& [name, program] : programs) result.push_back(std::move(program));
  return result;
}

double budget_for(const std::vector<HandedInProgram>& programs, const std::vector<Topic>& topics) {
  double seconds = 0;
  for (const Topic& topic : topics) {
    const auto is_own = [&](const HandedInProgram& p) { return p.topic == topic.name; };
    if (std::any_of(programs.begin(), programs.end(), is_own)) seconds += topic.budget_seconds;
  }
  return seconds;
}

std::map<std::string, std::string> programs_left_out(const Collected& collected,
                                                     const std::vector<Topic>& topics) {
  std::map<std::string, std::string> sources;
  for_each_source(topics,
                  [&](const Topic& topic, const Exercise& exercise, const std::string& file) {
                    if (collected.files.contains(topic.name + "/" + file)) return;
                    sources[topic.name + "/" + exercise.program] = file;
                  });
  return sources;
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
  std::string uncounted;
  const auto make = [&](const char* kind) {
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    result = make_kind(program, kind, course, place, most_seconds - spent);
  };
  for (const char* kind : kinds_of(program, course)) {
    make(kind);
    if (std::string_view(kind) == kChecked && is_about_counting(result.errors)) {
      uncounted = result.errors;
      kind = kCheckedPlain;
      make(kind);
    }
    if (!result.errors.empty() || !result.refusal.empty()) return result;
    fs::rename(place / "build" / kProgram,
               work / "build" / "bin" / program.topic / (program.program + kind));
  }
  fs::remove_all(place);
  result.uncounted = std::move(uncounted);
  return result;
}

void require_compiler(const HandedInProgram& program, const Course& course, const fs::path& work,
                      const std::string& errors) {
  if (was_disk_full(errors, work)) {
    throw std::runtime_error("the disk is full; " + program.name() + " was not compiled:\n" +
                             errors);
  }
  HandedInProgram starter = program;
  for (auto& [name, content] : starter.files)
    content = base::read_file_if_any(course.root / "topics" / name);
  const CompileResult result = compile_program(starter, course, work / "starter");
  fs::remove_all(work / "starter");
  if (result.errors.empty()) return;
  throw std::runtime_error("not even the starter of " + program.name() +
                           " compiles here; is the disk full, or the build tree changed?\n" +
                           result.errors);
}

}  // namespace grader
