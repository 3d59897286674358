// SPDX-License-Identifier: MIT
// The summary of a simulated run: percentiles of latencies, rates, goodput, cost and energy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "roofline/serve/simulate.hpp"

namespace roofline::serve {

/// Order statistics, linear between neighbours; all 0 for no values.
struct Percentiles {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double most = 0;
};

Percentiles percentiles_of(std::vector<double> values);

/// A service level: the limits that a request must meet to count as good. Empty: no limit.
struct Limits {
  std::optional<double> time_to_first_token;
  std::optional<double> time_per_output_token;
  std::optional<double> end_to_end;
};

/// Costs of one GPU, from any source; empty: not known.
struct Prices {
  std::optional<double> dollars_per_hour;
  std::optional<double> watts;       ///< while a step runs
  std::optional<double> idle_watts;  ///< between steps; 0 if not known
};

struct Summary {
  std::int64_t requests = 0;
  std::int64_t finished = 0;
  std::int64_t refused = 0;
  double seconds = 0;
  double gpus = 1;
  Percentiles time_to_first_token;
  Percentiles time_per_output_token;  ///< after the first, for requests with two tokens or more
  Percentiles end_to_end;
  double requests_per_second = 0;
  double output_tokens_per_second = 0;
  double tokens_per_second_per_gpu = 0;
  double tokens_per_second_per_user = 0;  ///< 1 over the median time per output token
  double good_part = 0;                   ///< of all requests, including refused ones
  double good_requests_per_second = 0;
  double mean_in_system = 0;
  double busy_part = 0;   ///< of the time, over all instances
  double mean_batch = 0;  ///< sequences per decode step
  double most_cache_used = 0;
  std::int64_t preemptions = 0;
  double prefix_part = 0;  ///< of the prompt tokens, saved by the prefix cache
  std::optional<double> dollars_per_million_tokens;  ///< of output
  std::optional<double> joules_per_token;            ///< of output
};

/// `gpus` are all instances together, of which `pool_gpus` are in the first pool.
Summary summarize_run(const std::vector<Request>& requests, const Run& run, const System& system,
                      const Limits& limits, const Prices& prices, double gpus);

/// Schema "roofline.serving" version 1, in base units. Includes the samples of memory over time.
std::string summary_json(const Summary& summary, const Run& run);

/// One line per request: arrival, prompt, output, first token, finish, preemptions.
std::string requests_csv(const std::vector<Request>& requests, const Run& run);

}  // namespace roofline::serve
