// SPDX-License-Identifier: MIT
// Charts: their contents, in a terminal, for gnuplot and as a page.
#include <algorithm>
#include <map>
#include <sstream>

#include "roofline/chart/chart.hpp"
#include "roofline/chart/chart_html.hpp"
#include "support/catch.hpp"

using namespace roofline;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

Chart sample() {
  Chart chart;
  chart.title = "A <machine> & 'more'";
  chart.ceilings = {{"FP32 vector", 20e12}, {"FP16 matrix", 300e12}};
  chart.slopes = {{"L2", 6e12}, {"DRAM", 2e12}};
  chart.points = {{"saxpy", 1.0 / 6, 300e9}, {"it's gemm", 680, 15e12}};
  return chart;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a machine's chart merges equal ceilings and leaves integers out") {
  const Machine machine = load_machine(std::string(RL_MACHINE_FOLDER) + "/a100-80gb-sxm.toml");
  const Chart chart = chart_of(machine);
  const auto named = [&](const std::string& name) {
    return std::any_of(chart.ceilings.begin(), chart.ceilings.end(),
                       [&](const Ceiling& ceiling) { return ceiling.name == name; });
  };
  CHECK(named("FP16, BF16 matrix"));
  CHECK(named("FP32 vector; FP64 matrix"));
  for (const Ceiling& ceiling : chart.ceilings)
    CHECK(ceiling.name.find("INT") == std::string::npos);
  CHECK(chart_of(machine, {Precision::kFp32}).ceilings.size() == 1);
  CHECK_THROWS_WITH(chart_of(machine, {Precision::kFp8}), Contains("no peak"));
}

TEST_CASE("work on integers is in OP/s, in a terminal, an image and a page") {
  const Machine h200 = load_machine(std::string(RL_MACHINE_FOLDER) + "/h200-sxm.toml");
  // Both are 1.979, but FP8 and INT8 must not share a line of the chart.
  const Chart both = chart_of(h200, {Precision::kFp8, Precision::kInt8});
  REQUIRE(both.ceilings.size() == 2);
  CHECK(rate_unit(both) == "FLOP/s, OP/s");
  const std::string terminal = draw_terminal(both, 80, 22, false);
  CHECK_THAT(terminal, Contains("INT8 matrix              1.979 POP/s, ridge at 412.3 OP/B"));
  CHECK_THAT(terminal, Contains("FP8 matrix               1.979 PFLOP/s, ridge at 412.3 FLOP/B"));
  const Chart integers = chart_of(h200, {Precision::kInt8});
  for (const std::string& drawn :
       {draw_terminal(integers, 80, 22, false), gnuplot_script(integers, ImageFormat::kSvg, "x")}) {
    CHECK_THAT(drawn, Contains("OP/s") && Contains("OP/B") && !Contains("FLOP"));
  }
  const std::string page = draw_html(integers, "", "");
  CHECK_THAT(page, Contains("<td>INT8 matrix</td><td class=\"number\">1.979 POP/s<"));
  CHECK_THAT(page, Contains("INT8 matrix 1.979 POP/s") && Contains("\"y\":\"OP/s\""));
}

TEST_CASE("a measured ceiling says what reached it") {
  const std::string folder = RL_MACHINE_FOLDER;
  const Machine machine = load_machine(folder + "/../measured/h200_roofs_full.json");
  const auto names = [&](Precision precision) {
    std::vector<std::string> all;
    for (const Ceiling& ceiling : chart_of(machine, {precision}).ceilings) {
      all.push_back(ceiling.name);
    }
    return all;
  };
  CHECK(names(Precision::kBf16) == std::vector<std::string>{"BF16 vector", "BF16 matrix (wgmma)"});
  CHECK(names(Precision::kTf32) == std::vector<std::string>{"TF32 matrix (library)"});
  std::vector<std::string> ways;
  for (const Peak& peak : machine.peaks) {
    if (peak.precision == Precision::kBf16 && peak.unit == Unit::kMatrix) {
      ways.push_back(peak.reached_by);
    }
  }
  CHECK(ways == std::vector<std::string>{"mma.sync", "library", "wgmma"});
}

