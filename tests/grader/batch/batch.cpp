// SPDX-License-Identifier: MIT
// A small class through `grader batch`: honest, wrong, broken and hostile submissions side by side.
#include "grader/batch/batch.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <fstream>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "grader/batch/result_files.hpp"
#include "grader/exercise/variant.hpp"
#include "support/archives.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kCourse = RL_TEST_COURSE;

/// A folder of submissions and one for results.
class Class : public support::TemporaryFolder {
 public:
  Class() {
    fs::create_directories(path / "in");
    options.submissions = path / "in";
    options.root = kCourse;
    options.build = RL_BUILD;
    options.out = path / "out";
    options.exercises = {"90.intensity", "90.attainable"};
  }
  void hand_in(const std::string& student, const std::string& file, const std::string& text) const {
    write("in/" + student + "/90-course/" + file, text);
  }
  void set_roster(const std::string& text) {
    write("roster.csv", text);
    options.roster = path / "roster.csv";
  }
  grader::Results results(const std::string& student) const {
    return grader::parse_results(base::read_file(path / "out/results" / (student + ".json")));
  }

  grader::BatchOptions options;
};

/// A class that hands in only answers, which need no sandbox. Its build tree is the real one
/// without what programs are compiled against: a batch hashes all of that, which would take longer
/// than everything else here.
class ClassOfAnswers : public Class {
 public:
  ClassOfAnswers() {
    options.isolation = grader::Isolation::kLight;
    options.build = path / "build";
    fs::create_directories(options.build);
    for (const auto& entry : fs::directory_iterator(RL_BUILD)) {
      const fs::path name = entry.path().filename();
      if (name != "sdk") fs::create_symlink(entry.path(), options.build / name);
    }
  }
};

const std::string kRight = base::read_file(kCourse / "solutions/90-course/formulas.cpp");
const std::string kAnswer = "[\"90.intensity\"]\nvalue = \"0.1667\"\n";

}  // namespace

TEST_CASE("everyone gets a result, whatever is handed in", "[batch]") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  Class c;
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("ada", "formulas.cpp", kRight);
  c.hand_in("bob_late_123", "answers.toml", kAnswer);
  c.hand_in("eve", "formulas.cpp",
            "#include <unistd.h>\nstruct A { A() { _exit(0); } } a;\n" + kRight);
  c.hand_in("kim", "formulas.cpp", "this is no C++\n");
  std::ofstream(c.path / "in" / "zed.zip") << "no archive";
  c.set_roster("name,id\n\"Ada, L\",ada\nBob,bob\nEve,eve\nKim,kim\nZed,zed\nNobody,non\n");

  const grader::BatchSummary first = run_batch(c.options);
  CHECK(first.graded == 5);
  CHECK(first.missing == 1);
  CHECK(c.results("ada").points() == 3);
  CHECK(c.results("bob").points() == 1);
  CHECK(c.results("bob").verdicts.at(1).status == grader::Status::kMissing);
  CHECK(c.results("bob").verdicts.at(1).message == "formulas.cpp was not handed in");
  CHECK(c.results("eve").points() == 0);
  CHECK(c.results("kim").points() == 0);
  CHECK(c.results("kim").verdicts.at(1).message == "formulas does not compile");
  CHECK(c.results("non").verdicts.at(0).status == grader::Status::kMissing);
  CHECK(c.results("zed").max_points() == 3);
  CHECK(base::read_file(c.path / "out/gradebook.csv") ==
        "id,name,points,max_points,90.intensity,90.attainable\n"
        "ada,\"Ada, L\",3,3,1,2\nbob,Bob,1,3,1,0\neve,Eve,0,3,0,0\nkim,Kim,0,3,0,0\n"
        "zed,Zed,0,3,0,0\nnon,Nobody,0,3,0,0\n");
  CHECK(fs::exists(c.path / "out/reports/ada.html"));
  CHECK(fs::is_empty(c.path / "out/work"));

  c.hand_in("bob_late_123", "formulas.cpp", kRight);
  const grader::BatchSummary second = run_batch(c.options);
  CHECK(second.reused == 3);
  REQUIRE(second.changes.size() == 1);
  CHECK(second.changes[0] == "bob: 1 -> 3 points (90.attainable 0 -> 2)");
}

TEST_CASE("course and build tree may be named by any path", "[batch]") {
  if (!grader::sandbox_available()) {
    WARN("bubblewrap does not work on this machine");
    return;
  }
  Class c;
  c.options.root = "." / fs::relative(kCourse) / "";
  c.options.build = "." / fs::relative(RL_BUILD) / ".";
  c.hand_in("ada", "formulas.cpp", kRight);
  run_batch(c.options);
  CHECK(c.results("ada").points() == 2);
}

TEST_CASE("one student's numbers are drawn again, and judged by that version", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.memory"};
  c.options.secret = "a secret of this test only";
  const auto bytes = [&](const std::string& student, int version) {
    const grader::ExerciseParameter parameter{
        "parameters", 8e9, {7e9, 8e9, 13e9, 34e9, 70e9}, {}, {}};
    return 2 * value_of(parameter, "90.memory", {c.options.secret, student, version});
  };
  int version = 2;
  while (bytes("ada", version) == bytes("ada", 1)) ++version;
  for (const char* student : {"ada", "bob"}) {
    c.hand_in(student, "answers.toml",
              "[\"90.memory\"]\nvalue = \"" + std::to_string(bytes(student, 1)) + " B\"\n");
  }
  c.set_roster("id,variant-version\nada,\nbob,\n");
  run_batch(c.options);
  for (const char* student : {"ada", "bob"}) {
    INFO(student << ": " << c.results(student).verdicts.at(0).message);
    CHECK(c.results(student).points() == 2);
  }

  c.set_roster("id,variant-version\nada," + std::to_string(version) + "\nbob,\n");
  const grader::BatchSummary again = run_batch(c.options);
  CHECK(c.results("ada").points() == 0);
  CHECK(again.reused == 1);
  CHECK(again.changes == std::vector<std::string>{"ada: 2 -> 0 points (90.memory 2 -> 0)"});
}

