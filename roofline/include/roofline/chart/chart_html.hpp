// SPDX-License-Identifier: MIT
// Charts as self-contained HTML pages.
#pragma once

#include <string>

#include "roofline/chart/chart.hpp"

namespace roofline {

/// A page with one chart, and a table of its figures for readers who do not see it.
struct ChartPage {
  std::string title;    ///< of the browser's window
  std::string heading;  ///< the page's
  std::string above;    ///< HTML between the heading and the chart
  std::string label;    ///< what the chart is
  std::string below;    ///< HTML with the table
  std::string data;     ///< JSON, the script's `data`
  /// Draws on the element "chart"; calls recolour(chart) when `dark`, a MediaQueryList, changes.
  /// ink() is the colour of text, rule() that of grid lines.
  std::string script;
};

/// The page, which needs no other file. `chart_js` is the text of Chart.js 3 or 4 (MIT) and
/// `licence` its licence, which the page keeps. Throws std::invalid_argument if chart_js would end
/// the script early.
std::string chart_page(const ChartPage& page, const std::string& chart_js,
                       const std::string& licence);

/// The page of a roofline chart: hovering shows values, the legend switches lines on and off, wheel
/// and drag zoom, a double click resets. A table below the chart has the same values. `below` is
/// HTML to put after that table. Throws as range_of() and chart_page() do.
std::string draw_html(const Chart& chart, const std::string& chart_js, const std::string& licence,
                      const std::string& below = {});

/// Chart.js and its licence, as needed by chart_page().
struct ChartLibrary {
  std::string script;
  std::string licence;
};

/// The distribution's Chart.js, or the file named by the environment variable ROOFLINE_CHART_JS.
/// Throws std::runtime_error naming the package to install if there is none.
ChartLibrary find_chart_library();

}  // namespace roofline
