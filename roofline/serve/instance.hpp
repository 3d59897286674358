// SPDX-License-Identifier: MIT
// One instance of a serving engine: its queue, its running sequences and its cache.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "prefix_cache.hpp"
#include "roofline/serve/simulate.hpp"

namespace roofline::serve {

/// The task of an instance.
enum class Role { kBoth, kPrefill, kDecode };

/// A request as an instance sees it.
struct Sequence {
  std::uint32_t request = 0;  ///< index
  std::int64_t prompt = 0;    ///< tokens to compute before the next one; grows by preemption
  std::int64_t computed = 0;  ///< of the prompt
  std::int64_t generated = 0;
  std::int64_t output = 0;
  std::int64_t blocks = 0;  ///< not shared
  std::int64_t shared = 0;  ///< blocks of its shared prefix
  std::int64_t group = -1;  ///< whose prefix it uses or will leave behind
  std::int64_t prefix = 0;  ///< tokens of that prefix
  bool uses_group = false;

  bool decoding() const { return computed >= prompt; }
  std::int64_t context() const { return computed + since_prompt; }
  std::int64_t since_prompt = 0;  ///< tokens generated after the current prompt
};

/// What a step has done to a request.
struct Event {
  enum class Kind { kFirstToken, kFinished, kPrefilled, kPreempted, kRefused };
  Kind kind = Kind::kFinished;
  Sequence sequence;
};

class Instance {
 public:
  Instance(const Pool& pool, Role role, std::uint64_t seed)
      : pool_(&pool), role_(role), random_(seed), cache_(pool.scheduler.blocks) {}

  void add(const Sequence& sequence) { waiting_.push_back(sequence); }
  std::int64_t under_way() const {
    return static_cast<std::int64_t>(waiting_.size() + running_.size());
  }

  /// Chooses the work of a step and returns its seconds, or a negative number if there is nothing
  /// to do. Requests that can never fit are in events() right away.
  double begin_step();

  /// Ends the step; events() then lists what happened.
  void end_step();

  std::vector<Event>& events() { return events_; }
  const PoolWork& work() const { return work_; }
  std::int64_t prefix_tokens() const { return prefix_tokens_; }
  double cache_used() const { return cache_.used_part(); }
  std::int64_t running() const { return static_cast<std::int64_t>(running_.size()); }
  std::int64_t waiting() const { return static_cast<std::int64_t>(waiting_.size()); }

 private:
  const Scheduler& scheduler() const { return pool_->scheduler; }
  std::int64_t blocks_for(std::int64_t tokens) const {
    return (tokens + scheduler().block_tokens - 1) / scheduler().block_tokens;
  }
  bool grow(Sequence& sequence, std::int64_t tokens);
  void make_room_to_decode();
  void preempt_last();
  bool admit_next();
  void take_chunk(Sequence& sequence, std::int64_t& budget);
  void plan_prefill(std::int64_t budget);
  double step_seconds() const;
  std::int64_t tokens_of_round(const Sequence& sequence);
  void leave(Sequence& sequence);
  void finish_prompt(Sequence& sequence);

  const Pool* pool_;
  Role role_;
  Random random_;
  BlockPool cache_;
  std::deque<Sequence> waiting_;
  std::vector<Sequence> running_;
  std::vector<Event> events_;
  // The current step.
  std::vector<std::int64_t> chunks_;  ///< new prompt tokens of each running sequence
  bool decodes_ = false;
  std::int64_t new_tokens_ = 0;
  std::int64_t decoding_ = 0;
  double attention_ = 0;
  std::int64_t outputs_ = 0;
  PoolWork work_;
  std::int64_t prefix_tokens_ = 0;
};

}  // namespace roofline::serve
