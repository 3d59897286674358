// SPDX-License-Identifier: MIT
// The virtual GPU's figures of a launch compared with the counters of a real one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roofline/kernel/kernel_time.hpp"
#include "roofline/machine.hpp"
#include "vgpu/profile.hpp"

namespace CLI {
class App;
}

namespace comparison {

/// The counters of one launch, by name.
using Counters = std::map<std::string, double>;

/// A figure of both, and the goals for its relative error.
struct Figure {
  std::string name;
  std::function<double(const vgpu::Launch&)> ours;
  std::function<std::optional<double>(const Counters&)> theirs;  ///< empty: not collected
  double median = 0;                                             ///< largest, over all launches
  double worst = 0;                                              ///< largest, of any launch
};

/// One figure of one launch.
struct Row {
  std::string launch;
  std::string figure;
  double ours = 0;
  double theirs = 0;
};

/// Launches whose figure misses its goal, and why: what the source does not say, or the model
/// leaves out.
struct Exception {
  const char* figure;
  const char* why;
  std::vector<std::string> launches;
};

/// The figure and the launch of an exception from the goals that concern all launches: the medians,
/// as figure, and the correlation of the times.
constexpr const char* kAllLaunches = "all launches";
constexpr const char* kRanks = "rank correlation of the times";

/// The inputs for predicting the times of launches.
struct Machine {
  roofline::Machine machine;
  roofline::Efficiencies reached;
};
Machine load_machine(const std::string& machine_file, const std::string& measured_file);

/// Every figure that is compared; the time is predicted for `machine`.
std::vector<Figure> figures(const Machine& machine);

/// Counters named by a header; cells that are not numbers are left out.
Counters counters_of(const std::vector<std::string>& header, const std::vector<std::string>& row);

/// Appends the rows of one launch; figures whose counters were not collected are left out.
void add_rows(std::vector<Row>& rows, const std::vector<Figure>& figures, const std::string& name,
              const vgpu::Launch& launch, const Counters& counters);

/// @throws std::runtime_error if the file cannot be written or, when reading, is not one that
///   write_rows() wrote.
void write_rows(const std::string& file, const std::vector<Row>& rows);
std::vector<Row> read_rows(const std::string& file);

/// The most bytes that a real GPU wrote to DRAM although the launch did not store them: its own, or
/// those of earlier launches.
double foreign_bytes_written(const std::vector<Row>& rows);

/// Prints the table of the figures, the rank correlation of the times, and a line for each launch
/// that misses a goal. DRAM bytes written are compared where that can tell: if the launch stores
/// more than foreign_bytes_written(), and on either side more than that leaves L2. Only all
/// launches together show that limit.
/// @param has_all whether the rows are of all launches; goals for the median apply then, and every
///   exception must be needed
/// @return false if a goal is missed without a reason, or an exception is not needed
bool summarise(const std::vector<Row>& rows, const std::vector<Exception>& exceptions,
               bool has_all);

/// The options of both programs.
struct Options {
  std::string counters;           ///< of the real GPU; if given, profile now
  std::string machine, measured;  ///< files of that GPU
  std::string figures;            ///< written with counters, otherwise read
  std::vector<std::string> only;  ///< launches to compare; empty: all
};
void add_options(CLI::App& app, Options& options);

/// Compares what `measure` profiles, or the stored figures, and prints the result.
/// @return the program's exit status: 1 if a goal is missed without a reason, 2 after an error
int compare(const char* program, const Options& options, const std::vector<Exception>& exceptions,
            const std::function<std::vector<Row>()>& measure);

/// Spearman's rank correlation; ties share their ranks. 0 for fewer than three pairs.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace comparison
