// SPDX-License-Identifier: MIT
// Element-wise comparison with relative limits.
#include "harness/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/text.hpp"

namespace harness {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_right(double is, double should, double limit) {
  if (std::isnan(should)) return std::isnan(is);
  if (std::isinf(should)) return is == should;
  // Written so that a NaN in `is` counts as wrong.
  return std::fabs(is - should) <= limit;
}

/// A sum with an infinite term is an infinity, or NaN where rounding errors are added up too
/// (Kahan's summation): the error of that addition is infinity minus infinity.
bool is_compensated_infinity(double is, double should, double scale) {
  return std::isinf(should) && std::isinf(scale) && std::isnan(is);
}

/// The oracle's value as closely as the element type can represent it: an infinity beyond its
/// range.
double representable(Element element, double should) {
  if (element == Element::kF64 || !is_floating(element) || std::isinf(should)) return should;
  std::byte bytes[8];
  write_element(element, should, bytes);
  const double rounded = read_element(element, bytes);
  return std::isinf(rounded) ? rounded : should;
}

/// All bits set, which is how outputs are filled before a call: a NaN that no arithmetic produces,
/// or -1.
bool is_as_filled(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0xff}; });
}

/// The width of numbers whose rounding explains errors of this share of the terms' size; 0 if none.
/// If the tolerance is as wide as that rounding, an error of that size may have any cause.
int bits_that_explain(Element element, double worst_share, const Tolerance& tolerance) {
  if (!is_floating(element)) return 0;
  // Four times the rounding error of one number, because several may add up.
  const auto explains = [&](double most) {
    return worst_share <= most && tolerance.relative <= most / 8;
  };
  if (size_of(element) > 4 && explains(0x1p-22)) return 32;
  return size_of(element) > 2 && explains(0x1p-9) ? 16 : 0;
}

/// Whether `factor` is a whole number or its reciprocal, within the relative `error`.
bool is_simple(double factor, double error) {
  constexpr double kLargest = 4096;
  const double size = std::max(std::fabs(factor), 1 / std::fabs(factor));
  const double nearest = std::round(size);
  return nearest <= kLargest && std::fabs(size - nearest) <= error * size;
}

/// Finds the common factor of all wrong elements.
class CommonFactor {
 public:
  /// First pass over the wrong elements: the largest one gives the most precise factor.
  void look_at(double is, double should, double limit) {
    if (!std::isfinite(is) || !std::isfinite(should)) is_possible_ = false;
    if (!is_possible_ || std::fabs(should) <= std::fabs(largest_)) return;
    largest_ = should;
    factor_ = is / should;
    error_ = limit / std::fabs(should);
  }
  /// Second pass: tests the factor on every wrong element.
  void try_on(double is, double should, double limit) {
    if (!is_possible_) return;
    const double most = 2 * std::max(1.0, std::fabs(factor_)) * limit + 1e-9 * std::fabs(is);
    is_possible_ = std::fabs(is - factor_ * should) <= most;
    if (std::fabs(should) < 0.9 * std::fabs(largest_)) ++others_;
  }
  /// Whether one factor (it may be 1) fits several different elements, or many if it is only known
  /// coarsely.
  bool fits() const {
    constexpr double kVeryCoarse = 0.05;
    constexpr int kMany = 8;
    const bool tells = error_ <= kCoarse ? others_ > 0 : error_ <= kVeryCoarse && others_ >= kMany;
    return is_possible_ && factor_ != 0 && tells;
  }
  /// 0 when there is none.
  double result() const {
    constexpr double kNearOne = 0.01;  // rounding also makes a ratio near one
    constexpr int kEnough = 3;
    if (!is_possible_ || factor_ == 0 || error_ > kCoarse) return 0;
    if (std::fabs(factor_ - 1) < kNearOne) return 0;
    const bool is_known = is_simple(factor_, 2 * error_ * std::max(1.0, 1 / std::fabs(factor_)));
    return is_known || others_ >= kEnough ? factor_ : 0;
  }

 private:
  static constexpr double kCoarse = 1e-3;  // a factor that is known no better says nothing

