// SPDX-License-Identifier: MIT
// Quantities with units: "2.039 TB/s" as text, and as a number in base units with its dimension.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// Powers of the base units byte, operation, second, joule and token. Integer operations and
/// floating-point operations share one dimension: OP and FLOP differ only in name.
struct Dimension {
  int bytes = 0;
  int operations = 0;
  int seconds = 0;
  int joules = 0;
  int tokens = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

inline constexpr Dimension kNumber{};
inline constexpr Dimension kBytes{.bytes = 1};
inline constexpr Dimension kOperations{.operations = 1};
inline constexpr Dimension kSeconds{.seconds = 1};
inline constexpr Dimension kHertz{.seconds = -1};
inline constexpr Dimension kBytesPerSecond{.bytes = 1, .seconds = -1};
inline constexpr Dimension kOperationsPerSecond{.operations = 1, .seconds = -1};
inline constexpr Dimension kOperationsPerByte{.bytes = -1, .operations = 1};
inline constexpr Dimension kJoules{.joules = 1};
inline constexpr Dimension kWatts{.seconds = -1, .joules = 1};
inline constexpr Dimension kTokensPerSecond{.seconds = -1, .tokens = 1};

/// Words for a dimension, such as "bytes/second"; "a plain number" if it has none.
std::string describe(const Dimension& dimension);

/// A value in base units (byte, operation, second, joule, token) and its dimension.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

/// Parses "NUMBER [UNIT[/UNIT]]". Units: B, bit, FLOP, OP, s, Hz, J, W, tok and the percent sign,
/// also as byte, token and in the plural (bytes, bits, FLOPs, OPs, tokens); prefixes p n u m k M G
/// T P and, for B and bit, Ki Mi Gi Ti Pi. The number is a plain decimal: no infinity, NaN,
/// hexadecimal, comma or digit separators. Throws std::invalid_argument saying what is wrong and
/// what would be right.
Quantity parse_quantity(std::string_view text);

/// parse_quantity() for a value whose dimension is known; the error names both dimensions.
double parse_quantity_as(std::string_view text, const Dimension& dimension);

/// Text with a decimal prefix that keeps the number between 1 and 1000 if there is one. With
/// significant_digits of 17, parse_quantity(format_quantity(x)) == x up to rounding.
std::string format_quantity(double value, const Dimension& dimension, int significant_digits = 4);

/// format_quantity() for integer work, which is counted in OP: "1.979 POP/s", "2 MOP".
std::string format_integer_work(double value, const Dimension& dimension,
                                int significant_digits = 4);

}  // namespace roofline
