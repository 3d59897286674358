// SPDX-License-Identifier: MIT
// Lines and words of benchmark output, and the readers for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/bench_output.hpp"

namespace roofline {

using Lines = std::vector<std::string>;

/// The words of a line, separated by blanks.
std::vector<std::string> words_of(const std::string& line);

/// The parts between separators, without blanks around them.
std::vector<std::string> parts_of(const std::string& line, char separator);

/// The number that a word consists of; empty if there is anything else in it.
std::optional<double> number_of(const std::string& word);

/// The text after "label" in the first line that starts with it, without surrounding blanks; or
/// empty.
std::string text_behind(const Lines& lines, std::string_view label);

/// Keeps the higher rate of two results with the same name (for a latency the lower).
void keep_best(BenchOutput& output, BenchFigure figure);

// Each returns an output without results if the lines are from another benchmark.
BenchOutput read_babelstream(const Lines& lines);
BenchOutput read_mixbench(const Lines& lines);
BenchOutput read_gpu_stream(const Lines& lines);
BenchOutput read_gpu_roofline(const Lines& lines);
BenchOutput read_gpu_l2_cache(const Lines& lines);
BenchOutput read_clpeak(const Lines& lines);
BenchOutput read_nvbandwidth(const Lines& lines);
BenchOutput read_rocm_bandwidth_test(const Lines& lines);

}  // namespace roofline
