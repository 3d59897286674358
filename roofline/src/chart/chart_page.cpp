// SPDX-License-Identifier: MIT
// A page around a chart: its frame, its colours in light and dark, and the library that draws it.
#include <stdexcept>

#include "base/html.hpp"
#include "roofline/chart/chart_html.hpp"

namespace roofline {
namespace {

const char* const kPageStyle = R"css(
body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem; padding: 0 1rem;
       color: #111; background: #fff; }
.chart { position: relative; height: 70vh; min-height: 24rem; }
table { border-collapse: collapse; margin-top: 1rem; }
th, td { text-align: left; padding: .2rem .8rem; border-bottom: 1px solid #ccc; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
button { font: inherit; padding: .2rem .8rem; cursor: pointer; }
@media (prefers-color-scheme: dark) {
  body { color: #e4e9ee; background: #15191e; }
  th, td { border-color: #36414c; }
  button { color: inherit; background: #1f262d; border: 1px solid #52606d; border-radius: 4px; }
}
)css";

// The page's colours, which may be light on dark.
const char* const kColoursScript = R"js(
const data = JSON.parse(document.getElementById("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const ink = () => dark.matches ? "#e4e9ee" : "#111111";
const rule = () => dark.matches ? "#2b343d" : "#dddddd";
Chart.defaults.color = ink();
const recolour = chart => {
  for (const { title, ticks, grid } of Object.values(chart.options.scales)) {
    title.color = ticks.color = ink();
    grid.color = rule();
  }
  chart.options.plugins.legend.labels.color = ink();
  chart.update("none");
};
)js";

// "</" inside a JSON string would close the script element that contains it.
std::string safe_json(std::string text) {
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3)) {
    text.replace(at, 2, "<\\/");
  }
  return text;
}

}  // namespace

std::string chart_page(const ChartPage& page, const std::string& chart_js,
                       const std::string& licence) {
  if (chart_js.find("</script") != std::string::npos) {
    throw std::invalid_argument("the chart library's text would end the page's script");
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         base::html_escaped(page.title) + "</title>\n<style>" + kPageStyle +
         "</style>\n</head>\n<body>\n<h1>" + base::html_escaped(page.heading) + "</h1>\n" +
         page.above + "<div class=\"chart\"><canvas id=\"chart\" role=\"img\" aria-label=\"" +
         base::html_escaped(page.label) +
         "; its figures are in the table below\"></canvas></div>\n" + page.below +
         "<details><summary>Licence of Chart.js, which draws this page</summary><pre>" +
         base::html_escaped(licence) +
         "</pre></details>\n<script type=\"application/json\" id=\"data\">" + safe_json(page.data) +
         "</script>\n<script>" + chart_js + "</script>\n<script>" + kColoursScript + page.script +
         "</script>\n</body>\n</html>\n";
}

}  // namespace roofline