TEST_CASE("a reference that one worker started answers the others to the end", "[batch]") {
  Class c;
  c.options.exercises = {"90.memory", "90.attainable"};
  c.options.isolation = grader::Isolation::kLight;
  c.options.secret = "so that no number is known from an earlier run";
  c.options.jobs = 2;
  // Ada's worker starts the reference and is idle while Bob's program is compiled.
  for (const char* student : {"ada", "bob"}) {
    c.hand_in(student, "answers.toml", "[\"90.memory\"]\nvalue = \"1 B\"\n");
  }
  c.hand_in("bob", "formulas.cpp", kRight);
  run_batch(c.options);
  for (const char* student : {"ada", "bob"}) {
    for (const grader::Verdict& verdict : c.results(student).verdicts) {
      INFO(student << ", " << verdict.id << ": " << verdict.message);
      CHECK(verdict.status != grader::Status::kError);
    }
  }
}

TEST_CASE("the class of a handout is judged by the handout's numbers", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.memory"};
  c.options.secret = "a secret of this test only";
  c.options.class_name = "2027";
  const grader::ExerciseParameter parameter{
      "parameters", 8e9, {7e9, 8e9, 13e9, 34e9, 70e9}, {}, {}};
  const double drawn =
      value_of(parameter, "90.memory", {c.options.secret, "", 1, c.options.class_name});
  for (const char* student : {"ada", "bob"}) {
    c.hand_in(student, "answers.toml",
              "[\"90.memory\"]\nvalue = \"" + std::to_string(2 * drawn) + " B\"\n");
  }
  c.hand_in("kim", "answers.toml", "[\"90.memory\"]\nvalue = \"16 GB\"\n");
  c.set_roster(
      "id,variant-version\nada,\nbob,7\nkim,\n");  // a class's numbers have no individual version
  run_batch(c.options);
  CHECK(c.results("ada").points() == 2);
  CHECK(c.results("bob").points() == 2);
  CHECK(c.results("kim").points() == 0);

  c.options.class_name.clear();
  const grader::BatchSummary own = run_batch(c.options);
  CHECK(own.reused == 0);
}

TEST_CASE("what noise left undecided is judged again, and nothing else", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.hand_in("ada", "answers.toml", kAnswer);
  CHECK(run_batch(c.options).graded == 1);
  CHECK(run_batch(c.options).reused == 1);
  grader::Results open = c.results("ada");
  open.verdicts[0].status = grader::Status::kInconclusive;
  std::ofstream(c.path / "out/results/ada.json") << results_json(open);
  CHECK(run_batch(c.options).graded == 1);
  CHECK(c.results("ada").verdicts[0].status == grader::Status::kPassed);
}

TEST_CASE("a roster with a mistake names the line", "[batch]") {
  const Class c;
  const fs::path file = c.path / "roster.csv";
  std::ofstream(file) << "id\na\na\n";
  CHECK_THROWS_WITH(grader::read_roster(file), Catch::Contains("roster.csv:3: id used twice"));
  std::ofstream(file) << "name\nA\n";
  CHECK_THROWS_WITH(grader::read_roster(file), Catch::Contains("no column id"));
  std::ofstream(file) << "id,variant-version\na,2\nb,two\n";
  CHECK_THROWS_WITH(grader::read_roster(file), Catch::Contains("roster.csv:3: variant-version"));
}

