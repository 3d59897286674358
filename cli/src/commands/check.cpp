// SPDX-License-Identifier: MIT
// ./lab check: prints the grader's verdicts.
#include <algorithm>
#include <cstdio>

#include "base/terminal.hpp"
#include "commands.hpp"
#include "judge.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

/// The exercises of all prefixes, each once, in the course's order.
std::vector<const grader::Exercise*> chosen(const Course& course,
                                            const std::vector<std::string>& prefixes) {
  std::vector<const grader::Exercise*> result;
  for (const std::string& prefix : prefixes) {
    const std::vector<const grader::Exercise*> found = course.chosen(prefix);
    result.insert(result.end(), found.begin(), found.end());
  }
  std::sort(result.begin(), result.end());  // all are pointers into one vector
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void say_what_now(const grader::Results& results) {
  for (const grader::Verdict& verdict : results.verdicts) {
    if (!grader::is_counted(verdict.status) || verdict.points >= verdict.max_points) continue;
    std::printf("\nStuck? ./lab hint %s\n", verdict.id.c_str());
    return;
  }
  const bool again = std::any_of(
      results.verdicts.begin(), results.verdicts.end(),
      [](const auto& verdict) { return verdict.status == grader::Status::kInconclusive; });
  std::printf("%s",
              again ? "\nTry again when the machine is idle.\n" : "\nContinue with: ./lab next\n");
}

}  // namespace

int check(const Course& course, const std::vector<std::string>& prefixes, std::uint64_t seed) {
  const grader::Results results = judge(
      course, chosen(course, prefixes.empty() ? std::vector<std::string>{"all"} : prefixes), seed);
  if (results.verdicts.size() > 1) {
    std::printf("\n%s", grader::terminal_table(results, base::colour_wanted()).c_str());
  }
  say_what_now(results);
  const bool broken = std::any_of(results.verdicts.begin(), results.verdicts.end(),
                                  [](auto& v) { return v.status == grader::Status::kError; });
  return !broken && results.points() >= results.max_points() - 1e-9 ? 0 : 1;
}

}  // namespace cli
