// SPDX-License-Identifier: MIT
// The tables of `roofline predict`, 80 columns wide.
#pragma once

#include <string>
#include <vector>

namespace roofline::llm {
struct Answer;
struct Calibration;
struct Question;
struct Validation;
}  // namespace roofline::llm

namespace roofline::program {

/// Operators of prefill and decode, times, memory and speculation.
void print_answer(const llm::Question& question, const llm::Answer& answer);

/// The parameters of each calibration, and their origin.
void print_calibrations(const std::vector<llm::Calibration>& calibrations);

/// Error of every row, mean of each group, the worst rows, and what was left out and why.
void print_validation(const llm::Validation& validation);

/// The same as CSV: one line per row.
std::string validation_csv(const llm::Validation& validation);

}  // namespace roofline::program
