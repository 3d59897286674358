// SPDX-License-Identifier: MIT
// The clock of the simulation: arrivals, ends of steps, transfers.
#include "roofline/serve/simulate.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <string>

#include "instance.hpp"

namespace roofline::serve {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostSamples = 2000;

void check(const Pool& pool) {
  const Scheduler& scheduler = pool.scheduler;
  if (pool.instances < 1) throw std::invalid_argument("a pool needs at least one instance");
  if (scheduler.most_sequences < 1 || scheduler.most_tokens < 1 || scheduler.block_tokens < 1) {
    throw std::invalid_argument(
        "sequences, tokens of a step and tokens of a block must be above 0");
  }
  if (scheduler.blocks && *scheduler.blocks < 1) {
    throw std::invalid_argument("the weights leave no room for the cache");
  }
  const std::int64_t decoding = scheduler.most_sequences * (1 + scheduler.draft_tokens);
  if (scheduler.chunked && scheduler.most_tokens < decoding) {
    throw std::invalid_argument(
        "a step of " + std::to_string(scheduler.most_tokens) + " tokens cannot hold the " +
        std::to_string(decoding) +
        " of all sequences that decode; allow more tokens or fewer sequences");
  }
  if (scheduler.draft_tokens < 0 || !(scheduler.acceptance >= 0 && scheduler.acceptance <= 1)) {
    throw std::invalid_argument("drafted tokens must not be negative, acceptance is from 0 to 1");
  }
}

/// A time at which something happens to an instance or a transfer; ties in order of creation.
struct Moment {
  double seconds = 0;
  std::uint64_t order = 0;
  std::size_t index = 0;

  bool operator>(const Moment& other) const {
    return seconds != other.seconds ? seconds > other.seconds : order > other.order;
  }
};

using Moments = std::priority_queue<Moment, std::vector<Moment>, std::greater<>>;

class Simulation {
 public:
  Simulation(const std::vector<Request>& requests, const System& system, std::uint64_t seed)
      : requests_(requests), system_(system) {
    check(system.pool);
    if (system.decode) check(*system.decode);
    if (requests.empty()) throw std::invalid_argument("no requests to serve");
    add_instances(system_.pool, system_.decode ? Role::kPrefill : Role::kBoth, seed);
    first_decode_ = instances_.size();
    if (system_.decode) add_instances(*system_.decode, Role::kDecode, seed);
    idle_.assign(instances_.size(), true);
    run_.outcomes.resize(requests.size());
    sample_every_ = system.sample_seconds > 0 ? system.sample_seconds
                                              : std::max(1e-3, requests.back().arrival / 1000);
  }

  Run run() {
    for (;;) {
      const double next = std::min({next_arrival(), ends_.empty() ? kNever : ends_.top().seconds,
                                    transfers_.empty() ? kNever : transfers_.top().seconds});
      if (next == kNever) break;
      advance_to(next);
      // Ends come first: a user who waits for an answer sends the next request before the next step
      // starts.
      while (!ends_.empty() && ends_.top().seconds <= now_) end_step();
      while (!transfers_.empty() && transfers_.top().seconds <= now_) receive();
      while (next_arrival() <= now_) arrive();
      start_idle();
    }
    run_.seconds = now_;
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      add_work(i < first_decode_ ? run_.pool : run_.decode, instances_[i].work());
      run_.prefix_tokens += instances_[i].prefix_tokens();
    }
    return std::move(run_);
  }

 private:
  void add_instances(const Pool& pool, Role role, std::uint64_t seed) {
    for (int i = 0; i < pool.instances; ++i) {
      instances_.emplace_back(pool, role, seed + 7919 * instances_.size());
    }
  }

  static void add_work(PoolWork& sum, const PoolWork& work) {
    sum.busy_seconds += work.busy_seconds;
    sum.steps += work.steps;
    sum.decode_sequences += work.decode_sequences;
    sum.prefill_tokens += work.prefill_tokens;
  }

  double next_arrival() const {
    if (arrived_ == requests_.size()) return kNever;
    if (system_.most_in_flight > 0 && in_system_ >= system_.most_in_flight) return kNever;
    return std::max(now_, requests_[arrived_].arrival);
  }

