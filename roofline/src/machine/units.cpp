// SPDX-License-Identifier: MIT
// Reading and writing quantities with units.
#include "roofline/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace roofline {
namespace {

struct Unit {
  std::string_view symbol;
  double scale;
  Dimension dimension;
  bool binary_prefixes;
};

// FLOPS is not among them: it could be the plural or the rate.
constexpr std::array kUnits = {
    Unit{"FLOP", 1, kOperations, false},
    Unit{"FLOPs", 1, kOperations, false},
    Unit{"flop", 1, kOperations, false},
    Unit{"flops", 1, kOperations, false},
    Unit{"OP", 1, kOperations, false},
    Unit{"OPs", 1, kOperations, false},
    Unit{"B", 1, kBytes, true},
    Unit{"byte", 1, kBytes, true},
    Unit{"bytes", 1, kBytes, true},
    Unit{"bit", 0.125, kBytes, true},
    Unit{"bits", 0.125, kBytes, true},
    Unit{"s", 1, kSeconds, false},
    Unit{"Hz", 1, kHertz, false},
    Unit{"J", 1, kJoules, false},
    Unit{"W", 1, kWatts, false},
    Unit{"tok", 1, {.tokens = 1}, false},
    Unit{"token", 1, {.tokens = 1}, false},
    Unit{"tokens", 1, {.tokens = 1}, false},
    Unit{"%", 0.01, kNumber, false},
};

constexpr std::array<std::pair<std::string_view, double>, 10> kPrefixes = {{
    {"", 1},
    {"p", 1e-12},
    {"n", 1e-9},
    {"u", 1e-6},
    {"m", 1e-3},
    {"k", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
}};

constexpr std::array<std::pair<std::string_view, double>, 5> kBinaryPrefixes = {{
    {"Ki", 1024.0},
    {"Mi", 1048576.0},
    {"Gi", 1073741824.0},
    {"Ti", 1099511627776.0},
    {"Pi", 1125899906842624.0},
}};

std::optional<Quantity> unit_with_prefix(std::string_view symbol) {
  for (const Unit& unit : kUnits) {
    if (!symbol.ends_with(unit.symbol)) continue;
    const std::string_view prefix = symbol.substr(0, symbol.size() - unit.symbol.size());
    for (const auto& [name, factor] : kPrefixes) {
      if (prefix == name) return Quantity{factor * unit.scale, unit.dimension};
    }
    if (!unit.binary_prefixes) continue;
    for (const auto& [name, factor] : kBinaryPrefixes) {
      if (prefix == name) return Quantity{factor * unit.scale, unit.dimension};
    }
  }
  return std::nullopt;
}

// The two spellings that cost students most time: a rate written as a plural, and a "per" without a
// slash.
std::string advice_for(std::string_view symbol) {
  if (symbol.ends_with("OPS")) {
    return "; write FLOP/s (or OP/s) for a rate and FLOP (or OP) for an amount of work";
  }
  if (symbol.ends_with("bps") || symbol.ends_with("Bps")) return "; write B/s or bit/s";
  return "; the units are B, bit, FLOP, OP, s, Hz, J, W, tok and %, with a prefix such as G or Gi, "
         "and one of them may be divided by another, as in GB/s";
}

/// The divisor of a unit, after "/" or "per"; npos if there is none.
struct Division {
  std::size_t at = std::string_view::npos;
  std::size_t length = 0;
};
Division division_of(std::string_view unit) {
  constexpr std::string_view kWord = " per ";
  if (const auto slash = unit.find('/'); slash != std::string_view::npos) return {slash, 1};
  if (const auto word = unit.find(kWord); word != std::string_view::npos)
    return {word, kWord.size()};
  return {};
}

Quantity parse_unit(std::string_view symbol) {
  if (symbol == "1") return {1, kNumber};
  if (const auto unit = unit_with_prefix(symbol)) return *unit;
  throw std::invalid_argument("unknown unit '" + std::string(symbol) + "'" + advice_for(symbol));
}

Dimension difference(const Dimension& a, const Dimension& b) {
  return {a.bytes - b.bytes, a.operations - b.operations, a.seconds - b.seconds,
          a.joules - b.joules, a.tokens - b.tokens};
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  if (text.size() > kLongest) shown += "...";
  return "'" + shown + "'";
}

std::pair<double, std::string_view> split_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool starts_like_a_number =
      !text.empty() && (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  if (error == std::errc::result_out_of_range) {
    throw std::invalid_argument("the number in " + quoted(text) +
                                " is out of range; write it with a unit prefix");
  }
  if (error != std::errc{} || !starts_like_a_number || !std::isfinite(value)) {
    throw std::invalid_argument(quoted(text) +
                                " does not start with a plain decimal number such as 12.5 or 2e9");
  }
  const auto used = static_cast<std::size_t>(end - text.data());
  return {value, text.substr(used)};
}

struct Symbol {
  Dimension dimension;
  std::string_view text;
};

constexpr std::array<Symbol, 12> kSymbols = {{
    {kBytes, "B"},
    {kOperations, "FLOP"},
    {kSeconds, "s"},
    {kHertz, "Hz"},
    {kBytesPerSecond, "B/s"},
    {kOperationsPerSecond, "FLOP/s"},
    {kOperationsPerByte, "FLOP/B"},
    {kJoules, "J"},
    {kWatts, "W"},
    {kTokensPerSecond, "tok/s"},
    {{.operations = 1, .joules = -1}, "FLOP/J"},
    {{.tokens = 1}, "tok"},
}};

std::string printed(double value, int significant_digits) {
  return base::formatted("%.*g", significant_digits, value);
}

std::pair<double, std::string_view> scaled(double value) {
  std::pair<double, std::string_view> best{value, ""};
  const double size = std::fabs(value);
  double chosen = 0;
  for (const auto& [name, factor] : kPrefixes) {
    if (size >= factor && factor > chosen) {
      chosen = factor;
      best = {value / factor, name};
    }
  }
  return best;
}

}  // namespace

std::string describe(const Dimension& dimension) {
  std::string above;
  std::string below;
  const auto add = [&](int power, const char* word) {
    for (int i = 0; i < std::abs(power); ++i) {
      std::string& side = power > 0 ? above : below;
      side += (side.empty() ? "" : "*");
      side += word;
    }
  };
  add(dimension.operations, "operations");
  add(dimension.bytes, "bytes");
  add(dimension.joules, "joules");
  add(dimension.tokens, "tokens");
  add(dimension.seconds, "seconds");
  if (above.empty() && below.empty()) return "a plain number";
  return (above.empty() ? "1" : above) + (below.empty() ? "" : "/" + below);
}

Quantity parse_quantity(std::string_view text) {
  const std::string with_blanks = base::with_plain_blanks(text);
  const std::string_view whole = base::trimmed(with_blanks);
  if (whole.empty()) throw std::invalid_argument("empty text where a quantity is expected");
  const auto [value, rest] = split_number(whole);
  const std::string_view unit_text = base::trimmed(rest);
  if (unit_text.empty()) return {value, kNumber};
  const Division by = division_of(unit_text);
  Quantity unit = parse_unit(base::trimmed(unit_text.substr(0, by.at)));
  if (by.at != std::string_view::npos) {
    std::string_view symbol = base::trimmed(unit_text.substr(by.at + by.length));
    // In an all-lower-case "flop/b" it can only mean byte; elsewhere some use b for bit.
    if (symbol == "b" && unit.dimension == kOperations) symbol = "B";
    const Quantity below = parse_unit(symbol);
    unit = {unit.value / below.value, difference(unit.dimension, below.dimension)};
  }
  const double result = value * unit.value;
  if (!std::isfinite(result)) throw std::invalid_argument(quoted(whole) + " is out of range");
  return {result, unit.dimension};
}

double parse_quantity_as(std::string_view text, const Dimension& dimension) {
  const Quantity quantity = parse_quantity(text);
  if (quantity.dimension != dimension) {
    const bool has_unit = quantity.dimension != kNumber;
    throw std::invalid_argument(quoted(text) + (has_unit ? " is in " : " is ") +
                                describe(quantity.dimension) + ", but " + describe(dimension) +
                                " is expected");
  }
  return quantity.value;
}

std::string format_quantity(double value, const Dimension& dimension, int significant_digits) {
  if (dimension == kNumber) return printed(value, significant_digits);
  if (dimension == kOperationsPerByte) return printed(value, significant_digits) + " FLOP/B";
  for (const Symbol& symbol : kSymbols) {
    if (symbol.dimension != dimension) continue;
    const auto [number, prefix] = scaled(value);
    return printed(number, significant_digits) + " " + std::string(prefix) +
           std::string(symbol.text);
  }
  return printed(value, significant_digits) + " " + describe(dimension);
}

std::string format_integer_work(double value, const Dimension& dimension, int significant_digits) {
  std::string text = format_quantity(value, dimension, significant_digits);
  const std::string_view floating = "FLOP";
  const auto at = text.find(floating);
  return at == std::string::npos ? text : text.replace(at, floating.size(), "OP");
}

}  // namespace roofline
