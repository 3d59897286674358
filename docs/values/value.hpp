// SPDX-License-Identifier: MIT
// Registers a number shown in the texts: DOC_VALUE("ai.dot", [](const docs::Sources&) { ... }).
//
// In Markdown it is enclosed in comments that name it: <!--v:ai.dot-->0.25<!--/v-->. Each file here
// belongs to one topic or page; doc_values checks the texts against the values, or fills them in.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/prefixes.hpp"
#include "roofline/llm/model.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace docs {

/// The sources of numbers, besides formulas: the files of data/.
class Sources {
 public:
  explicit Sources(std::filesystem::path data) : data_(std::move(data)) {}

  /// Machine `id` of data/machines. @throws std::runtime_error if there is none.
  roofline::Machine machine(std::string_view id) const;
  /// Model `id` of data/models. @throws std::runtime_error when there is none.
  roofline::llm::Model model(std::string_view id) const;
  /// Path of data/measured/NAME. @throws std::runtime_error when there is no such file.
  std::filesystem::path measured(std::string_view name) const;
  /// Cell of column `column` of data/measured/NAME (a CSV file with a header) in the first row
  /// whose cells have the given values. @throws std::runtime_error naming what is missing.
  std::string measured_cell(std::string_view name, const std::map<std::string, std::string>& row,
                            std::string_view column) const;
  /// measured_cell() as a number.
  double measured_number(std::string_view name, const std::map<std::string, std::string>& row,
                         std::string_view column) const;
  /// The folder data/.
  const std::filesystem::path& data() const { return data_; }

 private:
  std::filesystem::path data_;
};

/// A roof of a report. @throws std::runtime_error when it has none of this name.
const roofline::MeasuredRoof& roof_named(const roofline::Report& report, std::string_view name);

/// A number with this many digits after the point.
std::string fixed(double value, int decimals);

/// Four significant digits, without an exponent and without trailing zeros.
std::string short_number(double value);

using Row = std::vector<std::string>;

/// A Markdown table, with the empty lines it needs around it. Columns of numbers are right-aligned.
std::string markdown_table(const Row& heads, const std::vector<Row>& rows);

using Compute = std::string (*)(const Sources&);

/// Called by DOC_VALUE. @throws std::logic_error if the key is taken.
bool register_value(std::string key, Compute compute);

/// All registered values by key.
const std::map<std::string, Compute>& registered_values();

}  // namespace docs

#define DOC_VALUE_JOIN_INNER(a, b) a##b
#define DOC_VALUE_JOIN(a, b) DOC_VALUE_JOIN_INNER(a, b)
#define DOC_VALUE(key, ...)                                                 \
  [[maybe_unused]] static const bool DOC_VALUE_JOIN(doc_value_, __LINE__) = \
      ::docs::register_value(key, __VA_ARGS__);

/// A value that is one expression of the sources s: DOC_FORMULA("ai.dot", fixed(ai(s), 2))
#define DOC_FORMULA(key, ...) \
  DOC_VALUE(key,              \
            []([[maybe_unused]] const ::docs::Sources& s) -> std::string { return __VA_ARGS__; })
