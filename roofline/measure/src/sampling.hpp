// SPDX-License-Identifier: MIT
// Timing a launch many times: warm-up, samples long enough for the clock, a stop request.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace roofline::measure {

/// Thrown if the user asked to stop; what was finished before is kept.
struct Interrupted {};

/// Queues one launch of the measured work.
using Launch = std::function<void()>;

class ClockProbe;
class PowerRecorder;

/// How often and how long to sample: the stopping rules.
struct Sampling {
  int samples = 20;
  int min_samples = 20;              ///< taken even after the timeout
  double timeout_seconds = 10;       ///< after this, no sample beyond min_samples is taken
  double min_sample_seconds = 1e-3;  ///< several launches share a sample until it is this long
  int tuning_rounds = 3;             ///< of fastest()
  double tuning_seconds = 10;        ///< after this, fastest() tries no further candidate
  double rest = 0;                   ///< idle time after each sample, as a multiple of its length
  const std::atomic<bool>* stop = nullptr;
  ClockProbe* clock = nullptr;        ///< of the samples
  PowerRecorder* recorder = nullptr;  ///< of what sample_rate() samples, where there is a meter
};

/// Seconds per launch, for each sample. The first launches warm up and determine the repetitions.
/// Throws Interrupted if a stop was requested.
std::vector<double> sample_seconds(const Launch& launch, const Sampling& sampling);

/// amount / seconds for each sample, summarised. If there is a recorder, the same launches then run
/// back to back for as long as an energy counter needs.
Spread sample_rate(double amount, const Launch& launch, const Sampling& sampling);

/// Rate of launches that follow each other without a pause for `seconds`, after as long again in
/// which the clock settles at what the power cap allows. If there is a recorder, the launches then
/// go on for as long as an energy counter needs.
double rate_without_pause(double amount, const Launch& launch, double seconds,
                          const Sampling& sampling);

/// One way to run the same work.
struct Candidate {
  std::string description;
  double amount = 0;  ///< bytes or operations of one launch
  Launch launch;
};

/// Indices of the candidates, highest median rate first, over tuning_rounds samples each. Samples
/// are taken in rounds, so that a slow phase of the machine affects all candidates alike. Those
/// that were not tried for lack of time are left out.
std::vector<std::size_t> fastest_first(const std::vector<Candidate>& candidates,
                                       const Sampling& sampling);

/// The first of fastest_first().
std::size_t fastest(const std::vector<Candidate>& candidates, const Sampling& sampling);

}  // namespace roofline::measure
