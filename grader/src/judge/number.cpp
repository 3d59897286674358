// SPDX-License-Identifier: MIT
// Strict parsing of numbers, and the catalogue of common mistakes.
#include "grader/judge/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>

#include "base/text.hpp"

namespace grader {
namespace {

constexpr std::size_t kLongestNumber = 64;
/// A tolerance this small only allows for rounding in the computation.
constexpr double kExact = 1e-5;

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument(message);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The length of the plain decimal number at the start: [+-]digits[.digits][e[+-]digits].
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  std::size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t before = at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) at = before;  // the e belongs to what follows
  }
  return at;
}

/// A number as written: one, or a fraction of two.
struct Written {
  std::size_t length = 0;  ///< in characters; 0 if the text does not start with a number
  std::string_view above;
  std::string_view below;  ///< empty when it is not a fraction
};

Written read_written(std::string_view text) {
  Written number{number_length(text), text.substr(0, number_length(text)), {}};
  std::size_t at = text.find_first_not_of(' ', number.length);
  if (number.length == 0 || at == std::string_view::npos || text[at] != '/') return number;
  at = text.find_first_not_of(' ', at + 1);
  if (at == std::string_view::npos) return number;
  const std::size_t length = number_length(text.substr(at));
  // Text after the slash that is not a number may be a unit: 1/s.
  if (length == 0) return number;
  number.below = text.substr(at, length);
  number.length = at + length;
  return number;
}

void refuse_what_is_no_number(std::string_view text) {
  if (text.empty()) refuse("no value is given");
  if (text.size() > kLongestNumber) {
    refuse("the value is longer than " + std::to_string(kLongestNumber) + " characters");
  }
  for (const std::string_view micro : {"\u00b5", "\u03bc"}) {
    if (text.find(micro) != std::string_view::npos) {
      refuse("write u for micro, as in us: only ASCII digits and letters are read");
    }
  }
  for (const char c : text) {
    if (c < ' ' || c > '~') refuse("only ASCII digits and letters are read; this has others");
  }
  const std::string small = base::lower_case(text);
  if (small.find("nan") == 0 || small.find("inf") <= 1) refuse("NaN and infinity are not answers");
  if (small.find("0x") <= 1) refuse("hexadecimal numbers are not read; write a decimal number");
  if (text.front() == '[' || text.front() == '{') {
    refuse("one number is expected, but this is a list");
  }
}

void refuse_what_follows_the_number(std::string_view rest) {
  if (rest.empty()) return;
  const char next = rest.front();
  if (next == '_') refuse("write the number without _ between its digits");
  if (next == ',' && rest.size() > 1 && is_digit(rest[1])) {
    refuse("write a decimal point, not a comma, and no separators between digits");
  }
  if (next == ',' || next == ';') refuse("one number is expected, but this is a list");
  const bool range = next == '.' || rest.starts_with("-") || rest.starts_with("~");
  if (range) refuse("one number is expected, but this is a range");
  const bool digit_follows = rest.find_first_of("0123456789") != std::string_view::npos;
  const bool operation = next == '*' || next == '+' || next == '^' || next == '/';
  if (operation && digit_follows) {
    refuse("one number or one fraction is expected, but this is an expression");
  }
}

/// The number as a plain decimal, in the form in which quantities are parsed.
std::string as_decimal(const Written& number) {
  const auto without_plus = [](std::string_view text) {
    return std::string(text.starts_with('+') ? text.substr(1) : text);
  };
  const std::string above = without_plus(number.above);
  if (number.below.empty()) return above;
  const double below = roofline::parse_quantity(without_plus(number.below)).value;
  if (below == 0) refuse("the denominator of a fraction must not be 0");
  return fmt::format("{:.17g}", roofline::parse_quantity(above).value / below);
}

/// The value of a bare number's unit; the percent sign and 1 are plain numbers.
double scale_of(std::string_view unit) {
  return unit.empty() ? 1.0 : roofline::parse_quantity("1 " + std::string(unit)).value;
}

