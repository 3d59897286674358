// SPDX-License-Identifier: MIT
// CSV for people and for platforms.
#include "term/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/csv.hpp"
#include "percent.hpp"

namespace term {
namespace {

/// Canvas treats a column whose name contains one of these as its own total.
constexpr std::array kCanvasTotals = {"Current Score",  "Current Points", "Current Grade",
                                      "Final Score",    "Final Points",   "Final Grade",
                                      "Override Score", "Override Grade", "Override Status"};

std::string column(const Standing& standing, const std::string& name) {
  const auto found = standing.student.columns.find(name);
  return found == standing.student.columns.end() ? "" : found->second;
}

/// How many students have a value in this column of the class list.
std::size_t filled(const std::vector<Standing>& standings, const std::string& name) {
  return static_cast<std::size_t>(
      std::count_if(standings.begin(), standings.end(),
                    [&](const Standing& standing) { return !column(standing, name).empty(); }));
}

/// The assignments with a column for platforms: those that were collected.
std::vector<std::size_t> collected(const std::vector<Standing>& standings) {
  std::vector<std::size_t> all;
  if (standings.empty()) return all;
  for (std::size_t i = 0; i < standings[0].assignments.size(); ++i) {
    if (standings[0].assignments[i].collected) all.push_back(i);
  }
  return all;
}

/// The assignments' part of a line, after the fields that identify the student.
std::string with_percents(std::string line, const Standing& standing,
                          const std::vector<std::size_t>& columns, const char* excused) {
  for (const std::size_t i : columns) {
    const AssignmentScore& score = standing.assignments[i];
    line += ",";
    if (score.excused) {
      line += excused;
    } else if (!score.is_undecided()) {
      line += fmt::format("{:.2f}", kPercent * score.share());
    }
  }
  return line + "\n";
}

std::string left_out(const Standing& standing, const char* file, const std::string& column) {
  return fmt::format("{} is not in {}: the class list has no {}", standing.student.id, file,
                     column);
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
                          score.excused          ? "excused"
                          : score.dropped        ? "dropped"
                          : score.is_undecided() ? "undecided"
                                                 : "yes");
    }
    const std::optional<double> total = standing.total();
    text += fmt::format(",{},{}\n", standing.late_days_left,
                        total ? fmt::format("{:.2f}", kPercent * *total) : "");
  }
  return text;
}

std::optional<PlatformTable> canvas_csv(const std::vector<Standing>& standings) {
  if (filled(standings, "canvas-id") + filled(standings, "sis-id") == 0) return std::nullopt;
  const std::vector<std::size_t> columns = collected(standings);
  PlatformTable table;
  for (const std::size_t i : columns) {
    const std::string& name = standings[0].assignments[i].name;
    for (const char* taken : kCanvasTotals) {
      if (name.find(taken) == std::string::npos) continue;
      table.problems.push_back(fmt::format(
          "Canvas takes no column with \"{}\" in its name: rename \"{}\"", taken, name));
    }
  }
  table.text = with_names("Student,ID,SIS User ID,SIS Login ID,Section", standings, columns);
  table.text += "    Points Possible,,,,";
  for (std::size_t i = 0; i < columns.size(); ++i) table.text += ",100";
  table.text += "\n";
  for (const Standing& standing : standings) {
    std::string line = grader::csv_field(standing.student.name);
    bool is_found = false;
    for (const char* name : {"canvas-id", "sis-id", "login", "section"}) {
      const std::string field = column(standing, name);
      is_found = is_found || (!field.empty() && name != std::string_view("section"));
      line += "," + base::csv_field(field);  // unchanged, because Canvas finds the student by it
    }
    if (is_found) {
      table.text += with_percents(line, standing, columns, "EX");
    } else {
      table.problems.push_back(left_out(standing, "canvas.csv", "canvas-id, sis-id or login"));
    }
  }
  return table;
}

std::optional<PlatformTable> moodle_csv(const std::vector<Standing>& standings) {
  constexpr std::array<std::array<const char*, 2>, 2> kFields = {
      {{"moodle-id", "ID number"}, {"email", "Email address"}}};
  std::size_t most = 0;
  for (const auto& [name, title] : kFields) most = std::max(most, filled(standings, name));
  if (most == 0) return std::nullopt;
  std::vector<std::string> names;
  std::string header;
  for (const auto& [name, title] : kFields) {
    // If neither column is complete, use only one.
    const std::size_t count = filled(standings, name);
    if (count < most || (most < standings.size() && !names.empty())) continue;
    header += (names.empty() ? "" : ",") + std::string(title);
    names.emplace_back(name);
  }
  const std::vector<std::size_t> columns = collected(standings);
  PlatformTable table{with_names(header, standings, columns), {}};
  for (const Standing& standing : standings) {
    if (column(standing, names[0]).empty()) {
      table.problems.push_back(left_out(standing, "moodle.csv", names[0]));
      continue;
    }
    std::string line;
    for (const std::string& name : names) {
      line += (line.empty() ? "" : ",") + base::csv_field(column(standing, name));
    }
    table.text += with_percents(line, standing, columns, "");
  }
  return table;
}

}  // namespace term
