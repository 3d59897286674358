// SPDX-License-Identifier: MIT
// The roofline chart as one self-contained HTML page.
#include "roofline/chart/chart_html.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/html.hpp"
#include "palette.hpp"
#include "roofline/units.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

std::string rate_text(double rate, bool integers) {
  return (integers ? format_integer_work : format_quantity)(rate, kOperationsPerSecond, 4);
}

// Each has an inside, which is empty for a lower bound.
constexpr std::array<const char*, 4> kShapes = {"circle", "rect", "triangle", "rectRot"};

// Lines are drawn from data; zooming changes the limits of the two logarithmic axes.
const char* const kScript = R"js(
const si = v => {
  const units = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const [scale, prefix] = units.find(([s]) => v >= s) || [1, ""];
  return Number((v / scale).toPrecision(4)) + " " + prefix;
};
const limits = data.range;
// What is drawn in black takes the page's colours, which may be light on dark.
const drawn = data.datasets.map(set => set.borderColor);
const drawnFill = data.datasets.map(set => set.backgroundColor);
const paint = () => {
  data.datasets.forEach((set, index) => {
    if (drawn[index] === "#000000") set.borderColor = ink();
    if (drawnFill[index] === "#000000") set.backgroundColor = ink();
  });
};
// An axis of constant width, so that what is under the pointer stays there when labels change.
const axis = (limits, title, label, more) => ({
  type: "logarithmic", min: limits[0], max: limits[1], ...more,
  title: { display: true, text: title, color: ink() }, grid: { color: rule() },
  ticks: { maxRotation: 0, color: ink(), callback: label } });
