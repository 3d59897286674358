// SPDX-License-Identifier: MIT
// One grading session, verdict by verdict.
#include "judge.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <random>

#include "grader/grade.hpp"
#include "harness/build_info.hpp"
#include "lock.hpp"
#include "roofline/measurement.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// A line that says what is being judged, wiped when the verdict is there. Only for people.
class Notice {
 public:
  explicit Notice(const std::string& text) : shown_(::isatty(STDOUT_FILENO) != 0) {
    if (!shown_) return;
    std::printf("... %s", text.c_str());
    std::fflush(stdout);
  }
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;
  ~Notice() {
    if (shown_) std::fputs("\r\033[K", stdout);
  }

 private:
  bool shown_;
};

/// Below the notice, if there is one.
void say_build_waits() {
  std::fprintf(stderr,
               "%sAnother build of this tree is at work; waiting until it is done (Ctrl-C gives "
               "up).\n",
               ::isatty(STDOUT_FILENO) != 0 ? "\n" : "");
}

void store(const Course& course, grader::Results results, const grader::Verdict& verdict) {
  results.verdicts = {verdict};
  std::filesystem::create_directories(course.results_folder());
  roofline::write_file_atomically(course.results_folder() / (verdict.id + ".json"),
                                  grader::results_json(results));
}

}  // namespace

grader::Results judge(const Course& course, const std::vector<const grader::Exercise*>& exercises) {
  const Lock lock(course.memory_folder(), "check");
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  workspace.seed = std::random_device{}();
  workspace.when_build_waits = say_build_waits;
  grader::Session session(workspace);

  grader::Results results;
  results.backend = session.backend();
  results.time = harness::current_time();
  if (session.machine()) results.machine = session.machine()->name;
  for (const grader::Exercise* exercise : exercises) {
    grader::Verdict verdict;
    {
      const Notice notice("building and judging " + exercise->id);
      verdict = grader::grade(session, *exercise);
    }
    store(course, results, verdict);  // first: what was shown is never lost
    std::fputs(grader::terminal_verdict(verdict, colour_wanted()).c_str(), stdout);
    std::fflush(stdout);
    results.verdicts.push_back(std::move(verdict));
  }
  return results;
}

}  // namespace cli
