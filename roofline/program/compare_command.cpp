// SPDX-License-Identifier: MIT
// `roofline compare`: two measurement reports, or a report and the output of another benchmark.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "commands.hpp"
#include "roofline/bench_output.hpp"
#include "roofline/chart/comparison.hpp"
#include "tables/paragraph.hpp"
#include "tables/rate_text.hpp"

namespace roofline::program {
namespace {

struct CompareArguments {
  std::string first;
  std::string second;
  std::vector<std::string> benches;
};

void print_names(const char* label, const std::vector<std::string>& names) {
  if (names.empty()) return;
  print_paragraph(std::string(label) + ": ", base::joined(names, " "));
}

void compare_reports(const std::string& first, const std::string& second) {
  const Comparison comparison = compare(read_report(first), read_report(second));
  for (const std::string& difference : comparison.differences) {
    const std::size_t text = difference.find(": ") + 2;
    print_paragraph(difference.substr(0, text), difference.substr(text));
  }
  for (const RoofChange& change : comparison.changes) {
    std::printf("%-22s %14s -> %14s  x%.3f%s\n", change.before.name.c_str(),
                rate_text(change.before, change.before.rate.median).c_str(),
                rate_text(change.after, change.after.rate.median).c_str(), change.ratio,
                change.significant ? "" : "  within spread");
  }
  print_names("only in the first", comparison.only_in_first);
  print_names("only in the second", comparison.only_in_second);
}

std::string figure_text(const BenchFigure& figure) {
  MeasuredRoof like;
  like.kind = figure.kind;
  if (figure.integers) like.precision = Precision::kInt32;
  return rate_text(like, figure.rate);
}

const MeasuredRoof* roof_named(const Report& report, const std::string& name) {
  const auto found = std::find_if(
      report.roofs.begin(), report.roofs.end(),
      [&](const MeasuredRoof& roof) { return roof.name == name && roof.refused.empty(); });
  return found == report.roofs.end() ? nullptr : &*found;
}

void print_beside(const BenchOutput& bench, const std::optional<Report>& report) {
  std::printf("%s%s%s\n", bench.tool.c_str(), bench.device.empty() ? "" : " on ",
              bench.device.c_str());
  const std::string ours = report ? "ours" : "";
  std::printf("  %-34s %14s %14s %s\n", "", "theirs", ours.c_str(), report ? " theirs/ours" : "");
  for (const BenchFigure& figure : bench.figures) {
    const MeasuredRoof* roof = report ? roof_named(*report, figure.our_roof) : nullptr;
    std::printf("  %-34s %14s", figure.name.substr(0, 34).c_str(), figure_text(figure).c_str());
    if (roof) {
      std::printf(" %14s %8.3f  %s", rate_text(*roof, roof->rate.median).c_str(),
                  figure.rate / roof->rate.median, roof->name.c_str());
    }
    std::printf("\n");
  }
  for (const std::string& note : bench.notes) print_paragraph("  note: ", note);
  if (report && !bench.device.empty() &&
      bench.device.find(report->device.name) == std::string::npos) {
    print_paragraph("  note: ", "ours were measured on another device, " + report->device.name);
  }
}

void run(const CompareArguments& arguments) {
  if (arguments.benches.empty()) {
    if (arguments.second.empty()) {
      throw std::invalid_argument(
          "compare needs two reports of roofline measure, or --bench with the output of another "
          "benchmark");
    }
    return compare_reports(arguments.first, arguments.second);
  }
  if (!arguments.second.empty()) {
    throw std::invalid_argument("with --bench there is one report, ours");
  }
  std::optional<Report> report;
  if (!arguments.first.empty()) report = read_report(arguments.first);
  for (const std::string& file : arguments.benches) print_beside(read_bench(file), report);
}

}  // namespace

void add_compare_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two reports of roofline measure, or one with other benchmarks");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("first", arguments->first, "JSON report");
  command->add_option("second", arguments->second, "JSON report");
  command
      ->add_option("--bench", arguments->benches,
                   "Output of BabelStream, mixbench, gpu-benches, clpeak, nvbandwidth or "
                   "rocm_bandwidth_test; may be repeated")
      ->allow_extra_args(false);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace roofline::program
