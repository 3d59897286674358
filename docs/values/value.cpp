// SPDX-License-Identifier: MIT
// The table of registered values, and the files from which they are computed.
#include "value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>

#include "base/csv.hpp"
#include "roofline/llm/config.hpp"

namespace docs {
namespace {

std::map<std::string, Compute>& table() {
  static std::map<std::string, Compute> values;
  return values;
}

}  // namespace

roofline::Machine Sources::machine(std::string_view id) const {
  return roofline::load_machine(roofline::resolve_machine(id, data_ / "machines"));
}

roofline::llm::Model Sources::model(std::string_view id) const {
  return roofline::llm::load_model(roofline::llm::resolve_model(id, data_ / "models"));
}

std::filesystem::path Sources::measured(std::string_view name) const {
  std::filesystem::path file = data_ / "measured" / name;
  if (!std::filesystem::exists(file)) {
    throw std::runtime_error(fmt::format("{} does not exist", file.string()));
  }
  return file;
}

std::string Sources::measured_cell(std::string_view name,
                                   const std::map<std::string, std::string>& row,
                                   std::string_view column) const {
  const base::CsvFile csv(measured(name));
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const bool fits = std::all_of(row.begin(), row.end(), [&](const auto& cell) {
      return csv.field(i, cell.first) == cell.second;
    });
    if (fits) return csv.field(i, std::string(column));
  }
  std::string wanted;
  for (const auto& [key, value] : row) wanted += fmt::format(" {} = {}", key, value);
  throw std::runtime_error(fmt::format("data/measured/{} has no row with{}", name, wanted));
}

double Sources::measured_number(std::string_view name,
                                const std::map<std::string, std::string>& row,
                                std::string_view column) const {
  return std::stod(measured_cell(name, row, column));
}

const roofline::MeasuredRoof& roof_named(const roofline::Report& report, std::string_view name) {
  const auto found =
      std::find_if(report.roofs.begin(), report.roofs.end(),
                   [&](const roofline::MeasuredRoof& roof) { return roof.name == name; });
  if (found != report.roofs.end()) return *found;
  throw std::runtime_error(fmt::format("the report has no roof named {}", name));
}

std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, decimals);
}

std::string short_number(double value) {
  if (value == 0) return "0";
  const int decimals =
      std::clamp(3 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 4);
  std::string text = fixed(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string markdown_table(const Row& heads, const std::vector<Row>& rows) {
  static const std::regex kNumber(R"(-?[0-9][0-9.,]*( [%A-Za-z/]+)?)");
  std::string rule;
  for (std::size_t column = 0; column < heads.size(); ++column) {
    const bool is_right = !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const Row& r) {
      return r.at(column).empty() || r.at(column) == "-" || std::regex_match(r.at(column), kNumber);
    });
    rule += is_right ? "---:|" : "---|";
  }
  std::string text = fmt::format("\n\n| {} |\n|{}\n", fmt::join(heads, " | "), rule);
  for (const Row& row : rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text + "\n";
}

bool register_value(std::string key, Compute compute) {
  const auto [place, is_new] = table().emplace(std::move(key), compute);
  if (!is_new) throw std::logic_error(fmt::format("two values are called {}", place->first));
  return true;
}

const std::map<std::string, Compute>& registered_values() {
  return table();
}

}  // namespace docs
