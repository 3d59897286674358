// SPDX-License-Identifier: MIT
// From a model and machines to a system to simulate.
#include "roofline/serve/deployment.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline::serve {
namespace {

/// Cache blocks that fit in memory with the weights, as many as every GPU of an instance has room
/// for.
std::int64_t blocks_of(const Deployment& deployment, const Group& group, const StepCosts& costs,
                       const StepCosts* draft, double length) {
  const MemoryLevel& dram = memory_level(group.system.machine, "DRAM");
  if (!dram.capacity_bytes) {
    throw std::invalid_argument("the DRAM capacity of " + group.system.machine.name +
                                " is not known; state the blocks of the cache");
  }
  const double usable =
      *dram.capacity_bytes * require_fraction(deployment.memory_fraction, "fraction of the memory");
  const double free = usable - costs.weight_bytes() - (draft ? draft->weight_bytes() : 0);
  // Layers with windows keep less per token the longer a sequence is; use the mean over a whole
  // one.
  const double per_token =
      (costs.kv_bytes(length) + (draft ? draft->kv_bytes(length) : 0)) / length;
  const double block_tokens = require_positive(
      static_cast<double>(deployment.scheduler.block_tokens), "tokens of a block of the cache");
  const auto blocks = static_cast<std::int64_t>(free / (per_token * block_tokens));
  if (free <= 0 || blocks < 1) {
    throw std::invalid_argument(
        "the weights (" + std::to_string(std::llround(costs.weight_bytes() / 1e9)) +
        " GB a GPU) leave no room for a cache in the memory of " + group.system.machine.name);
  }
  return blocks;
}

Pool pool_of(const Deployment& deployment, const Group& group, std::int64_t longest) {
  Pool pool;
  pool.scheduler = deployment.scheduler;
  pool.instances = group.instances * group.spread.experts;
  // A prompt that is not chunked is processed in one step, however long it is.
  const std::int64_t most_tokens =
      std::max(deployment.scheduler.most_tokens, deployment.scheduler.chunked ? 1 : longest) +
      deployment.scheduler.most_sequences;
  pool.costs = StepCosts(deployment.model, deployment.formats, group.system, most_tokens, longest,
                         group.spread);
  if (deployment.draft) {
    pool.draft =
        StepCosts(*deployment.draft, deployment.draft_formats, group.system, most_tokens, longest);
  }
  if (!pool.scheduler.blocks) {
    pool.scheduler.blocks =
        blocks_of(deployment, group, pool.costs, pool.draft ? &*pool.draft : nullptr,
                  static_cast<double>(longest));
  }
  return pool;
}

}  // namespace

std::int64_t longest_of(const std::vector<Request>& requests) {
  std::int64_t longest = 1;
  for (const Request& request : requests) {
    longest = std::max(longest, request.prompt + request.output);
  }
  return longest;
}

System system_of(const Deployment& deployment, std::int64_t most_context) {
  const std::int64_t longest = most_context + deployment.scheduler.draft_tokens + 1;
  System system;
  system.pool = pool_of(deployment, deployment.group, longest);
  if (deployment.decode) {
    system.decode = pool_of(deployment, *deployment.decode, longest);
    system.transfer = deployment.transfer;
    system.transfer.bytes_per_token = llm::kv_bytes_per_token(deployment.model, deployment.formats);
  }
  system.most_in_flight = deployment.most_in_flight;
  system.sample_seconds = deployment.sample_seconds;
  return system;
}

}  // namespace roofline::serve
