// SPDX-License-Identifier: MIT
// Runs one grading session and prints each verdict.
#include "judge.hpp"

#include <cstdio>
#include <optional>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "grader/exercise/seed.hpp"
#include "grader/judge/judge_all.hpp"
#include "lock.hpp"
#include "needed.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// A line about what is being judged, erased when the verdict is known. Only on terminals.
class Notice {
 public:
  explicit Notice(const std::string& text) : shown_(base::is_terminal(stdout)) {
    if (!shown_) return;
    // A line that wraps to the next one cannot be erased.
    std::printf("%s", shortened("... " + text, base::terminal_columns() - 1).c_str());
    std::fflush(stdout);
  }
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;
  ~Notice() {
    if (shown_) std::fputs(base::kClearLine, stdout);
  }

 private:
  bool shown_;
};

std::string what_is_done(const grader::Session& session, const grader::Exercise& exercise) {
  if (exercise.program.empty()) return "judging " + exercise.id;
  return base::formatted("building, then up to %g s per run: ",
                         session.limits_for(exercise).wall_seconds) +
         exercise.id;
}

/// Prints below the notice, if there is one.
void say_build_waits() {
  std::fprintf(stderr,
               "%sAnother build of this tree is running; waiting for it to finish (Ctrl-C gives "
               "up).\n",
               base::is_terminal(stdout) ? "\n" : "");
}

}  // namespace

grader::Results judge(const Course& course, const std::vector<const grader::Exercise*>& exercises,
                      std::uint64_t seed) {
  const base::FileLock lock = lock_checkout(course.memory_folder(), "check");
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  workspace.seed = grader::chosen_seed(seed);
  workspace.when_build_waits = say_build_waits;
  grader::Session session(workspace);

  std::optional<Notice> notice;
  return grader::judge_all(
      session, exercises,
      {.before =
           [&](const grader::Exercise& exercise) {
             notice.emplace(what_is_done(session, exercise));
             build_missing(course, exercise, say_build_waits);
           },
       .after =
           [&](const grader::Results& results) {
             notice.reset();
             grader::store_last(results,
                                course.results_folder());  // never lose a verdict that was shown
             std::fputs(grader::last_terminal_verdict(results, base::colour_wanted(),
                                                      base::terminal_columns())
                            .c_str(),
                        stdout);
             std::fflush(stdout);
           }});
}

}  // namespace cli
