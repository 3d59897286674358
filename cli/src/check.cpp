// SPDX-License-Identifier: MIT
// ./lab check: the grader's verdicts, in this terminal.
#include <cstdio>
#include <stdexcept>

#include "commands.hpp"
#include "run.hpp"

namespace cli {

int check(const Course& course, const std::vector<std::string>& prefixes) {
  std::vector<std::string> command = {course.program("grader").string(),
                                      "grade",
                                      "--root",
                                      course.root().string(),
                                      "--build",
                                      course.build().string()};
  for (const std::string& prefix : prefixes) {
    if (course.matching(prefix).empty()) {
      throw std::runtime_error("no exercise is called " + prefix + "; ./lab list shows them all");
    }
    command.insert(command.end(), {"--exercise", prefix});
  }
  return run(command);
}

}  // namespace cli
