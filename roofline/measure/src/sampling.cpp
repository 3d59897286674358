// SPDX-License-Identifier: MIT
// Timing a launch many times.
#include "sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "gpu/event.hpp"
#include "power/power_recorder.hpp"

namespace roofline::measure {
namespace {

constexpr int kMostRepetitions = 1 << 20;

// `meanwhile` is called while the work is queued or running.
double timed(const Launch& launch, int repetitions, const std::function<void()>& meanwhile = {}) {
  gpu::Timer timer;
  for (int i = 0; i < repetitions; ++i) launch();
  if (meanwhile) meanwhile();
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
    seconds.push_back(timed(launch, repetitions));
    spent += seconds.back() * repetitions;
    rest_after(seconds.back() * repetitions, sampling);
  }
  return seconds;
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
  // Not during the samples: a query of the driver costs a sample up to half its rate.
  if (sampling.recorder) {
    sampling.recorder->record([&](const std::function<void()>& look) {
      check_stop(sampling);
      timed(launch, repetitions, look);
      return amount * repetitions;
    });
  }
  for (double& rate : rates) rate = amount / rate;
  return summarize(std::move(rates));
}

std::size_t fastest(const std::vector<Candidate>& candidates, const Sampling& sampling) {
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
  std::size_t best = 0;
  for (std::size_t i = 1; i < rates.size(); ++i) {
    if (summarize(rates[i]).median > summarize(rates[best]).median) best = i;
  }
  return best;
}

}  // namespace roofline::measure