TEST_CASE("a point whose FLOPs are a lower bound has no bound") {
  Chart chart = sample();
  chart.points[0].at_least = chart.points[1].at_least = true;
  const std::string text = draw_terminal(chart, 80, 22, false);
  CHECK_THAT(text, Contains("bound unknown, at least 90 % of the roof"));
  CHECK_THAT(text, Contains("compute-bound, at least 5 % of the roof"));
  CHECK(advice_text(chart).empty());
}

TEST_CASE("an image and a page draw a lower bound as an open mark with an arrow, and say so") {
  Chart chart = sample();
  const std::string note = "open, with an arrow: at least";
  CHECK_THAT(gnuplot_script(chart, ImageFormat::kSvg, "x"),
             Contains("pt 7 ") && Contains("pt 5 ") && !Contains(note) && !Contains("filled"));
  CHECK_THAT(draw_html(chart, "", ""), !Contains(note) && !Contains("\"atLeast\":true"));
  chart.points[0].at_least = true;
  const std::string script = gnuplot_script(chart, ImageFormat::kSvg, "x");
  // gnuplot's type 6 is an open circle; the second point is complete.
  CHECK_THAT(script,
             Contains("pt 6 ") && Contains("pt 5 ") && !Contains("pt 7 ") && Contains(note));
  // Bytes and time are known, so both coordinates grow by the same factor.
  const std::vector<std::string> lines = lines_of(script);
  const auto arrow = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("filled") != std::string::npos;
  });
  REQUIRE(arrow != lines.end());
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  REQUIRE(std::sscanf(arrow->c_str(), "set arrow from %lf,%lf to %lf,%lf", &from_x, &from_y, &to_x,
                      &to_y) == 4);
  CHECK(from_x == Approx(1.0 / 6));
  CHECK(from_y == Approx(300e9));
  CHECK(to_x > 1.1 * from_x);
  CHECK(to_y / from_y == Approx(to_x / from_x));
  const std::string page = draw_html(chart, "", "");
  CHECK_THAT(page, Contains(note) && Contains("\"atLeast\":true") &&
                       Contains("\"backgroundColor\":\"transparent\"") &&
                       Contains(">at least 300 GFLOP/s<") && Contains(">15 TFLOP/s<"));
}

TEST_CASE("every point has a letter of its own, 52 at most, and shares its advice") {
  Chart chart = sample();
  chart.points.clear();
  for (int i = 0; i < 60; ++i) chart.points.push_back({std::to_string(i), 1, 1e12});
  const std::string text = draw_terminal(chart, 80, 22, false);
  CHECK_THAT(text, Contains("\n  Z 25") && Contains("\n  a 26") && Contains("\n  z 51") &&
                       Contains("\n  ? 52") && Contains("\n  ? 59"));
  const std::string advice = advice_text(chart, 60);
  CHECK_THAT(advice, StartsWith("What to try next:\n  0, 1, 2,") && Contains("59: Reuse what"));
  for (const std::string& line : lines_of(advice)) CHECK(line.size() <= 60);
}

TEST_CASE("the slope of a measured memory says which stream drew it") {
  const auto slopes = [](const Machine& machine) {
    std::vector<std::string> names;
    for (const Slope& slope : chart_of(machine).slopes) names.push_back(slope.name);
    return names;
  };
  const std::string folder = RL_MACHINE_FOLDER;
  CHECK(slopes(load_machine(folder + "/../measured/h200_roofs_quick.json")) ==
        std::vector<std::string>{"DRAM, read"});
  CHECK(slopes(load_machine(folder + "/h200-sxm.toml")) ==
        std::vector<std::string>{"L1", "L2", "DRAM"});
}

TEST_CASE("the range holds ridges and points") {
  const Chart chart = sample();
  const ChartRange range = range_of(chart);
  for (const Ridge& ridge : ridges_of(chart)) {
    CHECK(ridge.intensity > range.intensity_low);
    CHECK(ridge.intensity < range.intensity_high);
    CHECK(ridge.flops_per_second < range.rate_high);
  }
  for (const ChartPoint& point : chart.points) {
    CHECK(point.intensity > range.intensity_low);
    CHECK(point.flops_per_second > range.rate_low);
  }
  // The lowest slope determines the ridges.
  CHECK(ridges_of(chart).front().intensity == Approx(10));
}

