// SPDX-License-Identifier: MIT
// Speculative decoding: a small model drafts tokens, the large one verifies them in one pass.
//
// Source: Leviathan, Kalman, Matias, "Fast inference from transformers via speculative decoding",
// ICML 2023 (arXiv 2211.17192).
#pragma once

namespace roofline::llm {

/// Expected number of tokens per verification of `drafted` tokens if each is accepted with
/// probability `acceptance`, independently: (1 - a^(k+1)) / (1 - a); k + 1 if a is 1.
double expected_tokens(double acceptance, int drafted);

/// Speed-up over plain decoding if drafting one token costs `draft_cost` decode steps and a
/// verification costs `check_cost` of them (1: as long as the step stays memory-bound).
double speculative_speedup(double acceptance, int drafted, double draft_cost,
                           double check_cost = 1);

/// Number of drafted tokens, from 0 to `most`, with the highest speed-up; the smallest such number.
int best_draft_length(double acceptance, double draft_cost, int most = 64);

}  // namespace roofline::llm
