// SPDX-License-Identifier: MIT
// A whole question to the predictor and its answer, and the answer as JSON and CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/chart/chart.hpp"
#include "roofline/llm/energy_use.hpp"
#include "roofline/llm/expectation.hpp"
#include "roofline/llm/predict.hpp"

namespace roofline::llm {

/// A small model that drafts `tokens` tokens for each verification by the large one.
struct Draft {
  Model model;
  Formats formats;
  int tokens = 0;
  double acceptance = 0;       ///< probability that a drafted token is accepted
  bool shares_tables = false;  ///< embedding and head are shared with the large model
};

struct Question {
  Model model;
  Formats formats;
  System system;
  double batch = 1;
  std::optional<double> prompt = {};   ///< tokens; asks for the time to first token
  double output = 0;                   ///< tokens generated after the prompt; 0: not stated
  std::optional<double> context = {};  ///< of the decode step; by default prompt + output / 2
  bool continuous = false;
  double memory_fraction = 0.9;
  std::optional<Draft> draft = {};
  std::optional<ExpectedSystem> expected = {};  ///< requests an expectation in addition to `system`
  std::optional<MeasuredEnergyCosts> energy = {};  ///< requests joules
  std::optional<double> board_watts = {};          ///< of one device, by its data sheet
};

struct Speculation {
  double draft_prefill_seconds = 0;  ///< of the prompt by the draft model; 0 without a prompt
  double draft_seconds = 0;          ///< for all drafted tokens of one round
  double check_seconds = 0;
  double expected_tokens = 0;  ///< per sequence and round
  double time_per_output_token = 0;
  double speedup = 0;      ///< over plain decoding
  PassWork draft_prefill;  ///< of one rank, as draft_prefill_seconds
  PassWork round;          ///< of one rank, for all sequences
};

/// The times of a request on one system.
struct Times {
  std::optional<PassTime> prefill;
  PassTime decode;
  double interference_seconds = 0;            ///< of other prompts, per token
  std::optional<double> time_to_first_token;  ///< including the draft model's own prefill
  double time_per_output_token = 0;
  double tokens_per_second = 0;  ///< of the whole batch
  std::optional<double> request_seconds;
  std::optional<Speculation> speculation;
  PassWork token;                   ///< decode of one output token of one sequence, on all ranks
  std::optional<PassWork> request;  ///< a request's own prefill and its decode
};

struct Answer : Times {
  double context = 0;                ///< of the decode step
  std::optional<Times> expected;     ///< for Question::expected
  std::optional<MemoryUse> memory;   ///< empty if the DRAM capacity is not known
  std::vector<std::string> remarks;  ///< remarks on an unusual question, one sentence each
};

/// False only if the memory is known to be too small for the weights or the batch.
bool fits(const Question& question, const Answer& answer);

/// Joules for a part of an answer's work, over the range of the expected decode time (the range of
/// the prefill is not separate). Empty without energy costs for it.
std::optional<Joules> joules(const Question& question, const PassWork& work);

/// Answers a question. Memory is that of prompt + output tokens, or of the context if longer,
/// including weights and cache of the draft model. Throws std::invalid_argument as predict_pass()
/// does, and if neither prompt nor context is stated, if batch or lengths are not whole numbers up
/// to 2^30, if the context is shorter than the prompt, or if continuous batching is requested
/// without prompt and output.
Answer answer(const Question& question);

/// Schema "roofline.prediction" version 2, in base units (s, B, FLOP, J).
std::string answer_json(const Question& question, const Answer& answer);

/// One line per operator of prefill and decode, with a header line.
std::string answer_csv(const Answer& answer);

/// The operators of a pass on the chart of the machine: intensity, and the rate implied by their
/// predicted time. Operators without FLOPs or bytes are left out.
Chart chart_of_pass(const Question& question, const PassTime& pass, const std::string& title);

}  // namespace roofline::llm
