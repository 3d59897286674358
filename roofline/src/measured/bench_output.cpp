// SPDX-License-Identifier: MIT
// Recognises the output of benchmarks; also the code that their readers share.
#include "roofline/bench_output.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/files.hpp"
#include "base/text.hpp"
#include "bench_text.hpp"

namespace roofline {
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> parts_of(const std::string& line, char separator) {
  std::istringstream stream(line);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);)
    parts.emplace_back(base::trimmed(part));
  return parts;
}

std::optional<double> number_of(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string text_behind(const Lines& lines, std::string_view label) {
  for (const std::string& line : lines) {
    const std::string_view text = base::trimmed(line);
    if (text.starts_with(label)) return std::string(base::trimmed(text.substr(label.size())));
  }
  return {};
}

void keep_best(BenchOutput& output, BenchFigure figure) {
  if (!(figure.rate > 0) || !std::isfinite(figure.rate)) return;
  const auto same = std::find_if(output.figures.begin(), output.figures.end(),
                                 [&](const BenchFigure& had) { return had.name == figure.name; });
  if (same == output.figures.end()) {
    output.figures.push_back(std::move(figure));
    return;
  }
  const bool better =
      figure.kind == RoofKind::kLatency ? figure.rate < same->rate : figure.rate > same->rate;
  if (better) *same = std::move(figure);
}

namespace {

/// "4386,1", as printed by a benchmark in some locales.
bool has_decimal_comma(const std::string& word) {
  const auto comma = word.find(',');
  return comma != std::string::npos && comma > 0 && comma + 1 < word.size() &&
         std::all_of(word.begin(), word.end(), [&](const char& c) {
           return std::isdigit(static_cast<unsigned char>(c)) || &c == &word[comma];
         });
}

/// A line whose numbers cannot be read would be silently missing from the comparison.
void refuse_decimal_commas(const std::filesystem::path& file, const Lines& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& word : words_of(lines[i])) {
      if (!has_decimal_comma(word)) continue;
      throw std::runtime_error(file.string() + ":" + std::to_string(i + 1) + ": " + word +
                               " has a decimal comma; run the benchmark again with LC_ALL=C");
    }
  }
}

}  // namespace

BenchOutput read_bench(const std::filesystem::path& file) {
  std::istringstream text(base::read_given_file(file));
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  for (const auto reader :
       {&read_babelstream, &read_mixbench, &read_gpu_stream, &read_gpu_roofline, &read_gpu_l2_cache,
        &read_clpeak, &read_nvbandwidth, &read_rocm_bandwidth_test}) {
    BenchOutput output = reader(lines);
    if (!output.tool.empty()) refuse_decimal_commas(file, lines);
    if (!output.figures.empty()) return output;
    if (!output.tool.empty()) {
      throw std::runtime_error(file.string() + ": this is of " + output.tool +
                               ", but holds no figure");
    }
  }
  throw std::runtime_error(
      file.string() +
      ": this is not what BabelStream, mixbench, gpu-stream, gpu-roofline, gpu-l2-cache, clpeak, "
      "nvbandwidth or rocm_bandwidth_test prints");
}

}  // namespace roofline
