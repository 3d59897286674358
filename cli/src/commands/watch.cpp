// SPDX-License-Identifier: MIT
// ./lab watch: judges an exercise whenever a file is saved.
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "file_watch.hpp"
#include "hint.hpp"
#include "judge.hpp"
#include "keyboard.hpp"
#include "next.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// How often files are checked when there are no events.
constexpr int kLookEveryMilliseconds = 400;

using Exercises = std::vector<const grader::Exercise*>;

/// One watching session: the exercises that match an id, their files, and the keys.
class Watch {
 public:
  Watch(std::filesystem::path root, std::filesystem::path build, bool polling)
      : root_(std::move(root)), build_(std::move(build)), polling_(polling) {}

  int run(const std::string& id) {
    const Course course(root_, build_);
    const Exercises first = id.empty() ? Exercises{course.next_unsolved()} : course.chosen(id);
    if (!take(course, first)) return 0;
    while (!done_) {
      wait();
      if (files_->changed()) judge_current();
      while (const std::optional<char> key = keyboard_.key()) press(*key);
    }
    std::printf("\n");
    return 0;
  }

 private:
  /// Shows and judges exercises from now on; prints a message and returns false if there are none.
  bool take(const Course& course, const Exercises& exercises) {
    if (exercises.front() == nullptr) {
      std::printf("All %zu exercises are solved.\n", course.exercises().size());
      return false;
    }
    ids_.clear();
    std::set<std::filesystem::path> files;
    for (const grader::Exercise* exercise : exercises) {
      ids_.push_back(exercise->id);
      for (const auto& file : course.files_of(*exercise)) files.insert(file);
    }
    std::printf("\n");
    present(course, unsolved(course));
    std::printf("\n");
    files_.emplace(std::vector(files.begin(), files.end()), !polling_);
    judge_current();
    return true;
  }

  Exercises current(const Course& course) const {
    Exercises exercises;
    for (const std::string& id : ids_) exercises.push_back(&course.one(id));
    return exercises;
  }

  /// The exercise for hints and lists: the first unsolved one.
  const grader::Exercise& unsolved(const Course& course) const {
    const Exercises exercises = current(course);
    const auto found = std::find_if(exercises.begin(), exercises.end(),
                                    [&](const auto* e) { return !course.is_solved(*e); });
    return found == exercises.end() ? *exercises.back() : **found;
  }

  /// Reads the exercises again, because the student may have updated the course in the meantime.
  void judge_current() {
    const Course course(root_, build_);
    std::printf("%s\n", std::string(base::terminal_columns(), '-').c_str());
    judge(course, current(course));
    const Course after(root_, build_);
    if (after.is_solved(unsolved(after))) std::printf("\nSolved. Press n for the next exercise.\n");
    prompt();
  }

  void prompt() const {
    std::printf("%s  [h]int [n]ext [l]ist [c]heck [q]uit%s\n",
                bold("watching " + base::joined(ids_)).c_str(),
                keyboard_.descriptor() < 0 ? " (no keys: not a terminal)" : "");
    std::fflush(stdout);
  }

  void wait() const {
    pollfd sources[2] = {{keyboard_.descriptor(), POLLIN, 0}, {files_->descriptor(), POLLIN, 0}};
    ::poll(sources, 2, kLookEveryMilliseconds);
  }

  void press(char key) {
    const Course course(root_, build_);
    switch (std::tolower(static_cast<unsigned char>(key))) {
      case 'h':
        give_hint(course, unsolved(course));
        return prompt();
      case 'n':
        if (!take(course, {course.next_unsolved(current(course).back())})) prompt();
        return;
      case 'l':
        list(course, unsolved(course).topic);
        return prompt();
      case 'c':
        return judge_current();
      case 'q':
        done_ = true;
        return;
      default:
        return;
    }
  }

  std::filesystem::path root_;
  std::filesystem::path build_;
  bool polling_;
  bool done_ = false;
  std::vector<std::string> ids_;
  Keyboard keyboard_;
  std::optional<FileWatch> files_;
};

}  // namespace

int watch(const std::filesystem::path& root, const std::filesystem::path& build,
          const std::string& id, bool polling) {
  return Watch(root, build, polling).run(id);
}

}  // namespace cli
