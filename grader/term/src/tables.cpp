// SPDX-License-Identifier: MIT
// CSV for people and for platforms.
#include "term/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace term {
namespace {

constexpr double kPercent = 100;

std::string column(const Standing& standing, const std::string& name) {
  const auto found = standing.student.columns.find(name);
  return found == standing.student.columns.end() ? "" : found->second;
}

bool has_column(const std::vector<Standing>& standings, const std::string& name) {
  return std::any_of(standings.begin(), standings.end(),
                     [&](const Standing& standing) { return !column(standing, name).empty(); });
}

/// The assignments that have a column for platforms: those that were collected.
std::vector<std::size_t> collected(const std::vector<Standing>& standings) {
  std::vector<std::size_t> all;
  if (standings.empty()) return all;
  for (std::size_t i = 0; i < standings[0].assignments.size(); ++i) {
    if (standings[0].assignments[i].collected) all.push_back(i);
  }
  return all;
}

/// A platform's field: empty for an excused assignment, which platforms then ignore.
std::string percent(const AssignmentScore& score) {
  return score.excused ? "" : fmt::format("{:.2f}", kPercent * score.share());
}

/// The assignments' part of a line, after the fields that identify the student.
std::string with_percents(std::string line, const Standing& standing,
                          const std::vector<std::size_t>& columns) {
  for (const std::size_t i : columns) line += "," + percent(standing.assignments[i]);
  return line + "\n";
}

std::string with_names(std::string line, const std::vector<Standing>& standings,
                       const std::vector<std::size_t>& columns) {
  for (const std::size_t i : columns) {
    line += "," + grader::csv_field(standings[0].assignments[i].name);
  }
  return line + "\n";
}

}  // namespace

std::string book_csv(const std::vector<Standing>& standings) {
  std::string text = "id,name";
  if (!standings.empty()) {
    for (const AssignmentScore& score : standings[0].assignments) {
      for (const char* part : {"points", "of", "days late", "percent", "counts"}) {
        text += "," + grader::csv_field(score.name + " " + part);
      }
    }
  }
  text += ",late days left,total percent\n";
  for (const Standing& standing : standings) {
    text += grader::csv_field(standing.student.id) + "," + grader::csv_field(standing.student.name);
    for (const AssignmentScore& score : standing.assignments) {
      if (!score.collected) {
        text += ",,,,,not collected";
        continue;
      }
      text += fmt::format(",{:g},{:g},{},{:.2f},{}", score.points(), score.max_points(),
                          score.days_late, kPercent * score.share(),
                          score.excused   ? "excused"
                          : score.dropped ? "dropped"
                                          : "yes");
    }
    const std::optional<double> total = standing.total();
    text += fmt::format(",{},{}\n", standing.late_days_left,
                        total ? fmt::format("{:.2f}", kPercent * *total) : "");
  }
  return text;
}

std::optional<std::string> canvas_csv(const std::vector<Standing>& standings) {
  if (!has_column(standings, "canvas-id") && !has_column(standings, "sis-id")) return std::nullopt;
  const std::vector<std::size_t> columns = collected(standings);
  std::string text = with_names("Student,ID,SIS User ID,SIS Login ID,Section", standings, columns);
  text += "    Points Possible,,,,";
  for (std::size_t i = 0; i < columns.size(); ++i) text += ",100";
  text += "\n";
  for (const Standing& standing : standings) {
    std::string line = grader::csv_field(standing.student.name);
    for (const char* name : {"canvas-id", "sis-id", "login", "section"}) {
      line += "," + grader::csv_field(column(standing, name));
    }
    text += with_percents(line, standing, columns);
  }
  return text;
}

std::optional<std::string> moodle_csv(const std::vector<Standing>& standings) {
  if (!has_column(standings, "moodle-id") && !has_column(standings, "email")) return std::nullopt;
  const std::vector<std::size_t> columns = collected(standings);
  std::string text = with_names("ID number,Email address", standings, columns);
  for (const Standing& standing : standings) {
    text += with_percents(grader::csv_field(column(standing, "moodle-id")) + "," +
                              grader::csv_field(column(standing, "email")),
                          standing, columns);
  }
  return text;
}

}  // namespace term
