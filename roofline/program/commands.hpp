// SPDX-License-Identifier: MIT
// The commands of the program roofline. Each adds itself to the command line and sets the exit
// code.
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace roofline::program {

/// Folder of the machine files: $ROOFLINE_DATA/machines if set, else that of the source tree.
std::filesystem::path machine_folder();

void add_compare_command(CLI::App& app, int& exit_code);
void add_import_command(CLI::App& app, int& exit_code);
void add_machines_command(CLI::App& app, int& exit_code);
void add_measure_command(CLI::App& app, int& exit_code);
void add_plot_command(CLI::App& app, int& exit_code);
void add_predict_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_submit_command(CLI::App& app, int& exit_code);

}  // namespace roofline::program
