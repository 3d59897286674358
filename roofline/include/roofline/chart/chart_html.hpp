// SPDX-License-Identifier: MIT
// The roofline chart as one self-contained HTML page.
#pragma once

#include <string>

#include "roofline/chart/chart.hpp"

namespace roofline {

/// A self-contained page: hovering shows values, the legend switches lines on and off, wheel and
/// drag zoom, a double click resets. `chart_js` is the text of Chart.js 3 or 4 (MIT) and `licence`
/// its licence, which the page keeps. A table below the chart has the same values. `below` is HTML
/// to put after that table. Throws as range_of() does, and std::invalid_argument if chart_js would
/// end the script early.
std::string draw_html(const Chart& chart, const std::string& chart_js, const std::string& licence,
                      const std::string& below = {});

/// Chart.js and its licence, as needed by draw_html().
struct ChartLibrary {
  std::string script;
  std::string licence;
};

/// The distribution's Chart.js, or the file named by the environment variable ROOFLINE_CHART_JS.
/// Throws std::runtime_error naming the package to install if there is none.
ChartLibrary find_chart_library();

}  // namespace roofline
