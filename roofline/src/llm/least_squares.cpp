// SPDX-License-Identifier: MIT
// Small least-squares fits.
#include "roofline/llm/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "roofline/measurement.hpp"

namespace roofline::llm {
namespace {

constexpr std::size_t kMostParameters = 4;
constexpr int kMostSteps = 20;
constexpr double kSettled = 1e-6;
constexpr double kSingular = 1e-14;

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

/// Solves a x = b by elimination with row exchange; empty if a is singular.
std::optional<Vector> solve(Matrix a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i + 1; k < n; ++k) {
      if (std::abs(a[k][i]) > std::abs(a[pivot][i])) pivot = k;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    if (std::abs(a[i][i]) < kSingular) return std::nullopt;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = a[k][i] / a[i][i];
      for (std::size_t j = i; j < n; ++j) a[k][j] -= factor * a[i][j];
      b[k] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

double sum_of_squares(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// columns[j] times x[j], summed, plus base.
Vector combined(const Matrix& columns, const Vector& x, Vector base) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < base.size(); ++i) base[i] += columns[j][i] * x[j];
  }
  return base;
}

/// x >= 0 that minimises |base + columns x|: the best of the minima over all sets of free x.
/// Columns are scaled to length one, so that one threshold tells singular matrices.
Vector nonnegative(const Matrix& columns, const Vector& base) {
  const std::size_t n = columns.size();
  Vector length(n);
  for (std::size_t j = 0; j < n; ++j) {
    length[j] = std::sqrt(sum_of_squares(columns[j]));
    if (length[j] == 0) throw std::invalid_argument("a fitted parameter has no effect on any row");
  }
  Vector best(n, 0.0);
  double least = sum_of_squares(base);
  for (unsigned set = 1; set < (1U << n); ++set) {
    std::vector<std::size_t> freed;
    for (std::size_t j = 0; j < n; ++j) {
      if (set >> j & 1U) freed.push_back(j);
    }
    Matrix normal(freed.size(), Vector(freed.size()));
    Vector right(freed.size());
    for (std::size_t r = 0; r < freed.size(); ++r) {
      for (std::size_t i = 0; i < base.size(); ++i) {
        const double scaled = columns[freed[r]][i] / length[freed[r]];
        right[r] -= scaled * base[i];
        for (std::size_t c = 0; c < freed.size(); ++c) {
          normal[r][c] += scaled * columns[freed[c]][i] / length[freed[c]];
        }
      }
    }
    const auto solution = solve(normal, right);
    if (!solution) continue;
    if (std::any_of(solution->begin(), solution->end(), [](double v) { return v < 0; })) continue;
    Vector x(n, 0.0);
    for (std::size_t r = 0; r < freed.size(); ++r) x[freed[r]] = (*solution)[r] / length[freed[r]];
    const double squares = sum_of_squares(combined(columns, x, base));
    if (squares < least) {
      least = squares;
      best = x;
    }
  }
  return best;
}

}  // namespace

Line fit_line(const Vector& x, const Vector& y) {
  if (x.size() != y.size() || x.size() < 2) {
    throw std::invalid_argument("a line needs two points or more, and as many y as x");
  }
  const double n = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double covariance = 0;
  double variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance += (x[i] - mean_x) * (x[i] - mean_x);
  }
  if (variance == 0) throw std::invalid_argument("a line needs points at different x");
  const double slope = covariance / variance;
  return {slope, mean_y - slope * mean_x};
}

Line fit_line_robust(const Vector& x, const Vector& y) {
  if (x.size() != y.size() || x.size() < 2) {
    throw std::invalid_argument("a line needs two points or more, and as many y as x");
  }
  Vector slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = i + 1; k < x.size(); ++k) {
      if (x[i] != x[k]) slopes.push_back((y[k] - y[i]) / (x[k] - x[i]));
    }
  }
  if (slopes.empty()) throw std::invalid_argument("a line needs points at different x");
  const double slope = summarize(slopes).median;
  Vector left(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) left[i] = y[i] - slope * x[i];
  return {slope, summarize(left).median};
}

namespace {

/// Gauss-Newton steps from `current`, which lies at or above `lower`.
Vector improved(const std::function<Vector(const Vector&)>& residuals, const Vector& lower,
                const Vector& step, Vector current) {
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    const Vector here = residuals(current);
    Matrix columns;
    for (std::size_t j = 0; j < current.size(); ++j) {
      Vector moved = current;
      moved[j] += step[j];
      Vector column = residuals(moved);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - here[i]) / step[j];
      columns.push_back(column);
    }
    // In terms of the distance to the bounds, which must not be negative.
    Vector back(current.size());
    for (std::size_t j = 0; j < back.size(); ++j) back[j] = lower[j] - current[j];
    Vector next = nonnegative(columns, combined(columns, back, here));
    double change = 0;
    for (std::size_t j = 0; j < next.size(); ++j) {
      next[j] += lower[j];
      change = std::max(change, std::abs(next[j] - current[j]) / step[j]);
    }
    current = next;
    if (change < kSettled) break;
  }
  return current;
}

}  // namespace

Vector fit_bounded(const std::function<Vector(const Vector&)>& residuals, const Vector& lower,
                   const Vector& step) {
  if (lower.empty() || lower.size() > kMostParameters || step.size() != lower.size()) {
    throw std::invalid_argument("one to four parameters can be fitted");
  }
  return improved(residuals, lower, step, lower);
}

Vector fit_robust(const std::function<Vector(const Vector&)>& residuals, const Vector& lower,
                  const Vector& step) {
  constexpr int kRounds = 10;
  constexpr double kHuber = 1.345;
  constexpr double kToDeviation = 1.4826;  // of the median absolute value, for a normal spread
  constexpr double kLeastSpread = 1e-9;    // a perfect fit has none
  Vector current = fit_bounded(residuals, lower, step);
  for (int round = 0; round < kRounds; ++round) {
    const Vector here = residuals(current);
    Vector sizes;
    for (const double value : here) sizes.push_back(std::abs(value));
    const double usual = kHuber * kToDeviation * std::max(kLeastSpread, summarize(sizes).median);
    Vector weights;
    for (const double size : sizes) weights.push_back(std::sqrt(std::min(1.0, usual / size)));
    const auto weighted = [&](const Vector& parameters) {
      Vector result = residuals(parameters);
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (sizes[i] > usual) result[i] *= weights[i];
      }
      return result;
    };
    const Vector next = improved(weighted, lower, step, current);
    double change = 0;
    for (std::size_t j = 0; j < next.size(); ++j) {
      change = std::max(change, std::abs(next[j] - current[j]) / step[j]);
    }
    current = next;
    if (change < kSettled) break;
  }
  return current;
}

}  // namespace roofline::llm
