// SPDX-License-Identifier: MIT
// A discrete-event simulation of serving: requests wait, are batched step by step, and finish.
//
// Sources: Yu et al., "Orca", OSDI 2022 (continuous batching); Kwon et al., "Efficient memory
// management for large language model serving with PagedAttention", SOSP 2023 (paged cache,
// preemption by recomputation); Agrawal et al., "Sarathi-Serve", OSDI 2024 (chunked prefill); Zhong
// et al., "DistServe", OSDI 2024 (prefill and decode apart).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "roofline/serve/costs.hpp"
#include "roofline/serve/workload.hpp"

namespace roofline::serve {

/// How an instance of the engine chooses the work of a step.
struct Scheduler {
  std::int64_t most_sequences = 256;  ///< in progress at once
  /// New tokens in a step, decode first. With `chunked` a prompt is cut to the remaining budget;
  /// without, waiting prompts are processed whole, in separate steps before any decode.
  std::int64_t most_tokens = 2048;
  bool chunked = true;
  std::int64_t block_tokens = 16;           ///< of the paged cache
  std::optional<std::int64_t> blocks = {};  ///< of the cache; empty: unlimited
  bool prefix_cache = false;  ///< prefixes shared by a group are kept and not computed again
  int draft_tokens = 0;       ///< verified with each token; 0: no speculation
  double acceptance = 0;      ///< of each drafted token
};

/// Identical instances of the engine. Requests go to the one with the fewest in progress.
struct Pool {
  StepCosts costs = StepCosts::constant(0);
  std::optional<StepCosts> draft = {};  ///< of the drafting model, on the same GPUs
  Scheduler scheduler;
  int instances = 1;
};

/// A cache that is moved from prefill to decode: latency + bytes / bandwidth.
struct Transfer {
  double latency_seconds = 0;
  double bytes_per_second = 0;
  double bytes_per_token = 0;
};

struct System {
  Pool pool;  ///< does everything, or with `decode` only the prefill
  std::optional<Pool> decode = {};
  Transfer transfer = {};
  /// Requests in the system at once; further ones arrive when another is done, as from that many
  /// users who each wait for an answer. 0: requests arrive at their own times.
  std::int64_t most_in_flight = 0;
  double sample_seconds = 0;  ///< between samples of memory over time; 0: a thousandth of the run
};

/// The course of one request, in seconds from the start; negative: never.
struct Outcome {
  double arrival = -1;
  double first_token = -1;
  double finish = -1;
  std::int32_t preemptions = 0;
  bool refused = false;  ///< can never fit in the cache
};

/// State of all instances at one time.
struct Sample {
  double seconds = 0;
  double cache_used = 0;  ///< part of the blocks, 0 to 1; 0 if the cache is unlimited
  std::int64_t running = 0;
  std::int64_t waiting = 0;
};

/// Sums over the instances of a pool.
struct PoolWork {
  double busy_seconds = 0;
  std::int64_t steps = 0;
  double decode_sequences = 0;  ///< summed over steps
  std::int64_t prefill_tokens = 0;
};

struct Run {
  std::vector<Outcome> outcomes;  ///< one per request, in their order
  double seconds = 0;             ///< until the last request is done
  double sequence_seconds = 0;    ///< integral of the number of requests in the system over time
  std::int64_t preemptions = 0;
  std::int64_t prefix_tokens = 0;  ///< prompt tokens that the prefix cache saved
  PoolWork pool;
  PoolWork decode;
  std::vector<Sample> samples;
};

/// Serves requests, ordered by arrival, until all are done. The same input gives the same run.
/// Throws std::invalid_argument for a scheduler that could do no work, or if there are no requests.
Run simulate(const std::vector<Request>& requests, const System& system, std::uint64_t seed = 1);

}  // namespace roofline::serve
