// SPDX-License-Identifier: MIT
// Attacks by the content of submissions: sources with forbidden includes, and numbers.
#include <algorithm>
#include <memory>

#include "base/files.hpp"
#include "base/text.hpp"
#include "contents.hpp"
#include "corpus.hpp"
#include "grader/batch/submission.hpp"
#include "grader/judge/grade.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/program/checked_names.hpp"
#include "grader/program/process.hpp"
#include "grader/program/read_files.hpp"
#include "grader/program/recipe.hpp"
#include "grader/program/sandbox.hpp"
#include "grader/program/sanitize.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using grader::Collected;
using grader::Topic;
using namespace adversarial;

namespace {

std::vector<Topic> topics() {
  std::vector<grader::SchemaError> errors;
  auto result = grader::load_topics(RL_TEST_COURSE, errors);
  REQUIRE(errors.empty());
  return result;
}

const std::string kRight =
    base::read_file(fs::path(RL_TEST_COURSE) / "solutions/90-course/formulas.cpp");

/// The folder of the course's headers, precompiled for the sources of this test run.
const fs::path& headers_folder() {
  static const fs::path folder = [] {
    const fs::path path = fs::path(RL_BUILD) / "adversarial-headers";
    fs::remove_all(path);  // of an earlier run
    return path;
  }();
  return folder;
}

/// What becomes of a file that was handed in; its program is put into `work`.
grader::CompileResult compiled(const std::string& source, const std::string& file, bool has_sandbox,
                               const fs::path& work) {
  static const auto headers = std::make_shared<grader::CourseHeaders>(headers_folder(), "now");
  Collected collected;
  collected.files["90-course/" + file] = source;
  grader::Course course{RL_TEST_COURSE, RL_BUILD, headers, grader::folders_outside(RL_BUILD)};
  course.has_sandbox = has_sandbox;
  const auto programs = grader::handed_in_programs(collected, topics());
  REQUIRE(programs.size() == 1);
  return compile_program(programs.front(), course, work);
}

grader::CompileResult compiled(const std::string& source, const std::string& file,
                               bool has_sandbox) {
  const support::TemporaryFolder work;
  return compiled(source, file, has_sandbox, work.path);
}

/// What the compiler says to a file that was handed in; empty when it builds.
std::string compile(const std::string& source, const std::string& file = "formulas.cpp") {
  return compiled(source, file, true).errors;
}

/// Its own version of a function by which the harness counts the bytes that a kernel touches: one
/// that ends the program.
std::string own_version_of_std(const std::string& linkage) {
  return R"(#include <bitset>
#include <unordered_map>
using Number = unsigned long;
using Page = std::bitset<4096>;
template <>
)" + linkage +
         R"( Page& std::__detail::_Map_base<
    Number, std::pair<const Number, Page>, std::allocator<std::pair<const Number, Page>>,
    std::__detail::_Select1st, std::equal_to<Number>, std::hash<Number>,
    std::__detail::_Mod_range_hashing, std::__detail::_Default_ranged_hash,
    std::__detail::_Prime_rehash_policy, std::__detail::_Hashtable_traits<false, false, true>,
    true>::operator[](const Number&) {
  __builtin_trap();
}
void use(std::unordered_map<Number, Page>& pages, const Number& number) { pages[number].set(); }
)";
}

/// All compiler output for a SAXPY compiled like a checked kernel.
std::string words_to_checked(const std::string& kernel) {
  const support::TemporaryFolder work;
  work.write("topics/90-course/code/saxpy.cu", kernel);
  const grader::Recipe recipe =
      grader::read_recipe(RL_BUILD, "90-course", std::string("saxpy") + grader::kChecked);
  grader::Limits limits;
  limits.kept_output_bytes = std::size_t{1} << 20;
  grader::Child child({grader::filled(recipe.compile, work.path.string(), "object.o", "saxpy"),
                       work.path, grader::clean_environment()},
                      limits);
  child.wait();
  return child.raw_output();
}

