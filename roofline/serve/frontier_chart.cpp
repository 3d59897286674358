// SPDX-License-Identifier: MIT
// The frontier of a sweep as terminal text, as a script for gnuplot, and as a page.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/html.hpp"
#include "base/text.hpp"
#include "roofline/chart/chart.hpp"
#include "roofline/chart/chart_html.hpp"
#include "roofline/serve/deployment.hpp"

namespace roofline::serve {
namespace {

using base::formatted;

/// A round number above the largest value: a whole number of steps of 1, 2 or 5 times a power of
/// ten.
double end_of_axis(double most) {
  constexpr double kSteps = 5;
  const double rough = std::max(most, 1e-9) / kSteps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  return step * std::ceil(most * 1.02 / step);
}

/// The ends of the axes, which begin at 0.
struct Frame {
  double user = 0;
  double gpu = 0;
};

std::vector<const Point*> drawn(const std::vector<Point>& points) {
  std::vector<const Point*> result;
  for (const Point& point : points) {
    if (point.problem.empty() && point.summary.finished > 0) result.push_back(&point);
  }
  if (result.empty()) throw std::invalid_argument("no configuration of the sweep could be run");
  return result;
}

Frame frame_of(const std::vector<const Point*>& points) {
  double user = 0;
  double gpu = 0;
  for (const Point* point : points) {
    user = std::max(user, point->summary.tokens_per_second_per_user);
    gpu = std::max(gpu, point->summary.tokens_per_second_per_gpu);
  }
  return {end_of_axis(user), end_of_axis(gpu)};
}

std::vector<const Point*> frontier(std::vector<const Point*> points) {
  points.erase(std::remove_if(points.begin(), points.end(),
                              [](const Point* point) { return !point->on_frontier; }),
               points.end());
  std::sort(points.begin(), points.end(), [](const Point* a, const Point* b) {
    return a->summary.tokens_per_second_per_user < b->summary.tokens_per_second_per_user;
  });
  return points;
}

std::string described(const Point& point) {
  const Summary& s = point.summary;
  std::string text =
      point.label +
      formatted(
          "\n%.1f tokens/s per user, %.0f tokens/s per GPU on %.0f\nTTFT p50 %.0f ms, p99 %.0f ms; "
          "TPOT p99 %.1f ms\nwithin the limits %.1f %%",
          s.tokens_per_second_per_user, s.tokens_per_second_per_gpu, s.gpus,
          1e3 * s.time_to_first_token.p50, 1e3 * s.time_to_first_token.p99,
          1e3 * s.time_per_output_token.p99, 100 * s.good_part);
  if (s.dollars_per_million_tokens) {
    text += formatted("; $%.3f per million tokens", *s.dollars_per_million_tokens);
  }
  if (s.joules_per_token) text += formatted("; %.2f J per token", *s.joules_per_token);
  return text;
}

using Json = nlohmann::ordered_json;

// A frontier and the other points; pointing at one describes it.
const char* const kScript = R"js(
const axis = title => ({ min: 0, title: { display: true, text: title, color: ink() },
  grid: { color: rule() }, ticks: { color: ink() } });
const chart = new Chart(document.getElementById("chart"), {
  type: "scatter",
  data,
  options: {
    animation: false, maintainAspectRatio: false,
    scales: { x: axis("tokens/s per user"), y: axis("tokens/s per GPU") },
    plugins: {
      legend: { position: "bottom", labels: { usePointStyle: true, color: ink() } },
      tooltip: { callbacks: { label: c => c.raw.text.split("\n") } } }
  }
});
dark.addEventListener("change", () => recolour(chart));
)js";

Json marks_of(const std::vector<const Point*>& points) {
  Json marks = Json::array();
  for (const Point* point : points) {
    marks.push_back({{"x", point->summary.tokens_per_second_per_user},
                     {"y", point->summary.tokens_per_second_per_gpu},
                     {"text", described(*point)}});
  }
  return marks;
}

std::string place_of(const Point& point, const char* separator) {
  return formatted("%.10g%s%.10g", point.summary.tokens_per_second_per_user, separator,
                   point.summary.tokens_per_second_per_gpu);
}

/// Points as data of a gnuplot script.
std::string data_of(const std::vector<const Point*>& points) {
  std::string lines;
  for (const Point* point : points) lines += place_of(*point, " ") + "\n";
  return lines + "e\n";
}

std::vector<const Point*> others(std::vector<const Point*> points) {
  std::erase_if(points, [](const Point* point) { return point->on_frontier; });
  return points;
}

// Okabe and Ito's blue and a grey; the marks also differ in size, for readers without colour.
constexpr const char* kBest = "#0072b2";
constexpr const char* kOther = "#888888";

std::string without_trailing_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string table_row(const Point& point) {
  const Summary& s = point.summary;
  const std::string name = base::html_escaped(point.label);
  std::string row =
      "<tr><td>" + (point.on_frontier ? "<strong>" + name + "</strong>" : name) + "</td>";
  if (!point.problem.empty()) {
    return row + "<td colspan=\"8\">" + base::html_escaped(point.problem) + "</td></tr>\n";
  }
  for (const std::string& cell :
       {formatted("%.0f", s.gpus), formatted("%.1f", s.tokens_per_second_per_user),
        formatted("%.0f", s.tokens_per_second_per_gpu),
        formatted("%.0f", 1e3 * s.time_to_first_token.p50),
        formatted("%.0f", 1e3 * s.time_to_first_token.p99),
        formatted("%.1f", 1e3 * s.time_per_output_token.p99), formatted("%.1f", 100 * s.good_part),
        s.dollars_per_million_tokens ? formatted("%.3f", *s.dollars_per_million_tokens)
                                     : std::string("-")}) {
    row += "<td>" + cell + "</td>";
  }
  return row + "</tr>\n";
}

}  // namespace

