// SPDX-License-Identifier: MIT
// Which sealed numbers also appear in a handout's write-ups: with the canonical parameters worked
// examples, and with those of a class facts and chance hits. data/measured/worked_examples.csv has
// the counts, for docs/adr/0007; the program fails if they are no longer roughly correct.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "grader/exercise/variant.hpp"
#include "grader/handout/export_student.hpp"
#include "grader/judge/number.hpp"
#include "roofline/units.hpp"

namespace {

namespace fs = std::filesystem;

/// A number of a page: its value as written, its significant digits, and its unit, if one follows.
struct Number {
  double value = 0;
  int digits = 0;
  std::string unit;
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string without_comments(std::string page) {
  for (auto begin = page.find("<!--"); begin != std::string::npos; begin = page.find("<!--")) {
    const auto end = page.find("-->", begin);
    page.erase(begin, end == std::string::npos ? std::string::npos : end + 3 - begin);
  }
  return page;
}

/// The word after a number if it is a unit; otherwise empty.
std::string unit_at(const std::string& page, std::size_t at) {
  while (at < page.size() && (page[at] == ' ' || page[at] == '\n')) ++at;
  std::size_t end = at;
  while (end < page.size() && (std::isalpha(static_cast<unsigned char>(page[end])) != 0 ||
                               page[end] == '/' || page[end] == '%')) {
    ++end;
  }
  std::string word = page.substr(at, end - at);
  try {
    roofline::parse_quantity("1 " + word);
  } catch (const std::exception&) {
    return {};
  }
  return word;
}

std::vector<Number> numbers_of(const std::string& page) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < page.size();) {
    const bool is_part = i > 0 && (std::isalnum(static_cast<unsigned char>(page[i - 1])) != 0 ||
                                   page[i - 1] == '.' || page[i - 1] == '_');
    if (!is_digit(page[i]) || is_part) {
      ++i;
      continue;
    }
    std::string text;
    bool is_leading = true;
    Number number;
    for (; i < page.size(); ++i) {
      const bool goes_on = i + 1 < page.size() && is_digit(page[i + 1]);
      if (page[i] == ',' && goes_on) continue;
      if (!is_digit(page[i]) && !(page[i] == '.' && goes_on)) break;
      text += page[i];
      is_leading = is_leading && (page[i] == '0' || page[i] == '.');
      number.digits += is_digit(page[i]) && !is_leading ? 1 : 0;
    }
    number.value = std::stod(text);
    number.unit = unit_at(page, i);
    numbers.push_back(number);
  }
  return numbers;
}

double base_units(const std::string& unit) {
  return unit.empty() ? 1 : roofline::parse_quantity("1 " + unit).value;
}

/// Does the number give the answer, to three digits or more? One with a unit must have the answer's
/// dimension; in tables and formulas the unit is elsewhere, so there the number counts as being in
/// the requested unit.
bool is_answer(const Number& number, const grader::Exercise& exercise, double reference) {
  constexpr int kTellingDigits = 3;
  constexpr double kRounded = 0.005;
  if (number.digits < kTellingDigits) return false;
  double value = number.value * base_units(exercise.unit());
  if (!number.unit.empty()) {
    const auto found = roofline::parse_quantity("1 " + number.unit);
    const auto asked = exercise.unit().empty()
                           ? roofline::kNumber
                           : roofline::parse_quantity("1 " + exercise.unit()).dimension;
    if (found.dimension != asked) return false;
    value = number.value * found.value;
  }
  return grader::within(value, reference, std::min(exercise.rtol, kRounded), 0);
}

/// Sealed numbers, and how many appear in the write-ups.
struct Count {
  double sealed = 0;
  double in_page = 0;
  int unchanged = 0;  ///< over all classes, exercises that other numbers do not change
  double drawn = 0;   ///< among those in the page, exercises that have parameters with choices
};

/// A topic's write-up and its sealed numbers.
struct Page {
  std::vector<Number> numbers;
  std::vector<grader::Exercise> exercises;
};

