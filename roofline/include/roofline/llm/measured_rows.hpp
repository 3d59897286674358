// SPDX-License-Identifier: MIT
// Published or own measurements of LLM inference, one CSV row each.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline::llm {

/// One row as written. Columns: id, kind, hardware, n_gpu, model_or_op, weights_precision,
/// kv_precision, batch, context_or_prompt, output_len, engine, measured, unit; source and notes are
/// optional, and any others are ignored.
struct MeasuredRow {
  std::string id;
  std::string kind;  ///< serving_decode, e2e_decode, e2e_prefill, kernel_..., comm_allreduce ...
  std::string hardware;
  std::string ranks;
  std::string subject;  ///< model, or operation with its sizes
  std::string weights;
  std::string kv;
  std::string batch;
  std::string context;  ///< prompt; or, written "avg N" or "~N", the mean context
  std::string output;
  std::string engine;
  double measured = 0;
  std::string unit;
  std::string notes;
  std::string source;
};

/// Reads a CSV file (RFC 4180: fields may be quoted).
/// Throws std::runtime_error naming file and line: missing column, wrong number of fields, a
/// measured value that is not a number above zero, a repeated id.
std::vector<MeasuredRow> read_rows(const std::filesystem::path& file);

/// The meaning of published names: "H100-SXM-80GB" is the machine h100-sxm.
class Names {
 public:
  Names() = default;

  /// Reads a CSV file with the columns column, published, means.
  explicit Names(const std::filesystem::path& file);

  /// The meaning of a name in a column; the name itself, in lower case, if none is listed.
  std::string meaning(const std::string& column, const std::string& published) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> meanings_;
};

/// The measured value in seconds. Rates in tokens per second are converted to the time of `tokens`.
/// Throws std::invalid_argument for units other than tok/s, ms, us and s.
double measured_seconds(const MeasuredRow& row, double tokens);

/// The leading number of a field such as "~64", "avg 4096 (from empty)" or "1024"; empty if none.
std::optional<double> leading_number(const std::string& field);

/// The context in the middle of the measured tokens: a stated mean, or prompt + output / 2.
/// Empty if the row states neither.
std::optional<double> middle_context(const MeasuredRow& row);

}  // namespace roofline::llm
