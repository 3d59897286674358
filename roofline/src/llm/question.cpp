// SPDX-License-Identifier: MIT
// Answering a whole question.
#include "roofline/llm/question.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/text.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/speculative.hpp"

namespace roofline::llm {
namespace {

double decode_context(const Question& question) {
  if (question.context) return *question.context;
  if (!question.prompt) {
    throw std::invalid_argument("state a prompt or the context of the decode step, in tokens");
  }
  return *question.prompt + question.output / 2;
}

double kept_tokens(const Question& question, double context) {
  return question.prompt ? std::max(context, *question.prompt + question.output) : context;
}

/// Prompts that are processed in one pass.
double prompts_at_once(const Question& question) {
  return question.continuous ? 1 : question.batch;
}

Speculation speculate(const Question& question, double context, const System& system,
                      const PassTime& step) {
  const Draft& draft = *question.draft;
  const auto on_draft = [&](const Pass& pass) {
    return predict_pass(draft.model, draft.formats, pass, system);
  };
  Speculation result;
  const PassTime drafted = on_draft(decode_pass(question.batch, context));
  result.draft_seconds = draft.tokens * drafted.seconds();
  if (question.prompt) {
    const PassTime read = on_draft(prefill_pass(prompts_at_once(question), *question.prompt));
    result.draft_prefill_seconds = read.seconds();
    result.draft_prefill = work_of(read);
  }
  const double checked = draft.tokens + 1;
  const PassTime check =
      predict_pass(question.model, question.formats,
                   verify_pass(question.batch, context + checked - 1, checked), system);
  result.check_seconds = check.seconds();
  result.round = work_of(drafted) * draft.tokens;
  result.round += work_of(check);
  result.expected_tokens = expected_tokens(draft.acceptance, draft.tokens);
  result.time_per_output_token =
      (result.draft_seconds + result.check_seconds) / result.expected_tokens;
  result.speedup = step.seconds() / result.time_per_output_token;
  return result;
}

/// A token's share of a decode step, or of a round of speculation.
PassWork work_of_token(const Question& question, const Times& times) {
  const double ranks = question.system.ranks;
  if (!times.speculation) return work_of(times.decode) * (ranks / question.batch);
  return times.speculation->round * (ranks / question.batch / times.speculation->expected_tokens);
}

/// A request's share of its prefill, and the decode of the tokens after the first.
PassWork work_of_request(const Question& question, const Times& times) {
  PassWork work = work_of(*times.prefill);
  if (times.speculation) work += times.speculation->draft_prefill;
  work = work * (question.system.ranks / prompts_at_once(question));
  work += times.token * (question.output - 1);
  return work;
}

Times times_on(const Question& question, double context, const System& system) {
  Times result;
  result.decode =
      predict_pass(question.model, question.formats, decode_pass(question.batch, context), system);
  result.time_per_output_token = result.decode.seconds();
  if (question.draft) {
    result.speculation = speculate(question, context, system, result.decode);
    result.time_per_output_token = result.speculation->time_per_output_token;
  }
  if (question.prompt) {
    result.prefill =
        predict_pass(question.model, question.formats,
                     prefill_pass(prompts_at_once(question), *question.prompt), system);
    result.time_to_first_token = result.prefill->seconds();
    if (result.speculation) {
      *result.time_to_first_token += result.speculation->draft_prefill_seconds;
    }
  }
  if (question.continuous) {
    result.interference_seconds =
        (question.batch - 1) / question.output * *result.time_to_first_token;
    result.time_per_output_token += result.interference_seconds;
  }
  result.tokens_per_second = question.batch / result.time_per_output_token;
  result.token = work_of_token(question, result);
  if (question.prompt && question.output > 0) {
    result.request = work_of_request(question, result);
    result.request_seconds =
        *result.time_to_first_token + (question.output - 1) * result.time_per_output_token;
  }
  return result;
}

/// Weights and cache of the model and its draft model together.
MemoryUse memory_of(const Question& question, double kept) {
  MemoryUse use = predict_memory(question.model, question.formats, question.batch, kept,
                                 question.system, question.memory_fraction);
  if (!question.draft) return use;
  const MemoryUse draft =
      predict_memory(question.draft->model, question.draft->formats, question.batch, kept,
                     question.system, question.memory_fraction);
  use.weight_bytes += draft.weight_bytes;
  if (question.draft->shares_tables) {
    const Model part = shard(question.draft->model, question.system.ranks);
    use.weight_bytes -= static_cast<double>(count_parameters(part).embedding) *
                        question.draft->formats.head.bytes_per_element();
  }
  use.kv_bytes += draft.kv_bytes;
  use.largest_batch.reset();
  const double free = use.usable_bytes - use.weight_bytes;
  if (free >= 0) {
    use.largest_batch = static_cast<std::int64_t>(free / (use.kv_bytes / question.batch));
  }
  return use;
}

void require_count(double value, const std::string& what) {
  constexpr double kMost = 1 << 30;
  if (!(value >= 0 && value <= kMost) || value != std::floor(value)) {
    throw std::invalid_argument(
        what + base::formatted(" is %g; it must be a whole number up to 2^30", value));
  }
}

void check(const Question& question) {
  require_count(question.batch, "number of sequences");
  if (question.batch < 1) {
    throw std::invalid_argument("number of sequences is 0; it must be above zero");
  }
  require_count(question.output, "output in tokens");
  if (question.prompt) require_count(*question.prompt, "prompt in tokens");
  if (question.context) require_count(*question.context, "context in tokens");
  if (question.prompt && question.context && *question.context < *question.prompt) {
    throw std::invalid_argument(
        "the context of the decode step is shorter than the prompt, which is part of it");
  }
  if (question.continuous && (!question.prompt || question.output <= 0)) {
    throw std::invalid_argument("continuous batching needs the lengths of prompt and output");
  }
}

bool knows_capacity(const Machine& machine) {
  return std::any_of(machine.levels.begin(), machine.levels.end(), [](const MemoryLevel& level) {
    return level.name == "DRAM" && level.capacity_bytes.has_value();
  });
}

}  // namespace

bool fits(const Question& question, const Answer& answer) {
  if (!answer.memory) return true;
  return answer.memory->largest_batch &&
         static_cast<double>(*answer.memory->largest_batch) >= question.batch;
}

std::optional<Joules> joules(const Question& question, const PassWork& work) {
  if (!question.energy) return std::nullopt;
  return energy_of(work, *question.energy, question.expected ? question.expected->decode : Band{});
}

Answer answer(const Question& question) {
  check(question);
  Answer result;
  result.context = decode_context(question);
  static_cast<Times&>(result) = times_on(question, result.context, question.system);
  if (question.expected) {
    result.expected = times_on(question, result.context, question.expected->system);
  }
  const double kept = kept_tokens(question, result.context);
  if (knows_capacity(question.system.machine)) result.memory = memory_of(question, kept);
  if (kept > static_cast<double>(question.model.max_positions)) {
    result.remarks.push_back("a sequence grows beyond max_position_embeddings = " +
                             std::to_string(question.model.max_positions) +
                             ", the longest that the model supports");
  }
  return result;
}

Chart chart_of_pass(const Question& question, const PassTime& pass, const std::string& title) {
  const Formats& formats = question.formats;
  std::vector<Precision> precisions = {formats.arithmetic};
  for (const Precision more : {formats.attention_arithmetic, Precision::kFp32}) {
    if (std::find(precisions.begin(), precisions.end(), more) == precisions.end()) {
      precisions.push_back(more);
    }
  }
  Chart chart = chart_of(question.system.machine, precisions);
  chart.title = title;
  for (const OperatorTime& timed : pass.operators) {
    if (timed.op.flops <= 0 || timed.op.bytes() <= 0) continue;
    chart.points.push_back(
        {timed.op.name, timed.intensity, timed.op.calls * timed.op.flops / timed.seconds});
  }
  return chart;
}

}  // namespace roofline::llm
