// SPDX-License-Identifier: MIT
// ./lab engine and ./lab chat: topic 04's engine, with the course's kernels or the student's.
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "commands.hpp"
#include "grader/program/build.hpp"
#include "run.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

/// The text that ./lab engine continues by default.
constexpr const char* kFirstPrompt = "In the beginning";
/// Always taking the most probable word would make a small model repeat itself.
constexpr const char* kChatTemperature = "0.8";

bool names(const std::vector<std::string>& arguments, const std::string& option) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

/// Builds the program from the saved files and returns its path.
std::string built_program(const Course& course, const std::string& name) {
  const fs::path file = course.program(name);
  if (fs::exists(course.build() / "CMakeCache.txt")) {
    std::fprintf(stderr, "Building %s ...\n", name.c_str());
    const std::string errors = grader::build_targets(course.build(), {name}, course.root(), [] {
      std::fprintf(stderr, "Another build of this tree is running; waiting for it to finish.\n");
    });
    if (!errors.empty()) throw std::runtime_error(name + " does not compile:\n" + errors);
  }
  if (fs::exists(file)) return file.string();
  throw std::runtime_error("the program " + name + " is not built; run ./lab start");
}

int run_engine(const Course& course, bool mine, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), built_program(course, mine ? "engine-mine" : "engine"));
  if (!names(arguments, "--machine") && fs::exists(course.machine_file())) {
    arguments.insert(arguments.end(), {"--machine", course.machine_file().string()});
  }
  return run(arguments);
}

}  // namespace

int engine(const Course& course, bool mine, std::vector<std::string> arguments) {
  if (!names(arguments, "--prompt") && !names(arguments, "--prompt-ids") &&
      !names(arguments, "--chat")) {
    arguments.insert(arguments.end(), {"--prompt", kFirstPrompt});
  }
  return run_engine(course, mine, std::move(arguments));
}

int chat(const Course& course, bool mine, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "--chat");
  if (!names(arguments, "--temperature")) {
    arguments.insert(arguments.end(), {"--temperature", kChatTemperature});
  }
  return run_engine(course, mine, std::move(arguments));
}

}  // namespace cli