TEST_CASE("two graders do not write to one folder", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.hand_in("ada", "answers.toml", kAnswer);
  fs::create_directories(c.options.out);
  {
    const base::Descriptor other(
        ::open((c.options.out / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    REQUIRE(::flock(other.get(), LOCK_EX) == 0);
    CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains("another grader writes its results"));
  }
  CHECK(run_batch(c.options).graded == 1);
}

TEST_CASE("a folder of submissions that does not exist is named in a sentence", "[batch]") {
  Class c;
  c.options.submissions = c.path / "nowhere";
  CHECK_THROWS_WITH(run_batch(c.options),
                    Catch::Contains("nowhere does not exist; name the folder"));
  c.write("file", "x");
  c.options.submissions = c.path / "file";
  CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains("file is not a folder; name the folder"));
}

TEST_CASE("nothing that was handed in is dropped silently", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("\xef\xbb\xbfName;ID\r\nAda;ada\r\nBob;bob\r\nMax;max\r\n");
  c.write("in/ada.toml", kAnswer);  // without a folder
  c.hand_in("bob_2", "answers.toml", kAnswer);
  c.hand_in("bob_10", "answers.toml", "[\"90.intensity\"]\nvalue = \"7\"\n");
  c.hand_in("max-mueller", "answers.toml", kAnswer);
  c.write("in/essay.pdf", "x");
  const grader::BatchSummary summary = run_batch(c.options);
  CHECK(c.results("ada").points() == 1);
  CHECK(c.results("bob").points() == 0);  // the last attempt counts
  CHECK(c.results("max").verdicts.at(0).status == grader::Status::kMissing);
  CHECK(summary.troubles.empty());
  CHECK(base::read_file(c.path / "out/problems.csv") ==
        "student,problem\n"
        ",essay.pdf is neither a folder nor an archive nor a source\n"
        ",max-mueller matches nobody on the roster\n"
        "bob,handed in several times; graded: bob_10; left: bob_2\n");
  CHECK(c.results("bob").notes.size() == 1);
  CHECK(base::read_file(c.path / "out/reports/bob.html")
            .find("<p>Handed in: handed in several times; graded: bob_10") != std::string::npos);
  c.options.attempt = grader::Attempt::kFirst;
  run_batch(c.options);
  CHECK(c.results("bob").points() == 1);
}

TEST_CASE("the grader's own failure is not the student's, and is judged again", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("bob", "answers.toml", kAnswer);
  c.write("in/bob.toml", "[\"90.intensity\"]\nvalue = \"7\"\n");  // which of the two counts?
  fs::create_directories(c.path / "out/results/ada.json/full");   // cannot be written
  const grader::BatchSummary first = run_batch(c.options);
  REQUIRE(first.troubles.size() == 2);
  CHECK((first.troubles[0] + first.troubles[1]).find("ada: NOT WRITTEN") != std::string::npos);
  CHECK(c.results("bob").verdicts.at(0).status == grader::Status::kError);
  CHECK(c.results("bob").verdicts.at(0).message.find("bob and as bob.toml with different files") !=
        std::string::npos);

  fs::remove_all(c.path / "out/results/ada.json");
  c.write("in/bob.toml", kAnswer);
  const grader::BatchSummary second = run_batch(c.options);
  CHECK(second.troubles.empty());
  CHECK(second.graded == 2);
  CHECK(c.results("ada").points() == 1);
  CHECK(c.results("bob").points() == 1);
}

TEST_CASE("the grader's own failure is among the problems", "[batch]") {
  ClassOfAnswers c;  // whose build tree does not say how functions are compiled
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("bob", "formulas.cpp", kRight);
  CHECK(run_batch(c.options).troubles.size() == 1);
  CHECK_THAT(base::read_file(c.path / "out/problems.csv"),
             Catch::Matchers::StartsWith("student,problem\nbob,the grader could not judge this: "));
}

TEST_CASE("what a limit ended while it was compiled is compiled again", "[batch]") {
  Class c;
  // The real course, whose programs get a second and a bit: too little for this file on any
  // machine.
  for (const auto& entry : fs::directory_iterator(kCourse)) {
    if (entry.path().filename() != "topics") {
      fs::create_symlink(entry.path(), c.path / entry.path().filename());
    }
  }
  fs::copy(kCourse / "topics", c.path / "topics", fs::copy_options::recursive);
  c.write("topics/90-course/exercises.toml",
          "budget_minutes = 0.02\n" + base::read_file(kCourse / "topics/90-course/exercises.toml"));
  c.options.root = c.path;
  c.options.isolation = grader::Isolation::kLight;
  std::string doubled = "#define A0 +1\n";
  for (int i = 0; i < 40; ++i) {
    const std::string last = " A" + std::to_string(i);
    doubled += "#define A" + std::to_string(i + 1) + last + last + "\n";
  }
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("bob", "formulas.cpp", kRight + doubled + "long sum = A40;\n");
  c.hand_in("kim", "formulas.cpp", "this is no C++\n");
  run_batch(c.options);
  const grader::Verdict verdict = c.results("bob").verdicts.at(1);
  INFO(verdict.detail);
  CHECK(verdict.message == "formulas does not compile");
  CHECK(verdict.detail.find("it is compiled again whenever this hand-in is graded") !=
        std::string::npos);
  CHECK(c.results("kim").verdicts.at(1).detail.find("compiled again") == std::string::npos);
  const grader::BatchSummary again = run_batch(c.options);
  CHECK(again.reused == 2);
  CHECK(again.graded == 1);
  const auto is_named = [](const grader::BatchSummary& summary) {
    return std::ranges::count_if(summary.problems, [](const auto& problem) {
      return problem.first == "bob" &&
             problem.second.starts_with("a limit ended the compiler of 90-course/formulas");
    });
  };
  CHECK(is_named(again) == 1);
  // A batch of other exercises, such as the timed ones, keeps the verdict and therefore the line.
  c.options.exercises = {"90.intensity"};
  CHECK(is_named(run_batch(c.options)) == 1);
  CHECK(is_named(run_batch(c.options)) == 1);
}

TEST_CASE("a name of no exercise is refused, even beside one of others", "[batch]") {
  ClassOfAnswers c;
  c.hand_in("ada", "answers.toml", kAnswer);
  c.options.exercises = {"90.intensity", "90.attain", "90.saxpi", "nothing"};
  CHECK_THROWS_WITH(run_batch(c.options),
                    "no exercise is called 90.attain; did you mean 90.attainable?\n"
                    "no exercise is called 90.saxpi; did you mean 90.saxpy?\n"
                    "no exercise is called nothing");
}

TEST_CASE("a batch ends with everything that a person has to look at", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("id\nada\nbob\nkim\nlea\nmax\nzed\n");
  c.hand_in("ada", "answers.toml", kAnswer);
  support::write_archive(c.path / "in/ada.zip",
                         {{"90-course/answers.toml", "[\"90.intensity\"]\nvalue = \"7\"\n"}});
  c.hand_in("bob", "answers.toml", kAnswer);
  c.write("in/bob/other.cpp", "int x;\n");
  c.write("in/bob/answers.toml.txt", kAnswer);
  c.write("in/bob/data.xlsx", "x");
  c.write("in/kim/report.pdf", "x");
  fs::create_directories(c.path / "in/lea/90-course");
  fs::create_symlink("/etc/passwd", c.path / "in/lea/90-course/answers.toml");
  fs::create_directory_symlink("/etc", c.path / "in/lea/more");
  fs::create_directory_symlink("/etc", c.path / "in/eve");
  c.hand_in("max", "answers.toml", kAnswer);
  std::ofstream(c.path / "in/zed.zip") << "no archive";
  c.hand_in("stranger", "answers.toml", kAnswer);
  c.write("in/essay.pdf", "x");
  const grader::BatchSummary summary = run_batch(c.options);
  CHECK(
      base::read_file(c.path / "out/problems.csv") ==
      "student,problem\n"
      ",essay.pdf is neither a folder nor an archive nor a source\n"
      ",eve is a link\n"
      ",stranger matches nobody on the roster\n"
      "ada,handed in as ada and as ada.zip with different files; keep one of them\n"
      "bob,answers.toml.txt is not taken; is it meant as answers.toml?\n"
      "bob,data.xlsx is not taken: no topic asks for it\n"
      "bob,other.cpp is not taken: no topic asks for it\n"
      "kim,it contains none of the required files; it holds report.pdf\n"
      "lea,90-course/answers.toml is a link or not a regular file\n"
      "lea,it contains none of the required files\n"
      "lea,\"more is a link to a folder, and is not followed\"\n"
      "zed,\"zed.zip cannot be read: it is not an archive, or it is damaged; it was left out: hand "
      "it in again, or show it to the instructor\"\n");
  CHECK(summary.problems.size() == 12);
  CHECK(c.results("bob").notes.size() == 3);  // the student is told too

  grader::Results open = c.results("max");
  open.verdicts[0].status = grader::Status::kInconclusive;
  open.verdicts[0].id = "90.memory";  // left open by noise in an earlier batch
  std::ofstream(c.path / "out/results/max.json") << results_json(open);
  run_batch(c.options);
  CHECK(base::read_file(c.path / "out/problems.csv")
            .find("max,\"inconclusive, and not counted until it is graded again: 90.memory\"") !=
        std::string::npos);
}

TEST_CASE("what cannot be read is named, and costs nothing that can", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("id\nada\nbob\nkim\nlea\n");
  c.hand_in("ada", "answers.toml", kAnswer);
  std::ofstream(c.path / "in/ada.zip") << "no archive";
  c.hand_in("bob_1", "answers.toml", kAnswer);
  std::ofstream(c.path / "in/bob_2.zip") << "no archive";
  c.hand_in("kim", "answers.toml", kAnswer);
  std::ofstream(c.path / "in/kim/more.zip") << "no archive";
  fs::create_directories(c.path / "in/lea_77_assignsubmission_file");
  std::ofstream(c.path / "in/lea_77_assignsubmission_file/work.zip") << "no archive";
  const std::string why = " cannot be read: it is not an archive, or it is damaged";
  const std::map<std::string, std::string> unread = {
      {"ada", "ada.zip" + why},
      {"bob", "bob_2.zip" + why},
      {"kim", "kim/more.zip" + why},
      {"lea", "lea_77_assignsubmission_file/work.zip" + why}};
  for (const grader::Attempt counts : {grader::Attempt::kLast, grader::Attempt::kBest}) {
    c.options.attempt = counts;
    run_batch(c.options);
    const std::string problems = base::read_file(c.path / "out/problems.csv");
    for (const auto& [student, what] : unread) {
      INFO(student << ", " << name_of(counts));
      const grader::Results results = c.results(student);
      CHECK(results.points() == (student == "lea" ? 0 : 1));
      CHECK(results.unread == std::vector<std::string>{what});
      CHECK(problems.find(student + ",\"" + what) != std::string::npos);
      CHECK(base::read_file(c.path / "out/reports" / (student + ".html"))
                .find("<p>Handed in: " + what) != std::string::npos);
    }
    CHECK(c.results("bob").attempt == "bob_1");
  }
  CHECK(run_batch(c.options).reused == 3);
  // Ada hands in again, without the broken archive.
  fs::remove(c.path / "in/ada.zip");
  run_batch(c.options);
  CHECK(c.results("ada").unread.empty());
  CHECK(c.results("ada").notes.empty());
}

TEST_CASE("a batch of one exercise leaves what was found for the others", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.set_roster("id\nada\nbob\n");
  c.hand_in("ada", "answers.toml",
            "[\"90.intensity\"]\nvalue = \"7\"\n[\"90.memory\"]\nvalue = \"16 GB\"\n");
  run_batch(c.options);
  CHECK(c.results("ada").points() == 2);
  c.hand_in("ada", "answers.toml", kAnswer);  // this hand-in lacks the other answer
  c.options.exercises = {"90.intensity"};
  const grader::BatchSummary one = run_batch(c.options);
  CHECK(one.changes == std::vector<std::string>{"ada: 2 -> 3 points (90.intensity 0 -> 1)"});
  const grader::Results merged = c.results("ada");
  REQUIRE(merged.verdicts.size() == 2);
  CHECK(merged.points() == 3);
  CHECK(base::read_file(c.path / "out/gradebook.csv") ==
        "id,name,points,max_points,90.intensity,90.memory\nada,,3,3,1,2\nbob,,0,3,0,0\n");
  CHECK(base::read_file(c.path / "out/reports/ada.html").find("90.memory") != std::string::npos);
  CHECK(run_batch(c.options).reused == 1);
  // A batch of all exercises keeps nothing.
  c.options.exercises = {"90.intensity", "90.memory"};
  run_batch(c.options);
  CHECK(c.results("ada").points() == 1);
}

TEST_CASE("of several attempts in one batch the best counts where the class says so", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.options.attempt = grader::Attempt::kBest;
  c.set_roster("id\nada\nbob\n");
  const std::string memory = "[\"90.memory\"]\nvalue = \"16 GB\"\n";
  c.hand_in("ada_1", "answers.toml", kAnswer);
  c.hand_in("ada_2", "answers.toml", memory);
  c.hand_in("ada_10", "answers.toml", "[\"90.intensity\"]\nvalue = \"7\"\n");
  std::ofstream(c.path / "in/bob_1.zip") << "no archive";
  c.hand_in("bob_2", "answers.toml", kAnswer);
  const grader::BatchSummary first = run_batch(c.options);
  CHECK(first.graded == 2);
  CHECK(c.results("ada").points() == 2);
  CHECK(
      c.results("ada").notes ==
      std::vector<std::string>{
          "handed in several times; the best counts: ada_2 (points: ada_1 1, ada_2 2, ada_10 0)"});
  CHECK(c.results("bob").points() == 1);
  CHECK(c.results("bob").notes.at(0).find("bob_1.zip cannot be read: ") == 0);
  // The verdicts on every attempt are kept, because `grader book` penalises each by its lateness.
  const auto attempts_of = [&](const std::string& student, const std::string& out = "out") {
    std::map<std::string, double> points;
    for (const grader::Results& one : grader::read_attempts(c.path / out, student)) {
      points[one.attempt] = one.points();
    }
    return points;
  };
  using Points = std::map<std::string, double>;
  CHECK(attempts_of("ada") == Points{{"ada_1", 1}, {"ada_2", 2}, {"ada_10", 0}});
  CHECK(attempts_of("bob").empty());
  CHECK(c.results("bob").attempt == "bob_2");
  CHECK(run_batch(c.options).reused == 2);
  // A batch that takes these results over gets the attempts, too.
  grader::BatchOptions merge = c.options;
  merge.out = c.path / "merged";
  merge.take = {c.options.out};
  CHECK(run_batch(merge).graded == 0);
  CHECK(base::read_file(c.path / "merged/attempts/ada.json") ==
        base::read_file(c.path / "out/attempts/ada.json"));
  // A batch of some exercises keeps the stored verdicts on the others in every attempt, too.
  merge.exercises = {"90.bound"};
  c.hand_in("ada_1", "answers.toml", kAnswer + "[\"90.bound\"]\nvalue = \"memory\"\n");
  run_batch(merge);
  CHECK(attempts_of("ada", "merged") == Points{{"ada_1", 2}, {"ada_2", 2}, {"ada_10", 0}});
  c.hand_in("ada_11", "answers.toml", kAnswer + memory);
  const grader::BatchSummary second = run_batch(c.options);
  CHECK(second.reused == 1);
  CHECK(c.results("ada").points() == 3);
  c.options.attempt = grader::Attempt::kLast;
  c.hand_in("ada_12", "answers.toml", memory);
  run_batch(c.options);
  CHECK(c.results("ada").points() == 2);
  CHECK(c.results("ada").attempt == "ada_12");
  CHECK(attempts_of("ada").empty());
}

TEST_CASE("files that a platform delivers one by one are one hand-in", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("id,submission\ns1,lovelaceada\ns2,b\ns3,kim\n");
  const std::string wrong = "[\"90.intensity\"]\nvalue = \"7\"\n";
  c.write("in/lovelaceada_77_901_answers.toml", kAnswer);
  c.write("in/lovelaceada_77_902_formulas.cpp", kRight);
  c.write("in/lovelaceada_77_903_helper.cpp", "int x;\n");
  c.write("in/lovelaceada_77_904_report.pdf", "x");
  c.write("in/b_1_answers.toml", wrong);
  c.write("in/b_2_answers.toml", kAnswer);  // another attempt, as it is the same file
  c.write("in/b_3_formulas.cpp", kRight);
  c.write("in/kim.cpp", kRight);
  c.write("in/kim.toml", kAnswer);
  run_batch(c.options);
  CHECK(base::read_file(c.path / "out/gradebook.csv") ==
        "id,name,points,max_points,90.intensity\ns1,,1,1,1\ns2,,1,1,1\ns3,,1,1,1\n");
  const std::string report =
      "lovelaceada_77_904_report.pdf is neither a folder nor an archive nor a source";
  CHECK(base::read_file(c.path / "out/problems.csv") ==
        "student,problem\n"
        "s1,lovelaceada_77_903_helper.cpp is not taken: no topic asks for it\n"
        "s1," +
            report +
            "\n"
            "s2,\"handed in several times; graded: b_3_formulas.cpp, b_2_answers.toml; left: "
            "b_1_answers.toml\"\n");
  CHECK(c.results("s1").notes.at(1) == report);
  CHECK(run_batch(c.options).graded == 0);
  c.options.attempt = grader::Attempt::kFirst;
  run_batch(c.options);
  CHECK(c.results("s2").points() == 0);
  c.options.attempt = grader::Attempt::kBest;
  run_batch(c.options);
  CHECK(c.results("s2").points() == 1);
  CHECK(grader::read_attempts(c.options.out, "s1").empty());
}

TEST_CASE("a student whose only file cannot be judged is told so", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("id\nada\n");
  c.write("in/ada.pdf", "x");
  CHECK(run_batch(c.options).missing == 1);
  const std::string note = "ada.pdf is neither a folder nor an archive nor a source";
  CHECK(c.results("ada").notes == std::vector<std::string>{note});
  CHECK(c.results("ada").verdicts.at(0).message == "nothing that can be judged was handed in");
  CHECK(base::read_file(c.path / "out/problems.csv") == "student,problem\nada," + note + "\n");
}

TEST_CASE("copies are listed whichever exercises a batch judges", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  const std::string own = "// the same in both\n" + kRight + "int own() { return 7; }\n";
  for (const char* student : {"ada", "bob"}) {
    c.hand_in(student, "answers.toml", kAnswer);
    c.hand_in(student, "formulas.cpp", own);
  }
  run_batch(c.options);
  CHECK(base::read_file(c.path / "out/identical.csv") ==
        "group,file,student\n1,90-course/formulas.cpp,ada\n1,90-course/formulas.cpp,bob\n");
}

TEST_CASE("late hand-ins leave the results of everybody else as they are", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.set_roster("id\nada\nbob\nkim\nlea\n");
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("bob", "answers.toml", kAnswer);
  run_batch(c.options);
  const std::string ada = base::read_file(c.path / "out/results/ada.json");
  c.options.submissions = c.path / "late";
  c.write("late/kim/90-course/answers.toml", kAnswer);
  const grader::BatchSummary late = run_batch(c.options);
  CHECK(late.graded == 1);
  CHECK(late.kept == 2);
  CHECK(late.missing == 1);
  CHECK(late.changes == std::vector<std::string>{"kim: 0 -> 1 points (90.intensity 0 -> 1)"});
  CHECK(base::read_file(c.path / "out/results/ada.json") == ada);
  CHECK(base::read_file(c.path / "out/problems.csv") ==
        "student,problem\nada,kept from an earlier run: not among these hand-ins\n"
        "bob,kept from an earlier run: not among these hand-ins\n");
  const auto gradebook = [&] { return base::read_file(c.path / "out/gradebook.csv"); };
  CHECK(gradebook() ==
        "id,name,points,max_points,90.intensity,90.memory\nada,,1,3,1,0\nbob,,1,3,1,0\n"
        "kim,,1,3,1,0\nlea,,0,3,0,0\n");
  // For an exercise that was never judged, nothing can be kept.
  c.options.exercises = {"90.bound"};
  CHECK(run_batch(c.options).kept == 0);
  CHECK(c.results("ada").points() == 1);
  CHECK(c.results("ada").verdicts.size() == 3);
  // The result of a withdrawn hand-in stays until its file is removed.
  c.options.exercises = {"90.intensity", "90.memory", "90.bound"};
  fs::remove(c.path / "out/results/bob.json");
  run_batch(c.options);
  CHECK(c.results("ada").points() == 1);
  CHECK(c.results("bob").points() == 0);
  // A result that cannot be read cannot be kept.
  c.write("out/results/ada.json", "{");
  CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains("would lose what is stored"));
  CHECK(base::read_file(c.path / "out/results/ada.json") == "{");
}

