// SPDX-License-Identifier: MIT
// Timing a launch many times.
#include "sampling.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "clock.hpp"
#include "gpu/event.hpp"
#include "power/power_recorder.hpp"

namespace roofline::measure {
namespace {

constexpr int kMostRepetitions = 1 << 20;

double timed(const Launch& launch, int repetitions) {
  gpu::Timer timer;
  for (int i = 0; i < repetitions; ++i) launch();
  return timer.seconds() / repetitions;
}

void rest_after(double seconds, const Sampling& sampling) {
  if (sampling.rest > 0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds * sampling.rest));
  }
}

void check_stop(const Sampling& sampling) {
  if (sampling.stop && sampling.stop->load()) throw Interrupted{};
}

int repetitions_for(const Launch& launch, const Sampling& sampling) {
  int repetitions = 1;
  while (repetitions < kMostRepetitions) {
    check_stop(sampling);
    const double seconds = timed(launch, repetitions) * repetitions;
    if (seconds >= sampling.min_sample_seconds) return repetitions;
    const double wanted = 1.2 * sampling.min_sample_seconds / std::max(seconds, 1e-9);
    repetitions = static_cast<int>(std::ceil(repetitions * std::clamp(wanted, 1.5, 64.0)));
  }
  return repetitions;
}

std::vector<double> sample_seconds(const Launch& launch, int repetitions,
                                   const Sampling& sampling) {
  std::vector<double> seconds;
  double spent = 0;
  for (int i = 0; i < sampling.samples; ++i) {
    if (i >= sampling.min_samples && spent > sampling.timeout_seconds) break;
    check_stop(sampling);
    if (sampling.clock) sampling.clock->begin();
    seconds.push_back(timed(launch, repetitions));
    const double whole = seconds.back() * repetitions;
    if (sampling.clock) sampling.clock->end(whole);
    spent += whole;
    rest_after(whole, sampling);
  }
  return seconds;
}

/// Batches of launches without a pause: while one runs, others are queued.
class BackToBack {
 public:
  BackToBack(const Launch& launch, int repetitions, double amount)
      : launch_(launch), repetitions_(repetitions), amount_(amount * repetitions) {
    start_.record();
    for (gpu::Event& end : ends_) queue(end);
  }

  /// Waits for the oldest batch and queues another one after the newest.
  Progressed advance() {
    gpu::Event& oldest = ends_[oldest_];
    oldest.synchronize();
    done_ = {done_.amount + amount_, oldest.seconds_since(start_)};
    queue(oldest);
    oldest_ = (oldest_ + 1) % ends_.size();
    return done_;
  }

  void finish() { ends_[(oldest_ + ends_.size() - 1) % ends_.size()].synchronize(); }

 private:
  void queue(gpu::Event& end) {
    for (int i = 0; i < repetitions_; ++i) launch_();
    end.record();
  }

  const Launch& launch_;
  int repetitions_;
  double amount_;  ///< of a batch
  gpu::Event start_;
  std::array<gpu::Event, 4> ends_;
  std::size_t oldest_ = 0;
  Progressed done_;
};

/// A batch is this many samples long, so that the three in the queue keep the device busy during
/// whatever the driver does.
constexpr int kSamplesOfBatch = 4;

void record_power(BackToBack& work, const Sampling& sampling) {
  sampling.recorder->record([&] {
    check_stop(sampling);
    return work.advance();
  });
}

}  // namespace

std::vector<double> sample_seconds(const Launch& launch, const Sampling& sampling) {
  timed(launch, 1);
  return sample_seconds(launch, repetitions_for(launch, sampling), sampling);
}

Spread sample_rate(double amount, const Launch& launch, const Sampling& sampling) {
  timed(launch, 1);
  const int repetitions = repetitions_for(launch, sampling);
  std::vector<double> rates = sample_seconds(launch, repetitions, sampling);
  // After the samples, each of which ends with a wait: metered work must not pause.
  if (sampling.recorder) {
    BackToBack work(launch, kSamplesOfBatch * repetitions, amount);
    record_power(work, sampling);
    work.finish();
  }
  for (double& rate : rates) rate = amount / rate;
  return summarize(std::move(rates));
}

double rate_without_pause(double amount, const Launch& launch, double seconds,
                          const Sampling& sampling) {
  timed(launch, 1);
  BackToBack work(launch, kSamplesOfBatch * repetitions_for(launch, sampling), amount);
  const auto advance_to = [&](double when) {
    Progressed now;
    while (now.seconds < when) {
      check_stop(sampling);
      now = work.advance();
    }
    return now;
  };
  const Progressed begin = advance_to(seconds);
  const Progressed end = advance_to(begin.seconds + seconds);
  if (sampling.recorder) record_power(work, sampling);
  work.finish();
  return (end.amount - begin.amount) / (end.seconds - begin.seconds);
}

std::vector<std::size_t> fastest_first(const std::vector<Candidate>& candidates,
                                       const Sampling& sampling) {
  if (candidates.empty()) throw std::invalid_argument("nothing to choose from");
  const auto start = std::chrono::steady_clock::now();
  const auto out_of_time = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
           sampling.tuning_seconds;
  };
  std::vector<int> repetitions;
  for (const Candidate& candidate : candidates) {
    timed(candidate.launch, 1);
    repetitions.push_back(repetitions_for(candidate.launch, sampling));
    rest_after(sampling.min_sample_seconds, sampling);
    if (out_of_time()) break;
  }
  std::vector<std::vector<double>> rates(repetitions.size());
  for (int round = 0; round < sampling.tuning_rounds; ++round) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      check_stop(sampling);
      const double seconds = timed(candidates[i].launch, repetitions[i]);
      rates[i].push_back(candidates[i].amount / seconds);
      rest_after(seconds * repetitions[i], sampling);
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& each : rates) medians.push_back(summarize(each).median);
  std::vector<std::size_t> order(medians.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return medians[a] > medians[b]; });
  return order;
}

std::size_t fastest(const std::vector<Candidate>& candidates, const Sampling& sampling) {
  return fastest_first(candidates, sampling).front();
}

}  // namespace roofline::measure