paint();
// Lines are labelled directly, so that colours need not be matched with the legend.
const names = { id: "names", afterDatasetsDraw(chart) {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.font = "12px system-ui, sans-serif";
  ctx.fillStyle = ink();
  ctx.beginPath();
  ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
  ctx.clip();
  chart.data.datasets.forEach((set, index) => {
    if (!set.showLine || !chart.isDatasetVisible(index)) return;
    const [start, end] = chart.getDatasetMeta(index).data;
    const flat = set.data[0].y === set.data[1].y;
    ctx.textAlign = flat ? "right" : "left";
    const x = flat ? Math.min(end.x, chartArea.right) - 6 : Math.max(start.x, chartArea.left) + 14;
    const along = Math.min(1, Math.max(0, (x - start.x) / (end.x - start.x)));
    const y = start.y + (end.y - start.y) * along;
    ctx.save();
    ctx.translate(x, y - 8);
    if (!flat) ctx.rotate(Math.atan2(end.y - start.y, end.x - start.x));
    ctx.fillText(set.label, 0, 0);
    ctx.restore();
  });
  ctx.restore();
} };
// A lower bound has an arrow along which the kernel may lie.
const arrows = { id: "arrows", afterDatasetsDraw(chart) {
  const { ctx, scales: { x, y } } = chart;
  const decade = scale => scale.getPixelForValue(10 * scale.min) - scale.getPixelForValue(scale.min);
  const angle = Math.atan2(decade(y), decade(x));
  ctx.save();
  chart.data.datasets.forEach((set, index) => {
    if (!set.atLeast || !chart.isDatasetVisible(index)) return;
    const [mark] = chart.getDatasetMeta(index).data;
    ctx.save();
    ctx.translate(mark.x, mark.y);
    ctx.rotate(angle);
    ctx.strokeStyle = set.borderColor;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(set.pointRadius, 0);
    ctx.lineTo(36, 0);
    ctx.lineTo(28, -5);
    ctx.moveTo(36, 0);
    ctx.lineTo(28, 5);
    ctx.stroke();
    ctx.restore();
  });
  ctx.restore();
} };
const chart = new Chart(document.getElementById("chart"), {
  type: "scatter",
  data: { datasets: data.datasets },
  plugins: [names, arrows],
  options: {
    animation: false, maintainAspectRatio: false,
    interaction: { mode: "nearest", intersect: true },
    scales: {
      x: axis(limits.x, "arithmetic intensity, " + data.units.x,
              v => Math.log10(v) % 1 === 0 ? String(v) : ""),
      y: axis(limits.y, "performance, " + data.units.y,
              v => Math.abs(Math.log10(v) % 1) < 1e-9 ? si(v) : "",
              { afterFit: scale => { scale.width = 80; } }) },
    layout: { padding: { right: 28 } },
    plugins: {
      legend: { position: "bottom", labels: { usePointStyle: true } },
      tooltip: { callbacks: { label: c =>
        `${c.dataset.label}: ${c.dataset.atLeast ? "at least " : ""}${Number(c.parsed.x.toPrecision(4))} ${c.dataset.work || "FLOP"}/B, ` +
        `${si(c.parsed.y)}${c.dataset.work || "FLOP"}/s` } } }
  }
});
const canvas = chart.canvas;
const zoom = (axis, centre, factor) => {
  const { min, max } = chart.scales[axis];
  const low = Math.log(min), high = Math.log(max), middle = Math.log(centre);
  chart.options.scales[axis].min = Math.exp(middle - (middle - low) * factor);
  chart.options.scales[axis].max = Math.exp(middle + (high - middle) * factor);
};
const show = () => chart.update("none");
const reset = () => {
  for (const axis of ["x", "y"]) {
    [chart.options.scales[axis].min, chart.options.scales[axis].max] = limits[axis];
  }
  show();
};
// For keyboards and screens without a wheel.
const zoomMiddle = factor => {
  for (const axis of ["x", "y"]) {
    const { min, max } = chart.scales[axis];
    zoom(axis, Math.sqrt(min * max), factor);
  }
  show();
};
document.getElementById("closer").addEventListener("click", () => zoomMiddle(0.8));
document.getElementById("farther").addEventListener("click", () => zoomMiddle(1.25));
document.getElementById("reset").addEventListener("click", reset);
dark.addEventListener("change", () => { paint(); recolour(chart); });
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const factor = event.deltaY > 0 ? 1.25 : 0.8;
  zoom("x", chart.scales.x.getValueForPixel(event.offsetX), factor);
  zoom("y", chart.scales.y.getValueForPixel(event.offsetY), factor);
  show();
}, { passive: false });
let drag = null;
canvas.addEventListener("pointerdown", event => { drag = [event.offsetX, event.offsetY]; });
window.addEventListener("pointerup", () => { drag = null; });
canvas.addEventListener("pointermove", event => {
  if (!drag) return;
  for (const [axis, before, now] of [["x", drag[0], event.offsetX], ["y", drag[1], event.offsetY]]) {
    const scale = chart.scales[axis];
    const shift = scale.getValueForPixel(before) / scale.getValueForPixel(now);
    chart.options.scales[axis].min = scale.min * shift;
    chart.options.scales[axis].max = scale.max * shift;
  }
  drag = [event.offsetX, event.offsetY];
  show();
});
canvas.addEventListener("dblclick", reset);
)js";

Json point_json(double x, double y) {
  return {{"x", x}, {"y", y}};
}

Json line_dataset(const std::string& label, std::size_t style, Json points, const Json& dash) {
  return {{"label", label},
          {"data", std::move(points)},
          {"showLine", true},
          {"borderColor", kColours[style % kColours.size()]},
          {"backgroundColor", kColours[style % kColours.size()]},
          {"borderWidth", 2.5},
          {"borderDash", dash},
          {"pointRadius", 2},
          {"pointStyle", "line"},
          {"pointHitRadius", 8}};
}

