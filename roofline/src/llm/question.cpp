// SPDX-License-Identifier: MIT
// Answering a whole question.
#include "roofline/llm/question.hpp"

#include <algorithm>
#include <stdexcept>

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

double interference(const Question& question, const PassTime& prefill) {
  return (question.batch - 1) / question.output * prefill.seconds();
}

Speculation speculate(const Question& question, double context, const PassTime& step) {
  const Draft& draft = *question.draft;
  Speculation result;
  result.draft_seconds =
      draft.tokens * predict_pass(draft.model, draft.formats, decode_pass(question.batch, context),
                                  question.system)
                         .seconds();
  const double checked = draft.tokens + 1;
  result.check_seconds =
      predict_pass(question.model, question.formats,
                   verify_pass(question.batch, context + checked - 1, checked), question.system)
          .seconds();
  result.expected_tokens = expected_tokens(draft.acceptance, draft.tokens);
  result.time_per_output_token =
      (result.draft_seconds + result.check_seconds) / result.expected_tokens;
  result.speedup = step.seconds() / result.time_per_output_token;
  return result;
}

bool knows_capacity(const Machine& machine) {
  return std::any_of(machine.levels.begin(), machine.levels.end(), [](const MemoryLevel& level) {
    return level.name == "DRAM" && level.capacity_bytes.has_value();
  });
}

}  // namespace

Answer answer(const Question& question) {
  if (question.continuous && (!question.prompt || question.output <= 0)) {
    throw std::invalid_argument("continuous batching needs the lengths of prompt and output");
  }
  Answer result;
  result.context = decode_context(question);
  result.decode = predict_pass(question.model, question.formats,
                               decode_pass(question.batch, result.context), question.system);
  if (question.prompt) {
    const double prompts = question.continuous ? 1 : question.batch;
    result.prefill = predict_pass(question.model, question.formats,
                                  prefill_pass(prompts, *question.prompt), question.system);
  }
  if (question.continuous) result.interference_seconds = interference(question, *result.prefill);
  result.time_per_output_token = result.decode.seconds() + result.interference_seconds;
  if (question.draft) {
    result.speculation = speculate(question, result.context, result.decode);
    result.time_per_output_token =
        result.speculation->time_per_output_token + result.interference_seconds;
  }
  result.tokens_per_second = question.batch / result.time_per_output_token;
  if (question.prompt && question.output > 0) {
    result.request_seconds =
        result.prefill->seconds() + (question.output - 1) * result.time_per_output_token;
  }
  if (knows_capacity(question.system.machine)) {
    result.memory = predict_memory(question.model, question.formats, question.batch,
                                   kept_tokens(question, result.context), question.system,
                                   question.memory_fraction);
  }
  const double kept = kept_tokens(question, result.context);
  if (kept > static_cast<double>(question.model.max_positions)) {
    result.remarks.push_back("a sequence grows beyond max_position_embeddings = " +
                             std::to_string(question.model.max_positions) +
                             ", which the model was made for");
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
