// SPDX-License-Identifier: MIT
// Hand-ins of every shape: as folder, .tar.gz and .zip, in both orders.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <functional>

#include "base/files.hpp"
#include "corpus.hpp"
#include "grader/batch/submission.hpp"
#include "support/archives.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using grader::Collected;
using grader::Topic;
using support::Entry;
using support::write_archive;

namespace {

std::vector<Topic> topics_of(const fs::path& root) {
  std::vector<grader::SchemaError> errors;
  auto result = grader::load_topics(root, errors);
  REQUIRE(errors.empty());
  return result;
}

std::string text_of(const fs::path& root, const std::string& file) {
  return base::read_file(root / file);
}

const fs::path kCourse = RL_SOURCE;

const std::string kWork = text_of(kCourse, "solutions/02-peaks/formulas.cpp");
const std::string kOther = kWork + "// another attempt\n";
/// The same with "\r\n", and with two bytes for each letter.
const std::string kWindows = [] {
  std::string text;
  for (const char c : kWork) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return text;
}();
const std::string kWide = [] {
  std::string text = "\xff\xfe";
  for (const char c : kWork) text += {c, '\0'};
  return text;
}();
const std::string kStarter = text_of(kCourse, "topics/02-peaks/formulas.cpp");
const std::string kSaxpy = text_of(kCourse, "solutions/02-peaks/code/saxpy.cu");
const std::string kSum1 = text_of(kCourse, "solutions/01-ai-basics/code/sum.cu");
const std::string kSum2 = text_of(kCourse, "solutions/02-peaks/code/sum.cu");
const std::string kAnswer2 = "[\"02.saxpy.ai\"]\nvalue = \"1\"\n";
const std::string kAnswer3 = "[\"03.model.ridge\"]\nvalue = \"1\"\n";

/// A submission and what must be taken from it.
struct HandIn {
  std::string name;
  std::vector<Entry> entries;
  std::map<std::string, std::string> taken;
  std::string noted = {};       ///< must be part of a note
  std::string stopped_by = {};  ///< empty for an honest one
  bool in_folder = true;        ///< for names that only archives can hold
};

const std::string kFormulas = "02-peaks/formulas.cpp";

const std::vector<HandIn>& hand_ins() {
  static const std::vector<HandIn> kAll = {
      {"the folder topics", {{"topics/02-peaks/formulas.cpp", kWork}}, {{kFormulas, kWork}}},
      {"a topic's folder", {{"02-peaks/formulas.cpp", kWork}}, {{kFormulas, kWork}}},
      {"a folder that a platform adds",
       {{"ada-main-8f2c/topics/02-peaks/formulas.cpp", kWork}, {"ada-main-8f2c/README.md", "hi"}},
       {{kFormulas, kWork}}},
      {"fifteen folders deep",
       {{"a/b/c/d/e/f/g/h/i/j/k/l/m/n/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a source alone, its topic known by what it registers",
       {{"formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a kernel alone", {{"saxpy.cu", kSaxpy}}, {{"02-peaks/code/saxpy.cu", kSaxpy}}},
      {"a kernel in folders of the student's own",
       {{"Topic2/Saxpy/saxpy.cu", kSaxpy}},
       {{"02-peaks/code/saxpy.cu", kSaxpy}}},
      {"a kernel in the topic's folder, without code/",
       {{"02-peaks/saxpy.cu", kSaxpy}},
       {{"02-peaks/code/saxpy.cu", kSaxpy}}},
      {"a kernel under another name",
       {{"my_saxpy (1).cu", kSaxpy}},
       {{"02-peaks/code/saxpy.cu", kSaxpy}}},
      {"kernels of one name of two topics, in their folders",
       {{"01-ai-basics/code/sum.cu", kSum1}, {"02-peaks/code/sum.cu", kSum2}},
       {{"01-ai-basics/code/sum.cu", kSum1}, {"02-peaks/code/sum.cu", kSum2}}},
      {"a kernel alone whose name two topics use",
       {{"sum.cu", kSum1}},
       {{"01-ai-basics/code/sum.cu", kSum1}}},
      {"answers alone, their topic known by the ids",
       {{"answers.toml", kAnswer3}},
       {{"03-roofline-modeling/answers.toml", kAnswer3}}},
      {"answers in capitals",
       {{"ANSWERS.TOML", kAnswer3}},
       {{"03-roofline-modeling/answers.toml", kAnswer3}}},
      {"answers of two topics in one file",
       {{"answers.toml", kAnswer2 + kAnswer3}},
       {{"02-peaks/answers.toml", kAnswer2 + kAnswer3},
        {"03-roofline-modeling/answers.toml", kAnswer2 + kAnswer3}}},
      {"answers of four topics",
       {{"01-ai-basics/answers.toml", "1"},
        {"02-peaks/answers.toml", "2"},
        {"03-roofline-modeling/answers.toml", "3"}},
       {{"01-ai-basics/answers.toml", "1"},
        {"02-peaks/answers.toml", "2"},
        {"03-roofline-modeling/answers.toml", "3"}}},
      {"a name with letters beyond ASCII",
       {{"Müller, Zoë/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"the handout as it was, with the kept starters first",
       {{".starters/02-peaks/formulas.cpp", kStarter}, {"topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a clone: solutions and tests are not a hand-in",
       {{"solutions/02-peaks/formulas.cpp", kOther},
        {"tests/wrong/02-peaks/formulas/x.cpp", kOther},
        {"topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a clone in a folder",
       {{"repo/solutions/02-peaks/formulas.cpp", kOther},
        {"repo/tests/wrong/02-peaks/formulas.cpp", kOther},
        {"repo/topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a build folder with copies",
       {{"out/CMakeCache.txt", ""},
        {"out/02-peaks/formulas.cpp", kOther},
        {"x/y/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"what macOS adds",
       {{"__MACOSX/02-peaks/._formulas.cpp", "x"},
        {"02-peaks/._formulas.cpp", "x"},
        {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"the same file twice",
       {{"02-peaks copy/02-peaks/formulas.cpp", kWork}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"two attempts in one archive: the one nearer to the top",
       {{"old/02-peaks/formulas.cpp", kOther}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "taken: 02-peaks/formulas.cpp; left: old/02-peaks/formulas.cpp"},
      {"a whole path before a name alone",
       {{"formulas.cpp", kOther}, {"a/topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "left: formulas.cpp"},
      {"work at the top, and the starter where it was",
       {{"topics/02-peaks/formulas.cpp", kStarter}, {"formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"nothing but the starter",
       {{"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}}},
      {"work in a folder that is called solutions is named",
       {{"solutions/formulas.cpp", kWork}, {"02-peaks/answers.toml", kAnswer2}},
       {{"02-peaks/answers.toml", kAnswer2}},
       "a folder solutions or build is never a hand-in; left in it: solutions/formulas.cpp"},
      {"work in a folder that is called build is named",
       {{"build/02-peaks/formulas.cpp", kWork}, {"02-peaks/answers.toml", kAnswer2}},
       {{"02-peaks/answers.toml", kAnswer2}},
       "left in it: build/02-peaks/formulas.cpp"},
      {"a build folder called build is not worth a word",
       {{"build/cpu/CMakeCache.txt", ""},
        {"build/cpu/02-peaks/formulas.cpp", kOther},
        {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a report beside the work",
       {{"report.pdf", std::string(3 << 20, 'x')}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"a source with another ending is named",
       {{"02-peaks/saxpy.cu.txt", kSaxpy}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "saxpy.cu.txt is not taken; is it meant as saxpy.cu?"},
      {"a source with the ending of another language is named",
       {{"02-peaks/saxpy.cc", kSaxpy}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "saxpy.cc is not taken; is it meant as saxpy.cu?"},
      {"answers as plain text are named",
       {{"02-peaks/Answers.txt", kAnswer2}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "Answers.txt is not taken; is it meant as answers.toml?"},
      {"a source with the line ends of Windows",
       {{"formulas.cpp", kWindows}},
       {{kFormulas, kWindows}}},
      {"a source in UTF-16 is named",
       {{"02-peaks/formulas.cpp", kWide}},
       {{kFormulas, kWide}},
       "02-peaks/formulas.cpp is written in UTF-16; save it as UTF-8"},
      {"a folder with blanks, brackets and a percent sign",
       {{"HW 2 (final) 100%/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}}},
      {"paths of Windows that were unpacked as names",
       {{"ada\\02-peaks\\code\\sum.cu", kSum2}},
       {{"02-peaks/code/sum.cu", kSum2}}},
      {"an archive in an archive is named",
       {{"code.zip", "x"}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "code.zip is an archive in an archive",
       {},
       false},
      {"nothing but a report", {{"report.pdf", "x"}}, {}, "it holds report.pdf"},
      {"a source that no topic asks for", {{"notes.cpp", "int x;"}}, {}, "notes.cpp is not taken"},
      {"paths as Windows stores them",
       {{"ada\\02-peaks\\formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       {},
       false},

      {"an idle student's clone brings the solutions",
       {{"solutions/02-peaks/formulas.cpp", kWork}, {"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}},
       {},
       "a folder solutions is never a hand-in"},
      {"wrong solutions of the course's tests, for a point here and there",
       {{"tests/wrong/02-peaks/formulas.cpp", kOther}, {"topics/02-peaks/formulas.cpp", kStarter}},
       {{kFormulas, kStarter}},
       {},
       "of a copy of the course only topics/ is taken"},
      {"an exercises.toml of one's own",
       {{"topics/02-peaks/exercises.toml", "x"}, {"topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       "only files that exercises.toml names are taken"},
      {"an oracle, a check and a header of one's own",
       {{"topics/02-peaks/oracle/oracle.cpp", "x"},
        {"topics/02-peaks/checks/saxpy.cpp", "x"},
        {"topics/02-peaks/formulas.hpp", "#error"},
        {"topics/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       "oracle.cpp is not taken",
       "only files that exercises.toml names are taken"},
      {"build files that run commands",
       {{"CMakeLists.txt", "execute_process(COMMAND rm -rf /)"}, {"02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       "only files that exercises.toml names are taken"},
      {"a link to the solution",
       {{"02-peaks/formulas.cpp", "", (kCourse / "solutions/02-peaks/formulas.cpp").string()}},
       {},
       "is a link or not a regular file",
       "links are not followed"},
      {"a link to a folder outside, and a file that would be written through it",
       {{"work", "", "/tmp"}, {"work/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"a path that leads out of the archive",
       {{"../../../../tmp/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"an absolute path",
       {{"/etc/02-peaks/formulas.cpp", kWork}},
       {{kFormulas, kWork}},
       {},
       "paths in archives are names; nothing is unpacked to disk",
       false},
      {"a source of 20 MB",
       {{"02-peaks/formulas.cpp", std::string(20 << 20, ' ')}, {"saxpy.cu", kSaxpy}},
       {{"02-peaks/code/saxpy.cu", kSaxpy}},
       "is larger than 1 MB",
       "files beyond 1 MB are left"},
      {"a name that clears the terminal",
       {{"\x1b[2J\x1b[31m.cpp", "int x;"}},
       {},
       ".cpp is not taken",
       "names are cleaned before they are shown"},
      {"a name that turns the writing round",
       {{"a\xe2\x80\xaexyz.cpp", "int x;"}},
       {},
       "a?xyz.cpp is not taken",
       "names are cleaned before they are shown"},
      {"answers for a topic in the folder of another",
       {{"03-roofline-modeling/formulas.cpp", kWork}},
       {{"03-roofline-modeling/formulas.cpp", kWork}},
       {},
       "the path decides where there is one"},
  };
  return kAll;
}

Collected collect(const fs::path& path) {
  static const std::vector<Topic> topics = topics_of(kCourse);
  return grader::collect({"student", path}, topics);
}

void check_taken(const HandIn& hand_in, const Collected& collected) {
  INFO(hand_in.name);
  CHECK(collected.files == hand_in.taken);
  std::string notes;
  for (const std::string& note : collected.notes) notes += note + "\n";
  INFO(notes);
  CHECK(notes.find(hand_in.noted) != std::string::npos);
  if (hand_in.noted.empty()) CHECK(notes.empty());
}

}  // namespace

TEST_CASE("hand-ins of every shape, in folders", "[adversarial]") {
  for (const HandIn& hand_in : hand_ins()) {
    if (!hand_in.in_folder) continue;
    const support::TemporaryFolder folder;
    for (const Entry& e : hand_in.entries) {
      if (e.link.empty()) {
        folder.write(e.path, e.content);
      } else {
        fs::create_directories((folder.path / e.path).parent_path());
        fs::create_symlink(e.link, folder.path / e.path);
      }
    }
    check_taken(hand_in, collect(folder.path));
  }
}

TEST_CASE("hand-ins of every shape, in archives and in both orders", "[adversarial]") {
  for (const HandIn& hand_in : hand_ins()) {
    const support::TemporaryFolder folder;
    std::vector<Entry> entries = hand_in.entries;
    for (const char* name : {"a.tar.gz", "b.zip", "reversed.tar.gz", "reversed.zip"}) {
      if (std::string(name) == "reversed.tar.gz") std::reverse(entries.begin(), entries.end());
      write_archive(folder.path / name, entries);
      INFO(name);
      check_taken(hand_in, collect(folder.path / name));
    }
  }
}

TEST_CASE("of two entries with one path the later counts, as when it is unpacked",
          "[adversarial]") {
  const support::TemporaryFolder folder;
  for (const char* name : {"a.tar.gz", "b.zip"}) {
    INFO(name);
    const Collected collected = collect(write_archive(
        folder.path / name, {{"02-peaks/formulas.cpp", kOther}, {"02-peaks/formulas.cpp", kWork}}));
    CHECK(collected.files.at(kFormulas) == kWork);
    CHECK(collected.notes.size() == 1);
  }
}

TEST_CASE("archives of every kind", "[adversarial]") {
  const std::vector<Entry> entries = {{"02-peaks/formulas.cpp", kWork}};
  for (const char* name : {"A.ZIP", "a.tar", "a.tar.xz", "a.tar.bz2", "a.tgz", "a.7z"}) {
    const support::TemporaryFolder folder;
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
    fs::rename(write_archive(folder.path / ("x" + lower), entries), folder.path / name);
    INFO(name);
    const grader::Found found = grader::find_submissions(folder.path);
    REQUIRE(found.submissions.size() == 1);
    CHECK(found.submissions[0].student == std::string(1, *name));
    CHECK(collect(folder.path / name).files.at(kFormulas) == kWork);
  }
}

TEST_CASE("an archive in a student's folder, and a source alone", "[adversarial]") {
  const support::TemporaryFolder folder;
  fs::create_directories(folder.path / "ada_123_assignsubmission_file");
  write_archive(folder.path / "ada_123_assignsubmission_file/my work.zip",
                {{"02-peaks/formulas.cpp", kWork}});
  folder.write("bob_formulas.cpp", kWork);
  folder.write("essay.pdf", "x");
  folder.write(".hidden", "x");
  fs::create_symlink("/etc", folder.path / "eve");
  const grader::Found found = grader::find_submissions(folder.path);
  REQUIRE(found.submissions.size() == 2);
  for (const grader::Submission& submission : found.submissions) {
    CHECK(collect(submission.path).files.at(kFormulas) == kWork);
  }
  CHECK(found.others == std::vector<std::string>{"essay.pdf is neither a folder nor an archive nor "
                                                 "a source",
                                                 "eve is a link"});
}

namespace {

/// An attack by the archive itself, and the words of the refusal.
struct BadArchive {
  std::string name;
  std::string stopped_by;
  std::string says;
  std::function<fs::path(const fs::path& folder)> make;
};

fs::path write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

const std::vector<BadArchive>& bad_archives() {
  static const std::vector<BadArchive> kAll = {
      {"text that is called .zip", "libarchive refuses it", "damaged",
       [](const fs::path& folder) { return write_text(folder / "a.zip", "no archive"); }},
      {"a file compressed three times, 4 KB for 200 GB", "one layer of compression is unpacked",
       "more than once",
       [](const fs::path& folder) {
         return write_text(folder / "a.tar.gz", support::triple_bomb());
       }},
      {"a list of files of this machine instead of content (mtree)", "formats are named one by one",
       "damaged",
       [](const fs::path& folder) {
         return write_text(folder / "a.tar",
                           "#mtree\n./02-peaks/formulas.cpp type=file contents=" +
                               (kCourse / "solutions/02-peaks/formulas.cpp").string() + "\n");
       }},
      {"an archive cut in the middle", "libarchive refuses it", "damaged",
       [](const fs::path& folder) {
         fs::path file =
             write_archive(folder / "a.tar.gz", {{"02-peaks/formulas.cpp", kWork + kOther}});
         fs::resize_file(file, fs::file_size(file) / 2);
         return file;
       }},
  };
  return kAll;
}

}  // namespace

TEST_CASE("attacks by archives are refused in words", "[adversarial]") {
  for (const BadArchive& bad : bad_archives()) {
    const support::TemporaryFolder folder;
    INFO(bad.name);
    CHECK_THROWS_WITH(collect(bad.make(folder.path)), Catch::Contains(bad.says));
  }
}

TEST_CASE("content that is unpacked only to be skipped is counted", "[adversarial]") {
  const support::TemporaryFolder folder;
  const fs::path file = write_archive(
      folder.path / "a.tar.gz",
      {{"big.bin", std::string(8 << 20, ' ')}, {"02-peaks/formulas.cpp", kWork}, {"b.bin", "x"}});
  const auto read = [&](const grader::ArchiveLimits& limits) {
    int taken = 0;
    grader::read_archive(
        file, 1 << 20, [](const std::string& path) { return path.ends_with(".cpp"); },
        [&](const grader::ArchiveEntry&) { ++taken; }, limits);
    return taken;
  };
  CHECK(read({}) == 1);
  CHECK_THROWS_WITH(read({.skipped_bytes = 4 << 20}), Catch::Contains("holds too much"));
  CHECK_THROWS_WITH(read({.entries = 2}), Catch::Contains("too many entries"));
  CHECK_THROWS_WITH(read({.seconds = -1}), Catch::Contains("takes too long"));
  CHECK_THROWS_WITH(read({.kept_bytes = 100}), Catch::Contains("holds too much"));
}

TEST_CASE("a locked file costs only itself, and is named", "[adversarial]") {
  const support::TemporaryFolder folder;
  const fs::path file =
      write_archive(folder.path / "a.zip", {{"02-peaks/formulas.cpp", kWork}}, "secret");
  const Collected collected = collect(file);
  CHECK(collected.files.empty());
  REQUIRE_FALSE(collected.notes.empty());
  CHECK(collected.notes.front().find("locked by a password") != std::string::npos);
}

TEST_CASE("a second name in a tar archive gives no file, inside or outside of it",
          "[adversarial]") {
  const support::TemporaryFolder folder;
  const std::string solution = (kCourse / "solutions/02-peaks/formulas.cpp").string();
  for (const std::string& target : {solution, "../../../" + solution, std::string("mine.cpp")}) {
    INFO(target);
    const Collected collected =
        collect(write_archive(folder.path / "a.tar.gz", {{"02-peaks/formulas.cpp", "", "", target},
                                                         {"02-peaks/code/saxpy.cu", kSaxpy}}));
    CHECK(collected.files ==
          std::map<std::string, std::string>{{"02-peaks/code/saxpy.cu", kSaxpy}});
    REQUIRE(collected.notes.size() == 1);
    CHECK_THAT(collected.notes[0], Catch::Contains("is a link or not a regular file"));
  }
}

TEST_CASE("pipes, sockets and endless folders do not hold up the grader", "[adversarial]") {
  const support::TemporaryFolder folder;
  REQUIRE(::mkfifo((folder.path / "formulas.cpp").c_str(), 0644) == 0);
  fs::create_directory_symlink(folder.path, folder.path / "again");
  folder.write("02-peaks/formulas.cpp", kWork);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (folder.path / "saxpy.cu").string();
  REQUIRE(path.size() < sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(listener);
  const Collected collected = collect(folder.path);
  CHECK(collected.files == std::map<std::string, std::string>{{kFormulas, kWork}});
  REQUIRE(collected.notes.size() == 3);
  CHECK(std::count(collected.notes.begin(), collected.notes.end(),
                   "again is a link to a folder, and is not followed") == 1);
}

TEST_CASE("a name that several topics use is named, with the files that it may be",
          "[adversarial]") {
  const support::TemporaryFolder folder;
  folder.write("my work/sum.cu", "// which of them?\n");
  folder.write("saxpy.cu", "// its name is enough\n");
  const Collected collected = collect(folder.path);
  CHECK(collected.files ==
        std::map<std::string, std::string>{{"02-peaks/code/saxpy.cu", "// its name is enough\n"}});
  REQUIRE(collected.notes.size() == 1);
  CHECK(collected.notes[0] ==
        "my work/sum.cu is not taken: it may be 01-ai-basics/code/sum.cu or "
        "02-peaks/code/sum.cu; put it into the folder of its topic");
}

std::vector<corpus::Row> corpus::hand_in_rows() {
  std::vector<Row> rows;
  for (const HandIn& hand_in : hand_ins()) rows.push_back({hand_in.name, hand_in.stopped_by});
  for (const BadArchive& bad : bad_archives()) rows.push_back({bad.name, bad.stopped_by});
  rows.push_back({"an archive that unfolds to far more than it keeps",
                  "bytes unpacked, entries and seconds are counted"});
  rows.push_back({"a file locked by a password", "it is named, and the others are taken"});
  rows.push_back({"a hard link to the solution in a tar archive", "links are not followed"});
  rows.push_back({"a pipe, a socket or a circle of links in the place of a source",
                  "only plain files are opened, without waiting"});
  for (const char* kind : {".ZIP", ".tar", ".tar.xz", ".tar.bz2", ".tgz", ".7z"}) {
    rows.push_back({std::string("an archive that ends in ") + kind, ""});
  }
  rows.push_back({"an archive to which a newer file of the same path was added", ""});
  rows.push_back({"an archive in a folder that a platform made", ""});
  rows.push_back({"a source that is handed in without a folder", ""});
  return rows;
}
