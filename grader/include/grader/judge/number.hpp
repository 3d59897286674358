// SPDX-License-Identifier: MIT
// Numbers that students write: strict parsing, comparison, and recognising common mistakes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/units.hpp"

namespace grader {

/// Reads a student's number, or a fraction of two such as 1/6. A bare number is in `unit` (the
/// exercise's); a number with a unit must have the same dimension. The result is in base units.
/// @throws std::invalid_argument in plain words for anything but a plain decimal number (NaN,
/// infinity, hexadecimal, digit separators, non-ASCII digits, decimal comma, list, range, longer
/// expression), for a text that is too long, an unknown unit, or another dimension (the message
/// names both).
double parse_number(std::string_view text, std::string_view unit);

/// |x - reference| <= atol + rtol*|reference|; false for a NaN.
bool within(double x, double reference, double rtol, double atol);

/// A known wrong value or factor, and the message for it.
struct KnownMistake {
  std::optional<double> value;   ///< in base units
  std::optional<double> factor;  ///< relative to the right value
  std::string message;
};

/// What a mistake is about: a count or a ratio has no prefix and no elements, for example.
enum class MistakeAbout { kAnything, kUnit, kTebibytes, kPrefix, kElementSize };

/// A mistake that a wrong value looks like.
struct Mistake {
  std::string message;  ///< empty if there is none
  MistakeAbout about = MistakeAbout::kAnything;
  bool operator==(const Mistake&) const = default;
};

/// The value that a mistake leads to.
double wrong_value(const KnownMistake& mistake, double reference);

/// One unit in the last digit of a number that parse_number() reads, relative to the number; 0 for
/// a fraction, which is not rounded. Trailing zeros of an integer do not count as digits, because
/// they may be padding.
double last_digit_of(std::string_view text);
/// Whether a number with such a last digit has at least three digits.
bool has_three_digits(double last_digit);

/// True if a number that parse_number() reads has no unit.
bool is_bare(std::string_view text);

/// How many significant digits bring any number within rtol; 0 if it must be exact.
int digits_for(double rtol);

/// A small number as a word: three.
std::string number_word(int number);

/// The explanation of a wrong value.
struct WrongNumber {
  std::string message;  ///< begins with "close" within a few percent, else with "wrong"
  Mistake mistake;      ///< that it looks like
};

/// `last_digit` comes from last_digit_of(): a value that was only rounded too much is called that.
WrongNumber explain_wrong(double value, double last_digit, double reference, double rtol,
                          const roofline::Dimension& dimension,
                          const std::vector<KnownMistake>& listed);

/// The mistakes that explain `value`: first those that the exercise lists, then the field's common
/// ones. A mistake that leads to the right value is never among them.
std::vector<Mistake> fitting_mistakes(double value, double reference, double rtol,
                                      const roofline::Dimension& dimension,
                                      const std::vector<KnownMistake>& listed);

/// The first of them that is possible for the dimension; empty when none fits.
Mistake diagnose(double value, double reference, double rtol, const roofline::Dimension& dimension,
                 const std::vector<KnownMistake>& listed);

/// Two mistakes that together explain `value`, one a line: two that the exercise lists, or one of
/// them (or a factor of two or four) and a wrong unit, which it is then about. Empty if no pair
/// does, or more than one: there are many pairs, so a value may fit by chance. For the same reason
/// a value with less than three digits (see last_digit_of()) must be exactly that of two listed
/// mistakes.
Mistake two_mistakes(double value, double last_digit, double reference, double rtol,
                     const roofline::Dimension& dimension, const std::vector<KnownMistake>& listed);

/// The values of the likeliest pairs, for a handout: two listed mistakes, or one and a prefix that
/// is off by a thousand.
std::vector<double> values_of_two_mistakes(double reference,
                                           const std::vector<KnownMistake>& listed);

/// Factors by which common mistakes differ from the right value.
std::vector<double> usual_factors();

/// How far off `value` is, coarsely enough that the right value cannot be computed from it.
std::string distance_in_words(double value, double reference);

}  // namespace grader
