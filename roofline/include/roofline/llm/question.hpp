// SPDX-License-Identifier: MIT
// A whole question to the predictor and its answer, and the answer as JSON and CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/chart.hpp"
#include "roofline/llm/predict.hpp"

namespace roofline::llm {

/// A small model that drafts `tokens` tokens for each check by the large one.
struct Draft {
  Model model;
  Formats formats;
  int tokens = 0;
  double acceptance = 0;  ///< probability that a drafted token is accepted
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
};

struct Speculation {
  double draft_seconds = 0;  ///< all drafted tokens of one round
  double check_seconds = 0;
  double expected_tokens = 0;  ///< per sequence and round
  double time_per_output_token = 0;
  double speedup = 0;  ///< over plain decoding
};

struct Answer {
  std::optional<PassTime> prefill;
  PassTime decode;
  double context = 0;               ///< of the decode step
  double interference_seconds = 0;  ///< of other prompts, per token
  double time_per_output_token = 0;
  double tokens_per_second = 0;  ///< of the whole batch
  std::optional<double> request_seconds;
  std::optional<MemoryUse> memory;  ///< empty if the DRAM capacity is not known
  std::optional<Speculation> speculation;
  std::vector<std::string> remarks;  ///< what makes the question unusual, one sentence each
};

/// Answers a question. Memory is that of prompt + output tokens, or of the context if longer.
/// Throws std::invalid_argument as predict_pass() does, and where neither prompt nor context is
/// stated, or continuous batching is asked for without prompt and output.
Answer answer(const Question& question);

/// Schema "roofline.prediction" version 1, in base units (s, B, FLOP).
std::string answer_json(const Question& question, const Answer& answer);

/// One line per operator of prefill and decode, with a header line.
std::string answer_csv(const Answer& answer);

/// The operators of a pass on the chart of the machine: intensity, and the rate that their
/// predicted time means. Operators without FLOPs or bytes are left out.
Chart chart_of_pass(const Question& question, const PassTime& pass, const std::string& title);

}  // namespace roofline::llm
