// SPDX-License-Identifier: MIT
// Which sealed numbers a handout's write-ups also say: worked examples with the canonical
// parameters. docs/adr/0007 says about how many; the program fails when that is no longer so.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/export_student.hpp"
#include "grader/number.hpp"
#include "roofline/text_file.hpp"
#include "roofline/units.hpp"

namespace {

namespace fs = std::filesystem;

/// A number of a page: its value as written, its digits that count, and with its unit, if one
/// follows.
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

/// The word after a number when it is a unit; else nothing.
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

/// Does the number say the answer, to three digits or more? One with a unit must have the answer's
/// dimension; in tables and formulas the unit stands elsewhere, there it counts as the asked one.
bool is_answer(const Number& number, const grader::Exercise& exercise, double reference) {
  constexpr int kTellingDigits = 3;
  constexpr double kRounded = 0.005;
  if (number.digits < kTellingDigits) return false;
  double value = number.value * base_units(exercise.unit);
  if (!number.unit.empty()) {
    const auto found = roofline::parse_quantity("1 " + number.unit);
    const auto asked = exercise.unit.empty()
                           ? roofline::kNumber
                           : roofline::parse_quantity("1 " + exercise.unit).dimension;
    if (found.dimension != asked) return false;
    value = number.value * found.value;
  }
  return grader::within(value, reference, std::min(exercise.rtol, kRounded), 0);
}

struct Count {
  int sealed = 0;
  int in_page = 0;
  int drawn = 0;  ///< of those in the page, exercises whose parameters a variant draws
};

Count count_all(grader::Session& session, const fs::path& root) {
  std::vector<grader::SchemaError> errors;
  Count count;
  for (const grader::Topic& topic : grader::load_topics(root, errors)) {
    const std::vector<Number> numbers =
        numbers_of(without_comments(roofline::read_text_file(topic.folder / "README.md")));
    for (const grader::Exercise& exercise : topic.exercises) {
      if (exercise.kind != grader::Kind::kNumber || !grader::can_be_sealed(exercise)) continue;
      const grader::ReferenceAnswer answer = session.reference(exercise, exercise.id);
      const double reference =
          answer.value * base_units(answer.unit.empty() ? exercise.unit : answer.unit);
      ++count.sealed;
      for (const Number& number : numbers) {
        if (!is_answer(number, exercise, reference)) continue;
        bool is_drawn = false;
        for (const auto& parameter : exercise.parameters) is_drawn |= !parameter.choices.empty();
        fmt::print("{:32} {} {}{}\n", exercise.id, number.value, number.unit,
                   is_drawn ? "  (variants have others)" : "");
        ++count.in_page;
        count.drawn += is_drawn ? 1 : 0;
        break;
      }
    }
  }
  return count;
}

constexpr const char* kWords = " of the sealed numbers";
/// The write-ups change, and a record is not rewritten for one number more.
constexpr int kMayDiffer = 5;

/// The number in front of `words` in a text; 0 when the words are not there.
int number_before(const std::string& text, const std::string& words) {
  const auto end = text.find(words);
  if (end == std::string::npos) return 0;
  auto begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return begin == end ? 0 : std::stoi(text.substr(begin, end - begin));
}

int run(const fs::path& root, const fs::path& build) {
  grader::Workspace workspace;
  workspace.root = root;
  workspace.build = build;
  grader::Session session(workspace);
  const Count count = count_all(session, root);
  fmt::print(
      "{} of the {} sealed numbers stand in the write-ups; {} of them have parameters that "
      "variants "
      "draw\n",
      count.in_page, count.sealed, count.drawn);
  const fs::path record = root / "docs" / "adr" / "0007-sealed-answers.md";
  const int said = number_before(roofline::read_text_file(record), kWords);
  if (count.sealed > 100 && std::abs(said - count.in_page) <= kMayDiffer) return 0;
  fmt::print("{} says \"{}{}\"; correct it there\n", record.string(), said, kWords);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  fs::path root;
  fs::path build;
  CLI::App app("Counts the sealed numbers that the write-ups say.");
  app.add_option("--root", root, "Checkout")->required();
  app.add_option("--build", build, "Build tree")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(root, build);
  } catch (const std::exception& error) {
    fmt::print(stderr, "worked-examples: {}\n", error.what());
    return 1;
  }
}
