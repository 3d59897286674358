// SPDX-License-Identifier: MIT
// The program behind ./lab, which runs once the course is built.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/help.hpp"
#include "base/program.hpp"
#include "commands.hpp"
#include "terminal.hpp"

namespace {

constexpr int kExitUsage = 2;

/// The parsed command line.
struct Arguments {
  std::string root = ".";
  std::string build = "build/cpu";
  std::vector<std::string> ids;
  std::string id;
  std::string out;
  bool measure_again = false;
  bool json = false;
  bool polling = false;
  bool whole_file = false;
  bool spoiler = false;
  bool mine = false;
  std::uint64_t seed = 0;
  cli::ProfileOptions profile;
};

CLI::App* add_with_id(CLI::App& app, Arguments& arguments, const char* name, const char* about) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("ID", arguments.id, "the exercise")->required();
  return command;
}

void add_profile(CLI::App& app, Arguments& arguments) {
  cli::ProfileOptions& options = arguments.profile;
  CLI::App* profile = app.add_subcommand("profile", "a kernel on the virtual GPU, line by line");
  profile->add_option("ID", arguments.id, "the exercise, or a .cu file of your own")->required();
  profile->add_option("--entry", options.entry,
                      "which HARNESS_LAB of your file (default: the first)");
  profile->add_option("--machine", options.machine, "a GPU of data/machines, or a file like those")
      ->capture_default_str();
  profile->add_option("--n", options.n, "size of the problem")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  profile
      ->add_option("--registers", options.registers,
                   "registers per thread, as the GPU compiler reports them")
      ->check(CLI::Range(1, 255));
  profile
      ->add_option(
          "--multiprocessors", options.multiprocessors,
          "a part of the GPU, and unrolled code, as for speed exercises that name a number of them")
      ->check(CLI::PositiveNumber);
  CLI::App* output = profile->add_option_group("output")->require_option(0, 1);
  output->add_flag("--json", options.json, "profile and times as JSON");
  output->add_flag("--csv", options.csv, "as ncu --csv --page raw, for roofline import");
  output->add_option("--html", options.html, "write a page with the roofline chart");
  output->add_option("--compare", options.compare, "compare with a profile from a real GPU (file)");
}

/// Adds a command whose other arguments are passed to the program engine.
void add_engine(CLI::App& app, Arguments& arguments, const char* name, const char* about) {
  CLI::App* command = app.add_subcommand(name, about)->allow_extras();
  command->add_flag("--mine", arguments.mine, "use your kernels for the labs that you have solved");
  command->footer("Other options go to the program engine; build/cpu/bin/engine --help lists them");
}

void add_commands(CLI::App& app, Arguments& arguments) {
  app.add_subcommand("start", "measure this machine, show the first exercise")
      ->add_flag("--measure", arguments.measure_again, "measure again");
  app.add_subcommand("next", "the first unsolved exercise");
  CLI::App* check = app.add_subcommand("check", "build and judge exercises");
  check->add_option("ID", arguments.ids, "ids or prefixes of ids: 02.saxpy (default: all)");
  check->add_option("--seed", arguments.seed,
                    "judge with the inputs of an earlier verdict, which names its seed");
  CLI::App* watch = app.add_subcommand("watch", "judge an exercise whenever its file is saved");
  watch->add_option("ID", arguments.id, "the exercise (default: the first unsolved one)");
  watch->add_flag("--poll", arguments.polling, "poll the files instead of waiting for events");
  app.add_subcommand("list", "every exercise with its points")
      ->add_option("ID", arguments.id, "only ids with this prefix, such as 02.saxpy");
  app.add_subcommand("progress", "points of each topic as a bar")
      ->add_flag("--json", arguments.json, "as JSON");
  add_with_id(app, arguments, "hint", "one more hint for an exercise");
  add_with_id(app, arguments, "reset", "restore the starter; your version is kept next to it")
      ->add_flag("--file", arguments.whole_file, "the whole file, not only the exercise's part");
  add_with_id(app, arguments, "show", "the solution of a solved exercise")
      ->add_flag("--spoiler", arguments.spoiler, "even if it is not solved");
  add_profile(app, arguments);
  app.add_subcommand("roofline", "this machine's roofline with your kernels on it")
      ->add_option("--out", arguments.out, "also write an image: .svg, .png or .html");
  add_engine(app, arguments, "engine",
             "a language model on your machine, running topic 04's kernels");
  add_engine(app, arguments, "chat", "the same for each line that you type");
}

/// Explains in one sentence what is wrong with a command line, or prints the requested help.
int refuse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto chosen = app.get_subcommands();
  const std::string name = "lab" + (chosen.empty() ? "" : " " + chosen.front()->get_name());
  const std::string help = chosen.empty() ? "./lab help" : "./" + name + " --help";
  std::fputs(cli::wrap(name + ": " + error.what() + "; see " + help).c_str(), stderr);
  return kExitUsage;
}

int run_command(int argc, char** argv) {
  CLI::App app{"The student's command; ./lab starts it", "lab"};
  base::fit_help(app);
  Arguments arguments;
  app.add_option("--root", arguments.root, "the checkout")->check(CLI::ExistingDirectory);
  app.add_option("--build", arguments.build, "its build tree")->check(CLI::ExistingDirectory);
  app.set_version_flag("--version", "lab " + base::version());
  app.require_subcommand(1);
  add_commands(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  }

  const std::string command = app.get_subcommands().front()->get_name();
  if (command == "watch") {
    return cli::watch(arguments.root, arguments.build, arguments.id, arguments.polling);
  }
  const cli::Course course(arguments.root, arguments.build);
  if (command == "start") return cli::start(course, arguments.measure_again);
  if (command == "next") return cli::next(course);
  if (command == "check") return cli::check(course, arguments.ids, arguments.seed);
  if (command == "list") return cli::list(course, arguments.id);
  if (command == "progress") return cli::progress(course, arguments.json);
  if (command == "hint") return cli::hint(course, arguments.id);
  if (command == "reset") return cli::reset(course, arguments.id, arguments.whole_file);
  if (command == "show") return cli::show(course, arguments.id, arguments.spoiler);
  if (command == "profile") return cli::profile(course, arguments.id, arguments.profile);
  if (command == "roofline") return cli::roofline_chart(course, arguments.out);
  const auto rest = app.get_subcommands().front()->remaining();
  if (command == "engine") return cli::engine(course, arguments.mine, rest);
  return cli::chat(course, arguments.mine, rest);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::exception& error) {
    const std::string text = std::string("lab: ") + error.what();
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::fputs(cli::wrap(text.substr(0, end)).c_str(), stderr);
    // The rest is compiler output with carets, so its lines must not be wrapped.
    if (end < text.size()) std::fprintf(stderr, "%s\n", text.c_str() + end + 1);
    return 1;
  }
}
