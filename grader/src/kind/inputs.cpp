// SPDX-License-Identifier: MIT
// Draws function arguments, creates edges, and shrinks failing inputs.
#include "grader/kind/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "grader/program/sanitize.hpp"

namespace grader {
namespace {

using harness::Random;
using harness::Value;

double clamped(const InputRange& range, double x) {
  return std::clamp(x, range.low, range.high);
}

std::vector<double> edges_of(const InputRange& range) {
  if (!range.choices.empty()) return range.choices;
  std::vector<double> edges = range.edges;
  edges.push_back(range.low);
  edges.push_back(range.high);
  if (range.integer && range.high - range.low >= 2) {
    edges.push_back(range.low + 1);
    edges.push_back(range.high - 1);
  }
  return edges;
}

double draw_number(const InputRange& range, Random& random) {
  if (!range.choices.empty()) {
    return range.choices[static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(range.choices.size()) - 1))];
  }
  const std::int64_t chance = random.integer(0, 99);
  if (chance < 5) {
    const std::vector<double> edges = edges_of(range);
    return edges[static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(edges.size()) - 1))];
  }
  if (range.integer && chance < 15 && range.high >= 2) {
    const double power = std::exp2(std::floor(random.uniform(0, std::log2(range.high) + 1)));
    return clamped(range, power + static_cast<double>(random.integer(-1, 1)));
  }
  if (range.logarithmic) {
    return std::exp(random.uniform(std::log(range.low), std::log(range.high)));
  }
  if (range.integer) {
    return static_cast<double>(random.integer(std::llround(range.low), std::llround(range.high)));
  }
  return random.uniform(range.low, range.high);
}

Value draw_item(const InputRange& range, Random& random) {
  if (range.fields.empty()) return number_value(range, draw_number(range, random));
  return draw_inputs(range.fields, random);
}

Value::List in_order(const InputRange& range, Value::List items) {
  if (range.sorted) {
    std::sort(items.begin(), items.end(),
              [](const Value& a, const Value& b) { return a.number() < b.number(); });
  }
  return items;
}

Value::List draw_items(const InputRange& range, std::int64_t count, Random& random) {
  Value::List items;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool repeated = i > 0 && random.integer(0, 19) == 0;
    items.push_back(repeated ? items.back() : draw_item(range, random));
  }
  return in_order(range, std::move(items));
}

std::int64_t draw_length(const InputRange& range, std::int64_t least, Random& random) {
  return random.integer(std::max(least, range.length->first), range.length->second);
}

Value draw(const InputRange& range, Random& random) {
  if (!range.length) return draw_item(range, random);
  return draw_items(range, draw_length(range, 0, random), random);
}

/// Edges of a number, or of each field of a struct with the other fields drawn.
Value::List item_edges(const InputRange& range, Random& random) {
  Value::List result;
  if (range.fields.empty()) {
    for (const double edge : edges_of(range)) result.push_back(number_value(range, edge));
    return result;
  }
  for (std::size_t field = 0; field < range.fields.size(); ++field) {
    for (Value& edge : item_edges(range.fields[field], random)) {
      Value::List fields = draw_inputs(range.fields, random);
      fields[field] = std::move(edge);
      result.emplace_back(std::move(fields));
    }
  }
  return result;
}

/// The same for a vector: edges as its first and last item, the shortest and longest vectors, and
/// vectors of equal items.
Value::List vector_edges(const InputRange& range, Random& random) {
  const auto [least, most] = *range.length;
  Value::List result;
  for (const std::int64_t length : {least, std::min(least + 1, most), most}) {
    result.emplace_back(draw_items(range, length, random));
  }
  if (most == 0) return result;
  for (std::int64_t length = std::max<std::int64_t>(least, 2); length <= most; ++length) {
    result.emplace_back(Value::List(static_cast<std::size_t>(length), draw_item(range, random)));
  }
  for (const Value& edge : item_edges(range, random)) {
    for (const bool at_end : {false, true}) {
      Value::List items = draw_items(range, draw_length(range, 1, random), random);
      (at_end ? items.back() : items.front()) = edge;
      result.emplace_back(in_order(range, std::move(items)));
    }
  }
  return result;
}