  void advance_to(double seconds) {
    while (next_sample_ <= seconds) {
      sample(next_sample_);
      next_sample_ += sample_every_;
    }
    run_.sequence_seconds += static_cast<double>(in_system_) * (seconds - now_);
    now_ = seconds;
  }

  void sample(double seconds) {
    Sample sample{.seconds = seconds};
    for (const Instance& instance : instances_) {
      sample.cache_used += instance.cache_used() / static_cast<double>(instances_.size());
      sample.running += instance.running();
      sample.waiting += instance.waiting();
    }
    run_.samples.push_back(sample);
    if (run_.samples.size() < kMostSamples) return;
    for (std::size_t i = 0; i < kMostSamples / 2; ++i) run_.samples[i] = run_.samples[2 * i];
    run_.samples.resize(kMostSamples / 2);
    sample_every_ *= 2;
  }

  std::size_t least_loaded(std::size_t first, std::size_t end) const {
    std::size_t best = first;
    for (std::size_t i = first; i < end; ++i) {
      if (instances_[i].under_way() < instances_[best].under_way()) best = i;
    }
    return best;
  }

  void arrive() {
    const Request& request = requests_[arrived_];
    Sequence sequence{.request = static_cast<std::uint32_t>(arrived_),
                      .prompt = request.prompt,
                      .output = request.output,
                      .group = request.prefix_group,
                      .prefix = request.prefix};
    run_.outcomes[arrived_].arrival = now_;
    ++arrived_;
    ++in_system_;
    instances_[least_loaded(0, first_decode_)].add(sequence);
  }

  void receive() {
    const std::size_t at = transfers_.top().index;
    transfers_.pop();
    instances_[least_loaded(first_decode_, instances_.size())].add(moving_[at]);
  }

  void end_step() {
    const std::size_t at = ends_.top().index;
    ends_.pop();
    instances_[at].end_step();
    idle_[at] = true;
    take_events(at);
  }

  void start_idle() {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!idle_[i]) continue;
      const double seconds = instances_[i].begin_step();
      take_events(i);
      if (seconds < 0) continue;
      idle_[i] = false;
      ends_.push({now_ + seconds, order_++, i});
    }
  }

  void take_events(std::size_t at) {
    for (const Event& event : instances_[at].events()) {
      Outcome& outcome = run_.outcomes[event.sequence.request];
      switch (event.kind) {
        case Event::Kind::kFirstToken:
          outcome.first_token = now_;
          break;
        case Event::Kind::kFinished:
          outcome.finish = now_;
          --in_system_;
          break;
        case Event::Kind::kPrefilled:
          hand_over(event.sequence);
          break;
        case Event::Kind::kPreempted:
          ++outcome.preemptions;
          ++run_.preemptions;
          break;
        case Event::Kind::kRefused:
          outcome.refused = true;
          --in_system_;
          break;
      }
    }
    instances_[at].events().clear();
  }

  void hand_over(Sequence sequence) {
    const Transfer& transfer = system_.transfer;
    double seconds = transfer.latency_seconds;
    if (transfer.bytes_per_second > 0) {
      seconds += transfer.bytes_per_token * static_cast<double>(sequence.prompt) /
                 transfer.bytes_per_second;
    }
    sequence.group = -1;
    sequence.prefix = 0;
    moving_.push_back(sequence);
    transfers_.push({now_ + seconds, order_++, moving_.size() - 1});
  }

  const std::vector<Request>& requests_;
  const System& system_;
  std::vector<Instance> instances_;
  std::size_t first_decode_ = 0;
  std::vector<bool> idle_;
  Moments ends_;
  Moments transfers_;
  std::vector<Sequence> moving_;
  Run run_;
  double now_ = 0;
  double next_sample_ = 0;
  double sample_every_ = 1;
  std::size_t arrived_ = 0;
  std::int64_t in_system_ = 0;
  std::uint64_t order_ = 0;
};

}  // namespace

Run simulate(const std::vector<Request>& requests, const System& system, std::uint64_t seed) {
  return Simulation(requests, system, seed).run();
}

}  // namespace roofline::serve
