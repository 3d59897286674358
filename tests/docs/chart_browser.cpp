// SPDX-License-Identifier: MIT
// Opens a page of `roofline plot --out chart.html` in headless Chromium and uses it as a reader
// would: hovers over a point, hides a roof, zooms by wheel and button, drags, resets, in light and
// dark.
//   chart-browser CHART.html [SCREENSHOTS]
// The chart must have a point named SAXPY and a ceiling whose name starts with "FP64 vector". Exit
// code 77: no Chromium here.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "browser.hpp"

namespace {

namespace fs = std::filesystem;
using site_test::Browser;

struct Place {
  double x = 0;
  double y = 0;
};

/// The chart of one page.
class ChartUse {
 public:
  ChartUse(const fs::path& page, fs::path shots, Browser& browser)
      : shots_(std::move(shots)), browser_(&browser) {
    browser_->resize(1280, 900, false);
    browser_->open("file://" + fs::absolute(page).string());
  }

  int run() {
    if (number("chart.data.datasets.length") < 4) complain("the page has no chart");
    shoot("chart-light");
    hover();
    hide_a_roof();
    zoom_and_reset();
    look_at_colours();
    for (const std::string& text : browser_->complaints()) complain(text);
    for (const std::string& request : browser_->requests()) {
      if (!request.starts_with("file:") && !request.starts_with("about:")) {
        complain("asks for " + request);
      }
    }
    std::printf("%d uses of the chart, %d complaints\n", uses_, bad_);
    return bad_ == 0 && uses_ > 0 ? 0 : 1;
  }

 private:
  double number(const std::string& expression) { return browser_->number(expression); }

  void complain(const std::string& what) {
    ++bad_;
    std::printf("%s\n", what.c_str());
  }

  /// One use, and what must be true afterwards.
  void expect(bool holds, const std::string& what) {
    ++uses_;
    if (!holds) complain("not so: " + what);
  }

  void shoot(const std::string& name) {
    if (!shots_.empty()) browser_->screenshot(shots_ / (name + ".png"));
  }