/// Rounder versions of x, the simplest first.
std::vector<double> simpler_numbers(const InputRange& range, double x) {
  if (!range.choices.empty()) {
    return {range.choices.begin(), std::ranges::find(range.choices, x)};
  }
  std::vector<double> candidates = {0, 1, 2};
  // Magnitudes first: if only the size matters, this finds the smallest failing power of ten.
  for (double power = 10; power <= std::fabs(x) && std::isfinite(x); power *= 10) {
    candidates.push_back(power);
  }
  candidates.push_back(range.low);
  if (x != 0 && std::isfinite(x)) {
    const double power = std::pow(10, std::floor(std::log10(std::fabs(x))));
    candidates.push_back(std::round(x / power) * power);
    candidates.push_back(std::round(x / power * 10) * power / 10);
    candidates.push_back(std::trunc(x / 2));
    candidates.push_back(std::trunc(x));
    candidates.push_back(x - 1);
  }
  std::vector<double> result;
  for (const double candidate : candidates) {
    if (candidate < range.low || candidate > range.high) continue;
    if (range.integer && candidate != std::round(candidate)) continue;
    if (candidate == x) break;  // the rest are not simpler
    result.push_back(candidate);
  }
  return result;
}

std::vector<Value> simpler(const InputRange& range, const Value& value, bool as_item);

/// Copies of the list with one part replaced by something simpler.
std::vector<Value> with_one_simpler(const Value::List& parts,
                                    const std::function<const InputRange&(std::size_t)>& range_of,
                                    bool as_item) {
  std::vector<Value> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (Value& part : simpler(range_of(i), parts[i], as_item)) {
      Value::List copy = parts;
      copy[i] = std::move(part);
      result.emplace_back(std::move(copy));
    }
  }
  return result;
}

std::vector<Value> simpler_vectors(const InputRange& range, const Value::List& items) {
  std::vector<Value> result;
  const auto least = static_cast<std::size_t>(range.length->first);
  if (items.size() / 2 >= least && items.size() > 1) {
    result.emplace_back(
        Value::List(items.begin(), items.begin() + static_cast<long>(items.size() / 2)));
    result.emplace_back(
        Value::List(items.begin() + static_cast<long>(items.size() / 2), items.end()));
  }
  for (std::size_t i = 0; i < items.size() && items.size() > least; ++i) {
    Value::List copy = items;
    copy.erase(copy.begin() + static_cast<long>(i));
    result.emplace_back(std::move(copy));
  }
  for (Value& value : with_one_simpler(
           items, [&](std::size_t) -> const InputRange& { return range; }, true)) {
    result.push_back(std::move(value));
  }
  return result;
}

std::vector<Value> simpler(const InputRange& range, const Value& value, bool as_item) {
  if (range.length && !as_item) {
    std::vector<Value> vectors = simpler_vectors(range, value.list());
    std::erase_if(vectors, [&](const Value& items) {
      return !(items == Value(in_order(range, items.list())));
    });
    return vectors;
  }
  if (!range.fields.empty()) {
    return with_one_simpler(
        value.list(), [&](std::size_t i) -> const InputRange& { return range.fields.at(i); },
        false);
  }
  std::vector<Value> result;
  for (const double x : simpler_numbers(range, value.number())) {
    result.push_back(number_value(range, x));
  }
  return result;
}

}  // namespace

Value number_value(const InputRange& range, double number) {
  if (range.integer) return Value(static_cast<std::int64_t>(std::llround(number)));
  return Value(number);
}

Value::List draw_inputs(const std::vector<InputRange>& ranges, Random& random) {
  Value::List arguments;
  for (const InputRange& range : ranges) arguments.push_back(draw(range, random));
  return arguments;
}

