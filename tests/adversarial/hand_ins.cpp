// SPDX-License-Identifier: MIT
// Hand-ins of every shape: as folder, .tar.gz and .zip, in both orders.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <ctime>

#include "base/files.hpp"
#include "corpus.hpp"
#include "grader/batch/submission.hpp"
#include "shapes.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using adversarial::BadArchive;
using adversarial::HandIn;
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

const fs::path kCourse = RL_SOURCE;
const std::string kWork = base::read_file(kCourse / "solutions/02-peaks/formulas.cpp");
const std::string kOther = adversarial::other_attempt(kWork);
const std::string kSaxpy = base::read_file(kCourse / "solutions/02-peaks/code/saxpy.cu");
const std::string kFormulas = "02-peaks/formulas.cpp";

const std::vector<HandIn>& hand_ins() {
  static const std::vector<HandIn> kAll = adversarial::hand_ins({kWork, kSaxpy});
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
    adversarial::write_folder(hand_in, folder.path);
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
  for (const char* name : {"A.ZIP", "a.tar", "a.tar.xz", "a.tar.bz2", "a.tgz", "a.7z", "a.rar"}) {
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
  std::vector<std::string> others;
  for (const grader::Other& other : found.others) others.push_back(other.problem);
  CHECK(others == std::vector<std::string>{"essay.pdf is neither a folder nor an archive nor "
                                           "a source",
                                           "eve is a link"});
}

TEST_CASE("attacks by archives are refused in words", "[adversarial]") {
  for (const BadArchive& bad : adversarial::bad_archives()) {
    const support::TemporaryFolder folder;
    INFO(bad.name);
    CHECK_THROWS_WITH(collect(bad.make(folder.path / "a")), Catch::Contains(bad.says));
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
  CHECK_THROWS_WITH(read({.skipped_bytes = 4 << 20}), Catch::Contains("too large when unpacked"));
  CHECK_THROWS_WITH(read({.entries = 2}), Catch::Contains("too many entries"));
  CHECK_THROWS_WITH(read({.seconds = -1}), Catch::Contains("takes too long"));
  CHECK_THROWS_WITH(read({.kept_bytes = 100}), Catch::Contains("too large when unpacked"));
}

TEST_CASE("files of a folder, and archives in it, share one limit", "[adversarial]") {
  const support::TemporaryFolder folder;
  const auto add_sparse = [&](const std::string& name) {
    folder.write(name, "");
    fs::resize_file(folder.path / name, 1 << 20);
  };
  for (int i = 0; i < 60; ++i) add_sparse("ada/" + std::to_string(i) + ".cpp");
  CHECK_NOTHROW(collect(folder.path / "ada"));
  for (int i = 60; i < 70; ++i) add_sparse("ada/" + std::to_string(i) + ".cpp");
  CHECK_THROWS_WITH(collect(folder.path / "ada"), Catch::Contains("too large in total"));
}

TEST_CASE("one hand-in cannot fill the list of everybody's problems", "[adversarial]") {
  std::vector<Entry> entries = {{"02-peaks/formulas.cpp", kWork}};
  for (int i = 0; i < 1000; ++i) {
    const std::string folder = "d" + std::to_string(i);
    entries.push_back({folder + "/formulas.txt", ""});
    entries.push_back({folder + "/02-peaks/formulas.cpp", kOther + folder});
  }
  const support::TemporaryFolder folder;
  const Collected collected = collect(write_archive(folder.path / "a.zip", entries));
  CHECK(collected.files == std::map<std::string, std::string>{{kFormulas, kWork}});
  REQUIRE(collected.notes.size() == 21);
  CHECK(collected.notes.back() == "and 981 more like these");
  for (const std::string& note : collected.notes) CHECK(note.size() < 1000);
}

namespace {

/// Seconds that this program itself takes, which other work does not lengthen, to choose among
/// files in `folders` folders that look like the course or a build, some of them very deep.
double seconds_to_choose(int folders, const std::vector<Topic>& topics) {
  std::string deep;
  for (int i = 0; i < 1500; ++i) deep += "d/";
  std::vector<grader::FoundFile> found = {{"02-peaks/formulas.cpp", kWork}};
  grader::Folders builds;
  for (int i = 0; i < folders; ++i) {
    const std::string number = std::to_string(i);
    if (i % 10 == 0) found.push_back({deep + number + ".cpp", ""});
    found.push_back({number + "/topics/02-peaks/answers.toml", ""});
    builds.insert(number + "/build/");
  }
  const std::clock_t start = std::clock();
  for (const grader::FoundFile& file : found) CHECK_FALSE(grader::lies_in(file.path, builds));
  CHECK(grader::lies_in("77/build/x/formulas.cpp", builds));
  CHECK(grader::choose_files(found, topics).files.at(kFormulas) == kWork);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("thousands of folders, or very deep ones, do not hold up the grader", "[adversarial]") {
  const std::vector<Topic> topics = topics_of(kCourse);
  // Eight times the folders: 8 times the work where each costs the same, 64 where each is compared
  // with all others.
  CHECK(seconds_to_choose(8000, topics) < 24 * seconds_to_choose(1000, topics));
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
  const auto add = [&](const std::string& name, const std::string& stopped_by) {
    rows.push_back({name, stopped_by, kTriedReading, Where::kHandedIn});
  };
  for (const HandIn& hand_in : hand_ins()) add(hand_in.name, hand_in.stopped_by);
  for (const BadArchive& bad : adversarial::bad_archives()) add(bad.name, bad.stopped_by);
  add("an archive that unfolds to far more than it keeps",
      "bytes unpacked, entries and seconds are counted");
  add("thousands of files that are nearly what is asked for",
      "a hand-in gets 20 notes, and a note a few names");
  add("thousands of folders that look like the course or a build, or files 1500 folders deep",
      "the time to find a file's place grows with its own path alone");
  add("a file locked by a password", "it is named, and the others are taken");
  add("a hard link to the solution in a tar archive", "links are not followed");
  add("a pipe, a socket or a circle of links in the place of a source",
      "only plain files are opened, without waiting");
  for (const char* kind : {".ZIP", ".tar", ".tar.xz", ".tar.bz2", ".tgz", ".7z", ".rar"}) {
    rows.push_back({std::string("an archive that ends in ") + kind});
  }
  rows.push_back({"an archive to which a newer file of the same path was added"});
  rows.push_back({"an archive in a folder that a platform made"});
  rows.push_back({"a source that is handed in without a folder"});
  return rows;
}