TEST_CASE("without a roster, and in a slice, the gradebook has everybody with results", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  for (const char* student : {"ada", "bob", "kim"}) c.hand_in(student, "answers.toml", kAnswer);
  run_batch(c.options);
  const std::string all =
      "id,name,points,max_points,90.intensity\nada,,1,1,1\nbob,,1,1,1\nkim,,1,1,1\n";
  const auto gradebook = [&] { return base::read_file(c.path / "out/gradebook.csv"); };
  REQUIRE(gradebook() == all);
  c.options.slices = 2;
  CHECK(run_batch(c.options).problems.empty());
  CHECK(gradebook() == all);
  c.options.slices = 1;
  c.options.submissions = c.path / "late";
  c.write("late/bob/90-course/answers.toml", "[\"90.intensity\"]\nvalue = \"7\"\n");
  CHECK(run_batch(c.options).kept == 2);
  CHECK(gradebook() ==
        "id,name,points,max_points,90.intensity\nada,,1,1,1\nbob,,0,1,0\nkim,,1,1,1\n");
}

TEST_CASE("a late hand-in that cannot be read costs nothing that is stored", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.hand_in("ada", "answers.toml", kAnswer);
  run_batch(c.options);
  const fs::path in_time = c.options.submissions;
  c.options.submissions = c.path / "late";
  c.write("late/ada.zip", "no archive");
  for (int i = 0; i < 2; ++i) {
    CHECK(run_batch(c.options).kept == 1);
    const grader::Results results = c.results("ada");
    CHECK(results.points() == 1);
    CHECK(results.unread.size() == 1);
    CHECK(results.notes.size() == 1);
    CHECK(base::read_file(c.path / "out/problems.csv")
              .find("ada,kept from an earlier run: no part of this hand-in can be read") !=
          std::string::npos);
  }
  c.options.exercises = {"90.bound"};  // nothing is stored for it
  CHECK(run_batch(c.options).kept == 0);
  CHECK(c.results("ada").points() == 1);
  CHECK_THAT(c.results("ada").verdicts.at(1).message, Catch::Contains("ada.zip cannot be read"));
  c.options.exercises = {"90.intensity"};
  c.options.submissions = in_time;
  run_batch(c.options);
  CHECK(c.results("ada").unread.empty());
}

