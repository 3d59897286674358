// SPDX-License-Identifier: MIT
// `roofline compare`: two measurement reports side by side.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "commands.hpp"
#include "rate_text.hpp"
#include "roofline/comparison.hpp"

namespace roofline::program {
namespace {

void print_names(const char* label, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::printf("%s:", label);
  for (const std::string& name : names) std::printf(" %s", name.c_str());
  std::printf("\n");
}

void run(const std::string& first, const std::string& second) {
  const Comparison comparison = compare(read_report(first), read_report(second));
  for (const std::string& difference : comparison.differences) {
    std::printf("%s\n", difference.c_str());
  }
  for (const RoofChange& change : comparison.changes) {
    std::printf("%-22s %14s -> %14s  x%.3f%s\n", change.before.name.c_str(),
                rate_text(change.before, change.before.rate.median).c_str(),
                rate_text(change.after, change.after.rate.median).c_str(), change.ratio,
                change.significant ? "" : "  (within the spread)");
  }
  print_names("only in the first", comparison.only_in_first);
  print_names("only in the second", comparison.only_in_second);
}

}  // namespace

void add_compare_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("compare", "Compare two reports of roofline measure");
  auto first = std::make_shared<std::string>();
  auto second = std::make_shared<std::string>();
  command->add_option("first", *first, "JSON report")->required();
  command->add_option("second", *second, "JSON report")->required();
  command->callback([first, second] { run(*first, *second); });
}

}  // namespace roofline::program