roofline::Dimension dimension_of(std::string_view unit) {
  return unit.empty() ? roofline::kNumber
                      : roofline::parse_quantity("1 " + std::string(unit)).dimension;
}

/// The value of `decimal` with the unit that follows it.
double with_unit(const std::string& decimal, const std::string& rest, std::string_view asked) {
  if (asked.empty() || asked == "1") {
    // After a count, the rest is a word such as "sectors"; a list of units would not help.
    try {
      const roofline::Dimension given = roofline::parse_quantity("1" + rest).dimension;
      if (given == roofline::Dimension{.tokens = 1}) {  // a number of tokens is a number
        return roofline::parse_quantity_as(decimal + rest, given);
      }
    } catch (const std::invalid_argument&) {
      refuse("a plain number is asked for: write it without '" +
             rest.substr(rest.find_first_not_of(' ')) + "'");
    }
  }
  return roofline::parse_quantity_as(decimal + rest, dimension_of(asked));
}

/// A mistake as a factor of the right value.
struct Factor {
  double factor = 1;
  Mistake mistake;
};

Mistake factor_of_four() {
  return {
      "off by a factor of four: check the element's size in bytes (its precision), and whether "
      "there are two mistakes (2 x 2, or 8 / 2)",
      MistakeAbout::kElementSize};
}

const std::vector<Factor>& general_mistakes() {
  using enum MistakeAbout;
  static const std::vector<Factor> mistakes = {
      {-1, {"the sign is wrong"}},
      {1.024, {"1024 was used where 1000 is meant (or the reverse): kB is not KiB", kUnit}},
      {1.048576, {"MiB and MB are mixed up: 2^20 is not 10^6", kUnit}},
      {1.073741824, {"GiB and GB are mixed up: 2^30 is not 10^9", kUnit}},
      {1.099511627776, {"TiB and TB are mixed up: 2^40 is not 10^12", kTebibytes}},
      {8, {"bits and bytes are mixed up: one byte is eight bits", kUnit}},
      {100, {"a percentage and a fraction are mixed up"}},
      {1e3, {"the prefix is off by a thousand (k, M, G, T)", kPrefix}},
      {1e6, {"the prefix is off by a million", kPrefix}},
      {1e9, {"the prefix is off by a factor of 10^9", kPrefix}},
      {1e12, {"the prefix is off by a factor of 10^12", kPrefix}}};
  return mistakes;
}

bool counts_operations(const roofline::Dimension& dimension) {
  return dimension.operations != 0;
}
bool is_rate_of_operations(const roofline::Dimension& d) {
  return d.operations == 1 && d.seconds == -1;
}

bool close(double a, double b, double rtol) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
  return std::fabs(a - b) <= std::clamp(rtol, 1e-6, 0.01) * std::fabs(b);
}

std::string factor_of_two_message(const roofline::Dimension& dimension, bool too_large) {
  if (is_rate_of_operations(dimension)) {
    return too_large ? "twice too much: is it the peak with sparsity, or of the precision of half "
                       "the width, instead of the dense peak asked for?"
                     : "half of it: a fused multiply-add counts as two operations";
  }
  if (counts_operations(dimension) && dimension.bytes == 0) {
    return too_large ? "twice too much: is the multiply-add counted once too often?"
                     : "half of it: a fused multiply-add is two FLOPs";
  }
  if (counts_operations(dimension)) {
    return too_large
               ? "twice too much: was the multiply-add counted once too often, or are some "
                 "bytes missing?"
               : "half of it: a fused multiply-add is two FLOPs (or bytes were counted twice)";
  }
  if (dimension == roofline::kNumber) return "off by a factor of two: is something counted twice?";
  return "off by a factor of two: is something counted twice, or the element's size wrong?";
}