TEST_CASE("every attempt of who is not among the hand-ins is kept", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.options.attempt = grader::Attempt::kBest;
  c.set_roster("id\nada\nbob\n");
  c.hand_in("ada_1", "answers.toml", kAnswer);
  c.hand_in("ada_2", "answers.toml", "[\"90.memory\"]\nvalue = \"16 GB\"\n");
  run_batch(c.options);
  const std::string attempts = base::read_file(c.path / "out/attempts/ada.json");
  c.options.submissions = c.path / "late";
  c.write("late/bob/90-course/answers.toml", kAnswer);
  CHECK(run_batch(c.options).kept == 1);
  CHECK(base::read_file(c.path / "out/attempts/ada.json") == attempts);
  c.options.exercises = {"90.bound"};  // an exercise of the next assignment
  run_batch(c.options);
  for (const grader::Results& one : grader::read_attempts(c.path / "out", "ada")) {
    CHECK(one.verdicts.size() == 3);
    CHECK(one.points() == (one.attempt == "ada_1" ? 1 : 2));
  }
  CHECK(c.results("ada").points() == 2);
}

TEST_CASE("a regrade of one exercise joins no verdicts of different attempts", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.options.attempt = grader::Attempt::kBest;
  c.hand_in("ada_1", "answers.toml", kAnswer);                                 // 1 point
  c.hand_in("ada_2", "answers.toml", "[\"90.memory\"]\nvalue = \"16 GB\"\n");  // 2 points
  c.set_roster("id\nada\n");
  run_batch(c.options);
  REQUIRE(c.results("ada").points() == 2);
  // ada_1 has more points in this exercise alone.
  c.options.exercises = {"90.intensity"};
  const grader::BatchSummary again = run_batch(c.options);
  CHECK(again.graded == 1);
  CHECK(again.problems.empty());
  CHECK(c.results("ada").points() == 2);
  CHECK(c.results("ada").attempt == "ada_2");
  CHECK(c.results("ada").notes ==
        std::vector<std::string>{
            "handed in several times; the best counts: ada_2 (points: ada_1 1, ada_2 2)"});
  // Nothing else is stored for an attempt that came later.
  c.hand_in("ada_3", "answers.toml", kAnswer);
  const grader::BatchSummary third = run_batch(c.options);
  CHECK(c.results("ada").attempt == "ada_2");
  REQUIRE(third.problems.size() == 1);
  CHECK(third.problems[0].second.find("grade without --exercise") != std::string::npos);
}

