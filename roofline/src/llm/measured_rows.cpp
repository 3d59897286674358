// SPDX-License-Identifier: MIT
// Reading measurements of LLM inference.
#include "roofline/llm/measured_rows.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "roofline/checks.hpp"

namespace roofline::llm {
namespace {

double read_measured(const base::CsvFile& csv, std::size_t row) {
  const std::string text(base::trimmed(csv.field(row, "measured")));
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value <= 0) {
    csv.fail(row, "measured is '" + text + "', not a number above zero");
  }
  return value;
}

}  // namespace

std::vector<MeasuredRow> read_rows(const std::filesystem::path& file) {
  const base::CsvFile csv(file);
  std::vector<MeasuredRow> rows;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const auto text = [&](const char* column) {
      return std::string(base::trimmed(csv.field(i, column)));
    };
    MeasuredRow row;
    row.id = text("id");
    if (!ids.insert(row.id).second) csv.fail(i, "the id " + row.id + " appears twice");
    row.kind = text("kind");
    row.hardware = text("hardware");
    row.ranks = text("n_gpu");
    row.subject = text("model_or_op");
    row.weights = text("weights_precision");
    row.kv = text("kv_precision");
    row.batch = text("batch");
    row.context = text("context_or_prompt");
    row.output = text("output_len");
    row.engine = text("engine");
    row.measured = read_measured(csv, i);
    row.unit = text("unit");
    if (csv.has("notes")) row.notes = text("notes");
    if (csv.has("source")) row.source = text("source");
    rows.push_back(row);
  }
  return rows;
}

Names::Names(const std::filesystem::path& file) {
  const base::CsvFile csv(file);
  for (std::size_t i = 0; i < csv.size(); ++i) {
    meanings_[{csv.field(i, "column"), csv.field(i, "published")}] = csv.field(i, "means");
  }
}

std::string Names::meaning(const std::string& column, const std::string& published) const {
  const auto found = meanings_.find({column, published});
  if (found != meanings_.end()) return found->second;
  std::string name = published;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

double measured_seconds(const MeasuredRow& row, double tokens) {
  if (row.unit == "tok/s") return require_positive(tokens, "number of tokens") / row.measured;
  if (row.unit == "s") return row.measured;
  if (row.unit == "ms") return row.measured * 1e-3;
  if (row.unit == "us") return row.measured * 1e-6;
  throw std::invalid_argument("the unit " + row.unit + " is neither a time nor a token rate");
}

std::optional<double> leading_number(const std::string& field) {
  std::string_view text = field;
  for (const std::string_view prefix : {"avg ", "~"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  const bool number_ends = end == text.data() + text.size() || *end == ' ';
  return number_ends ? std::optional(value) : std::nullopt;
}

std::optional<double> middle_context(const MeasuredRow& row) {
  const auto stated = leading_number(row.context);
  if (!stated) return std::nullopt;
  if (row.context.starts_with("avg ") || row.context.starts_with("~")) return stated;
  return *stated + leading_number(row.output).value_or(0) / 2;
}

}  // namespace roofline::llm