/// Whether `value`, a whole number of steps, is `reference` with digits left out, rounded to the
/// nearest or cut off. A whole number of steps has none to leave out.
bool is_rounding_of(double reference, double value, double step) {
  constexpr double kWhole = 1e-6;
  if (step == 0 || std::signbit(value) != std::signbit(reference)) return false;
  const double left_out = (std::fabs(reference) - std::fabs(value)) / step;
  const bool is_whole = std::fabs(left_out - std::round(left_out)) <= kWhole;
  return !is_whole && left_out > -0.5 - kWhole && left_out < 1;
}

bool is_prefix(const Mistake& mistake) {
  return mistake.about == MistakeAbout::kPrefix;
}

/// Whether a mistake is possible for a quantity: a count or a ratio has no prefix, is not in bits
/// and has no elements, and only bytes are counted in TiB.
bool can_happen(const Mistake& mistake, const roofline::Dimension& dimension) {
  if (mistake.about == MistakeAbout::kTebibytes) return dimension.bytes == 1;
  return mistake.about == MistakeAbout::kAnything || dimension != roofline::kNumber;
}

/// The mistake if `value`, a whole number of steps, is the right one with another prefix and too
/// few digits; else empty.
Mistake wrong_prefix(double value, double step, double reference,
                     const roofline::Dimension& dimension) {
  for (const auto& [usual, mistake] : general_mistakes()) {
    if (!is_prefix(mistake) || !can_happen(mistake, dimension)) continue;
    for (const double factor : {usual, 1 / usual}) {
      if (is_rounding_of(factor * reference, value, step)) return mistake;
    }
  }
  return {};
}

/// Adds the usual mistakes for which no mistake listed here has the same factor.
void add_unlisted(const std::vector<Factor>& usual, const std::vector<Factor>& listed,
                  const roofline::Dimension& dimension, std::vector<Factor>& factors) {
  constexpr double kSame = 0.01;
  for (const Factor& one : usual) {
    const bool is_listed = std::any_of(listed.begin(), listed.end(), [&](const Factor& other) {
      return close(other.factor, one.factor, kSame);
    });
    if (!is_listed && can_happen(one.mistake, dimension)) factors.push_back(one);
  }
}

}  // namespace

double wrong_value(const KnownMistake& mistake, double reference) {
  return mistake.value ? *mistake.value : mistake.factor.value_or(1) * reference;
}

std::string number_word(int number) {
  constexpr std::array kWords = {"no", "one", "two", "three", "four", "five", "six", "seven"};
  const auto index = static_cast<std::size_t>(number);
  return index < kWords.size() ? kWords[index] : std::to_string(number);
}

double parse_number(std::string_view text, std::string_view unit) {
  refuse_what_is_no_number(text);
  const Written number = read_written(text);
  if (number.length == 0) {
    refuse("'" + std::string(text) + "' does not start with a decimal number");
  }
  const std::string_view rest = text.substr(number.length);
  refuse_what_follows_the_number(rest);
  const std::string decimal = as_decimal(number);
  const double value = rest.empty() ? roofline::parse_quantity(decimal).value * scale_of(unit)
                                    : with_unit(decimal, std::string(rest), unit);
  if (!std::isfinite(value)) refuse("the number is out of range");
  return value;
}

bool within(double x, double reference, double rtol, double atol) {
  return std::fabs(x - reference) <= atol + rtol * std::fabs(reference);
}

double last_digit_of(std::string_view text) {
  const Written number = read_written(text);
  if (!number.below.empty()) return 0;
  const std::string_view mantissa = number.above.substr(0, number.above.find_first_of("eE"));
  std::string digits;
  std::copy_if(mantissa.begin(), mantissa.end(), std::back_inserter(digits), is_digit);
  if (mantissa.find('.') == std::string_view::npos) digits.erase(digits.find_last_not_of('0') + 1);
  const double as_integer = digits.empty() ? 0 : std::stod(digits);
  return as_integer == 0 ? 1 : 1 / as_integer;
}