TEST_CASE("of equal attempts the first counts", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.options.attempt = grader::Attempt::kBest;
  c.set_roster("id\nada\n");
  for (const char* attempt : {"ada_1", "ada_2", "ada_3"})
    c.hand_in(attempt, "answers.toml", kAnswer);
  run_batch(c.options);
  CHECK(c.results("ada").attempt == "ada_1");
}

TEST_CASE("a regrade of one exercise over results that cannot be read is refused", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  c.hand_in("ada", "answers.toml", kAnswer);
  run_batch(c.options);
  const fs::path file = c.path / "out/results/ada.json";
  const std::string good = base::read_file(file);
  std::string newer = good;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  c.options.exercises = {"90.memory"};
  for (const std::string& content : {std::string("{"), newer}) {
    std::ofstream(file, std::ios::trunc) << content;
    CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains(file.string()) &&
                                                Catch::Contains("would lose what is stored"));
    CHECK(base::read_file(file) == content);
  }
  std::ofstream(file, std::ios::trunc) << good;
  c.write("out/attempts/ada.json", "{");
  CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains("attempts/ada.json"));
  fs::remove(c.path / "out/attempts/ada.json");
  run_batch(c.options);
  CHECK(c.results("ada").verdicts.size() == 2);
  // A batch of the timed exercises is a batch of some exercises, too.
  std::ofstream(file, std::ios::trunc) << newer;
  c.options.exercises.clear();
  c.options.timed = grader::Timed::kOnly;
  CHECK_THROWS_WITH(run_batch(c.options), Catch::Contains("would lose what is stored"));
}