  bool is_possible_ = true;
  double largest_ = 0;
  double factor_ = 0;
  double error_ = 0;
  int others_ = 0;  ///< elements of another size: if all are alike, any factor fits
};

/// The element whose value `wrong` has. Nothing if several have it, if it is a whole number
/// (results often share these), or if results are so close together that one would have it by
/// chance.
template <class LimitAt>
std::optional<std::size_t> element_with_value_of(const Mismatch& wrong,
                                                 std::span<const double> should, LimitAt limit_at) {
  constexpr double kMostByChance = 0.01;  // expected number of elements
  if (!std::isfinite(wrong.is) || wrong.is == std::round(wrong.is)) return std::nullopt;
  std::optional<std::size_t> found;
  double low = kInfinity;
  double high = -kInfinity;
  double width = 0;  // of all values that would count as a match
  for (std::size_t i = 0; i < should.size(); ++i) {
    if (!std::isfinite(should[i])) continue;
    low = std::min(low, should[i]);
    high = std::max(high, should[i]);
    width += 2 * limit_at(i);
    if (i == wrong.index || !is_right(wrong.is, should[i], limit_at(i))) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return width <= kMostByChance * (high - low) ? found : std::nullopt;
}

/// What the error of an element is relative to, if `value` is right.
double size_of_terms(std::span<const double> scale, std::size_t index, double value) {
  return scale.empty() ? std::fabs(value) : scale[index];
}

double largest_error(const Tolerance& tolerance, std::span<const double> scale, std::size_t index,
                     double value) {
  return tolerance.absolute + tolerance.relative * size_of_terms(scale, index, value);
}

template <class Read>
Comparison compare_with(Element element, std::span<const std::byte> bytes, Read read,
                        std::span<const double> should, std::span<const double> scale,
                        const Tolerance& tolerance, std::span<const double> also) {
  Comparison result;
  result.compared = should.size();
  double worst_share = 0;            // relative to the terms' size
  std::size_t others_than_zero = 0;  // among the wrong elements
  CommonFactor factor;
  const auto limit_at = [&](std::size_t i) {
    return largest_error(tolerance, scale, i, should[i]);
  };
  const auto is_right_at = [&](std::size_t i, double is, double wanted) {
    if (is_right(is, wanted, limit_at(i))) return true;
    if (!scale.empty() && is_compensated_infinity(is, wanted, scale[i])) return true;
    if (also.empty()) return false;
    const double other = representable(element, also[i]);
    return is_right(is, other, largest_error(tolerance, scale, i, other));
  };
  for (std::size_t i = 0; i < should.size(); ++i) {
    const double is = read(i);
    const double limit = limit_at(i);
    if (is_right(is, should[i], limit)) continue;
    const double wanted = representable(element, should[i]);
    if (is_right_at(i, is, wanted)) continue;
    ++result.wrong;
    factor.look_at(is, wanted, limit);
    const double share = std::fabs(is - wanted) / size_of_terms(scale, i, should[i]);
    worst_share = std::max(worst_share, std::isfinite(share) ? share : kInfinity);
    if (is != 0) ++others_than_zero;
    if (limit > 0 && std::isfinite(is) && std::isfinite(wanted)) {
      result.worst_ratio = std::max(result.worst_ratio, std::fabs(is - wanted) / limit);
    }
    if (result.first.size() == kShownMismatches) continue;
    const std::size_t size_of_one = size_of(element);
    const bool as_filled = is_as_filled(bytes.subspan(i * size_of_one, size_of_one));
    const bool floating = is_floating(element);
    result.first.push_back({i, as_filled && floating, as_filled && !floating, is, wanted, limit});
  }
  if (result.wrong == 0) return result;
  result.are_all_zero =
      is_floating(element) && result.wrong == result.compared && others_than_zero == 0;
  result.like_bits = bits_that_explain(element, worst_share, tolerance);
  for (std::size_t i = result.first.front().index; i < should.size(); ++i) {
    const double is = read(i);
    const double wanted = representable(element, should[i]);
    if (!is_right_at(i, is, wanted)) factor.try_on(is, wanted, limit_at(i));
  }
  result.factor = factor.result();
  result.has_value_of = element_with_value_of(result.first.front(), should, limit_at);
  return result;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";  // its sign is meaningless
  return base::formatted("%.9g", value);
}

/// "16 times", "1/16 of", or "the negative of".
std::string factor_text(double factor) {
  const double inverse = 1 / factor;
  if (std::fabs(factor + 1) < 0.01) return "the negative of";
  const bool is_part = std::fabs(factor) < 1 && std::fabs(inverse - std::round(inverse)) < 0.01;
  if (!is_part) return base::formatted("%.4g times", factor);
  return base::formatted("%s1/%.0f of", factor < 0 ? "-" : "", std::fabs(inverse));
}

/// The index of an element along each axis.
std::vector<std::size_t> along_axes(std::size_t index, std::span<const Axis> axes) {
  std::vector<std::size_t> result(axes.size());
  for (std::size_t i = axes.size(); i > 0; --i) {
    // The first axis takes the rest, even beyond its extent.
    const std::size_t extent = std::max<std::size_t>(1, axes[i - 1].extent);  // 0 for some strays
    result[i - 1] = i == 1 ? index : index % extent;
    index /= i == 1 ? 1 : extent;
  }
  return result;
}

using Row = std::vector<std::string>;

Row row_of(const Mismatch& mismatch, std::span<const Axis> axes) {
  Row row;
  for (const std::size_t place : along_axes(mismatch.index, axes)) {
    row.push_back(std::to_string(place));
  }
  if (axes.empty()) row.push_back(std::to_string(mismatch.index));
  row.push_back(mismatch.is_unwritten ? "unwritten" : number_text(mismatch.is));
  row.push_back(number_text(mismatch.should));
  return row;
}

/// Columns are as wide as their longest entry, so that the table fits in a narrow terminal.
std::string table_of(std::span<const Mismatch> mismatches, std::span<const Axis> axes) {
  std::vector<Row> rows(1);
  for (const Axis& axis : axes) rows[0].push_back(axis.name);
  if (axes.empty()) rows[0].emplace_back("element");
  rows[0].insert(rows[0].end(), {"is", "should be"});
  for (const Mismatch& mismatch : mismatches) rows.push_back(row_of(mismatch, axes));
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::size_t width = 0;
      for (const Row& other : rows) width = std::max(width, other[column].size());
      text += std::string((column > 0 ? 2 : 0) + width - row[column].size(), ' ') + row[column];
    }
    text += "\n";
  }
  return text;
}