std::vector<Page> pages_of(const fs::path& root) {
  std::vector<grader::SchemaError> errors;
  std::vector<Page> pages;
  for (const grader::Topic& topic : grader::load_topics(root, errors)) {
    Page page{numbers_of(without_comments(base::read_file(topic.folder / "README.md"))), {}};
    for (const grader::Exercise& exercise : topic.exercises) {
      if (exercise.kind() != grader::Kind::kNumber || !grader::can_be_sealed(exercise)) continue;
      page.exercises.push_back(exercise);
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

bool is_drawn(const grader::Exercise& exercise) {
  return std::any_of(exercise.parameters().begin(), exercise.parameters().end(),
                     [](const auto& parameter) { return !parameter.choices.empty(); });
}

/// How many numbers of the session's variant appear in the write-ups.
Count count_all(grader::Session& session, const std::vector<Page>& pages, bool prints) {
  Count count;
  for (const Page& page : pages) {
    for (const grader::Exercise& exercise : page.exercises) {
      const grader::ReferenceAnswer answer = session.reference(exercise, exercise.id);
      const double reference =
          answer.value * base_units(answer.unit.empty() ? exercise.unit() : answer.unit);
      ++count.sealed;
      const auto said = std::find_if(
          page.numbers.begin(), page.numbers.end(),
          [&](const Number& number) { return is_answer(number, exercise, reference); });
      if (said == page.numbers.end()) continue;
      ++count.in_page;
      count.drawn += is_drawn(exercise) ? 1 : 0;
      if (!prints) continue;
      fmt::print("{:32} {} {}{}\n", exercise.id, said->value, said->unit,
                 is_drawn(exercise) ? "  (has parameters)" : "");
    }
  }
  return count;
}

/// The exercises with parameters whose canonical answer is also correct with other numbers.
std::vector<std::string> where_canonical_is_right(const grader::Workspace& canonical,
                                                  const grader::Workspace& drawn,
                                                  const std::vector<Page>& pages) {
  grader::Session theirs(canonical);
  grader::Session own(drawn);
  std::vector<std::string> ids;
  for (const Page& page : pages) {
    for (const grader::Exercise& exercise : page.exercises) {
      // Two claims may be about the same value.
      const bool has_texts =
          !exercise.parameters().empty() && !exercise.parameters()[0].texts.empty();
      if (has_texts || !has_other_numbers(exercise, drawn.variant)) continue;
      const double right = own.reference(exercise, exercise.id).value;
      const double other = theirs.reference(exercise, exercise.id).value;
      if (grader::within(other, right, exercise.rtol, exercise.atol)) ids.push_back(exercise.id);
    }
  }
  return ids;
}

/// The number of classes drawn: chance hits differ between classes.
constexpr int kClasses = 20;

Count of_canonical(grader::Workspace workspace, const std::vector<Page>& pages) {
  grader::Session session(std::move(workspace));
  return count_all(session, pages, true);
}

/// The mean over the classes; the findings of the first are printed.
Count of_classes(grader::Workspace workspace, const std::vector<Page>& pages) {
  workspace.references = grader::references_of(workspace.build);
  Count sum;
  for (int i = 0; i < kClasses; ++i) {
    workspace.variant = {"a secret of this test only", "", 1, std::to_string(i)};
    grader::Session session(workspace);
    const Count count = count_all(session, pages, i == 0);
    grader::Workspace canonical = workspace;
    canonical.variant = {};
    for (const std::string& id : where_canonical_is_right(canonical, workspace, pages)) {
      fmt::print("{}: with the numbers of class {} the canonical answer is right, too\n", id, i);
      ++sum.unchanged;
    }
    sum.sealed += count.sealed / kClasses;
    sum.in_page += count.in_page / kClasses;
    sum.drawn += count.drawn / kClasses;
  }
  return sum;
}

/// A line of data/measured/worked_examples.csv.
std::string line_of(const std::string& numbers, const Count& count) {
  return fmt::format("{},{:.0f},{:.0f},{:.0f}\n", numbers, count.sealed, count.in_page,
                     count.drawn);
}

/// The write-ups and exercises change, and the record is not rewritten for a difference of one.
constexpr double kMayDiffer = 5;

bool is_recorded(const base::CsvFile& csv, std::size_t row, const Count& count) {
  const auto is_near = [&](const char* column, double value) {
    return std::abs(std::stod(csv.field(row, column)) - value) <= kMayDiffer;
  };
  return is_near("sealed", count.sealed) && is_near("in_write_ups", count.in_page) &&
         is_near("drawn", count.drawn);
}

int run(const fs::path& root, const fs::path& build, bool writes) {
  grader::Workspace workspace;
  workspace.root = root;
  workspace.build = build;
  const std::vector<Page> pages = pages_of(root);
  fmt::print("The write-ups say these sealed numbers:\n");
  const Count canonical = of_canonical(workspace, pages);
  fmt::print("and these, in a handout with the numbers of a class:\n");
  const Count classes = of_classes(workspace, pages);
  const std::string table = "numbers,sealed,in_write_ups,drawn\n" +
                            line_of("canonical", canonical) + line_of("class", classes);
  fmt::print("\n{}", table);
  if (classes.unchanged > 0) return 1;
  const fs::path record = root / "data" / "measured" / "worked_examples.csv";
  if (writes) {
    base::write_file_atomically(record, table);
    return 0;
  }
  const base::CsvFile csv(record);
  if (csv.size() == 2 && canonical.sealed > 100 && is_recorded(csv, 0, canonical) &&
      is_recorded(csv, 1, classes)) {
    return 0;
  }
  fmt::print("{} says otherwise; run this program with --write, then doc_values . --write\n",
             record.string());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  fs::path root;
  fs::path build;
  CLI::App app("Counts the sealed numbers that the write-ups say.");
  app.add_option("--root", root, "Checkout")->required();
  app.add_option("--build", build, "Build tree")->required();
  bool writes = false;
  app.add_flag("--write", writes, "Write the counts to data/measured/worked_examples.csv");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(root, build, writes);
  } catch (const std::exception& error) {
    fmt::print(stderr, "worked-examples: {}\n", error.what());
    return 1;
  }
}