Json datasets_of(const Chart& chart, const ChartRange& range) {
  const Json dashes = {Json::array(), {12, 6}, {3, 5}, {14, 5, 3, 5}, {2, 2}};
  double top = 0;
  for (const Ceiling& ceiling : chart.ceilings) top = std::max(top, ceiling.flops_per_second);
  const double steepest = highest_bandwidth(chart);
  Json all = Json::array();
  std::size_t style = 0;
  for (const Slope& slope : chart.slopes) {
    const double beta = slope.bytes_per_second;
    all.push_back(
        line_dataset(slope.name + " " + format_quantity(beta, kBytesPerSecond), style++,
                     Json::array({point_json(range.intensity_low, range.intensity_low * beta),
                                  point_json(top / beta, top)}),
                     Json::array()));
  }
  std::size_t dash = 0;
  for (const Ceiling& ceiling : chart.ceilings) {
    const double rate = ceiling.flops_per_second;
    all.push_back(line_dataset(
        ceiling.name + " " + rate_text(rate, ceiling.integers), style++,
        Json::array({point_json(rate / steepest, rate), point_json(range.intensity_high, rate)}),
        dashes[dash++ % dashes.size()]));
    if (ceiling.integers) all.back()["work"] = "OP";
  }
  Json ridges = Json::array();
  for (const Ridge& ridge : ridges_of(chart)) {
    ridges.push_back(point_json(ridge.intensity, ridge.flops_per_second));
  }
  all.push_back({{"label", "ridge points"},
                 {"data", std::move(ridges)},
                 {"borderColor", "#000000"},
                 {"pointStyle", "cross"},
                 {"pointRadius", 6},
                 {"borderWidth", 2}});
  std::size_t shape = 0;
  for (const ChartPoint& point : chart.points) {
    const char* colour = kColours[(shape + 1) % kColours.size()];
    all.push_back({{"label", point.name},
                   {"data", Json::array({point_json(point.intensity, point.flops_per_second)})},
                   {"pointStyle", kShapes[shape % kShapes.size()]},
                   {"pointRadius", 8},
                   {"pointHoverRadius", 11},
                   {"borderColor", point.at_least ? colour : "#000000"},
                   {"backgroundColor", point.at_least ? "transparent" : colour}});
    if (point.at_least) {
      all.back()["borderWidth"] = 2.5;
      all.back()["atLeast"] = true;
    }
    ++shape;
  }
  return all;
}

std::string table_of(const Chart& chart) {
  std::ostringstream out;
  out << "<table><thead><tr><th>line or "
         "kernel</th><th>figure</th><th>" +
             intensity_unit(chart) + "</th></tr></thead><tbody>\n";
  const auto row = [&](const std::string& name, const std::string& rate, const std::string& where) {
    out << "<tr><td>" << base::html_escaped(name) << "</td><td class=\"number\">" << rate
        << "</td><td class=\"number\">" << where << "</td></tr>\n";
  };
  for (const Slope& slope : chart.slopes) {
    row(slope.name, format_quantity(slope.bytes_per_second, kBytesPerSecond), "");
  }
  for (const Ridge& ridge : ridges_of(chart)) {
    row(ridge.ceiling, rate_text(ridge.flops_per_second, ridge.integers),
        "ridge " + format_quantity(ridge.intensity, kNumber));
  }
  for (const ChartPoint& point : chart.points) {
    const std::string at_least = point.at_least ? "at least " : "";
    row(point.name, at_least + format_quantity(point.flops_per_second, kOperationsPerSecond),
        at_least + format_quantity(point.intensity, kNumber));
  }
  out << "</tbody></table>\n";
  return out.str();
}

}  // namespace

std::string draw_html(const Chart& chart, const std::string& chart_js, const std::string& licence,
                      const std::string& below) {
  const ChartRange range = range_of(chart);
  const Json data = {{"range",
                      {{"x", {range.intensity_low, range.intensity_high}},
                       {"y", {range.rate_low, range.rate_high}}}},
                     {"units", {{"x", intensity_unit(chart)}, {"y", rate_unit(chart)}}},
                     {"datasets", datasets_of(chart, range)}};
  const std::string note = at_least_note(chart);
  return chart_page(
      {.title = "Roofline: " + chart.title,
       .heading = "Roofline of " + chart.title,
       .above =
           "<p>Hover for figures; click a name to hide its line; wheel and drag to zoom and "
           "move; double click to reset.</p>\n<p><button id=\"closer\">Zoom in</button> "
           "<button id=\"farther\">Zoom out</button> <button id=\"reset\">Reset</button></p>\n",
       .label = "Roofline chart",
       .below = (note.empty() ? "" : "<p>" + note + "</p>\n") + table_of(chart) + below,
       .data = data.dump(-1, ' ', true, Json::error_handler_t::replace),
       .script = kScript},
      chart_js, licence);
}

}  // namespace roofline
