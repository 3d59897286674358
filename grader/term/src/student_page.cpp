// SPDX-License-Identifier: MIT
// A student's page.
#include "term/student_page.hpp"

#include <fmt/format.h>

#include "base/html.hpp"
#include "page.hpp"

namespace term {
namespace {

std::string result(const AssignmentScore& score) {
  if (!score.collected) return "not collected yet";
  if (score.excused) return "excused";
  if (score.is_undecided()) return "still to be judged";
  return percent(score.share()) + (score.dropped ? ", left out as the lowest" : "");
}

std::string lateness(const AssignmentScore& score) {
  if (score.days_late == 0) return "";
  std::string text = fmt::format("{} day{} late", score.days_late, score.days_late == 1 ? "" : "s");
  if (score.free_days > 0) text += fmt::format(", {} of them free", score.free_days);
  if (score.penalty > 0) text += fmt::format(": -{}", percent(score.penalty));
  return text;
}

std::string assignment(const AssignmentScore& score) {
  const std::string handed_in = score.handed_in         ? written(*score.handed_in, score.offset)
                                : !score.unread.empty() ? "something that cannot be read"
                                : score.collected       ? "nothing"
                                                        : "";
  const std::string points =
      score.collected ? fmt::format("{:g} / {:g}", score.points(), score.max_points()) : "";
  std::string html = fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
      base::html_escaped(score.name), result(score), points, lateness(score), handed_in);
  for (const std::string& note : score.notes) {
    html += "<tr><td colspan=\"5\"><div class=\"note\">" + base::html_escaped(note) +
            "</div></td></tr>\n";
  }
  return html;
}

std::string exercises(const AssignmentScore& score) {
  std::string rows;
  for (const ExercisePoints& exercise : score.exercises) {
    const std::string points =
        exercise.counted ? fmt::format("{:g} / {:g}", exercise.points, exercise.max_points)
                         : std::string("not counted");
    rows += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                        base::html_escaped(exercise.id), points, base::html_escaped(exercise.why));
  }
  return fmt::format(
      "<details><summary>{}: every exercise</summary>\n<div "
      "class=\"wide\"><table>\n{}</table></div>"
      "</details>\n",
      base::html_escaped(score.name), rows);
}

}  // namespace

std::string student_page(const Policy& policy, const Standing& standing) {
  const std::string& name = standing.student.name;
  const std::optional<double> total = standing.total();
  std::string body =
      fmt::format("<p>{}</p>\n<p class=\"total\">{}</p>\n", base::html_escaped(policy.course),
                  total ? percent(*total) : "nothing counts yet");
  if (policy.late_days > 0) {
    body += fmt::format("<p>Free late days left: {} of {}.</p>\n", standing.late_days_left,
                        policy.late_days);
  }
  body +=
      "<div class=\"wide\"><table><tr><th>assignment</th><th>counts as</th><th class=\"n\">points"
      "</th><th>late</th><th>handed in</th></tr>\n";
  for (const AssignmentScore& score : standing.assignments) body += assignment(score);
  body += "</table></div>\n";
  for (const AssignmentScore& score : standing.assignments) {
    if (!score.exercises.empty()) body += exercises(score);
  }
  body += "<h2>Rules of the course</h2>\n" + list(in_words(policy));
  return page(name.empty() ? standing.student.id : name, body);
}

}  // namespace term
