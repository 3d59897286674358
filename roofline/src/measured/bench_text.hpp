// SPDX-License-Identifier: MIT
// Lines and words of what benchmarks print, and the readers that look at them.
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

/// A word that is a number and nothing else.
std::optional<double> number_of(const std::string& word);

/// What stands behind the first "label" of a line that begins with it, without blanks; or empty.
std::string text_behind(const Lines& lines, std::string_view label);

/// Keeps the higher rate of two figures of one name (of a latency the lower).
void keep_best(BenchOutput& output, BenchFigure figure);

// Each returns an output without figures when the lines are of another benchmark.
BenchOutput read_babelstream(const Lines& lines);
BenchOutput read_mixbench(const Lines& lines);
BenchOutput read_gpu_stream(const Lines& lines);
BenchOutput read_gpu_roofline(const Lines& lines);
BenchOutput read_gpu_l2_cache(const Lines& lines);
BenchOutput read_clpeak(const Lines& lines);
BenchOutput read_nvbandwidth(const Lines& lines);
BenchOutput read_rocm_bandwidth_test(const Lines& lines);

}  // namespace roofline