/// Whether each row of `length` numbers is the right row times a factor, which may differ from row
/// to row. It takes several numbers per row to tell: any factor fits a single one.
bool has_rows_in_proportion(Element element, std::span<const std::byte> is,
                            std::span<const double> should, std::span<const double> scale,
                            const Tolerance& tolerance, std::size_t length) {
  const std::size_t size = size_of(element);
  const auto value_at = [&](std::size_t i) { return read_element(element, &is[i * size]); };
  const auto limit_at = [&](std::size_t i) {
    return largest_error(tolerance, scale, i, should[i]);
  };
  for (std::size_t begin = 0; length > 0 && begin < should.size(); begin += length) {
    CommonFactor factor;
    for (std::size_t i = begin; i < begin + length; ++i) {
      factor.look_at(value_at(i), should[i], limit_at(i));
    }
    for (std::size_t i = begin; i < begin + length; ++i) {
      factor.try_on(value_at(i), should[i], limit_at(i));
    }
    if (!factor.fits()) return false;
  }
  return length > 0;
}

}  // namespace

Comparison compare(Element element, std::span<const std::byte> is, std::span<const double> should,
                   std::span<const double> scale, const Tolerance& tolerance,
                   std::span<const double> also) {
  if (is.size() != should.size() * size_of(element) ||
      (!scale.empty() && scale.size() != should.size()) ||
      (!also.empty() && also.size() != should.size())) {
    throw std::invalid_argument("compare: buffers of different lengths");
  }
  if (element == Element::kF32) {  // the common case, without a switch per element
    const auto read = [data = is.data()](std::size_t i) {
      float value;
      std::memcpy(&value, data + i * sizeof value, sizeof value);
      return static_cast<double>(value);
    };
    return compare_with(element, is, read, should, scale, tolerance, also);
  }
  const std::size_t size = size_of(element);
  const auto read = [&](std::size_t i) { return read_element(element, is.data() + i * size); };
  return compare_with(element, is, read, should, scale, tolerance, also);
}