TEST_CASE("what is taken over of one exercise leaves newer verdicts on the others", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity", "90.memory"};
  grader::BatchOptions part = c.options;
  part.out = c.path / "part";
  c.hand_in("ada", "answers.toml", kAnswer + "[\"90.memory\"]\nvalue = \"16 GB\"\n");
  run_batch(part);
  c.options.take = {part.out};
  run_batch(c.options);
  REQUIRE(c.results("ada").points() == 3);
  // 90.memory is judged again here, so its verdict is newer than the part's.
  c.hand_in("ada", "answers.toml", kAnswer + "[\"90.memory\"]\nvalue = \"7 GB\"\n");
  c.options.exercises = {"90.memory"};
  run_batch(c.options);
  REQUIRE(c.results("ada").points() == 1);
  part.exercises = c.options.exercises = {"90.intensity"};
  run_batch(part);
  CHECK(run_batch(c.options).graded == 0);
  CHECK(c.results("ada").points() == 1);
}

TEST_CASE("earlier results are kept beside those of a batch", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.set_roster("id\nada\nbob\nkim\n");
  const fs::path before = c.options.out / "before";
  const std::string wrong = "[\"90.intensity\"]\nvalue = \"7\"\n";
  c.hand_in("ada", "answers.toml", kAnswer);
  c.hand_in("bob", "answers.toml", wrong);
  run_batch(c.options);
  CHECK_FALSE(fs::exists(before));
  run_batch(c.options);
  CHECK_FALSE(fs::exists(before));  // nothing changed, including kim's empty result
  const auto gained = [&] { return grader::differences(before, c.options.out); };
  c.hand_in("bob", "answers.toml", kAnswer);
  run_batch(c.options);
  const std::vector<std::string> bob = {"bob: 0 -> 1 points (90.intensity 0 -> 1)"};
  CHECK(gained() == bob);
  run_batch(c.options);
  CHECK(gained() == bob);
  // A batch that was stopped continues: the backup that it made stays.
  c.write("out/.begun", "");
  c.hand_in("ada", "answers.toml", wrong);
  run_batch(c.options);
  CHECK(gained() == std::vector<std::string>{"ada: 1 -> 0 points (90.intensity 1 -> 0)", bob[0]});
  c.hand_in("ada", "answers.toml", kAnswer);
  run_batch(c.options);
  CHECK(gained() == std::vector<std::string>{"ada: 0 -> 1 points (90.intensity 0 -> 1)"});
}