bool has_three_digits(double last_digit) {
  constexpr double kThreeDigits = 0.0101;
  return last_digit <= kThreeDigits;
}

bool is_bare(std::string_view text) {
  return read_written(text).length == text.size();
}

int digits_for(double rtol) {
  if (rtol <= kExact) return 0;
  return static_cast<int>(std::ceil(-std::log10(2 * rtol) - 1e-9)) + 1;
}

WrongNumber explain_wrong(double value, double last_digit, double reference, double rtol,
                          const roofline::Dimension& dimension,
                          const std::vector<KnownMistake>& listed) {
  constexpr double kClose = 0.05;       // rounding to two digits may change this much
  constexpr double kTwoDigits = 0.105;  // larger than the last digit of 1.0, smaller than that of 9
  const double step = last_digit * std::fabs(value);
  const double rounded = last_digit <= kTwoDigits ? step : 0;
  const double reach = std::max(kClose * std::fabs(reference), rounded);
  const double off = std::fabs(value - reference);
  if (!(off <= reach)) {
    // Far off, a mistake may be written with as few as three digits, whatever the tolerance.
    constexpr double kThreeDigits = 0.005;
    const double own = std::max(rtol, std::min(last_digit / 2, kThreeDigits));
    Mistake mistake = diagnose(value, reference, own, dimension, listed);
    if (mistake.message.empty()) {
      mistake = two_mistakes(value, last_digit, reference, own, dimension, listed);
    }
    if (mistake.message.empty() && rounded > 0) {
      mistake = wrong_prefix(value, step, reference, dimension);
    }
    return {"wrong: " + distance_in_words(value, reference), mistake};
  }
  const int digits = digits_for(rtol);
  if (!is_rounding_of(reference, value, step)) {
    return {digits == 0 ? "close, but not right: the exact number is asked for"
                        : fmt::format("close, but not within {:g} %", 100 * rtol),
            diagnose(value, reference, rtol, dimension, listed)};
  }
  // Digits are missing, so a mistake is named only if it leads to exactly this value.
  constexpr double kSame = 1e-9;  // a norm's parameters are less than a millionth of a model's
  const auto same = std::find_if(listed.begin(), listed.end(), [&](const KnownMistake& mistake) {
    return within(value, wrong_value(mistake, reference), kSame, 0);
  });
  const std::string advice = digits == 0
                                 ? "the exact number is asked for"
                                 : fmt::format("give {} significant digits", number_word(digits));
  if (same == listed.end()) return {"close: " + advice, {}};
  // A student with this mistake would only write it with more digits.
  return {fmt::format("close: rounded too far ({}), or not right", advice), {same->message}};
}

std::vector<Mistake> fitting_mistakes(double value, double reference, double rtol,
                                      const roofline::Dimension& dimension,
                                      const std::vector<KnownMistake>& listed) {
  std::vector<Mistake> fitting;
  for (const KnownMistake& mistake : listed) {
    if (close(value, wrong_value(mistake, reference), rtol)) fitting.push_back({mistake.message});
  }
  if (value == 0 || reference == 0) return fitting;
  for (const auto& [factor, mistake] : general_mistakes()) {
    // 1024 and 1000 differ by 2.4 %: with a wide tolerance, everything near would match.
    const double tolerance = is_prefix(mistake) ? rtol : std::min(rtol, 0.004);
    if (close(value, factor * reference, tolerance) ||
        close(value, reference / factor, tolerance)) {
      fitting.push_back(mistake);
    }
  }
  if (close(value, 2 * reference, rtol)) {
    fitting.push_back({factor_of_two_message(dimension, true)});
  }
  if (close(value, reference / 2, rtol)) {
    fitting.push_back({factor_of_two_message(dimension, false)});
  }
  if (close(value, 4 * reference, rtol) || close(value, reference / 4, rtol)) {
    fitting.push_back(factor_of_four());
  }
  if (close(value, 1 / reference, rtol)) fitting.push_back({"the ratio is upside down"});
  return fitting;
}

