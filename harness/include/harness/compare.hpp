// SPDX-License-Identifier: MIT
// Comparison of computed elements with a double-precision oracle.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// An element is right if |is - should| <= absolute + relative * scale, where the scale is the size
/// of the terms that the oracle added up (by default the value's own magnitude). A NaN is right
/// only where a NaN is expected, an infinity only where the same infinity is.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// An axis of a buffer that represents a grid: its name ("row") and its length.
struct Axis {
  std::string name;
  std::size_t extent = 0;
};

/// One wrong element.
struct Mismatch {
  std::size_t index = 0;
  bool is_unwritten =
      false;  ///< the element still has the bits that outputs are filled with before the call
  bool is_as_before = false;  ///< the same for integers, which may also have been computed
  double is = 0;
  double should = 0;
  double limit = 0;  ///< largest allowed |is - should|
};

/// The outcome of comparing a whole buffer.
struct Comparison {
  std::size_t compared = 0;
  std::size_t wrong = 0;
  double worst_ratio = 0;  ///< largest |is - should| / limit over finite wrong elements
  /// The width in bits of a shorter number type if rounding to it explains all errors; else 0.
  int like_bits = 0;
  /// The common factor between all wrong elements and the right ones: a whole number or its
  /// reciprocal, or any number if several different elements agree on it; 0 if there is none.
  double factor = 0;
  bool are_all_zero = false;  ///< every element of a floating-point buffer is a wrong 0
  /// The element whose value the first wrong one has, for instance because of a wrong index;
  /// nothing if it may be chance.
  std::optional<std::size_t> has_value_of;
  std::vector<Mismatch> first;  ///< the first wrong elements, at most kShownMismatches
};

inline constexpr std::size_t kShownMismatches = 10;

/// A common mistake, given by the content of a buffer that it leads to.
struct Mistake {
  /// Empty for a mistake that multiplies each row, along the last axis, by some factor, so that
  /// ratios within a row are right.
  std::span<const double> value;
  std::span<const double> scale;  ///< as in compare()
  std::string cause;              ///< in words, a sentence
};

/// Compares `should.size()` elements at `is` with the oracle. `scale` is empty or as long, and so
/// is `also`: another value of each element that is as right. Where a sum with an infinite term
/// should be an infinity, NaN is as right: compensated summation leads to it.
Comparison compare(Element element, std::span<const std::byte> is, std::span<const double> should,
                   std::span<const double> scale, const Tolerance& tolerance,
                   std::span<const double> also = {});

/// The cause of the first of `mistakes` that explains all of a wrong buffer; empty if none does.
std::string_view cause_of(Element element, std::span<const std::byte> is,
                          std::span<const double> should, std::span<const double> scale,
                          const Tolerance& tolerance, std::span<const Axis> axes,
                          std::span<const Mistake> mistakes);

/// The position of an element, for people: "row 3, column 7 (element 52)" in a grid, else "element
/// 52". Neighbours are farthest apart along the first axis.
std::string place_of(std::size_t index, std::span<const Axis> axes);

/// What is wrong with the buffer `name`, for people: the first wrong element in a sentence, and
/// below it a table of the first ones. Where all of them are off by one factor, or 0, or off by as
/// little as numbers of fewer bits are from what was rounded to them, or else where the first has
/// another element's value, it says so. The cause, where one is known, ends it.
std::string describe(const Comparison& comparison, std::string_view name,
                     std::span<const Axis> axes = {}, std::string_view cause = {});

/// What a buffer should hold, as compare(), describe() and cause_of() take it.
struct RightBuffer {
  std::span<const double> value;
  std::span<const double> scale;
  std::span<const double> also;
  std::span<const Axis> axes;
  std::span<const Mistake> mistakes;
};

/// Describes what is wrong with the buffer `name`, with the cause if one is known; empty if it is
/// right.
std::string fault_in(Element element, std::span<const std::byte> is, const RightBuffer& right,
                     const Tolerance& tolerance, std::string_view name);

}  // namespace harness
