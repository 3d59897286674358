// SPDX-License-Identifier: MIT
// Small least-squares fits.
#include "roofline/llm/least_squares.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "roofline/measurement.hpp"

namespace roofline::llm {
namespace {

constexpr std::size_t kMostParameters = 4;
constexpr int kMostSteps = 20;
constexpr double kSettled = 1e-6;
constexpr double kDependent = 1e-7;  // of columns of length one

using Vector = std::vector<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd as_eigen(const Vector& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The largest difference of two parameters, in steps.
double most_steps_between(const VectorXd& a, const VectorXd& b, const Vector& step) {
  return (a - b).cwiseAbs().cwiseQuotient(as_eigen(step)).maxCoeff();
}

/// x >= 0 that minimises |base + columns x|: the best of the minima over all sets of free x.
/// Columns are scaled to length one, so that one threshold tells dependent ones.
VectorXd nonnegative(const MatrixXd& columns, const VectorXd& base) {
  const VectorXd length = columns.colwise().norm();
  if (length.minCoeff() == 0) {
    throw std::invalid_argument("a fitted parameter has no effect on any row");
  }
  const MatrixXd scaled = columns * length.cwiseInverse().asDiagonal();
  VectorXd best = VectorXd::Zero(columns.cols());
  double least = base.squaredNorm();
  for (unsigned set = 1; set < (1U << columns.cols()); ++set) {
    std::vector<Eigen::Index> freed;
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      if (set >> j & 1U) freed.push_back(j);
    }
    const MatrixXd part = scaled(Eigen::all, freed);
    Eigen::ColPivHouseholderQR<MatrixXd> factors;
    factors.setThreshold(kDependent);
    factors.compute(part);
    if (factors.rank() < part.cols()) continue;
    const VectorXd solution = factors.solve(-base);
    const double squares = (base + part * solution).squaredNorm();
    if (solution.minCoeff() < 0 || squares >= least) continue;
    least = squares;
    best.setZero();
    best(freed) = solution;
  }
  return best.cwiseQuotient(length);
}

}  // namespace

Line fit_line(const Vector& x, const Vector& y) {
  if (x.size() != y.size() || x.size() < 2) {
    throw std::invalid_argument("a line needs two points or more, and as many y as x");
  }
  const double mean_x = as_eigen(x).mean();
  const double mean_y = as_eigen(y).mean();
  const VectorXd from_mean = as_eigen(x).array() - mean_x;
  if (from_mean.isZero(0)) throw std::invalid_argument("a line needs points at different x");
  const double slope = from_mean.dot(as_eigen(y)) / from_mean.squaredNorm();
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

/// Gauss-Newton steps from `current`, which is at or above `lower`.
Vector improved(const std::function<Vector(const Vector&)>& residuals, const Vector& lower,
                const Vector& step, Vector current) {
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    const VectorXd here = as_eigen(residuals(current));
    MatrixXd columns(here.size(), static_cast<Eigen::Index>(current.size()));
    for (std::size_t j = 0; j < current.size(); ++j) {
      Vector moved = current;
      moved[j] += step[j];
      columns.col(static_cast<Eigen::Index>(j)) = (as_eigen(residuals(moved)) - here) / step[j];
    }
    // In terms of the distance to the bounds, which must not be negative.
    const VectorXd bounds = as_eigen(lower);
    const VectorXd next =
        bounds + nonnegative(columns, here + columns * (bounds - as_eigen(current)));
    const double change = most_steps_between(next, as_eigen(current), step);
    current.assign(next.begin(), next.end());
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
    const double change = most_steps_between(as_eigen(next), as_eigen(current), step);
    current = next;
    if (change < kSettled) break;
  }
  return current;
}

}  // namespace roofline::llm
