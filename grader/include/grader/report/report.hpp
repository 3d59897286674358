// SPDX-License-Identifier: MIT
// One result model for many output formats.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/verdict.hpp"
#include "roofline/chart/chart.hpp"

namespace grader {

/// The verdicts of one student's run, in the order of the exercises.
struct Results {
  std::string student;  ///< id, empty in student mode
  std::string backend;
  std::string machine;             ///< name of the device that ran the kernels, when known
  std::string time;                ///< UTC, ISO 8601
  bool complete = true;            ///< false while exercises are still being judged
  std::string key;                 ///< in a batch: hash of everything that the result depends on
  std::string attempt;             ///< in a batch: name of the hand-in, without .zip
  std::vector<std::string> notes;  ///< about the submission as a whole
  /// "ada.zip cannot be read: the archive is damaged"; a person has to look at these.
  std::vector<std::string> unread;
  std::vector<Verdict> verdicts;

  double points() const;
  /// Points that could be earned, without exercises that are not counted.
  double max_points() const;
};

/// A terminal's verdict on one exercise, at most `columns` wide.
std::string terminal_verdict(const Verdict& verdict, bool colour, std::size_t columns = 80);

/// The same for the last verdict of a run, without lines that an earlier verdict already had: a
/// file that does not compile fails many exercises.
std::string last_terminal_verdict(const Results& results, bool colour, std::size_t columns = 80);

/// The table of all scores, at most 80 columns wide, with the sum in its last line.
std::string terminal_table(const Results& results, bool colour);

/// JSON, described by grader/schema/results.schema.json.
std::string results_json(const Results& results);
/// The reverse. @throws std::runtime_error when the text is not results JSON.
Results parse_results(const std::string& json);

/// JUnit XML, one suite per topic. An exercise that did not run is a failure with its reason.
std::string junit_xml(const Results& results);

/// CSV with one line per exercise, safe to open in a spreadsheet.
std::string results_csv(const Results& results);

/// One field of a CSV file: quoted where needed, and never evaluated by a spreadsheet.
std::string csv_field(const std::string& text);
std::string csv_number(double value);

/// Gradescope's results.json.
std::string gradescope_json(const Results& results);

/// GitHub Classroom: the runner's JSON, and the line "result=BASE64" for $GITHUB_OUTPUT.
std::string classroom_json(const Results& results);
std::string classroom_output(const Results& results);

/// PrairieLearn's external grading results.
std::string prairielearn_json(const Results& results);

/// The roofline that was measured in a build tree, without kernels; nothing when none was.
std::optional<roofline::Chart> roofs_of(const std::filesystem::path& build);

/// What a page shows in addition to the results.
struct PageFacts {
  std::string name{};                          ///< of the student, in addition to the id
  std::string course = "Roofline Labs";        ///< its name
  std::map<std::string, std::string> tasks{};  ///< by exercise, with the student's numbers
  std::optional<roofline::Chart> roofs{};      ///< timed kernels are drawn on this roofline
  std::vector<std::string> rules{};            ///< of the course, in sentences
};

/// One self-contained HTML page: readable on a phone, in dark mode and in print.
std::string results_html(const Results& results, const PageFacts& facts);

/// Reads and joins every ID.json of a folder (written by CTest's grading tests), sorted by id. With
/// `since`, only those that are no older than that file.
Results read_results(const std::filesystem::path& folder, const std::filesystem::path& since = {});

}  // namespace grader
