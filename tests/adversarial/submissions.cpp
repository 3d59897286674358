// SPDX-License-Identifier: MIT
// Attacks by what is handed in: links, archives, sources that include what they must not, numbers.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <memory>

#include "grader/build_tree.hpp"
#include "grader/grade.hpp"
#include "grader/sandbox.hpp"
#include "grader/submission.hpp"
#include "roofline/text_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using grader::Collected;
using grader::Topic;

namespace {

std::vector<Topic> topics() {
  std::vector<grader::SchemaError> errors;
  auto result = grader::load_topics(RL_TEST_COURSE, errors);
  REQUIRE(errors.empty());
  return result;
}

Collected collect(const fs::path& path) {
  return grader::collect({"student", path}, topics());
}

const std::string kRight =
    roofline::read_text_file(fs::path(RL_TEST_COURSE) / "solutions/90-course/formulas.cpp");

/// What the compiler says to a formulas.cpp that was handed in; empty when it builds.
std::string compile(const std::string& source) {
  static const auto headers =
      std::make_shared<grader::CourseHeaders>(fs::path(RL_BUILD) / "adversarial-headers", RL_BUILD);
  const support::TemporaryFolder work;
  Collected collected;
  collected.files["90-course/formulas.cpp"] = source;
  const grader::Course course{RL_SOURCE, RL_TEST_COURSE, RL_BUILD, headers,
                              grader::folders_outside(RL_BUILD)};
  const auto programs = grader::handed_in_programs(collected, topics());
  REQUIRE(programs.size() == 1);
  return compile_program(programs.front(), course, work.path).errors;
}

void add_entry(archive* out, const std::string& name, const std::string& content,
               const std::string& link = "") {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_filetype(entry, link.empty() ? AE_IFREG : AE_IFLNK);
  if (!link.empty()) archive_entry_set_symlink(entry, link.c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
  archive_write_header(out, entry);
  archive_write_data(out, content.data(), content.size());
  archive_entry_free(entry);
}

struct Entry {
  std::string name;
  std::string content;
  std::string link;
};

fs::path make_archive(const support::TemporaryFolder& folder, const std::vector<Entry>& entries,
                      const std::string& name = "student.tar.gz") {
  fs::path file = folder.path / name;
  archive* out = archive_write_new();
  if (name.ends_with(".zip")) {
    archive_write_set_format_zip(out);
  } else {
    archive_write_add_filter_gzip(out);
    archive_write_set_format_pax_restricted(out);
  }
  archive_write_open_filename(out, file.c_str());
  for (const Entry& e : entries) add_entry(out, e.name, e.content, e.link);
  archive_write_close(out);
  archive_write_free(out);
  return file;
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

TEST_CASE("attack 18: edited tests and build files are left behind", "[adversarial]") {
  const support::TemporaryFolder folder;
  folder.write("CMakeLists.txt", "execute_process(COMMAND rm -rf /)");
  folder.write("topics/90-course/exercises.toml", "");
  folder.write("topics/90-course/truth/truth.cpp", "int x;");
  folder.write("topics/90-course/formulas.hpp", "#error");
  folder.write("topics/90-course/formulas.cpp", kRight);
  const Collected collected = collect(folder.path);
  REQUIRE(collected.files.size() == 1);
  CHECK(collected.files.begin()->first == "90-course/formulas.cpp");
}

TEST_CASE("attack 19: links are not followed, in folders and in archives", "[adversarial]") {
  const support::TemporaryFolder folder;
  fs::create_directories(folder.path / "90-course");
  fs::create_symlink(fs::path(RL_TEST_COURSE) / "solutions/90-course/formulas.cpp",
                     folder.path / "90-course/formulas.cpp");
  fs::create_directory_symlink(fs::path(RL_TEST_COURSE) / "solutions/90-course/code",
                               folder.path / "90-course/code");
  const Collected from_folder = collect(folder.path);
  CHECK(from_folder.files.empty());
  CHECK(from_folder.notes.size() == 1);
  const support::TemporaryFolder other;
  const Collected from_archive = collect(make_archive(
      other, {{"90-course/formulas.cpp", "", "/srv/solutions/90-course/formulas.cpp"}}));
  CHECK(from_archive.files.empty());
}

TEST_CASE("attack 12: paths that lead out of the archive stay names", "[adversarial]") {
  const support::TemporaryFolder folder;
  const Collected collected = collect(make_archive(
      folder, {{"../../../../tmp/90-course/formulas.cpp", "one", ""}, {"/etc/passwd", "x", ""}}));
  REQUIRE(collected.files.size() == 1);
  CHECK(collected.files.begin()->first == "90-course/formulas.cpp");
  CHECK_FALSE(fs::exists("/tmp/90-course/formulas.cpp"));
}

TEST_CASE("attack 16: archives that unfold to far too much are refused", "[adversarial]") {
  const support::TemporaryFolder folder;
  const fs::path bomb =
      make_archive(folder, {{"90-course/formulas.cpp", std::string(20 << 20, ' '), ""}});
  CHECK(fs::file_size(bomb) < 100000);
  CHECK_THROWS_WITH(collect(bomb), Catch::Contains("too much"));
}

TEST_CASE("the honest twin: an archive with a leading folder is collected", "[adversarial]") {
  for (const char* name : {"student.tar.gz", "student.zip"}) {
    const support::TemporaryFolder folder;
    const Collected collected =
        collect(make_archive(folder,
                             {{"ada-main/topics/90-course/formulas.cpp", kRight, ""},
                              {"ada-main/README.md", "hello", ""}},
                             name));
    INFO(name);
    REQUIRE(collected.files.size() == 1);
    CHECK(collected.files.begin()->second == kRight);
    const auto found = grader::find_submissions(folder.path);
    REQUIRE(found.size() == 1);
    CHECK(found[0].student == "student");
  }
}

TEST_CASE("attack 19 to 24: sources that reach for the solution do not compile", "[adversarial]") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  const std::string solution = std::string(RL_TEST_COURSE) + "/solutions/90-course/formulas.cpp";
  const std::string truth = std::string(RL_TEST_COURSE) + "/topics/90-course/truth/truth.cpp";
  CHECK(compile(kRight).empty());
  CHECK_FALSE(compile("#include \"" + solution + "\"\n").empty());
  CHECK_FALSE(compile("%:include \"" + solution + "\"\n").empty());
  CHECK_FALSE(compile("#include \"../../solutions/90-course/formulas.cpp\"\n").empty());
  CHECK_FALSE(compile("#include \"" + truth + "\"\n").empty());
  CHECK_FALSE(compile(kRight + "\nasm(\".incbin \\\"" + solution + "\\\"\");\n").empty());
  CHECK_FALSE(compile("#include </etc/shadow>\n").empty());
}

TEST_CASE("the course's compiled headers change nothing that a source says", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  // After a few programs the headers are compiled, and included before the source.
  for (int i = 0; i < 4; ++i) CHECK_FALSE(compile("#error this is refused at once\n").empty());
  REQUIRE(fs::exists(fs::path(RL_BUILD) / "adversarial-headers"));
  const std::string first = "#ifdef _GLIBCXX_ALGORITHM\n#error something was read before\n#endif\n";
  CHECK(compile(first + kRight).empty());
  CHECK(compile(kRight).empty());
  CHECK_FALSE(compile("#include <no_such_header>\n" + kRight).empty());
}

#if defined(__GNUC__) && !defined(__clang__)
TEST_CASE("GCC compiles the headers of kernels and of functions, once each", "[adversarial]") {
  const support::TemporaryFolder folder;
  const std::string source = RL_SOURCE;
  const std::string line = "/usr/bin/c++ -x c++ -std=c++20 -fopenmp -I" + source +
                           "/gpu/include -I" + source + "/gpu/cpu/include -I" + source +
                           "/harness/include -MD -MF d -o x.o -c a.cu";
  grader::CourseHeaders headers(folder.path, RL_BUILD);
  std::vector<fs::path> folders;
  for (const char* file : {"02-peaks/code/a.cu", "02-peaks/formulas.cpp"}) {
    for (int i = 0; i < 2; ++i)
      CHECK(headers.compiled_for(line, file).empty());  // not worth it yet
    folders.push_back(headers.compiled_for(line, file));
    REQUIRE(fs::exists(folders.back() / "course.hpp.gch"));
    CHECK(headers.compiled_for(line, file) == folders.back());
  }
  CHECK(folders[0] != folders[1]);
  CHECK(headers.compiled_for("cl a.cpp", "a.cpp").empty());
}
#endif

TEST_CASE("attack 23: a compile-time bomb ends and costs only itself", "[adversarial]") {
  if (!grader::sandbox_available()) return;
  const auto start = grader::Clock::now();
  CHECK_FALSE(compile("template <int n> struct S { S<n + 1> next; };\nS<0> s;\n").empty());
  CHECK_FALSE(compile("#include __FILE__\n").empty());
  CHECK(std::chrono::duration<double>(grader::Clock::now() - start).count() < 150);
  CHECK(compile(kRight).empty());
}

TEST_CASE("attack 40 and 41: no trick with numbers earns a point", "[adversarial]") {
  for (const char* value : {"nan",
                            "inf",
                            "-inf",
                            "1e999",
                            "0x1p-3",
                            "0x0.2AAAAAp0",
                            "1_6e-2",
                            "0,1667",
                            "1/6",
                            "2/12",
                            "0.1:0.2",
                            "0.1-0.2",
                            "0.1..0.2",
                            "[0.1667, 0.25]",
                            "0.1667, 0.25",
                            "0.1667;0.25",
                            "0.1667 or 0.25",
                            "0.1667 FLOP/bit",
                            "0.1667 B/FLOP",
                            "0.1667e",
                            "0.1667 0.1667",
                            "$(cat)",
                            "\xef\xbc\x90.1667",
                            "0.1667\x01",
                            "*",
                            "0.1667 +- 1"}) {
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
  CHECK(judge_value("0.1667").points == 1);
  CHECK(judge_value("166.7 mFLOP/B").points == 1);
}

TEST_CASE("attack 41: another student's numbers earn nothing", "[adversarial]") {
  const Topic topic = topics().at(0);
  const auto memory = std::find_if(topic.exercises.begin(), topic.exercises.end(),
                                   [](const grader::Exercise& e) { return e.id == "90.memory"; });
  REQUIRE(memory != topic.exercises.end());
  const grader::Exercise& exercise = *memory;
  const grader::ExerciseParameter& parameter = exercise.parameters.at(0);
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
