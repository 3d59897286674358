// SPDX-License-Identifier: MIT
// One self-contained HTML page: the table, the messages, and the student's kernels on a roofline.
#include "base/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/report/report.hpp"
#include "roofline/machine.hpp"

namespace grader {
namespace {

const char* const kStyle = R"(
:root{color-scheme:light dark;--line:#d5dadf;--soft:#f4f6f8;--text:#1d2328;--quiet:#57616b;
--back:#fff;--good:#176f2c;--bad:#a11212;--open:#8a5a00}
@media(prefers-color-scheme:dark){:root{--line:#39424b;--soft:#20262c;--text:#e4e8ec;
--quiet:#a5b0ba;--back:#14181c;--good:#6fd389;--bad:#ff8a80;--open:#f0b552}}
body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:1.5rem auto;padding:0 1rem;
color:var(--text);background:var(--back);overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin-bottom:.3rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.2rem 0 .6rem}
h3{font-size:1.05rem;line-height:1.3;margin:0}
p{margin:.4rem 0}.quiet,.id{color:var(--quiet);font-size:.9rem}.total{font-size:1.3rem}
ul.topics{list-style:none;padding:0;margin:.8rem 0}
ul.topics li{display:flex;justify-content:space-between;gap:1rem;padding:.3rem 0;
border-bottom:1px solid var(--line)}
ul.topics a{color:inherit}
.n{white-space:nowrap;font-variant-numeric:tabular-nums}
article{border-left:4px solid var(--line);padding:.1rem 0 .1rem .9rem;margin:1.1rem 0}
.head{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.task{color:var(--quiet)}
pre{background:var(--soft);padding:.6rem;font-size:.85rem;line-height:1.4;white-space:pre-wrap;
overflow-wrap:anywhere;margin:.5rem 0}
.passed{border-color:var(--good)}.passed .status{color:var(--good)}
.failed,.crashed,.missing,.error,.timed{border-color:var(--bad)}
.failed .status,.crashed .status,.missing .status,.error .status,.timed .status{color:var(--bad)}
.partial,.unsolved,.inconclusive,.skipped,.shown{border-color:var(--open)}
.partial .status,.unsolved .status,.inconclusive .status,.skipped .status,
.shown .status{color:var(--open)}
pre.roofline{white-space:pre;overflow-x:auto;font-size:min(.85rem,1.75vw);line-height:1.15}
@media print{:root{color-scheme:light;--line:#bbb;--soft:#f4f4f4;--text:#000;--quiet:#444;
--back:#fff;--good:#176f2c;--bad:#a11212;--open:#8a5a00}
body{font-size:10.5pt;margin:0;max-width:none;padding:0}
article{break-inside:avoid}h2,h3{break-after:avoid}}
)";

std::optional<double> metric(const Verdict& verdict, const std::string& name) {
  for (const auto& [key, value] : verdict.metrics) {
    if (key == name && std::isfinite(value) && value > 0) return value;
  }
  return std::nullopt;
}

/// The timed kernels on the machine's roofline, as `./lab roofline` draws it; empty if there are
/// none.
std::string roofline_html(const Results& results, roofline::Chart chart) {
  for (const Verdict& verdict : results.verdicts) {
    const auto intensity = metric(verdict, "flops_per_byte");
    const auto rate = metric(verdict, "flops_per_second");
    if (intensity && rate) chart.points.push_back({verdict.id, *intensity, *rate});
  }
  if (chart.points.empty()) return {};
  return "<pre class=\"roofline\">" + base::html_escaped(roofline::draw_terminal(chart)) +
         "</pre>\n";
}

/// "0 of 3 points", or why the exercise is not counted.
std::string points_of(const Verdict& v) {
  if (v.status == Status::kShown) return "not graded";
  if (!is_counted(v.status)) return fmt::format("{:g} points, not counted", v.max_points);
  return fmt::format("{:.4g} of {:g} point{}", v.points, v.max_points,
                     v.max_points == 1 ? "" : "s");
}

/// One exercise: its task, points, findings, and where to read.
std::string article(const Verdict& v, const PageFacts& facts) {
  const std::string status(name_of(v.status));
  std::string html = fmt::format(
      "<article class=\"{}\">\n<div class=\"head\"><h3>{}</h3><span class=\"n\">{}</span></div>\n"
      "<p class=\"id\">{} · <strong class=\"status\">{}</strong></p>\n",
      status.substr(0, status.find(' ')), base::html_escaped(v.title), points_of(v),
      base::html_escaped(v.id), status);
  const auto task = facts.tasks.find(v.id);
  if (task != facts.tasks.end()) {
    html += "<p class=\"task\">" + base::html_escaped(task->second) + "</p>\n";
  }
  html += "<p>" + base::html_escaped(v.message) + "</p>\n";
  if (!v.detail.empty()) html += "<pre>" + base::html_escaped(v.detail) + "</pre>\n";
  if (!v.output.empty()) {
    html += "<p>The program printed:</p>\n<pre>" + base::html_escaped(v.output) + "</pre>\n";
  }
  if (v.status != Status::kPassed) {
    html += "<p>Read: " + base::html_escaped(v.read) + "</p>\n";
  }
  return html + "</article>\n";
}

/// The verdicts grouped by topic, in order.
std::vector<std::pair<std::string, std::vector<const Verdict*>>> by_topic(const Results& results) {
  std::vector<std::pair<std::string, std::vector<const Verdict*>>> topics;
  for (const Verdict& verdict : results.verdicts) {
    const auto topic = std::find_if(topics.begin(), topics.end(),
                                    [&](const auto& t) { return t.first == verdict.topic; });
    if (topic != topics.end()) {
      topic->second.push_back(&verdict);
    } else {
      topics.push_back({verdict.topic, {&verdict}});
    }
  }
  return topics;
}

std::string sum_of(const std::vector<const Verdict*>& verdicts) {
  double points = 0;
  double most = 0;
  for (const Verdict* verdict : verdicts) {
    if (!is_counted(verdict->status)) continue;
    points += verdict->points;
    most += verdict->max_points;
  }
  return fmt::format("{:.4g} of {:g}", points, most);
}

}  // namespace

std::optional<roofline::Chart> roofs_of(const std::filesystem::path& build) {
  const std::filesystem::path file = build / "machine.json";
  if (build.empty() || !std::filesystem::exists(file)) return std::nullopt;
  return roofline::chart_of(roofline::load_machine(file));
}

std::string results_html(const Results& results, const PageFacts& facts) {
  const std::string& who = facts.name.empty() ? results.student : facts.name;
  const std::string title = who.empty() ? "Results" : "Results of " + who;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>{0}, {1}</title><style>{2}</style></head><body>\n<p class=\"quiet\">{1}</p>\n"
      "<h1>{0}</h1>\n",
      base::html_escaped(title), base::html_escaped(facts.course), kStyle);
  if (!facts.name.empty() && facts.name != results.student) {
    html += "<p class=\"quiet\">" + base::html_escaped(results.student) + "</p>\n";
  }
  html += fmt::format("<p class=\"total\"><strong>{:.4g} of {:g} points</strong>{}</p>\n",
                      results.points(), results.max_points(),
                      results.complete ? "" : " (grading was interrupted)");
  html += fmt::format("<p class=\"quiet\">{} {}</p>\n", base::html_escaped(results.machine),
                      base::html_escaped(results.time));
  for (const std::string& note : results.notes) {
    html += "<p>Handed in: " + base::html_escaped(note) + "</p>\n";
  }
  const auto topics = by_topic(results);
  html += "<ul class=\"topics\">\n";
  for (const auto& [topic, verdicts] : topics) {
    html += fmt::format("<li><a href=\"#{0}\">{0}</a><span class=\"n\">{1}</span></li>\n",
                        base::html_escaped(topic), sum_of(verdicts));
  }
  html += "</ul>\n";
  if (facts.roofs) html += roofline_html(results, *facts.roofs);
  for (const auto& [topic, verdicts] : topics) {
    html += fmt::format("<h2 id=\"{0}\">{0}</h2>\n", base::html_escaped(topic));
    for (const Verdict* verdict : verdicts) html += article(*verdict, facts);
  }
  if (!facts.rules.empty()) {
    html += "<h2>Rules of the course</h2>\n<ul>\n";
    for (const std::string& rule : facts.rules) {
      html += "<li>" + base::html_escaped(rule) + "</li>\n";
    }
    html += "</ul>\n";
  }
  return html + "</body></html>\n";
}

}  // namespace grader
