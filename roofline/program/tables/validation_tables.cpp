// SPDX-License-Identifier: MIT
// The tables of a calibration and its validation.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "base/text.hpp"
#include "paragraph.hpp"
#include "predict_tables.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

using namespace llm;

constexpr double kPercent = 100;
constexpr double kMilli = 1e3;
constexpr std::size_t kWorstRows = 5;

std::string error_text(double error) {
  return base::formatted("%+.1f", kPercent * error);
}

std::string expected_text(const RowError& row) {
  return row.expected_seconds ? error_text(row.expected_error()) : "-";
}

std::string left_out_text(const RowError& row) {
  return row.left_out_seconds ? error_text(row.left_out_error()) : "-";
}

void print_row(const RowError& row) {
  const MeasuredRow& r = row.observation.row;
  std::printf("%-4.4s%-13.13s%3.3s %-13.13s %-6.6s%5.5s%7.0f%8.2f%7s%6s%6s\n", r.id.c_str(),
              r.hardware.c_str(), r.ranks.c_str(), r.subject.c_str(),
              row.observation.formats.weights.name.c_str(), r.batch.c_str(),
              row.observation.context, kMilli * row.observation.seconds,
              error_text(row.uncalibrated_error()).c_str(), expected_text(row).c_str(),
              left_out_text(row).c_str());
}

void print_row_header() {
  std::printf("%-4s%-13s%3s %-13s %-6s%5s%7s%8s%7s%6s%6s\n", "row", "hardware", "n", "model",
              "format", "batch", "ctx", "ms", "bare %", "exp %", "fit %");
}

void print_group(const GroupValidation& group) {
  std::printf("%s, %zu rows\n", group.group.c_str(), group.rows.size());
  print_row_header();
  for (const RowError& row : group.rows) print_row(row);
  std::printf("MAPE: %.1f %% uncalibrated", kPercent * group.uncalibrated_mape);
  if (group.expected_mape) std::printf(", %.1f %% expected", kPercent * *group.expected_mape);
  if (group.left_out_mape) std::printf(", %.1f %% calibrated", kPercent * *group.left_out_mape);
  std::printf("\n");
  print_paragraph(group.remark);
  if (group.calibration) {
    for (const std::string& remark : group.calibration->remarks) print_paragraph(remark);
  }
  for (const auto& [name, mape] : group.by_others) {
    print_paragraph("MAPE by the calibration of '" + name +
                    base::formatted("': %.1f %%", kPercent * mape));
  }
  std::printf("\n");
}

void print_worst(const Validation& validation) {
  std::vector<const RowError*> rows;
  for (const GroupValidation& group : validation.groups) {
    for (const RowError& row : group.rows) {
      if (row.left_out_seconds) rows.push_back(&row);
    }
  }
  std::sort(rows.begin(), rows.end(), [](const RowError* a, const RowError* b) {
    return std::abs(a->left_out_error()) > std::abs(b->left_out_error());
  });
  rows.resize(std::min(rows.size(), kWorstRows));
  if (rows.empty()) return;
  std::printf("Worst rows\n");
  print_row_header();
  for (const RowError* row : rows) print_row(*row);
  std::printf("\n");
}

void print_overview(const Validation& validation) {
  std::printf("%-44s%5s%8s%10s%12s\n", "group (MAPE, %)", "rows", "bare", "expected", "calibrated");
  const auto shown = [](const std::optional<double>& mape) {
    return mape ? base::formatted("%.1f", kPercent * *mape) : "-";
  };
  for (const GroupValidation& group : validation.groups) {
    std::printf("%-44.44s%5zu%8.1f%10s%12s\n", group.group.c_str(), group.rows.size(),
                kPercent * group.uncalibrated_mape, shown(group.expected_mape).c_str(),
                shown(group.left_out_mape).c_str());
  }
  std::printf("\n");
}

void print_left_out(const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return;
  std::map<std::string, std::string> rows_by_reason;
  for (const LeftOut& row : left_out) {
    std::string& rows = rows_by_reason[row.reason];
    rows += (rows.empty() ? "" : ", ") + row.id;
  }
  std::printf("Rows about inference that were not used: %zu\n", left_out.size());
  for (const auto& [reason, rows] : rows_by_reason) {
    print_paragraph(reason + ": " + rows);
  }
}

}  // namespace

void print_calibrations(const std::vector<Calibration>& calibrations) {
  for (const Calibration& calibration : calibrations) {
    std::printf("%s\n", calibration.group.c_str());
    std::printf("  efficiency of weights %.3f, of KV %.3f, of compute %.3f; %s a layer\n",
                calibration.efficiencies.weights, calibration.efficiencies.kv,
                calibration.efficiencies.compute,
                format_quantity(calibration.per_layer_seconds, kSeconds, 3).c_str());
    for (const std::string& remark : calibration.remarks) print_paragraph(remark);
  }
}

void print_validation(const Validation& validation) {
  for (const GroupValidation& group : validation.groups) print_group(group);
  print_worst(validation);
  print_overview(validation);
  print_left_out(validation.left_out);
}

std::string validation_csv(const Validation& validation) {
  std::ostringstream csv;
  csv << "group,id,hardware,ranks,model,weights,batch,context,measured_seconds,"
         "uncalibrated_seconds,left_out_seconds,expected_seconds\n";
  for (const GroupValidation& group : validation.groups) {
    for (const RowError& row : group.rows) {
      const MeasuredRow& r = row.observation.row;
      csv << '"' << group.group << "\"," << r.id << ",\"" << r.hardware << "\"," << r.ranks << ",\""
          << r.subject << "\",\"" << r.weights << "\"," << r.batch << ',' << row.observation.context
          << ',' << row.observation.seconds << ',' << row.uncalibrated_seconds << ',';
      if (row.left_out_seconds) csv << *row.left_out_seconds;
      csv << ',';
      if (row.expected_seconds) csv << *row.expected_seconds;
      csv << '\n';
    }
  }
  return csv.str();
}

}  // namespace roofline::program
