// SPDX-License-Identifier: MIT
// Bars and tables; no script.
#include "term/dashboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/html.hpp"
#include "page.hpp"

namespace term {
namespace {

/// A histogram of the students' totals.
std::string totals(const std::vector<Standing>& standings) {
  constexpr std::size_t kBins = 10;
  constexpr double kHighest = 8.0;  // rem of the tallest bar
  std::array<int, kBins> bins{};
  std::vector<double> all;
  for (const Standing& standing : standings) {
    const std::optional<double> total = standing.total();
    if (!total) continue;
    all.push_back(*total);
    const auto bin = static_cast<std::size_t>(std::max(0.0, *total * kBins));
    ++bins.at(std::min(bin, kBins - 1));
  }
  if (all.empty()) return "<p>Nothing was collected yet.</p>\n";
  std::sort(all.begin(), all.end());
  const int most = *std::max_element(bins.begin(), bins.end());
  std::string bars;
  std::string axis;
  for (std::size_t i = 0; i < kBins; ++i) {
    bars += fmt::format("<div style=\"height:{:.2f}rem\"><span>{}</span></div>",
                        kHighest * bins.at(i) / most, bins.at(i));
    axis += fmt::format("<div>{}-{} %</div>", 10 * i, 10 * (i + 1));
  }
  double sum = 0;
  for (const double total : all) sum += total;
  return fmt::format(
      "<p>{} students; median {}, mean {}, a quarter below {}.</p>\n"
      "<div class=\"bins\" role=\"img\" aria-label=\"Number of students by total\">{}</div>\n"
      "<div class=\"axis\">{}</div>\n",
      all.size(), percent(median(all)), percent(sum / static_cast<double>(all.size())),
      percent(all[all.size() / 4]), bars, axis);
}

std::string assignments(const Policy& policy, const std::vector<Standing>& standings) {
  std::string rows;
  for (std::size_t i = 0; i < policy.assignments.size(); ++i) {
    const Assignment& assignment = policy.assignments[i];
    int handed_in = 0;
    int late = 0;
    std::vector<double> shares;
    for (const Standing& standing : standings) {
      const AssignmentScore& score = standing.assignments[i];
      if (score.submission.empty()) continue;
      ++handed_in;
      if (score.days_late > 0) ++late;
      if (!score.excused && !score.is_undecided()) shares.push_back(score.share());
    }
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}</tr>\n",
        base::html_escaped(assignment.name), written(assignment.deadline, assignment.offset),
        handed_in, late, shares.empty() ? "<td>not collected</td>" : bar(median(shares)));
  }
  return "<div class=\"wide\"><table><tr><th>assignment</th><th>due</th><th class=\"n\">handed in"
         "</th><th class=\"n\">late</th><th>median</th></tr>\n" +
         rows + "</table></div>\n";
}

constexpr std::size_t kMostMistakes = 8;

std::string exercise_row(const ExerciseStatistics& one) {
  std::string mistakes;
  const std::size_t shown = std::min(kMostMistakes, one.mistakes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const CommonMistake& mistake = one.mistakes[i];
    mistakes += fmt::format("<br><small>{} of {}: {}</small>", mistake.students, one.students,
                            base::html_escaped(mistake.message));
  }
  if (shown < one.mistakes.size()) {
    mistakes += fmt::format("<br><small>and {} more in statistics.csv</small>",
                            one.mistakes.size() - shown);
  }
  const double solved = one.students > 0 ? static_cast<double>(one.solved) / one.students : 0;
  return fmt::format(
      "<tr><td>{}{}</td>{}<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td>"
      "<td class=\"n\">{:.2g} s</td><td class=\"n\">{}</td></tr>\n",
      base::html_escaped(one.id), mistakes, bar(solved), percent(one.median_share), one.untried,
      one.tries, one.median_seconds,
      one.discrimination ? fmt::format("{:.2f}", *one.discrimination) : "-");
}

std::string exercise_tables(const std::vector<ExerciseStatistics>& exercises) {
  std::string html;
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    if (i == 0 || exercises[i].assignment != exercises[i - 1].assignment) {
      if (i > 0) html += "</table></div>\n";
      html += fmt::format(
          "<h2>{}</h2>\n<div class=\"wide\"><table><tr><th>exercise</th><th>solved by</th>"
          "<th class=\"n\">median</th><th class=\"n\">untried</th><th class=\"n\">tries</th>"
          "<th class=\"n\">judged in</th><th class=\"n\">discrimination</th></tr>\n",
          base::html_escaped(exercises[i].assignment));
    }
    html += exercise_row(exercises[i]);
  }
  return exercises.empty() ? html : html + "</table></div>\n";
}

}  // namespace

std::string dashboard(const Policy& policy, const Term& term,
                      const std::vector<ExerciseStatistics>& exercises) {
  std::string body = totals(term.standings) + assignments(policy, term.standings);
  if (!term.problems.empty()) body += "<h2>Needs attention</h2>\n" + list(term.problems);
  body += exercise_tables(exercises);
  body +=
      "<p><small>Tries: the number of submissions in which a student tried the exercise, averaged "
      "over those who did. Judged in: the grader's median time. Discrimination: the correlation of "
      "an exercise's points with those of the rest of the assignment; near 0 or below, the "
      "exercise "
      "does not separate strong students from weak ones.</small></p>\n";
  return page(policy.course, body + "<h2>Rules</h2>\n" + list(in_words(policy)));
}

}  // namespace term
