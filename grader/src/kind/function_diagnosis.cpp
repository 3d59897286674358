// SPDX-License-Identifier: MIT
// Searches for a single mistake that explains many wrong results, field by field.
#include "grader/kind/function_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/judge/number.hpp"

namespace grader {
namespace {

using harness::Value;

/// With fewer inputs any factor looks constant. A listed formula may match fewer, because edges are
/// rare.
constexpr std::size_t kFewestInputs = 3;
constexpr double kSameFactor = 1e-6;

/// The numbers of a reply: one, or the fields of a struct. Nothing if it has other values.
std::optional<std::vector<double>> numbers_of(const Value& reply) {
  if (reply.at(0).text() != "ok") return std::nullopt;
  const Value& value = reply.at(1);
  if (value.is_number()) return std::vector<double>{value.number()};
  if (!value.is_list()) return std::nullopt;
  std::vector<double> numbers;
  for (const Value& field : value.list()) {
    if (!field.is_number()) return std::nullopt;
    numbers.push_back(field.number());
  }
  return numbers;
}

/// A wrong number, the right one, and those of the listed mistakes.
struct WrongNumber {
  double is = 0;
  double should = 0;
  std::vector<KnownMistake> listed;
};

Value scaled(const Value& value, double factor) {
  if (value.is_number()) return Value(value.number() * factor);
  if (!value.is_list()) return value;
  Value::List items;
  for (const Value& item : value.list()) items.push_back(scaled(item, factor));
  return items;
}

/// Whether there are enough different values to recognise a factor: if all right values are equal,
/// every wrong value is some factor of them.
bool can_tell_factor(const std::vector<WrongNumber>& wrong) {
  return wrong.size() >= kFewestInputs &&
         std::any_of(wrong.begin(), wrong.end(), [&](const WrongNumber& number) {
           return number.should != wrong.front().should;
         });
}

bool is_listed(const WrongNumber& wrong, const std::string& message) {
  return std::any_of(wrong.listed.begin(), wrong.listed.end(),
                     [&](const KnownMistake& mistake) { return mistake.message == message; });
}

/// The first mistake that explains all of them; empty if there is none.
std::string common_mistake(const std::vector<WrongNumber>& wrong, const Exercise& exercise,
                           const roofline::Dimension& dimension) {
  const bool may_be_factor = can_tell_factor(wrong);
  std::vector<Mistake> common;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const std::vector<Mistake> fitting =
        fitting_mistakes(wrong[i].is, wrong[i].should, exercise.rtol, dimension, wrong[i].listed);
    if (i == 0) common = fitting;
    std::erase_if(common, [&](const Mistake& mistake) {
      const bool fits = std::find(fitting.begin(), fitting.end(), mistake) != fitting.end();
      return !fits || (!may_be_factor && !is_listed(wrong[i], mistake.message));
    });
    if (common.empty()) return {};
  }
  return common.front().message;
}

/// Names the factor by which all of them are wrong, if it is the same.
std::string common_factor(const std::vector<WrongNumber>& wrong) {
  const double factor = wrong.front().is / wrong.front().should;
  for (const WrongNumber& number : wrong) {
    const double own = number.is / number.should;
    if (!std::isfinite(own) || !within(own, factor, kSameFactor, 0)) return {};
  }
  if (!can_tell_factor(wrong) || factor == 0 || within(factor, 1, 10 * kSameFactor, 0)) return {};
  return fmt::format("every wrong value is {:.6g} times the right one", factor);
}

/// Names the type of number that cannot hold these: float has seven digits, int ends at 2^31 - 1.
std::string common_type(const std::vector<WrongNumber>& wrong) {
  constexpr double kDigitsOfFloat = 0x1p-22;  // a few roundings
  constexpr double kLarge = 0x1p30;           // of elements of half a byte
  if (wrong.size() < kFewestInputs) return {};
  const auto are_all = [&](auto what) { return std::all_of(wrong.begin(), wrong.end(), what); };
  const auto error = [](const WrongNumber& number) { return number.is / number.should - 1; };
  const bool are_small = are_all(
      [&](const WrongNumber& number) { return std::fabs(error(number)) <= kDigitsOfFloat; });
  // What is off by the same everywhere was not rounded.
  const bool are_alike = are_all([&](const WrongNumber& number) {
    return std::fabs(error(number) - error(wrong.front())) <= kDigitsOfFloat / 1000;
  });
  if (are_small && !are_alike) return "it has the seven digits of a float. Compute in double.";
  const bool has_negative = std::any_of(wrong.begin(), wrong.end(), [](const WrongNumber& number) {
    return number.is < 0 && number.should > 0;
  });
  if (has_negative && are_all([](const WrongNumber& n) { return std::fabs(n.should) >= kLarge; })) {
    return "an int overflows: it holds numbers up to 2^31 - 1. Compute in double.";
  }
  return {};
}

/// The wrong numbers of one field; nothing when some result has no such number.
std::optional<std::vector<WrongNumber>> wrong_numbers(const std::vector<Difference>& differences,
                                                      std::size_t field, const Exercise& exercise,
                                                      const std::vector<std::string>& listed) {
  std::vector<WrongNumber> wrong;
  for (const Difference& difference : differences) {
    const auto is = numbers_of(difference.is);
    const auto should = numbers_of(difference.should);
    if (!is || !should || field >= is->size() || is->size() != should->size()) return std::nullopt;
    if (is_right_number((*is)[field], (*should)[field], exercise)) continue;
    WrongNumber number{(*is)[field], (*should)[field], {}};
    for (std::size_t i = 0; i < std::min(listed.size(), difference.mistaken.size()); ++i) {
      const auto mistaken = numbers_of(difference.mistaken[i]);
      if (!mistaken || mistaken->size() != should->size()) continue;
      number.listed.push_back({(*mistaken)[field], {}, listed[i]});
    }
    wrong.push_back(std::move(number));
  }
  return wrong;
}

const std::vector<ReturnedField>& returns_of(const Exercise& exercise) {
  return exercise.as<FunctionExercise>().returns;
}

roofline::Dimension dimension_of(const Exercise& exercise, std::size_t field) {
  if (field >= returns_of(exercise).size() || returns_of(exercise)[field].unit.empty()) {
    return roofline::kNumber;
  }
  return roofline::parse_quantity("1 " + returns_of(exercise)[field].unit).dimension;
}

std::string name_of(const Exercise& exercise, std::size_t field) {
  return field < returns_of(exercise).size() ? returns_of(exercise)[field].name
                                             : "value " + std::to_string(field + 1);
}

bool same_value(const Value& is, const Value& should, const Exercise& exercise) {
  if (should.is_text()) return is.is_text() && is.text() == should.text();
  if (should.is_number()) {
    return is.is_number() && is_right_number(is.number(), should.number(), exercise);
  }
  if (!is.is_list() || is.size() != should.size()) return false;
  for (std::size_t i = 0; i < should.size(); ++i) {
    if (!same_value(is.at(i), should.at(i), exercise)) return false;
  }
  return true;
}

}  // namespace

