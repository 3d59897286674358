// SPDX-License-Identifier: MIT
// ./lab watch: save, and the verdict appears.
#include <poll.h>

#include <cctype>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "file_watch.hpp"
#include "hint.hpp"
#include "judge.hpp"
#include "keyboard.hpp"
#include "next.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// How often files are looked at where no events come.
constexpr int kLookEveryMilliseconds = 400;

/// One watching session: an exercise, its files, and the keys.
class Watch {
 public:
  Watch(std::filesystem::path root, std::filesystem::path build, bool polling)
      : root_(std::move(root)), build_(std::move(build)), polling_(polling) {}

  int run(const std::string& id) {
    const Course course(root_, build_);
    const grader::Exercise* first = id.empty() ? course.next_unsolved() : &course.one(id);
    if (first == nullptr) {
      std::printf("All %zu exercises are solved.\n", course.exercises().size());
      return 0;
    }
    take(course, *first);
    judge_current();
    while (!done_) {
      wait();
      if (files_->changed()) judge_current();
      while (const std::optional<char> key = keyboard_.key()) press(*key);
    }
    std::printf("\n");
    return 0;
  }

 private:
  void take(const Course& course, const grader::Exercise& exercise) {
    id_ = exercise.id;
    files_.emplace(course.files_of(exercise), !polling_);
    std::printf("\n");
    present(course, exercise);
    std::printf("\n");
  }

  /// Exercises are read again: the student may have updated the course meanwhile.
  void judge_current() {
    const Course course(root_, build_);
    std::printf("%s\n", std::string(kColumns, '-').c_str());
    judge(course, {&course.one(id_)});
    const Course after(root_, build_);
    if (after.is_solved(after.one(id_))) std::printf("\nSolved. Press n for the next exercise.\n");
    prompt();
  }

  void prompt() const {
    std::printf("%s  [h]int [n]ext [l]ist [c]heck [q]uit%s\n", bold("watching " + id_).c_str(),
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
        give_hint(course, course.one(id_));
        return prompt();
      case 'n':
        return go_on(course);
      case 'l':
        list(course, course.one(id_).topic);
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

  void go_on(const Course& course) {
    const grader::Exercise* next = course.next_unsolved(&course.one(id_));
    if (next == nullptr) {
      std::printf("All %zu exercises are solved.\n", course.exercises().size());
    } else {
      take(course, *next);
    }
    prompt();
  }

  std::filesystem::path root_;
  std::filesystem::path build_;
  bool polling_;
  bool done_ = false;
  std::string id_;
  Keyboard keyboard_;
  std::optional<FileWatch> files_;
};

}  // namespace

int watch(const std::filesystem::path& root, const std::filesystem::path& build,
          const std::string& id, bool polling) {
  return Watch(root, build, polling).run(id);
}

}  // namespace cli
