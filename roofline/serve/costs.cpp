// SPDX-License-Identifier: MIT
// Tables of step times.
#include "roofline/serve/costs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "roofline/llm/parameters.hpp"

namespace roofline::serve {
namespace {

using namespace llm;

constexpr double kGrowth = 1.03;
constexpr double kStraightFrom = 64;  // tokens; below, activations set the time, not the cache
constexpr double kShort = 2;  // context of a decode step; one token alone would be a prefill

/// Seconds of a pass, by what they depend on.
struct Parts {
  double dense = 0;
  double attention = 0;
  double head = 0;
};

bool of_head(const Operator& op) {
  return op.name == "last norm" || op.name == "output head";
}

Parts parts_of(const Model& model, const Formats& formats, const Pass& pass, const System& system) {
  const PassTime time = predict_pass(model, formats, pass, system);
  Parts parts;
  for (const OperatorTime& timed : time.operators) {
    (timed.op.attention  ? parts.attention
     : of_head(timed.op) ? parts.head
                         : parts.dense) += timed.seconds;
  }
  parts.dense += time.overhead_seconds;
  return parts;
}

void check(const Model& model, const Spread& spread) {
  if (spread.pipeline < 1 || spread.experts < 1) {
    throw std::invalid_argument("stages and ranks of experts must be at least 1");
  }
  if (model.layer_count() % spread.pipeline != 0) {
    throw std::invalid_argument("the number of layers (" + std::to_string(model.layer_count()) +
                                ") cannot be divided over " + std::to_string(spread.pipeline) +
                                " stages");
  }
  bool routed = false;
  for (const LayerGroup& group : model.layers) {
    const auto* experts = std::get_if<ExpertFeedForward>(&group.feed_forward);
    if (!experts) continue;
    routed = true;
    if (experts->experts % spread.experts != 0) {
      throw std::invalid_argument("the number of experts (" + std::to_string(experts->experts) +
                                  ") cannot be divided over " + std::to_string(spread.experts) +
                                  " ranks");
    }
  }
  if (spread.experts > 1 && !routed) {
    throw std::invalid_argument(model.name + " has no experts to spread over ranks");
  }
}

/// Seconds by which spreading the experts changes a pass of `tokens` tokens per rank: fewer weights
/// are streamed, but tokens are sent to their experts and back.
double expert_change(const Model& model, const Formats& formats, double tokens,
                     const System& system, int ranks) {
  if (ranks == 1) return 0;
  const Model part = shard(model, system.ranks);
  const double streamed = streaming_bandwidth(system.machine) * system.efficiencies.weights;
  double seconds = 0;
  for (const LayerGroup& group : part.layers) {
    const auto* experts = std::get_if<ExpertFeedForward>(&group.feed_forward);
    if (!experts) continue;
    const double count = static_cast<double>(group.count);
    const double all = static_cast<double>(experts->experts);
    const double chosen = static_cast<double>(experts->experts_per_token);
    const double bytes = 3.0 * static_cast<double>(part.hidden * experts->width) *
                         formats.experts.bytes_per_element();
    const double alone = distinct_experts(all, chosen, tokens);
    const double spread = distinct_experts(all, chosen, tokens * ranks) / ranks;
    seconds += count * (spread - alone) * bytes / streamed;
    // Each token is sent to its experts and back; experts on the same rank cost nothing.
    const double sent = tokens * std::min(chosen, static_cast<double>(ranks)) * (ranks - 1) /
                        ranks * static_cast<double>(part.hidden) *
                        bytes_per_element(formats.activations);
    if (system.all_reduce) {
      seconds += count * 2 *
                 (system.all_reduce->latency_seconds + sent / system.all_reduce->bytes_per_second);
    }
  }
  return seconds;
}

double routed_bytes(const Model& model, const Formats& formats) {
  return static_cast<double>(count_parameters(model).experts) * formats.experts.bytes_per_element();
}

}  // namespace

template <class F>
Curve::Curve(double most, F f) {
  for (double x = 1; x < most; x = std::max(x + 1, std::floor(x * kGrowth))) x_.push_back(x);
  x_.push_back(std::max(1.0, most));
  for (const double x : x_) y_.push_back(f(x));
}

double Curve::operator()(double x) const {
  if (x_.empty() || x <= 0) return 0;
  if (x <= x_.front()) return y_.front();
  // Beyond the grid, extrapolate with the last slope.
  auto after = std::lower_bound(x_.begin(), x_.end(), x);
  if (after == x_.end()) --after;
  auto i = static_cast<std::size_t>(after - x_.begin());
  if (i == 0) return y_.front();
  const double part = (x - x_[i - 1]) / (x_[i] - x_[i - 1]);
  return y_[i - 1] + part * (y_[i] - y_[i - 1]);
}

StepCosts::StepCosts(const Model& model, const Formats& formats, const System& system,
                     std::int64_t most_tokens, std::int64_t most_context, const Spread& spread) {
  check(model, spread);
  const double stages = spread.pipeline;
  const double handover =
      spread.pipeline > 1 && system.all_reduce ? stages * system.all_reduce->latency_seconds : 0;
  const auto at = [&](const Pass& pass) { return parts_of(model, formats, pass, system); };
  dense_ = Curve(static_cast<double>(most_tokens), [&](double tokens) {
    const double group = std::max(1.0, tokens / stages);
    return at(decode_pass(group, kShort)).dense + handover +
           expert_change(model, formats, group, system, spread.experts);
  });
  head_ = Curve(static_cast<double>(most_tokens), [&](double outputs) {
    return at(decode_pass(std::max(1.0, outputs / stages), kShort)).head;
  });
  const double longest = static_cast<double>(most_context);
  // One sequence's share among many, so that the minimum time of a kernel is not charged to each.
  constexpr double kMany = 64;
  attention_ = Curve(longest, [&](double context) {
    return at(decode_pass(kMany, std::max(context, kShort))).attention / kMany / stages;
  });
  prompt_ =
      Curve(longest, [&](double prompt) { return at(prefill_pass(1, prompt)).attention / stages; });
  const double first = std::min(kStraightFrom, longest / 2);
  slope_ = (attention_(longest) - attention_(first)) / (longest - first);
  base_ = attention_(first) - slope_ * first;
  for (double context = first; context < longest; context *= 2) {
    const double straight = base_ + slope_ * context;
    linear_ = linear_ && std::abs(attention_(context) - straight) < 0.005 * straight;
  }
  const Model part = shard(model, system.ranks);
  const double routed = routed_bytes(part, formats);
  weight_bytes_ = (llm::weight_bytes(part, formats) - routed + routed / spread.experts) / stages;
  kv_ = Curve(longest,
              [&](double context) { return llm::kv_bytes(part, formats, context) / stages; });
}

StepCosts StepCosts::constant(double seconds) {
  StepCosts costs;
  costs.fixed_ = seconds;
  return costs;
}

double StepCosts::dense(double tokens, double outputs) const {
  return fixed_ + dense_(tokens) + head_(outputs);
}

double StepCosts::chunk_attention(const Chunk& chunk) const {
  const double past = static_cast<double>(chunk.past);
  const double end = past + static_cast<double>(chunk.tokens);
  return std::max(prompt_(end) - prompt_(past), attention_(end));
}

}  // namespace roofline::serve
