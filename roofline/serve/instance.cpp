// SPDX-License-Identifier: MIT
// Steps of one instance.
#include "instance.hpp"

#include <algorithm>

namespace roofline::serve {

/// Takes the blocks that `tokens` tokens need beyond the current ones.
bool Instance::grow(Sequence& sequence, std::int64_t tokens) {
  const std::int64_t held = sequence.blocks + sequence.shared;
  if (tokens <= held * scheduler().block_tokens) return true;
  const std::int64_t more = blocks_for(tokens) - held;
  if (!cache_.take(more)) return false;
  sequence.blocks += more;
  return true;
}

void Instance::leave(Sequence& sequence) {
  cache_.give_back(sequence.blocks);
  if (sequence.uses_group) cache_.release(sequence.group);
  sequence.blocks = sequence.shared = 0;
  sequence.uses_group = false;
}

/// Preempts the newest sequence: it gives up its cache, and what it has generated becomes part of
/// its prompt, which is computed again.
void Instance::preempt_last() {
  Sequence last = running_.back();
  running_.pop_back();
  leave(last);
  last.prompt += last.since_prompt;
  last.computed = last.since_prompt = 0;
  waiting_.push_front(last);
  events_.push_back({Event::Kind::kPreempted, last});
}

void Instance::make_room_to_decode() {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (!running_[i].decoding()) continue;
    while (i < running_.size() &&
           !grow(running_[i], running_[i].context() + scheduler().draft_tokens)) {
      preempt_last();
    }
  }
}

/// Moves the first waiting sequence to the running ones, with blocks for its prompt, or refuses it
/// for good. Returns false if it has to wait.
bool Instance::admit_next() {
  Sequence sequence = waiting_.front();
  const std::int64_t longest =
      sequence.prompt + (sequence.output - sequence.generated) + scheduler().draft_tokens;
  if (cache_.total() && blocks_for(longest + sequence.since_prompt) > *cache_.total()) {
    waiting_.pop_front();
    events_.push_back({Event::Kind::kRefused, sequence});
    return true;
  }
  const std::int64_t shared = sequence.prefix / scheduler().block_tokens;
  if (scheduler().prefix_cache && shared > 0 && !sequence.decoding() &&
      cache_.use(sequence.group)) {
    sequence.uses_group = true;
    sequence.shared = shared;
    // The last token of the prompt is always computed: it produces the first output token.
    sequence.computed = std::min(shared * scheduler().block_tokens, sequence.prompt - 1);
  }
  if (!grow(sequence, std::max(sequence.prompt, sequence.context()))) {
    if (sequence.uses_group) cache_.release(sequence.group);
    return false;
  }
  if (sequence.uses_group) prefix_tokens_ += sequence.computed;
  waiting_.pop_front();
  running_.push_back(sequence);
  chunks_.push_back(0);
  return true;
}

void Instance::take_chunk(Sequence& sequence, std::int64_t& budget) {
  const std::int64_t left = sequence.prompt - sequence.computed;
  // Without chunks a prompt longer than the budget is still processed whole, in a step of its own.
  const std::int64_t tokens = scheduler().chunked ? std::min(left, budget) : left;
  chunks_[static_cast<std::size_t>(&sequence - running_.data())] = tokens;
  attention_ += pool_->costs.chunk_attention({sequence.computed, tokens});
  new_tokens_ += tokens;
  work_.prefill_tokens += tokens;
  if (tokens == left) ++outputs_;
  budget -= tokens;
}

void Instance::plan_prefill(std::int64_t budget) {
  for (Sequence& sequence : running_) {
    if (budget <= 0) return;
    if (!sequence.decoding()) take_chunk(sequence, budget);
  }
  while (budget > 0 && !waiting_.empty() &&
         static_cast<std::int64_t>(running_.size()) < scheduler().most_sequences) {
    const Sequence& next = waiting_.front();
    const bool whole = scheduler().chunked || new_tokens_ == 0 || next.prompt <= budget;
    if (!whole || !admit_next()) return;
    if (!running_.empty() && !running_.back().decoding() && chunks_.back() == 0) {
      take_chunk(running_.back(), budget);
    }
  }
}