  /// Chart.js responds to the mouse in the next frame.
  void wait_for_frames() {
    browser_->run(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
  }

  /// The position in the window of a script's {x, y} within the canvas.
  Place in_window(const std::string& script) {
    const std::vector<double> place = browser_->numbers(
        "(() => { const r = chart.canvas.getBoundingClientRect(); const p = " + script +
        "; return [r.x + p.x, r.y + p.y]; })()");
    return {place.at(0), place.at(1)};
  }

  std::string index_of(const std::string& name) {
    return browser_->json_of("chart.data.datasets.findIndex(d => d.label.startsWith(" +
                             site_test::quoted(name) + "))");
  }

  void hover() {
    const std::string saxpy = index_of("SAXPY");
    const Place point = in_window("chart.getDatasetMeta(" + saxpy + ").data[0]");
    browser_->move_to(point.x, point.y);
    wait_for_frames();
    expect(number("chart.tooltip.opacity") > 0, "a pointer on a point shows a tooltip");
    const std::string shown = browser_->text("chart.tooltip.body.map(b => b.lines).flat().join()");
    // The values are those of the data, in words.
    const double intensity = number("chart.data.datasets[" + saxpy + "].data[0].x");
    char words[32];
    std::snprintf(words, sizeof words, "%.4g FLOP/B", intensity);
    expect(shown.starts_with("SAXPY: ") && shown.find(words) != std::string::npos &&
               shown.ends_with("FLOP/s"),
           "the tooltip '" + shown + "' has name, FLOP/B and FLOP/s");
    shoot("chart-hover");
    const Place empty =
        in_window("({x: chart.chartArea.right - 4, y: chart.chartArea.bottom - 4})");
    browser_->move_to(empty.x, empty.y);
    wait_for_frames();
    expect(number("chart.tooltip.opacity") == 0, "the tooltip goes when the pointer does");
  }

  void hide_a_roof() {
    const std::string roof = index_of("FP64 vector");
    const std::string item = "(() => { const b = chart.legend.legendHitBoxes[" + roof +
                             "]; return {x: b.left + b.width / 2, y: b.top + b.height / 2}; })()";
    const auto click_legend = [&] {
      const Place place = in_window(item);
      browser_->move_to(place.x, place.y);
      browser_->press_at(place.x, place.y);
      browser_->release_at(place.x, place.y);
      wait_for_frames();
    };
    expect(browser_->is_true("chart.isDatasetVisible(" + roof + ")"),
           "all roofs are drawn at first");
    click_legend();
    expect(!browser_->is_true("chart.isDatasetVisible(" + roof + ")"),
           "a click on a roof's name hides it");
    shoot("chart-hidden");
    click_legend();
    expect(browser_->is_true("chart.isDatasetVisible(" + roof + ")"), "a second click shows it");
  }

  /// Decades shown by an axis.
  double decades(const std::string& axis) {
    return number("Math.log10(chart.scales." + axis + ".max / chart.scales." + axis + ".min)");
  }
  double value_at(const std::string& axis, double pixel) {
    return number("chart.scales." + axis + ".getValueForPixel(" + std::to_string(pixel) + ")");
  }

  void zoom_and_reset() {
    const double x_before = decades("x");
    const double y_before = decades("y");
    const std::string saxpy = index_of("SAXPY");
    const Place point = in_window("chart.getDatasetMeta(" + saxpy + ").data[0]");
    browser_->wheel_at(point.x, point.y, -120);
    wait_for_frames();
    expect(decades("x") < 0.9 * x_before && decades("y") < 0.9 * y_before,
           "the wheel shows fewer decades");
    const Place same = in_window("chart.getDatasetMeta(" + saxpy + ").data[0]");
    expect(std::hypot(same.x - point.x, same.y - point.y) < 2, "what is under the pointer stays");
    shoot("chart-zoomed");

    browser_->move_to(point.x, point.y);
    browser_->press_at(point.x, point.y);
    browser_->move_to(point.x + 40, point.y + 30);
    browser_->release_at(point.x + 40, point.y + 30);
    wait_for_frames();
    const Place dragged = in_window("chart.getDatasetMeta(" + saxpy + ").data[0]");
    expect(std::fabs(dragged.x - point.x - 40) < 3 && std::fabs(dragged.y - point.y - 30) < 3,
           "dragging takes the point along");

    browser_->click("#reset");
    wait_for_frames();
    expect(std::fabs(decades("x") - x_before) < 1e-6 && std::fabs(decades("y") - y_before) < 1e-6,
           "Reset shows everything again");
    browser_->click("#closer");
    wait_for_frames();
    expect(decades("x") < 0.9 * x_before, "Zoom in shows fewer decades");
    browser_->click("#farther");
    wait_for_frames();
    expect(std::fabs(decades("x") - x_before) < 1e-6, "Zoom out shows them again");
    browser_->run("chart.canvas.dispatchEvent(new MouseEvent('dblclick')); 0");
  }

  /// Lines and text can be distinguished from the page, in light and in dark.
  void look_at_colours() {
    browser_->resize(390, 844, true);
    wait_for_frames();
    expect(number("document.documentElement.scrollWidth") <= 390, "the page fits a phone");
    shoot("chart-phone");
    browser_->resize(1280, 900, false);
    for (const bool dark : {false, true}) {
      browser_->prefer_dark(dark);
      wait_for_frames();
      const std::vector<double> contrast = browser_->numbers(R"js((() => {
        const light = (css) => {
          const probe = document.createElement('canvas').getContext('2d');
          probe.fillStyle = css;
          probe.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const page = light(getComputedStyle(document.body).backgroundColor);
        const told = css => {
          const own = light(css);
          return (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05);
        };
        const lines = chart.data.datasets.filter(d => d.showLine).map(d => told(d.borderColor));
        const axes = Object.values(chart.scales).map(s => s.options);
        const words = [ink(), chart.legend.options.labels.color,
                       ...axes.flatMap(a => [a.ticks.color, a.title.color])];
        return [Math.min(...words.map(told)), Math.min(...lines), Math.max(...axes.map(a => told(a.grid.color)))];
      })())js");
      const std::string mode = dark ? " in dark mode" : " in light mode";
      expect(contrast.at(0) > 7, "words can be read" + mode);
      expect(contrast.at(2) < 1.5, "the grid stays behind the lines" + mode);
      expect(contrast.at(1) > 2, "every line can be seen" + mode);
      shoot(dark ? "chart-dark" : "chart-day");
    }
    expect(
        browser_->text("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)",
        "the page is dark where the reader's is");
  }

  fs::path shots_;
  Browser* browser_;
  int uses_ = 0;
  int bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: chart-browser CHART.html [SCREENSHOTS]\n", stderr);
    return 2;
  }
  return site_test::with_browser("chart-browser", [&](Browser& browser) {
    return ChartUse(argv[1], argc > 2 ? fs::path(argv[2]) : fs::path(), browser).run();
  });
}
