// SPDX-License-Identifier: MIT
// Power, clock and throttling while the device works without a pause.
#include "power_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace roofline::measure {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// The metered span: this many periods of the counter, and no less than these seconds. A step is
/// seen at most one reading late, which for NVML is a thousandth of the span.
constexpr double kUpdates = 10;
constexpr double kShortestSeconds = 0.25;
/// The first steps are discarded: the clock is still dropping to what the power cap allows.
constexpr double kSettlingSeconds = 0.1;
constexpr double kReadingsOfUpdate = 100;
constexpr double kShortestPause = 1e-3;
// A counter that does not change for this many of its periods is broken.
constexpr double kMostUpdatesWaited = 20;

double seconds_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The counter right after it changed.
struct Step {
  double joules = 0;
  SteadyClock::time_point at;
};

/// Reads a meter on a separate thread until the span is over.
class Readings {
 public:
  explicit Readings(PowerMeter& meter)
      : meter_(meter),
        wanted_(std::max(kShortestSeconds, kUpdates * meter.update_seconds())),
        pause_(std::max(kShortestPause, meter.update_seconds() / kReadingsOfUpdate)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  bool begun() const {
    return locked([&] { return first_.has_value() || over_; });
  }
  bool over() const {
    return locked([&] { return over_; });
  }

  /// Call when the span is over. Throws MeterFailure.
  double watts() const {
    if (!failure_.empty()) throw MeterFailure(failure_);
    return (last_.joules - first_->joules) / seconds_between(first_->at, last_.at);
  }
  std::optional<double> clock_hz() const {
    if (clocks_.empty()) return std::nullopt;
    return summarize(clocks_).median;
  }
  std::string held_back_by() const { return base::joined(reasons_); }

 private:
  template <class Answer>
  bool locked(const Answer& answer) const {
    const std::lock_guard lock(mutex_);
    return answer();
  }

  void run(const std::stop_token& stop) {
    try {
      read_until_over(stop);
    } catch (const MeterFailure& failure) {
      const std::lock_guard lock(mutex_);
      failure_ = failure.what();
    }
    const std::lock_guard lock(mutex_);
    over_ = true;
  }

  void read_until_over(const std::stop_token& stop) {
    double joules = meter_.read().joules;
    const SteadyClock::time_point start = SteadyClock::now();
    SteadyClock::time_point moved = start;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::duration<double>(pause_));
      const PowerReading reading = meter_.read();
      const SteadyClock::time_point now = SteadyClock::now();
      const std::lock_guard lock(mutex_);
      if (first_) note(reading);
      if (reading.joules < joules) throw MeterFailure("the energy counter ran backwards");
      if (reading.joules == joules) {
        if (seconds_between(moved, now) > kMostUpdatesWaited * meter_.update_seconds() + 1) {
          throw MeterFailure("the energy counter does not move");
        }
        continue;
      }
      joules = reading.joules;
      moved = now;
      if (!first_) {
        if (seconds_between(start, now) >= kSettlingSeconds) first_ = Step{joules, now};
        continue;
      }
      last_ = {joules, now};
      if (seconds_between(first_->at, now) >= wanted_) return;
    }
  }

  void note(const PowerReading& reading) {
    if (reading.clock_hz) clocks_.push_back(*reading.clock_hz);
    for (const std::string& reason : reading.held_back_by) {
      if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) {
        reasons_.push_back(reason);
      }
    }
  }

  PowerMeter& meter_;
  double wanted_;
  double pause_;
  mutable std::mutex mutex_;
  std::optional<Step> first_;
  Step last_;
  std::vector<double> clocks_;
  std::vector<std::string> reasons_;
  std::string failure_;
  bool over_ = false;
  std::jthread thread_;  // last: it uses all of the above, and is joined first
};

}  // namespace

void PowerRecorder::record(const std::function<Progressed()>& advance) {
  if (!failure_.empty()) return;
  Readings readings(meter_);
  while (!readings.begun()) advance();
  const Progressed begin = advance();
  Progressed end = begin;
  while (!readings.over() || end.amount == begin.amount) end = advance();
  try {
    const double watts = readings.watts();
    const double rate = (end.amount - begin.amount) / (end.seconds - begin.seconds);
    power_ = RoofPower{watts, watts / rate, readings.clock_hz(), readings.held_back_by()};
  } catch (const MeterFailure& failure) {
    failure_ = failure.what();
  }
}

std::optional<RoofPower> PowerRecorder::take() {
  return std::exchange(power_, std::nullopt);
}

double idle_watts(PowerMeter& meter) {
  const Readings readings(meter);
  while (!readings.over()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return readings.watts();
}

}  // namespace roofline::measure
