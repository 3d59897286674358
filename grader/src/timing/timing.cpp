// SPDX-License-Identifier: MIT
// Batches, medians and the shortest possible time.
#include "grader/timing/timing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace grader {
namespace {

/// Longer than reading a few elements of one problem ever takes. On a GPU every element is a
/// separate copy, and sixteen of them take a quarter of a millisecond.
constexpr double kLongestLookSeconds = 1e-3;

}  // namespace

std::vector<Problem> make_problems(Program& oracle, const std::string& name, std::int64_t n,
                                   std::uint64_t seed, int count) {
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    problems.push_back(oracle.make_problem(name, n, seed + static_cast<std::uint64_t>(i), false));
  }
  return problems;
}

void probe(Program& program, Program& oracle, const std::string& entry) {
  const Problem problem = oracle.make_problem(entry, 1, 1, false);
  Slot slot(program, 0, entry, problem);
  slot.run();
  slot.drop();
}

/// A correction may remove at most half of the measured time.
constexpr double kLeastShare = 0.5;

int copies_for(const Hello& hello, const std::vector<Problem>& problems) {
  // With fewer copies, a batch's overhead is no longer small, and the messages between the
  // processes add noise: with six copies of a call of 30 us, a third of all races were inconclusive
  // on a busy machine.
  constexpr double kMostBytes = 8e9;
  constexpr double kMostOfMemory =
      0.25;  // the reference needs as much, and other programs are running too
  constexpr double kMostCopies = 16;
  if (hello.backend == "cpu") return 1;
  double bytes = 1;
  for (const Problem& problem : problems) {
    for (const ProblemArgument& argument : problem.arguments) {
      bytes += static_cast<double>(argument.count * harness::size_of(argument.element));
    }
  }
  const double budget = std::min(kMostBytes, kMostOfMemory * hello.free_bytes);
  return static_cast<int>(std::clamp(budget / bytes, 1.0, kMostCopies));
}

TimedProgram::TimedProgram(Program& program, const std::string& entry,
                           const std::vector<Problem>& problems, int copies, std::uint64_t seed,
                           harness::Tolerance tolerance)
    : tolerance_(tolerance), program_(&program), entry_(entry), random_(seed) {
  const auto next = [&] { return static_cast<std::int64_t>(slots_.size()); };
  for (const Problem& problem : problems) slots_.emplace_back(program, next(), entry, problem);
  const std::vector<Slot> originals = slots_;
  for (int copy = 1; copy < copies; ++copy) {
    for (const Slot& original : originals) slots_.emplace_back(original, next());
  }
}

double late_seconds(double first_look, double second_look, std::size_t calls) {
  const double longest = kLongestLookSeconds * static_cast<double>(calls);
  return std::max(0.0, first_look - std::min(2 * second_look, longest));
}

double TimedProgram::batch() {
  return seconds_per_call(random_order());
}

double TimedProgram::first_call(const Problem& problem) {
  const std::size_t index = slots_.size();
  slots_.emplace_back(*program_, static_cast<std::int64_t>(index), entry_, problem);
  return seconds_per_call({index});
}

std::vector<std::size_t> TimedProgram::random_order() {
  std::vector<std::size_t> order(slots_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(
        order[i - 1],
        order[static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(i) - 1))]);
  }
  const auto most = static_cast<std::int64_t>(slots_.size());
  order.resize(static_cast<std::size_t>(random_.integer((most + 1) / 2, most)));
  return order;
}

double TimedProgram::seconds_per_call(const std::vector<std::size_t>& order) {
  last_batch_ = order;
  peeked_.clear();
  const double seconds = timed_run(order);
  const double first_look = peek_all();
  const double second_look = peek_all();
  const double late = late_seconds(first_look, second_look, order.size());
  const double own = std::max(seconds - overhead_, kLeastShare * seconds);
  return (own + late) / static_cast<double>(order.size());
}

double TimedProgram::timed_run(const std::vector<std::size_t>& order) {
  harness::message::Run request;
  for (const std::size_t index : order) {
    slots_[index].reset();
    request.slots.push_back(slots_[index].number());
  }
  return program_->timed(request);
}

double TimedProgram::overhead() {
  constexpr int kSamples = 7;
  constexpr std::size_t kFewSlots = 4;
  if (slots_.size() < kFewSlots) return 0;
  std::vector<std::size_t> all(slots_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> one_call;
  std::vector<double> all_calls;
  for (int i = 0; i < kSamples; ++i) {
    one_call.push_back(timed_run({static_cast<std::size_t>(i) % slots_.size()}));
    all_calls.push_back(timed_run(all));
  }
  const double one = median_interval(std::move(one_call)).median;
  const double slope =
      (median_interval(std::move(all_calls)).median - one) / static_cast<double>(slots_.size() - 1);
  return std::max(0.0, one - slope);
}

double TimedProgram::peek_all() {
  const auto start = Clock::now();
  for (const std::size_t index : last_batch_) {
    std::string wrong = slots_[index].peek(random_, tolerance_);
    if (peeked_.empty()) peeked_ = std::move(wrong);
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string TimedProgram::wrong(bool thorough) {
  if (!peeked_.empty()) return peeked_;
  constexpr std::int64_t kOneOf = 8;
  return thorough || random_.integer(1, kOneOf) == 1 ? compare_all() : std::string();
}

std::string TimedProgram::compare_all() {
  const auto last = static_cast<std::int64_t>(last_batch_.size()) - 1;
  Slot& slot = slots_[last_batch_[static_cast<std::size_t>(random_.integer(0, last))]];
  slot.fetch();
  return slot.check(tolerance_);
}

Interval median_interval(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("median of no samples");
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  const std::size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  // Ranks n/2 -+ 1.96 sqrt(n)/2 enclose the median with 95 % probability.
  const double reach = 0.98 * std::sqrt(n);
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - reach)));
  const auto high = static_cast<std::size_t>(std::min(n - 1, std::ceil(n / 2 + reach) - 1));
  return {samples[low], median, samples[std::max(high, low)]};
}

double lower_quartile(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("quartile of no samples");
  const auto quarter = samples.begin() + static_cast<std::ptrdiff_t>((samples.size() - 1) / 4);
  std::nth_element(samples.begin(), quarter, samples.end());
  return *quarter;
}

const roofline::Peak* peak_of(const roofline::Machine& machine, const std::string& precision) {
  const std::size_t dot = precision.find('.');
  try {
    const roofline::Precision numbers = roofline::parse_precision(precision.substr(0, dot));
    if (dot == std::string::npos) return &roofline::best_peak(machine, numbers);
    return roofline::find_peak(machine, numbers,
                               roofline::parse_unit_name(precision.substr(dot + 1)));
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

std::optional<double> shortest_seconds(const roofline::Machine& machine,
                                       const std::string& precision, double flops,
                                       double bytes_moved) {
  const roofline::Peak* peak = peak_of(machine, precision);
  if (peak == nullptr) return std::nullopt;
  try {
    return std::max(flops / peak->operations_per_second,
                    bytes_moved / roofline::bandwidth(machine));
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // a roof that was not measured
  }
}

}  // namespace grader