bool is_right_number(double is, double should, const Exercise& exercise) {
  if (std::isnan(should)) return std::isnan(is);
  if (std::isinf(should)) return is == should;
  return within(is, should, exercise.rtol, exercise.atol);
}

bool same_reply(const Value& is, const Value& should, const Exercise& exercise) {
  const bool refuses = should.at(0).text() == "error";
  if (refuses) return is.at(0).text() == "error";
  return is.at(0).text() == "ok" && same_value(is.at(1), should.at(1), exercise);
}

Value mistaken_reply(const Misconception& mistake, const Value& should) {
  if (mistake.value) return Value::list("ok", *mistake.value);
  if (!mistake.factor || should.at(0).text() != "ok") return should;
  return Value::list("ok", scaled(should.at(1), *mistake.factor));
}

void drop_contradicted(std::vector<std::string>& listed, std::vector<Difference>& wrong,
                       const std::vector<Difference>& right, const Exercise& exercise) {
  for (std::size_t i = listed.size(); i-- > 0;) {
    if (exercise.misconceptions.at(i).answer.empty()) continue;
    const auto made = std::ranges::count_if(wrong, [&](const Difference& one) {
      return same_reply(one.is, one.mistaken.at(i), exercise);
    });
    const auto not_made = std::ranges::count_if(right, [&](const Difference& one) {
      return !same_reply(one.mistaken.at(i), one.should, exercise);
    });
    if (not_made <= made) continue;
    listed.erase(listed.begin() + static_cast<std::ptrdiff_t>(i));
    for (Difference& one : wrong) {
      one.mistaken.erase(one.mistaken.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

std::vector<std::string> explain(const std::vector<Difference>& differences,
                                 const Exercise& exercise, const std::vector<std::string>& listed) {
  if (differences.empty()) return {};
  const auto first = numbers_of(differences.front().should);
  const std::size_t fields = first ? first->size() : 0;
  std::vector<std::string> mistakes;
  std::vector<std::string> places;  // the fields that each message explains
  for (std::size_t field = 0; field < fields; ++field) {
    const auto wrong = wrong_numbers(differences, field, exercise, listed);
    if (!wrong) return {};
    if (wrong->empty()) continue;
    std::string mistake = common_mistake(*wrong, exercise, dimension_of(exercise, field));
    if (mistake.empty()) mistake = common_factor(*wrong);
    if (mistake.empty()) mistake = common_type(*wrong);
    if (mistake.empty()) continue;
    if (!mistakes.empty() && mistakes.back() == mistake) {
      places.back() += " and " + name_of(exercise, field);
    } else {
      mistakes.push_back(std::move(mistake));
      places.push_back(name_of(exercise, field));
    }
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    const std::string place = fields == 1 ? "" : ", in " + places[i];
    lines.push_back("It looks like this" + place + ": " + mistakes[i]);
  }
  return lines;
}

}  // namespace grader
