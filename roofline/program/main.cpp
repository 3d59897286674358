// SPDX-License-Identifier: MIT
// The program roofline: its commands and its exit codes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "base/program.hpp"
#include "commands.hpp"

int main(int argc, char** argv) {
  CLI::App app{
      "Roofline models: measure this machine, compare, plot, predict, serve, import profiles."};
  app.require_subcommand(1);
  app.set_version_flag("--version", "roofline " + base::version());
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
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roofline: %s\n", error.what());
    return 1;
  }
  return exit_code;
}
