// SPDX-License-Identifier: MIT
// One grading session, verdict by verdict.
#include "judge.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "grader/grade.hpp"
#include "grader/seed.hpp"
#include "harness/build_info.hpp"
#include "lock.hpp"
#include "needed.hpp"
#include "roofline/measurement.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// A line that says what is being judged, wiped when the verdict is there. Only for people.
class Notice {
 public:
  explicit Notice(const std::string& text) : shown_(::isatty(STDOUT_FILENO) != 0) {
    if (!shown_) return;
    // What goes over the end of a line cannot be wiped.
    std::printf("%s", shortened("... " + text, grader::terminal_columns() - 1).c_str());
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

std::string what_is_done(const grader::Session& session, const grader::Exercise& exercise) {
  if (exercise.program.empty()) return "judging " + exercise.id;
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g s", session.limits_for(exercise).wall_seconds);
  return std::string("building, then up to ") + limit + " a run: " + exercise.id;
}

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

grader::Results judge(const Course& course, const std::vector<const grader::Exercise*>& exercises,
                      std::uint64_t seed) {
  const Lock lock(course.memory_folder(), "check");
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  workspace.seed = grader::chosen_seed(seed);
  workspace.when_build_waits = say_build_waits;
  grader::Session session(workspace);

  grader::Results results;
  results.backend = session.backend();
  results.time = harness::current_time();
  if (session.machine()) results.machine = session.machine()->name;
  for (const grader::Exercise* exercise : exercises) {
    grader::Verdict verdict;
    {
      const Notice notice(what_is_done(session, *exercise));
      build_missing(course, *exercise, say_build_waits);
      verdict = grader::grade(session, *exercise);
    }
    store(course, results, verdict);  // first: what was shown is never lost
    const std::size_t columns = grader::terminal_columns();
    std::fputs(grader::terminal_verdict(verdict, colour_wanted(), columns).c_str(), stdout);
    std::fflush(stdout);
    results.verdicts.push_back(std::move(verdict));
  }
  return results;
}

}  // namespace cli