std::string_view cause_of(Element element, std::span<const std::byte> is,
                          std::span<const double> should, std::span<const double> scale,
                          const Tolerance& tolerance, std::span<const Axis> axes,
                          std::span<const Mistake> mistakes) {
  const std::size_t row = axes.empty() ? 0 : axes.back().extent;
  for (const Mistake& mistake : mistakes) {
    const bool explains =
        mistake.value.empty()
            ? has_rows_in_proportion(element, is, should, scale, tolerance, row)
            : compare(element, is, mistake.value, mistake.scale, tolerance).wrong == 0;
    if (explains) return mistake.cause;
  }
  return {};
}

std::string place_of(std::size_t index, std::span<const Axis> axes) {
  const std::string element = "element " + std::to_string(index);
  if (axes.empty()) return element;
  const std::vector<std::size_t> along = along_axes(index, axes);
  std::string place;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    place += (i > 0 ? ", " : "") + axes[i].name + " " + std::to_string(along[i]);
  }
  return place + " (" + element + ")";
}

std::string describe(const Comparison& comparison, std::string_view name,
                     std::span<const Axis> axes, std::string_view cause) {
  if (comparison.first.empty()) return {};
  const Mismatch& first = comparison.first.front();
  std::string text = std::string(name) +
                     (first.is_unwritten ? " was not written at " : " is wrong at ") +
                     place_of(first.index, axes) +
                     (first.is_unwritten ? ", or added to and never cleared: " : ": ");
  if (!first.is_unwritten) text += "is " + number_text(first.is) + ", ";
  if (first.is_as_before) text += "as before the call, ";
  text += "should be " + number_text(first.should);
  if (std::isfinite(first.is) && std::isfinite(first.should) && first.limit > 0) {
    text += base::formatted(", give or take %.2g", first.limit);
  }
  if (comparison.factor != 0) {
    text += std::string(comparison.wrong == 1 ? "; this is " : "; every wrong one is ") +
            factor_text(comparison.factor) + " what it should be";
  } else if (comparison.are_all_zero && cause.empty()) {
    text += "; a loop that never runs gives 0, and so does arithmetic on integers, such as 1 / 2";
  } else if (comparison.like_bits > 0 && cause.empty()) {
    text +=
        "; numbers rounded to " + std::to_string(comparison.like_bits) +
        " bits on the way look like this, and so does a long sum that lacks a term or is added up "
        "in a single number";
  } else if (comparison.has_value_of) {
    text += "; that is what " + place_of(*comparison.has_value_of, axes) + " should be";
  }
  const std::string ending =
      cause.empty() ? "" : "It looks like this: " + std::string(cause) + "\n";
  if (comparison.wrong == 1) return text + "\n" + ending;
  text += ". " + std::to_string(comparison.wrong) + " of " + std::to_string(comparison.compared) +
          " elements of " + std::string(name) + " are wrong";
  text += comparison.wrong == comparison.first.size() ? ":\n" : ", the first of them:\n";
  return text + table_of(comparison.first, axes) + ending;
}

std::string fault_in(Element element, std::span<const std::byte> is, const RightBuffer& right,
                     const Tolerance& tolerance, std::string_view name) {
  const Comparison comparison =
      compare(element, is, right.value, right.scale, tolerance, right.also);
  if (comparison.wrong == 0) return {};
  return describe(
      comparison, name, right.axes,
      cause_of(element, is, right.value, right.scale, tolerance, right.axes, right.mistakes));
}

}  // namespace harness
