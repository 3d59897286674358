// SPDX-License-Identifier: MIT
// Numbers that students write: reading them strictly, comparing them, and naming usual mistakes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/units.hpp"

namespace grader {

/// Reads a student's number, or a fraction of two such as 1/6. A bare number is in `unit` (the
/// exercise's); a number with a unit must have the same dimension. The result is in base units.
/// @throws std::invalid_argument in plain words: not a plain decimal number (NaN, infinity,
/// hexadecimal, digit separators, foreign digits, decimal comma, list, range, longer expression),
/// too long, unknown unit, or another dimension (both are named).
double parse_number(std::string_view text, std::string_view unit);

/// |x - reference| <= atol + rtol*|reference|; a NaN is never within.
bool within(double x, double reference, double rtol, double atol);

/// A known wrong value or factor, and what to say about it.
struct KnownMistake {
  std::optional<double> value;   ///< in base units
  std::optional<double> factor;  ///< against the right value
  std::string message;
};

/// The value that a mistake leads to.
double wrong_value(const KnownMistake& mistake, double reference);

/// One unit of the last digit of a number that parse_number() reads, as a share of the number; 0 of
/// a fraction, which is not rounded. Zeros at the end of an integer may only fill it up.
double last_digit_of(std::string_view text);

/// Whether a number that parse_number() reads stands there without a unit.
bool is_bare(std::string_view text);

/// So many significant digits are within rtol of any number; 0 when it must be exact.
int digits_for(double rtol);

/// A small number as a word: three.
std::string number_word(int number);

/// What is said about a wrong value.
struct WrongNumber {
  std::string message;  ///< begins with "close" within a few percent, and else with "wrong"
  std::string mistake;  ///< that it looks like; may be empty
};

/// `last_digit` as last_digit_of() gives it: what is only rounded too far is called that.
WrongNumber explain_wrong(double value, double last_digit, double reference, double rtol,
                          const roofline::Dimension& dimension,
                          const std::vector<KnownMistake>& listed);

/// The mistakes that explain `value`: first those that the exercise lists, then the usual ones of
/// the field. None contains the right value.
std::vector<std::string> fitting_mistakes(double value, double reference, double rtol,
                                          const roofline::Dimension& dimension,
                                          const std::vector<KnownMistake>& listed);

/// The first of them; empty when none fits.
std::string diagnose(double value, double reference, double rtol,
                     const roofline::Dimension& dimension, const std::vector<KnownMistake>& listed);

/// Factors that usual mistakes put between a value and the right one.
std::vector<double> usual_factors();

/// How far off `value` is, coarsely enough that the right value cannot be computed from it.
std::string distance_in_words(double value, double reference);

}  // namespace grader