std::vector<Value::List> edge_inputs(const std::vector<InputRange>& ranges, Random& random) {
  constexpr int kRounds = 4;
  std::vector<Value::List> result;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (int round = 0; round < kRounds; ++round) {
      for (Value& edge :
           ranges[i].length ? vector_edges(ranges[i], random) : item_edges(ranges[i], random)) {
        Value::List arguments = draw_inputs(ranges, random);
        arguments[i] = std::move(edge);
        result.push_back(std::move(arguments));
      }
    }
  }
  return result;
}

std::vector<Value::List> function_inputs(const FunctionExercise& exercise, std::uint64_t seed) {
  Random random(seed);
  std::vector<Value::List> inputs = exercise.cases;
  for (Value::List& arguments : edge_inputs(exercise.inputs, random)) {
    inputs.push_back(std::move(arguments));
  }
  while (static_cast<std::int64_t>(inputs.size()) < exercise.samples) {
    inputs.push_back(draw_inputs(exercise.inputs, random));
  }
  return inputs;
}

Value::List shrink_inputs(Value::List failing, const std::vector<InputRange>& ranges,
                          const std::function<bool(const Value::List&)>& fails, int budget) {
  bool improved = true;
  while (improved && budget > 0) {
    improved = false;
    const auto range_of = [&](std::size_t i) -> const InputRange& { return ranges.at(i); };
    for (const Value& candidate : with_one_simpler(failing, range_of, false)) {
      if (budget-- <= 0) break;
      if (!fails(candidate.list())) continue;
      failing = candidate.list();
      improved = true;
      break;
    }
  }
  return failing;
}

std::string describe_value(const Value& value) {
  constexpr std::size_t kMostItems = 24;
  if (value.is_text()) return '"' + sanitize_line(value.text(), 60) + '"';
  if (value.is_integer()) return std::to_string(value.integer());
  if (value.is_number()) {
    if (std::isnan(value.number())) return "NaN";  // its sign is meaningless
    char text[40];
    for (const int digits : {6, 9, 17}) {  // the shortest text that reproduces it exactly
      std::snprintf(text, sizeof text, "%.*g", digits, value.number());
      if (std::strtod(text, nullptr) == value.number()) break;
    }
    return text;
  }
  std::string result = "{";
  for (std::size_t i = 0; i < std::min(value.size(), kMostItems); ++i) {
    result += (i > 0 ? ", " : "") + describe_value(value.at(i));
  }
  if (value.size() > kMostItems) result += ", ... " + std::to_string(value.size()) + " in all";
  return result + "}";
}

namespace {

std::string describe_number(const Value& value, const std::vector<std::string>& enumerators) {
  const double number = value.is_number() ? value.number() : -1;
  for (std::size_t i = 0; i < enumerators.size(); ++i) {
    if (number == static_cast<double>(i)) return enumerators[i];
  }
  return describe_value(value);
}

std::string describe_input(const Value& value, const InputRange& range) {
  if (range.fields.empty()) return describe_number(value, range.enumerators);
  if (!range.length) return "{" + describe_inputs(value.list(), range.fields) + "}";
  if (value.size() == 0) return "{}";
  // The first item shows the names of the fields for all.
  const std::string others =
      describe_value(Value::List(value.list().begin() + 1, value.list().end()));
  return "{{" + describe_inputs(value.at(0).list(), range.fields) + "}" +
         (value.size() > 1 ? ", " : "") + others.substr(1);
}

}  // namespace

std::string describe_inputs(const Value::List& arguments, const std::vector<InputRange>& ranges) {
  std::string result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    result +=
        (i > 0 ? ", " : "") + ranges.at(i).name + " = " + describe_input(arguments[i], ranges[i]);
  }
  return result;
}

std::string describe_returned(const Value& value, const std::vector<ReturnedField>& fields) {
  if (fields.size() == 1) return describe_number(value, fields[0].enumerators);
  if (!value.is_list() || value.size() != fields.size()) return describe_value(value);
  std::string result;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    result += (i > 0 ? ", " : "") + fields[i].name + " = " +
              describe_number(value.at(i), fields[i].enumerators);
  }
  return "{" + result + "}";
}

}  // namespace grader