TEST_CASE("a difference names exercises that are new, gone, not counted or worth something else",
          "[batch]") {
  support::TemporaryFolder folder;
  const auto store = [&](const std::string& batch, std::vector<grader::Verdict> verdicts) {
    grader::Results results;
    results.student = "ada";
    results.verdicts = std::move(verdicts);
    folder.write(batch + "/results/ada.json", results_json(results));
  };
  const auto verdict = [](const std::string& id, double points, double most,
                          grader::Status status = grader::Status::kPartial) {
    grader::Verdict result;
    result.id = id;
    result.points = points;
    result.max_points = most;
    result.status = status;
    return result;
  };
  store("old", {verdict("90.a", 1, 2), verdict("90.b", 1, 1), verdict("90.c", 1, 1),
                verdict("90.d", 0, 1, grader::Status::kFailed)});
  store("new", {verdict("90.a", 1, 2), verdict("90.b", 1, 3),
                verdict("90.d", 0, 1, grader::Status::kInconclusive), verdict("90.e", 2, 2)});
  CHECK(
      grader::differences(folder.path / "old", folder.path / "new") ==
      std::vector<std::string>{"ada: 3 -> 4 points (90.b 1 of 1 -> 1 of 3, 90.d 0 -> not counted, "
                               "90.e is new: 2 of 2, 90.c is gone: it had 1 of 1)"});
}

TEST_CASE("the page has the rules of the course, also when only they are new", "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.intensity"};
  c.hand_in("ada", "answers.toml", kAnswer);
  const auto has = [&](const std::string& text) {
    return base::read_file(c.path / "out/reports/ada.html").find(text) != std::string::npos;
  };
  run_batch(c.options);
  CHECK_FALSE(has("Rules of the course"));
  c.options.rules = {"Each late day costs < 20 %."};
  CHECK(run_batch(c.options).reused == 1);
  CHECK(has("<h2>Rules of the course</h2>\n<ul>\n<li>Each late day costs &lt; 20 %.</li>"));
}

TEST_CASE("answers in the file of another topic are named", "[batch]") {
  const auto of_topic = [](const std::string& name, const std::string& id) {
    grader::Exercise exercise;
    exercise.id = id;
    exercise.topic = name;
    exercise.files = {"answers.toml"};
    return grader::Topic{name, "", {exercise}};
  };
  const std::vector<grader::Topic> topics = {of_topic("01-one", "01.a"),
                                             of_topic("02-two", "02.b")};
  const std::string both = "[\"01.a\"]\nvalue = \"1\"\n[\"02.b\"]\nvalue = \"2\"\n";
  const auto notes = [&](const std::string& path, const std::string& text) {
    return grader::choose_files({{path, text}}, topics).notes;
  };
  CHECK(notes("topics/01-one/answers.toml", both) ==
        std::vector<std::string>{"topics/01-one/answers.toml answers 02.b, which is not read from "
                                 "that file: move it to topics/02-two/answers.toml"});
  // If no folder names the topic, each file gets its own answers; an empty answer does not count.
  CHECK(notes("answers.toml", both).empty());
  CHECK(notes("01-one/answers.toml", "[\"01.a\"]\nvalue = \"1\"\n[\"02.b\"]\nvalue = \"\"\n")
            .empty());
}

TEST_CASE("a name that one topic asks for is taken from the folder of another, too", "[batch]") {
  const auto kernel = [](const std::string& topic, const std::string& file) {
    grader::Exercise exercise;
    exercise.id = topic + file;
    exercise.topic = topic;
    exercise.files = {file};
    return exercise;
  };
  const std::vector<grader::Topic> topics = {
      {"01-one", "", {kernel("01-one", "code/sum.cu")}},
      {"02-two", "", {kernel("02-two", "code/sum.cu"), kernel("02-two", "code/saxpy.cu")}},
      {"03-three", "", {}}};
  const grader::Collected taken =
      grader::choose_files({{"01-one/saxpy.cu", "a"}, {"03-three/sum.cu", "b"}}, topics);
  CHECK(taken.files == std::map<std::string, std::string>{{"02-two/code/saxpy.cu", "a"}});
  CHECK(taken.notes ==
        std::vector<std::string>{
            "01-one/saxpy.cu is taken as 02-two/code/saxpy.cu, where it belongs",
            "03-three/sum.cu is not taken: it may be 01-one/code/sum.cu or 02-two/code/sum.cu; put "
            "it into the folder of its topic"});
}

TEST_CASE("the page has the student's name, the course, and every task with its numbers",
          "[batch]") {
  ClassOfAnswers c;
  c.options.exercises = {"90.memory"};
  c.options.course = "Performance, winter";
  c.set_roster("id,name\nada,Ada Lovelace\n");
  c.hand_in("ada", "answers.toml", "[\"90.memory\"]\nvalue = \"7 GB\"\n");
  run_batch(c.options);
  const std::string page = base::read_file(c.path / "out/reports/ada.html");
  for (const char* part : {"Performance, winter", "Results of Ada Lovelace", "0 of 2 points",
                           "class=\"task\"", "Read: topics/90-course/README.md#"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
  CHECK(page.find("{parameters}") == std::string::npos);
}