Mistake diagnose(double value, double reference, double rtol, const roofline::Dimension& dimension,
                 const std::vector<KnownMistake>& listed) {
  for (const Mistake& mistake : fitting_mistakes(value, reference, rtol, dimension, listed)) {
    if (can_happen(mistake, dimension)) return mistake;
  }
  return {};
}

Mistake two_mistakes(double value, double last_digit, double reference, double rtol,
                     const roofline::Dimension& dimension,
                     const std::vector<KnownMistake>& listed) {
  constexpr double kMostTolerance = 0.005;  // a wider one would fit many of the pairs
  if (value == 0 || reference == 0 || !std::isfinite(value / reference)) return {};
  const bool has_digits = has_three_digits(last_digit);
  const double tolerance = has_digits ? std::min(rtol, kMostTolerance) : 0;
  std::vector<Factor> own;
  for (const KnownMistake& mistake : listed) {
    own.push_back({wrong_value(mistake, reference) / reference, {mistake.message}});
  }
  std::vector<Factor> first = own;
  add_unlisted({{2, {factor_of_two_message(dimension, true)}},
                {0.5, {factor_of_two_message(dimension, false)}},
                {4, factor_of_four()},
                {0.25, factor_of_four()}},
               own, dimension, first);
  std::vector<Factor> units;
  for (const auto& [factor, unit] : general_mistakes()) {
    const bool is_percentage = factor == 100;
    if (!has_digits || factor < 0 || (is_percentage && dimension != roofline::kNumber)) continue;
    add_unlisted({{factor, unit}, {1 / factor, unit}}, own, dimension, units);
  }
  std::map<std::string, MistakeAbout> fitting;
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::vector<Factor> second = units;
    for (std::size_t j = i + 1; j < own.size(); ++j) second.push_back(own[j]);
    for (const Factor& other : second) {
      if (!close(value / reference, first[i].factor * other.factor, tolerance)) continue;
      fitting.emplace(
          "two mistakes at once.\n1. " + first[i].mistake.message + "\n2. " + other.mistake.message,
          other.mistake.about);
    }
  }
  if (fitting.size() != 1) return {};
  return {fitting.begin()->first, fitting.begin()->second};
}

std::vector<double> values_of_two_mistakes(double reference,
                                           const std::vector<KnownMistake>& listed) {
  constexpr double kPrefix = 1000;
  std::vector<double> values;
  for (std::size_t i = 0; i < listed.size() && reference != 0; ++i) {
    const double first = wrong_value(listed[i], reference);
    values.push_back(first * kPrefix);
    values.push_back(first / kPrefix);
    for (std::size_t j = i + 1; j < listed.size(); ++j) {
      values.push_back(first * wrong_value(listed[j], reference) / reference);
    }
  }
  return values;
}

std::vector<double> usual_factors() {
  std::vector<double> factors = {2, 0.5, 4, 0.25};
  for (const Factor& usual : general_mistakes()) {
    factors.push_back(usual.factor);
    if (usual.factor > 0) factors.push_back(1 / usual.factor);
  }
  return factors;
}

std::string distance_in_words(double value, double reference) {
  if (value == 0 || reference == 0 || (value < 0) != (reference < 0)) {
    return "it is not near the right value";
  }
  const double ratio = std::fabs(value / reference);
  const double factor = ratio > 1 ? ratio : 1 / ratio;
  const std::string direction = ratio > 1 ? "too large" : "too small";
  if (factor < 1.1) return direction + " by less than 10 %";
  if (factor < 2) return direction + " by between 10 % and a factor of 2";
  if (factor < 10) return direction + " by a factor of between 2 and 10";
  if (factor < 1000) return direction + " by a factor of between 10 and 1000";
  return direction + " by more than a factor of 1000";
}

}  // namespace grader