/// The verdict on 90.intensity for an answers.toml.
grader::Verdict judge_answers(const std::string& answers) {
  const support::TemporaryFolder folder;
  folder.write("topics/90-course/answers.toml", answers);
  grader::Workspace workspace;
  workspace.root = RL_TEST_COURSE;
  workspace.build = RL_BUILD;
  workspace.submission = folder.path;
  grader::Session session(workspace);
  return grader::grade(session, topics().at(0).exercises.at(0));
}

grader::Verdict judge_value(const std::string& value) {
  return judge_answers("[\"90.intensity\"]\nvalue = \"" + value + "\"\n");
}

}  // namespace

TEST_CASE("the compiler sees the headers of the course and nothing else of it", "[adversarial]") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  const support::TemporaryFolder secret;  // a classmate's work, the class's secret
  secret.write("formulas.cpp", kRight);
  std::string probe;
  std::vector<Reach> all = out_of_reach();
  all.push_back({"a file beside", secret.path / "formulas.cpp"});
  for (const Reach& reach : all) {
    INFO(reach.file);
    REQUIRE(fs::exists(reach.file));
    probe += "#if __has_include(\"" + reach.file.string() + "\")\n#error it sees " + reach.name +
             "\n#endif\n";
  }
  // The same check with a header that exists.
  probe += "#if !__has_include(\"" RL_BUILD
           "/sdk/include/roofline-labs/harness/function.hpp\")\n#error it sees no header\n#endif\n";
  CHECK(compile(probe + kRight) == "");
  const std::string solution = all.front().file.string();
  for (const std::string& attempt :
       {"#include \"" + solution + "\"\n", "%:include \"" + solution + "\"\n",
        kRight + "\nasm(\".incbin \\\"" + solution + "\\\"\");\n"}) {
    INFO(attempt);
    CHECK(compile(attempt).find("formulas.cpp") != std::string::npos);
  }
}

TEST_CASE("without a sandbox what the compiler should not have read is refused", "[adversarial]") {
  const support::TemporaryFolder secret;
  secret.write("formulas.hpp", "inline int of_a_classmate() { return 1; }\n");
  std::vector<Reach> all = out_of_reach();
  all.push_back({"a file beside", secret.path / "formulas.hpp"});
  for (const Reach& reach : all) {
    if (fs::is_directory(reach.file)) continue;
    const std::string file = reach.file.string();
    INFO(file);
    // Whatever is in it: no line of it may reach the student in an error.
    const std::string path = "\"" + file + "\"\n";
    std::vector<std::string> attempts = {
        "#include " + path + kRight, "%:include " + path + kRight,
        "#include \"/usr/include/../.." + file + "\"\n" + kRight,
        kRight + "\nasm(\".section .rodata\\n.incbin \\\"" + file + "\\\"\");\n",
        kRight + "\nasm(\".section .rodata\\n.inc\" \"bin \\\"" + file + "\\\"\");\n",
        // Errors show the line that they are about.
        "#line 1 " + path + "int x = ;\n", "# 1 " + path + "#error this shows it\n"};
    // Where a file lies does not depend on how it is taken in.
    if (&reach != &all.front()) attempts.resize(1);
    for (const std::string& attempt : attempts) {
      INFO(attempt);
      const grader::CompileResult result = compiled(attempt, "formulas.cpp", false);
      CHECK(result.errors == "");
      CHECK_THAT(result.refusal, Catch::Contains("it takes in "));
      CHECK_THAT(result.refusal, Catch::Contains(reach.file.filename().string()));
    }
  }
  for (const char* directive :
       {".include", ".incl\" \"ude"}) {  // an assembler shows what it refuses
    const grader::CompileResult result = compiled(
        kRight + "\nasm(\"" + directive + " \\\"" + all.front().file.string() + "\\\"\");\n",
        "formulas.cpp", false);
    INFO(result.errors);
    CHECK((result.errors + result.refusal).find("attainable") == std::string::npos);
    CHECK_THAT(result.refusal, Catch::Contains("it takes in "));
  }
  CHECK(compiled(kRight + "\nasm(\"no_such\");\n", "formulas.cpp", false).errors ==
        "the assembler refuses what an asm of the file says");
  const std::string own_line = "#line 7 \"topics/90-course/formulas.cpp\"\nint x = ;\n";
  CHECK_THAT(compiled(own_line, "formulas.cpp", false).errors, Catch::Contains("formulas.cpp:7"));
  // Honest: the system's headers, the course's, and the one beside.
  const grader::CompileResult honest =
      compiled("#include <vector>\n#include \"formulas.hpp\"\n" + kRight, "formulas.cpp", false);
  CHECK(honest.errors == "");
  CHECK(honest.refusal == "");
  const grader::CompileResult kernel = compiled(kernel_that_hides({""}), "code/saxpy.cu", false);
  CHECK(kernel.errors == "");
  CHECK(kernel.refusal == "");
  CHECK_THAT(compiled("this is no C++\n", "formulas.cpp", false).errors,
             Catch::Contains("formulas.cpp:1"));
}

