// SPDX-License-Identifier: MIT
// Small least-squares fits: a line, and a model with a few bounded parameters.
#pragma once

#include <functional>
#include <vector>

namespace roofline::llm {

struct Line {
  double slope = 0;
  double intercept = 0;
};

/// The line y = slope x + intercept with the least sum of squares. Throws std::invalid_argument for
/// fewer than two points, unequal counts, or if all x are equal.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// The line whose slope is the median of the slopes between all pairs of points (Theil, Sen), and
/// whose intercept is the median of the residuals: one outlier in ten changes neither much. Throws
/// as fit_line() does.
Line fit_line_robust(const std::vector<double>& x, const std::vector<double>& y);

/// Parameters at or above `lower` that minimise the sum of squares of residuals(parameters), found
/// by Gauss-Newton steps starting at `lower`; exact after one step if the residuals are linear. At
/// most four parameters. If the rows cannot separate some parameters, one of them stays at its
/// bound. Throws std::invalid_argument if a parameter has no effect at all.
std::vector<double> fit_bounded(
    const std::function<std::vector<double>(const std::vector<double>&)>& residuals,
    const std::vector<double>& lower, const std::vector<double>& step);

/// Like fit_bounded(), but residuals beyond 1.345 times their typical size (1.4826 times the median
/// of their absolute values) weigh less the larger they are (Huber, Robust Statistics, 1981).
std::vector<double> fit_robust(
    const std::function<std::vector<double>(const std::vector<double>&)>& residuals,
    const std::vector<double>& lower, const std::vector<double>& step);

}  // namespace roofline::llm
