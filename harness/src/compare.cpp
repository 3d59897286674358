// SPDX-License-Identifier: MIT
// Element-wise comparison with relative limits.
#include "harness/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace harness {
namespace {

bool is_right(double is, double should, double limit) {
  if (std::isnan(should)) return std::isnan(is);
  if (std::isinf(should)) return is == should;
  // Written so that a NaN in `is` is wrong.
  return std::fabs(is - should) <= limit;
}

/// The truth as the element type can hold it at best: beyond its range it is an infinity.
double representable(Element element, double should) {
  if (element == Element::kF64 || !is_floating(element) || std::isinf(should)) return should;
  std::byte bytes[8];
  write_element(element, should, bytes);
  const double rounded = read_element(element, bytes);
  return std::isinf(rounded) ? rounded : should;
}

template <class Read>
Comparison compare_with(Element element, Read read, std::span<const double> should,
                        std::span<const double> scale, const Tolerance& tolerance) {
  Comparison result;
  result.compared = should.size();
  for (std::size_t i = 0; i < should.size(); ++i) {
    const double is = read(i);
    const double size = scale.empty() ? std::fabs(should[i]) : scale[i];
    const double limit = tolerance.absolute + tolerance.relative * size;
    if (is_right(is, should[i], limit)) continue;
    const double wanted = representable(element, should[i]);
    if (is_right(is, wanted, limit)) continue;
    ++result.wrong;
    if (limit > 0 && std::isfinite(is) && std::isfinite(wanted)) {
      result.worst_ratio = std::max(result.worst_ratio, std::fabs(is - wanted) / limit);
    }
    if (result.first.size() < kShownMismatches) result.first.push_back({i, is, wanted, limit});
  }
  return result;
}

}  // namespace

Comparison compare(Element element, std::span<const std::byte> is, std::span<const double> should,
                   std::span<const double> scale, const Tolerance& tolerance) {
  if (is.size() != should.size() * size_of(element) ||
      (!scale.empty() && scale.size() != should.size())) {
    throw std::invalid_argument("compare: buffers of different lengths");
  }
  if (element == Element::kF32) {  // the common case, without a switch per element
    const auto read = [data = is.data()](std::size_t i) {
      float value;
      std::memcpy(&value, data + i * sizeof value, sizeof value);
      return static_cast<double>(value);
    };
    return compare_with(element, read, should, scale, tolerance);
  }
  const std::size_t size = size_of(element);
  const auto read = [&](std::size_t i) { return read_element(element, is.data() + i * size); };
  return compare_with(element, read, should, scale, tolerance);
}

std::string describe(const Comparison& comparison) {
  std::string text;
  char line[128];
  std::snprintf(line, sizeof line, "%12s %16s %16s %12s\n", "index", "is", "should be", "limit");
  text += line;
  for (const Mismatch& m : comparison.first) {
    std::snprintf(line, sizeof line, "%12zu %16.9g %16.9g %12.3g\n", m.index, m.is, m.should,
                  m.limit);
    text += line;
  }
  if (comparison.wrong > comparison.first.size()) {
    std::snprintf(line, sizeof line, "... and %zu more of %zu\n",
                  comparison.wrong - comparison.first.size(), comparison.compared);
    text += line;
  }
  return text;
}

}  // namespace harness