TEST_CASE("charts refuse what cannot be drawn") {
  Chart chart = sample();
  chart.points[0].intensity = 0;
  CHECK_THROWS_WITH(range_of(chart), Contains("saxpy"));
  chart = sample();
  chart.slopes.clear();
  CHECK_THROWS_AS(draw_terminal(chart), std::invalid_argument);
  CHECK_THROWS_AS(draw_terminal(sample(), 20), std::invalid_argument);
}

TEST_CASE("the terminal chart keeps its width and its alphabet") {
  const std::string ascii = draw_terminal(sample(), 80, 22, false);
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char letter) {
    return letter == '\n' || (letter >= ' ' && letter <= '~');
  }));
  const std::vector<std::string> lines = lines_of(ascii);
  for (std::size_t i = 1; i < 25; ++i) CHECK(lines.at(i).size() <= 80);
  CHECK_THAT(ascii, Contains("A saxpy") && Contains("memory-bound, 90 % of the roof"));
  CHECK_THAT(ascii, Contains("B it's gemm") && Contains("compute-bound"));
  CHECK_THAT(ascii, Contains("ridge at 10 FLOP/B"));
  // Both points are on the canvas, in the picture above the legend.
  const std::string picture = ascii.substr(0, ascii.find("arithmetic intensity"));
  CHECK(picture.find('A', picture.find('\n')) != std::string::npos);
  CHECK_THAT(draw_terminal(sample(), 80, 22, true), Contains("◆"));
}

TEST_CASE("a higher rate is drawn on a higher row") {
  const auto row_of = [](double rate) {
    Chart chart = sample();
    chart.points = {{"x", 3, rate}, {"floor", 3, 1e10}};
    const std::vector<std::string> lines = lines_of(draw_terminal(chart, 80, 22, false));
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].find('A') != std::string::npos) return i;
    }
    return lines.size();
  };
  CHECK(row_of(1e12) > row_of(5e12));
}

TEST_CASE("the gnuplot script quotes names and tells lines apart without colour") {
  const std::string script = gnuplot_script(sample(), ImageFormat::kSvg, "/tmp/it's.svg");
  CHECK_THAT(script, Contains("set output '/tmp/it''s.svg'"));
  CHECK_THAT(script, Contains("'it''s gemm'"));
  CHECK_THAT(script, Contains("dashtype 1") && Contains("dashtype 2"));
  CHECK_THAT(script, Contains("memory-bound") && Contains("compute-bound"));
  CHECK_THAT(gnuplot_script(sample(), ImageFormat::kPng, "x"), Contains("pngcairo"));
}

TEST_CASE("names of points stay inside the frame") {
  Chart chart = sample();
  const ChartRange range = range_of(chart);
  chart.points = {{"a name of forty characters at the right..", range.intensity_high / 9, 1e12},
                  {"left and low", range.intensity_low * 1.6, range.rate_low * 1.6},
                  {"left and low too", range.intensity_low * 1.6, range.rate_low * 1.6}};
  std::map<std::string, std::string> where;
  for (const std::string& line : lines_of(gnuplot_script(chart, ImageFormat::kSvg, "x"))) {
    for (const ChartPoint& point : chart.points) {
      if (line.rfind("set label '" + point.name + "'", 0) == 0) where[point.name] = line;
    }
  }
  CHECK_THAT(where[chart.points[0].name], Contains("right offset"));
  CHECK_THAT(where[chart.points[1].name], Contains("left offset"));
  // The second name at the same place is above the mark: below the first one is the axis.
  CHECK_THAT(where[chart.points[2].name], Contains("left offset 1.2,0.6"));
}

TEST_CASE("the page is self-contained and escapes what it is given") {
  Chart chart = sample();
  chart.points[0].name = "</script><b>";
  const std::string page = draw_html(chart, "/*library*/", "licence <text>");
  CHECK_THAT(page, Contains("/*library*/") && Contains("licence &lt;text&gt;"));
  CHECK_THAT(page, Contains("A &lt;machine&gt; &amp;"));
  CHECK(page.find("</script><b>") == std::string::npos);
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
  CHECK_THROWS_AS(draw_html(chart, "x</script>", ""), std::invalid_argument);
}
