// SPDX-License-Identifier: MIT
// Times a program's entry with the grader's clock, in batches whose results are checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/program/program.hpp"
#include "harness/random.hpp"
#include "roofline/machine.hpp"

namespace grader {

/// Several problems of the same size with different inputs.
std::vector<Problem> make_problems(Program& oracle, const std::string& name, std::int64_t n,
                                   std::uint64_t seed, int count);

/// Runs an entry once on a problem of size 1, so that an unsolved starter or a crash shows before
/// large problems are created. @throws ChildFailure.
void probe(Program& program, Program& oracle, const std::string& entry);

/// How many copies of the problems a timed program should hold. A GPU call is so short that a batch
/// needs many of them, or the message that starts the batch would dominate; on the CPU one is
/// enough.
int copies_for(const Hello& hello, const std::vector<Problem>& problems);

/// Seconds of work that a program still had to do when it reported that it was done, from two reads
/// of the results of `calls` calls, one right after the other. Reading them twice costs the same,
/// so deferred work shows up only in the first read.
double late_seconds(double first_look, double second_look, std::size_t calls);

/// One program with all problems loaded. A batch calls a random choice of them in random order,
/// each at most once, so no call can be answered from an earlier one.
class TimedProgram {
 public:
  TimedProgram(Program& program, const std::string& entry, const std::vector<Problem>& problems,
               int copies, std::uint64_t seed, harness::Tolerance tolerance);

  /// Seconds per call in one batch, after resetting the outputs. As soon as the program reports
  /// that it is done, random elements of all outputs are read, so work that was deferred until then
  /// counts as time.
  double batch();
  /// Seconds of the first call on a problem that the program has not seen yet: it is loaded now and
  /// checked like a batch. Later batches may choose it too; `problem` must outlive this object.
  double first_call(const Problem& problem);
  /// Seconds that a batch costs beyond its calls (the message, starting the device), from batches
  /// of one call and of all calls. Only meaningful for a trusted program; 0 if it holds few
  /// problems.
  double overhead();
  /// Subtracts `seconds` from every batch: the overhead of a trusted program of the same build.
  void set_overhead(double seconds) { overhead_ = seconds; }
  /// What was wrong with the last batch; empty when nothing was. In one batch of eight, which the
  /// program cannot foresee, and when `thorough`, all elements of a random call are compared.
  std::string wrong(bool thorough);

 private:
  std::vector<std::size_t> random_order();
  double seconds_per_call(const std::vector<std::size_t>& order);
  double timed_run(const std::vector<std::size_t>& order);
  std::string compare_all();
  double peek_all();

  double overhead_ = 0;
  harness::Tolerance tolerance_;
  std::string peeked_;
  Program* program_;
  std::string entry_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> last_batch_;
  harness::Random random_;
};

/// Median and its 95 % interval from order statistics (no assumption on the distribution).
struct Interval {
  double low = 0;
  double median = 0;
  double high = 0;
  double relative_width() const { return median > 0 ? (high - low) / median : 0; }
};
Interval median_interval(std::vector<double> samples);

/// The value that a quarter of the samples do not exceed.
double lower_quartile(std::vector<double> samples);

/// A time this much below the roof's is considered impossible rather than fast: roofs are medians
/// and vary themselves.
inline constexpr double kRoofMargin = 1.3;

/// The peak of a precision, "fp32" or "fp16.vector"; null if it was not measured.
const roofline::Peak* peak_of(const roofline::Machine& machine, const std::string& precision);

/// Shortest possible time on a machine: max(bytes/bandwidth, FLOPs/peak). Nothing if the roofs are
/// unknown.
std::optional<double> shortest_seconds(const roofline::Machine& machine,
                                       const std::string& precision, double flops,
                                       double bytes_moved);

}  // namespace grader