TEST_CASE("rules of make name what a file depends on", "[adversarial]") {
  const std::string rule =
      "a.o: /usr/a\\ b.hpp \\\n ../topics/c$$d.hpp /usr/../etc/passwd\n\nnext.o: x\n";
  CHECK(grader::prerequisites_of(rule) ==
        std::vector<std::string>{"/usr/a b.hpp", "../topics/c$d.hpp", "/usr/../etc/passwd", "x"});
  const auto outside = [](const std::string& file) {
    return grader::first_file_outside(grader::prerequisites_of("a.o: " + file + "\n"),
                                      "/course/build", {"/usr", "/course/topics"});
  };
  CHECK(outside("/usr/include/stdio.h ../topics/a.hpp") == "");
  CHECK(outside("/usr/include/stdio.h ../a.hpp") == "../a.hpp");
  CHECK(outside("/usr/../etc/passwd") == "/usr/../etc/passwd");
  CHECK(outside("/usrlocal/a") == "/usrlocal/a");
  CHECK(grader::headers_named_in(
            "In file included from a.cpp:1:\n. /usr/a.hpp\n.. /b c.hpp\n... and\n"
            "a.cpp:1: error: . /no.hpp\n.\n") ==
        std::vector<std::string>{"/usr/a.hpp", "/b c.hpp", "and"});
  CHECK(outside("/proc/self/root/usr/include/stdio.h") == "/proc/self/root/usr/include/stdio.h");
  CHECK(grader::files_of_errors("/etc/passwd:3:1: error: x\n  3 | a:7\n{x}: Assembler messages:\n"
                                "a: In function f:\nnote: b\n") ==
        std::vector<std::string>{"/etc/passwd", "{x}"});
}

TEST_CASE("no function is taken out of what the checked run sees", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  CHECK(compile(kernel_that_hides({""}), "code/saxpy.cu") == "");
  const std::string kernel = kernel_that_hides(ways_to_hide());
  CHECK_THAT(compile(kernel, "code/saxpy.cu"), Catch::Contains("poisoned"));
  // The student gets the first errors; each way has its own.
  const std::vector<std::string> words = base::lines_of(words_to_checked(kernel));
  for (const std::string& way : ways_to_hide()) {
    INFO(way);
    const std::string place = "saxpy.cu:" + std::to_string(line_that_hides(kernel, way)) + ":";
    CHECK(std::any_of(words.begin(), words.end(), [&](const std::string& line) {
      return line.find(place) != std::string::npos && line.find("poisoned") != std::string::npos;
    }));
  }
}