double Instance::begin_step() {
  chunks_.assign(running_.size(), 0);
  new_tokens_ = outputs_ = decoding_ = 0;
  attention_ = 0;
  // Sequences whose prompt was computed elsewhere only need room.
  while (!waiting_.empty() && waiting_.front().decoding() &&
         static_cast<std::int64_t>(running_.size()) < scheduler().most_sequences && admit_next()) {
  }
  std::int64_t budget = scheduler().most_tokens;
  if (!scheduler().chunked) plan_prefill(budget);
  decodes_ = scheduler().chunked || new_tokens_ == 0;
  if (decodes_) {
    make_room_to_decode();
    chunks_.resize(running_.size());
    std::int64_t contexts = 0;
    for (const Sequence& sequence : running_) {
      if (!sequence.decoding()) continue;
      ++decoding_;
      contexts += sequence.context();
      if (!pool_->costs.linear()) {
        attention_ += pool_->costs.attention(static_cast<double>(sequence.context()));
      }
    }
    if (pool_->costs.linear()) {
      attention_ += static_cast<double>(decoding_) * pool_->costs.base() +
                    static_cast<double>(contexts) * pool_->costs.slope();
    }
    const std::int64_t checked = decoding_ * (1 + scheduler().draft_tokens);
    outputs_ += checked;
    if (scheduler().chunked) plan_prefill(budget - checked);
    new_tokens_ += checked;
  }
  if (new_tokens_ == 0) return -1;
  const double seconds = step_seconds();
  ++work_.steps;
  work_.busy_seconds += seconds;
  work_.decode_sequences += static_cast<double>(decoding_);
  return seconds;
}

double Instance::step_seconds() const {
  const double seconds =
      pool_->costs.dense(static_cast<double>(new_tokens_), static_cast<double>(outputs_)) +
      attention_;
  if (!pool_->draft) return seconds;
  // The draft model computes the prompts too, and then one token after another.
  const StepCosts& draft = *pool_->draft;
  double contexts = 0;
  double drafting = 0;
  for (const Sequence& sequence : running_) {
    if (sequence.decoding()) contexts += draft.attention(static_cast<double>(sequence.context()));
  }
  if (decoding_ > 0) {
    drafting =
        scheduler().draft_tokens *
        (draft.dense(static_cast<double>(decoding_), static_cast<double>(decoding_)) + contexts);
  }
  const std::int64_t prompts = new_tokens_ - decoding_ * (1 + scheduler().draft_tokens);
  return seconds + drafting + (prompts > 0 ? draft.dense(static_cast<double>(prompts), 1) : 0);
}

/// Tokens that a round yields: one, plus the drafted ones accepted in a row.
std::int64_t Instance::tokens_of_round(const Sequence& sequence) {
  std::int64_t tokens = 1;
  while (tokens <= scheduler().draft_tokens && random_.uniform() < scheduler().acceptance) ++tokens;
  return std::min(tokens, sequence.output - sequence.generated);
}

/// The prompt has been computed: it yields a token, and its prefix may stay for others.
void Instance::finish_prompt(Sequence& sequence) {
  const std::int64_t shared = sequence.prefix / scheduler().block_tokens;
  if (scheduler().prefix_cache && shared > 0 && !sequence.uses_group && sequence.blocks >= shared &&
      cache_.keep(sequence.group, shared)) {
    sequence.uses_group = true;
    sequence.shared = shared;
    sequence.blocks -= shared;
  }
  ++sequence.generated;
  ++sequence.since_prompt;
  if (sequence.generated == 1) events_.push_back({Event::Kind::kFirstToken, sequence});
}

void Instance::end_step() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Sequence& sequence = running_[i];
    if (chunks_[i] > 0) {
      sequence.computed += chunks_[i];
      if (sequence.decoding()) finish_prompt(sequence);
    } else if (decodes_ && sequence.decoding()) {
      const std::int64_t tokens = tokens_of_round(sequence);
      sequence.generated += tokens;
      sequence.since_prompt += tokens;
    }
    const bool finished = sequence.generated >= sequence.output;
    const bool handed_over = role_ == Role::kPrefill && sequence.decoding();
    if (finished || handed_over) {
      leave(sequence);
      events_.push_back({finished ? Event::Kind::kFinished : Event::Kind::kPrefilled, sequence});
      continue;
    }
    if (kept != i) running_[kept] = sequence;
    ++kept;
  }
  running_.resize(kept);
}

}  // namespace roofline::serve