std::string frontier_terminal(const std::vector<Point>& points, int columns, int rows) {
  constexpr int kMargin = 9;
  const std::vector<const Point*> all = drawn(points);
  const Frame frame = frame_of(all);
  const int width = columns - kMargin - 1;
  std::vector<std::string> cells(static_cast<std::size_t>(rows),
                                 std::string(static_cast<std::size_t>(width), ' '));
  const auto put = [&](const Point& point, char mark) {
    const auto x = std::lround(point.summary.tokens_per_second_per_user / frame.user * (width - 1));
    const auto y =
        rows - 1 - std::lround(point.summary.tokens_per_second_per_gpu / frame.gpu * (rows - 1));
    cells[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = mark;
  };
  for (const Point* point : all) put(*point, '.');
  const std::vector<const Point*> best = frontier(all);
  const auto mark_of = [](std::size_t i) {
    constexpr std::size_t kLetters = 26;
    return static_cast<char>(i < kLetters ? 'A' + i : '*');
  };
  for (std::size_t i = 0; i < best.size(); ++i) put(*best[i], mark_of(i));
  std::string text = "tokens/s per GPU\n";
  for (int row = 0; row < rows; ++row) {
    const double value = frame.gpu * (rows - 1 - row) / (rows - 1);
    const bool labelled = row % 5 == 0 || row == rows - 1;
    text += (labelled ? formatted("%8.0f", value) : std::string(8, ' ')) + "|" +
            without_trailing_spaces(cells[static_cast<std::size_t>(row)]) + "\n";
  }
  text += std::string(8, ' ') + "+" + std::string(static_cast<std::size_t>(width), '-') + "\n";
  text += formatted("%9s0  tokens/s per user %*.0f\n", "", width - 21, frame.user);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Summary& s = best[i]->summary;
    text += formatted("  %c %8.1f per user %8.0f per GPU  ", mark_of(i),
                      s.tokens_per_second_per_user, s.tokens_per_second_per_gpu) +
            best[i]->label + "\n";
  }
  return text;
}

std::string frontier_gnuplot(const std::vector<Point>& points, const std::string& title,
                             const std::string& file) {
  const std::vector<const Point*> all = drawn(points);
  const std::vector<const Point*> best = frontier(all);
  std::string script =
      "set terminal svg size 760,460 font 'Helvetica,13' background '#ffffff'\nset output " +
      gnuplot_quoted(file) + "\nset title " + gnuplot_quoted(title) +
      " noenhanced\nset xlabel 'tokens/s per user'\nset ylabel 'tokens/s per GPU'\n"
      // Room for the names of the last and the highest point.
      "set xrange [0:*]\nset yrange [0:*]\nset offsets 0, graph 0.24, graph 0.05, 0\nset grid lc "
      "rgb '#e4e4e4' lt 1\nunset key\n";
  for (const Point* point : best) {
    script += "set label " + gnuplot_quoted(point->label) + " at " + place_of(*point, ",") +
              " left offset 0.8,0.4 font ',11' noenhanced\n";
  }
  const std::string blue = std::string(" lc rgb '") + kBest + "'";
  return script + "plot '-' with lines lw 2" + blue + ", '-' with points pt 7 ps 0.5 lc rgb '" +
         kOther + "', '-' with points pt 7 ps 0.9" + blue + "\n" + data_of(best) +
         data_of(others(all)) + data_of(best);
}

std::string frontier_html(const std::vector<Point>& points, const std::string& title,
                          const std::string& chart_js, const std::string& licence) {
  const std::vector<const Point*> all = drawn(points);
  const Json best = {{"label", "the frontier"},  {"data", marks_of(frontier(all))},
                     {"showLine", true},         {"borderColor", kBest},
                     {"backgroundColor", kBest}, {"pointRadius", 6}};
  const Json other = {{"label", "other configurations"},
                      {"data", marks_of(others(all))},
                      {"borderColor", kOther},
                      {"backgroundColor", kOther},
                      {"pointRadius", 4}};
  std::string rows;
  for (const Point& point : points) rows += table_row(point);
  return chart_page(
      {.title = title,
       .heading = title,
       .above = "<p>Point at a mark to see its configuration.</p>\n",
       .label = "Speed per user against throughput per GPU",
       .below =
           "<table><thead><tr><th>configuration</th><th>GPUs</th><th>tokens/s per user</th>"
           "<th>tokens/s per GPU</th><th>TTFT p50, ms</th><th>TTFT p99, ms</th><th>TPOT p99, ms"
           "</th><th>within limits, %</th><th>$ per million tokens</th></tr></thead><tbody>\n" +
           rows + "</tbody></table>\n",
       .data =
           Json{{"datasets", {best, other}}}.dump(-1, ' ', true, Json::error_handler_t::replace),
       .script = kScript},
      chart_js, licence);
}

}  // namespace roofline::serve