std::vector<corpus::Row> corpus::source_rows() {
  std::vector<Row> rows;
  for (const std::string& way : ways_to_hide()) {
    rows.push_back({"a kernel whose reads `" + way + "` is to hide",
                    "checked kernels refuse the names that end instrumentation, and assembly",
                    kTriedInSandbox});
  }
  rows.push_back({"a kernel that reads in a function of its own"});
  rows.push_back({"a kernel with its own version of a template of std by which the harness counts",
                  "functions of the object are hidden from all other objects", kTriedBoth,
                  Where::kBatch});
  constexpr const char* kReads =
      "the compiler sees the course's headers and the student's own files; without bubblewrap, "
      "what "
      "it read is looked at";
  for (const Reach& reach : out_of_reach()) {
    rows.push_back({"a source that includes " + reach.name, kReads,
                    fs::is_directory(reach.file) ? kTriedInSandbox : kTriedBoth, Where::kBatch});
  }
  rows.push_back({"a source that includes a classmate's work or the class's secret", kReads,
                  kTriedBoth, Where::kBatch});
  rows.push_back(
      {"a source that takes the solution in with .incbin", kReads, kTriedBoth, Where::kBatch});
  rows.push_back(
      {"a source whose errors are to show lines of the solution, by a line directive or .include",
       "without bubblewrap, the files that errors are about are looked at", kTriedLight,
       Where::kBatch});
  rows.push_back({"a source that includes itself, or unfolds a template without end",
                  "limits on time and memory; it costs only itself", kTriedInSandbox,
                  Where::kBatch});
  rows.push_back({"a source that includes what it uses, in any order"});
  return rows;
}

TEST_CASE("the course's compiled headers change nothing that a source says", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  // After a few programs the headers are compiled, and included before the source.
  for (int i = 0; i < 4; ++i) CHECK_FALSE(compile("#error this is refused at once\n").empty());
#if defined(__GNUC__) && !defined(__clang__)
  const fs::recursive_directory_iterator all(headers_folder());
  REQUIRE(std::any_of(begin(all), end(all),
                      [](const auto& entry) { return entry.path().extension() == ".gch"; }));
#endif
  const std::string first = "#ifdef _GLIBCXX_ALGORITHM\n#error something was read before\n#endif\n";
  CHECK(compile(first + kRight).empty());
  CHECK(compile(kRight).empty());
  CHECK_FALSE(compile("#include <no_such_header>\n" + kRight).empty());
}

#if defined(__GNUC__) && !defined(__clang__)
TEST_CASE("GCC compiles the headers of kernels and of functions, once each", "[adversarial]") {
  const support::TemporaryFolder folder;
  // The headers of kernels are the course's; those of functions are compiled in the case above.
  folder.write("include/harness/function.hpp", "");
  const std::string sdk = grader::sdk_of(RL_BUILD) / "include/roofline-labs";
  const std::vector<std::string> command = {
      "/usr/bin/c++", "-x",
      "c++",          "-std=c++20",
      "-fopenmp",     "-I" + (folder.path / "include").string(),
      "-I" + sdk,     "-MD",
      "-MT",          "@OBJECT@",
      "-MF",          "@OBJECT@.d",
      "-o",           "@OBJECT@",
      "-c",           "@PLACE@/topics/a.cu"};
  grader::CourseHeaders headers(folder.path / "compiled", "now");
  std::vector<fs::path> folders;
  for (const char* file : {"02-peaks/code/a.cu", "02-peaks/formulas.cpp"}) {
    for (int i = 0; i < 2; ++i)
      CHECK(headers.compiled_for(command, file).empty());  // too few programs so far
    folders.push_back(headers.compiled_for(command, file));
    REQUIRE(fs::exists(folders.back() / "course.hpp.gch"));
    CHECK(headers.compiled_for(command, file) == folders.back());
  }
  CHECK(folders[0] != folders[1]);
  CHECK(headers.compiled_for({}, "a.cpp").empty());
}
#endif

TEST_CASE("the harness does not call a student's version of what both have of std",
          "[adversarial]") {
  const std::string kernel =
      base::read_file(fs::path(RL_TEST_COURSE) / "solutions/90-course/code/saxpy.cu");
  const std::vector<Topic> all = topics();
  const auto saxpy = std::ranges::find(all.at(0).exercises, "90.saxpy", &grader::Exercise::id);
  REQUIRE(saxpy != all.at(0).exercises.end());
  for (const std::string linkage : {"", "inline"}) {
    const bool has_sandbox = linkage.empty() && grader::sandbox_available();
    INFO(linkage << " sandbox: " << has_sandbox);
    const support::TemporaryFolder work;
    const grader::CompileResult result =
        compiled(own_version_of_std(linkage) + kernel, "code/saxpy.cu", has_sandbox, work.path);
    REQUIRE(result.errors == "");
    REQUIRE(result.refusal == "");
    grader::Workspace workspace;
    workspace.root = RL_TEST_COURSE;
    workspace.build = RL_BUILD;
    workspace.student_bin = work.path / "build/bin";
    grader::Session session(workspace);
    const grader::Verdict verdict = grader::grade(session, *saxpy);
    INFO(verdict.message);
    CHECK(verdict.status == grader::Status::kPassed);
  }
}

