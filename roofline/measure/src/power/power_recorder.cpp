// SPDX-License-Identifier: MIT
// Power, clock and throttling while a roof is sampled.
#include "power_recorder.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace roofline::measure {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kShortestSeconds = 0.25;
constexpr double kUpdates = 5;
/// A reading takes the driver's time; more frequent ones would leave the device without work.
constexpr double kBetweenLooks = 0.02;
// A counter that does not move for this many of its periods is broken.
constexpr double kMostUpdatesWaited = 20;

double seconds_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The counter just after it moved.
struct Step {
  double joules = 0;
  SteadyClock::time_point at;
};

// Calls `work` until the counter moves.
Step next_step(PowerMeter& meter, const std::function<void()>& work) {
  const double before = meter.read().joules;
  const SteadyClock::time_point start = SteadyClock::now();
  for (;;) {
    work();
    const double joules = meter.read().joules;
    const SteadyClock::time_point now = SteadyClock::now();
    if (joules != before) return {joules, now};
    if (seconds_between(start, now) > kMostUpdatesWaited * meter.update_seconds() + 1) {
      throw MeterFailure("the energy counter does not move");
    }
  }
}

struct Interval {
  double joules = 0;
  double seconds = 0;
};

// From one update of the counter to another, so that its period adds no error.
Interval counted(PowerMeter& meter, const std::function<void()>& work,
                 const std::function<void()>& start) {
  const Step first = next_step(meter, work);
  start();
  const double wanted = std::max(kShortestSeconds, kUpdates * meter.update_seconds());
  while (seconds_between(first.at, SteadyClock::now()) < wanted) work();
  const Step last = next_step(meter, work);
  if (!(last.joules > first.joules)) throw MeterFailure("the energy counter ran backwards");
  return {last.joules - first.joules, seconds_between(first.at, last.at)};
}

}  // namespace

void PowerRecorder::look() {
  const SteadyClock::time_point now = SteadyClock::now();
  if (!failure_.empty() || seconds_between(last_look_, now) < kBetweenLooks) return;
  last_look_ = now;
  PowerReading reading;
  try {
    reading = meter_.read();
  } catch (const MeterFailure& failure) {
    failure_ = failure.what();
    return;
  }
  if (reading.clock_hz) clocks_.push_back(*reading.clock_hz);
  for (const std::string& reason : reading.held_back_by) {
    if (std::find(held_back_by_.begin(), held_back_by_.end(), reason) == held_back_by_.end()) {
      held_back_by_.push_back(reason);
    }
  }
}

void PowerRecorder::record(const std::function<double(const std::function<void()>&)>& run) {
  if (!failure_.empty()) return;
  double amount = 0;
  const auto work = [&] { amount += run([this] { look(); }); };
  try {
    const Interval interval = counted(meter_, work, [&] { amount = 0; });
    power_ =
        RoofPower{interval.joules / interval.seconds, interval.joules / amount, std::nullopt, {}};
  } catch (const MeterFailure& failure) {
    failure_ = failure.what();
  }
}

std::optional<RoofPower> PowerRecorder::take() {
  std::optional<RoofPower> result = std::exchange(power_, std::nullopt);
  if (result) {
    if (!clocks_.empty()) result->clock_hz = summarize(clocks_).median;
    for (const std::string& reason : held_back_by_) {
      result->held_back_by += (result->held_back_by.empty() ? "" : ", ") + reason;
    }
  }
  clocks_.clear();
  held_back_by_.clear();
  return result;
}

double idle_watts(PowerMeter& meter) {
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  const Interval interval = counted(meter, wait, [] {});
  return interval.joules / interval.seconds;
}

}  // namespace roofline::measure
