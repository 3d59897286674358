// SPDX-License-Identifier: MIT
// Checks of numeric input.
#include "roofline/checks.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "base/text.hpp"

namespace roofline {
namespace {

[[noreturn]] void refuse(double value, std::string_view what, const char* rule) {
  throw std::invalid_argument(std::string(what) +
                              base::formatted(" is %g; it must be %s", value, rule));
}

}  // namespace

double require_positive(double value, std::string_view what) {
  if (!std::isfinite(value) || value <= 0) refuse(value, what, "a finite number above zero");
  return value;
}

double require_not_negative(double value, std::string_view what) {
  if (!std::isfinite(value) || value < 0) refuse(value, what, "a finite number of at least zero");
  return value;
}

double require_fraction(double value, std::string_view what) {
  if (!std::isfinite(value) || value <= 0 || value > 1) refuse(value, what, "above 0, at most 1");
  return value;
}

}  // namespace roofline