TEST_CASE("attack 23: a compile-time bomb ends and costs only itself", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  const auto start = grader::Clock::now();
  CHECK_FALSE(compile("template <int n> struct S { S<n + 1> next; };\nS<0> s;\n").empty());
  CHECK_FALSE(compile("#include __FILE__\n").empty());
  CHECK(std::chrono::duration<double>(grader::Clock::now() - start).count() < 150);
  CHECK(compile(kRight).empty());
}

std::vector<corpus::Row> corpus::number_rows() {
  std::vector<Row> rows;
  for (const std::string& value : number_tricks()) {
    rows.push_back({"the number `" + grader::sanitize_line(value) + "`",
                    "an answer is one number and a unit", kTriedReading});
  }
  rows.push_back({"a number of ten million digits", "long lines are refused", kTriedReading});
  rows.push_back({"two values, or two headers, for one answer", "both are refused", kTriedReading});
  rows.push_back(
      {"another student's numbers", "every student's exercises draw their own", kTriedReading});
  for (const std::string& value : honest_numbers()) {
    rows.push_back({"the number `" + grader::sanitize_line(value) + "`"});
  }
  return rows;
}

TEST_CASE("attack 40 and 41: no trick with numbers earns a point", "[adversarial]") {
  for (const std::string& value : number_tricks()) {
    const grader::Verdict verdict = judge_value(value);
    INFO(value << ": " << verdict.message);
    CHECK(verdict.points == 0);
    CHECK(verdict.message != "right");
  }
  CHECK(judge_value(std::string(10'000'000, '1')).points == 0);
  CHECK(judge_answers("[\"90.intensity\"]\nvalue = 0.1667\nvalue = 0.25\n").points == 0);
  CHECK(
      judge_answers("[\"90.intensity\"]\nvalue = 0.1667\n[\"90.intensity\"]\nvalue = 1\n").points ==
      0);
  for (const std::string& value : honest_numbers()) {
    INFO(value);
    CHECK(judge_value(value).points == 1);
  }
}

TEST_CASE("attack 41: another student's numbers earn nothing", "[adversarial]") {
  const Topic topic = topics().at(0);
  const auto memory = std::find_if(topic.exercises.begin(), topic.exercises.end(),
                                   [](const grader::Exercise& e) { return e.id == "90.memory"; });
  REQUIRE(memory != topic.exercises.end());
  const grader::Exercise& exercise = *memory;
  const grader::ExerciseParameter& parameter = exercise.parameters().at(0);
  std::string other;
  const grader::Variant ada{"secret", "ada", 1};
  for (int i = 0; other.empty(); ++i) {
    const std::string name = "student" + std::to_string(i);
    const double theirs = value_of(parameter, exercise.id, {"secret", name, 1});
    if (theirs != value_of(parameter, exercise.id, ada)) other = name;
  }
  const auto judge = [&](const std::string& whose) {
    const support::TemporaryFolder folder;
    const double bytes = 2 * value_of(parameter, exercise.id, {"secret", whose, 1});
    folder.write("topics/90-course/answers.toml",
                 "[\"90.memory\"]\nvalue = \"" + std::to_string(bytes) + " B\"\n");
    grader::Workspace workspace;
    workspace.root = RL_TEST_COURSE;
    workspace.build = RL_BUILD;
    workspace.submission = folder.path;
    workspace.variant = ada;
    grader::Session session(workspace);
    return grader::grade(session, exercise).points;
  };
  CHECK(judge(other) == 0);
  CHECK(judge("ada") == 2);
}
