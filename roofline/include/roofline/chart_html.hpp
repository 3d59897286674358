// SPDX-License-Identifier: MIT
// The roofline chart as one self-contained HTML page.
#pragma once

#include <string>

#include "roofline/chart.hpp"

namespace roofline {

/// A page that needs nothing but itself: hover shows figures, the legend switches lines on and off,
/// wheel and drag zoom, double click resets. `chart_js` is the text of Chart.js 3 or 4 (MIT) and
/// `licence` its licence, which the page keeps. A table under the chart holds the same figures.
/// Throws as range_of(), and std::invalid_argument when chart_js would end the script early.
std::string draw_html(const Chart& chart, const std::string& chart_js, const std::string& licence);

}  // namespace roofline
