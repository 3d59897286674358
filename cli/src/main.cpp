// SPDX-License-Identifier: MIT
// The program behind ./lab, once the course is built.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "commands.hpp"

namespace {

int run_command(int argc, char** argv) {
  CLI::App app{"The student's command; ./lab starts it", "lab"};
  std::string root = ".";
  std::string build = "build/cpu";
  app.add_option("--root", root, "the checkout")->check(CLI::ExistingDirectory);
  app.add_option("--build", build, "its build tree")->check(CLI::ExistingDirectory);
  app.require_subcommand(1);

  bool measure_again = false;
  std::vector<std::string> ids;
  std::string id;
  CLI::App* start = app.add_subcommand("start", "measure this machine, show the first exercise");
  start->add_flag("--measure", measure_again, "measure again");
  CLI::App* next = app.add_subcommand("next", "the first exercise that is not solved yet");
  CLI::App* check = app.add_subcommand("check", "build and grade exercises");
  check->add_option("ID", ids, "ids or prefixes, such as 02.saxpy; all when none is given");
  CLI::App* list = app.add_subcommand("list", "every exercise with its points");
  CLI::App* hint = app.add_subcommand("hint", "one more hint for an exercise");
  hint->add_option("ID", id, "the exercise")->required();
  CLI11_PARSE(app, argc, argv);

  const cli::Course course(root, build);
  if (*start) return cli::start(course, measure_again);
  if (*next) return cli::next(course);
  if (*check) return cli::check(course, ids);
  if (*list) return cli::list(course);
  return cli::hint(course, id);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 1;
  }
}
