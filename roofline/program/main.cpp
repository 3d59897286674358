// SPDX-License-Identifier: MIT
// The program roofline: its commands and its exit codes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "base/completion.hpp"
#include "base/help.hpp"
#include "base/program.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"

namespace {

constexpr int kExitUsage = 2;

// Prints the message and, if it ends with a profiler command to run instead, that command on its
// own line, wrapped to the terminal's width.
void print_error(const std::string& message) {
  const auto end = message.find('\n');
  std::fputs(base::wrap(message.substr(0, end), base::kMostColumns, "roofline: ", "  ").c_str(),
             stderr);
  if (end == std::string::npos) return;
  const std::string below = message.substr(end + 1);
  const bool is_command = below.starts_with("ncu ");
  std::fputs(
      is_command ? base::wrap_command(below, base::kMostColumns).c_str() : (below + "\n").c_str(),
      stderr);
}

// Explains in one sentence what is wrong with a command line, or prints the requested help.
int refuse(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  // CLI11 reports a misspelt command as a missing one.
  const bool misspelt = chosen.empty() && argc > 1 && argv[1][0] != '-';
  const std::string problem = misspelt ? std::string("unknown command ") + argv[1] : error.what();
  print_error(problem + "; see roofline" + command + " --help");
  return kExitUsage;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Roofline models: measure this machine, compare, plot, predict, serve, import profiles."};
  base::fit_help(app);
  app.require_subcommand(1);
  app.set_version_flag("--version", "roofline " + base::version());
  base::add_completion_flag(app, "roofline");
  int exit_code = 0;
  roofline::program::add_compare_command(app, exit_code);
  roofline::program::add_import_command(app, exit_code);
  roofline::program::add_machines_command(app, exit_code);
  roofline::program::add_measure_command(app, exit_code);
  roofline::program::add_plot_command(app, exit_code);
  roofline::program::add_predict_command(app, exit_code);
  roofline::program::add_serve_command(app, exit_code);
  roofline::program::add_submit_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error, argc, argv);
  } catch (const std::exception& error) {
    print_error(error.what());
    return 1;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    print_error("not all of the output could be written; is the disk full?");
    return 1;
  }
  return exit_code;
}
