// SPDX-License-Identifier: MIT
// Numbers of the instructor guide: how fast a class is graded (data/measured/grader_class.csv,
// grader_functions.csv) and gets individual numbers (data/measured/student_handouts.csv), and how
// many answers of a handout are revealed by its write-ups (data/measured/worked_examples.csv).

#include <string>

#include "value.hpp"

namespace {

using docs::Sources;

std::string class_cell(const Sources& sources, const std::string& column) {
  return sources.measured_cell("grader_class.csv", {{"date", "2026-11-28"}}, column);
}

double class_number(const Sources& sources, const std::string& column) {
  return std::stod(class_cell(sources, column));
}

DOC_VALUE("class.students", [](const Sources& s) { return class_cell(s, "students"); })
DOC_VALUE("class.date", [](const Sources& s) { return class_cell(s, "date"); })
DOC_VALUE("class.device", [](const Sources& s) { return class_cell(s, "device"); })
DOC_VALUE("class.cores", [](const Sources& s) { return class_cell(s, "cores"); })
DOC_VALUE("class.programs", [](const Sources& s) { return class_cell(s, "programs"); })
DOC_VALUE("class.minutes",
          [](const Sources& s) { return docs::fixed(class_number(s, "seconds") / 60, 0); })
DOC_VALUE("class.per_minute", [](const Sources& s) {
  return docs::fixed(60 * class_number(s, "graded") / class_number(s, "seconds"), 0);
})

std::string functions_cell(const Sources& sources, const std::string& column) {
  return sources.measured_cell("grader_functions.csv", {{"students", "40"}}, column);
}

double functions_number(const Sources& sources, const std::string& column) {
  return std::stod(functions_cell(sources, column));
}

DOC_VALUE("functions.students", [](const Sources& s) { return functions_cell(s, "students"); })
DOC_VALUE("functions.date", [](const Sources& s) { return functions_cell(s, "date"); })
DOC_VALUE("functions.device", [](const Sources& s) { return functions_cell(s, "device"); })
DOC_VALUE("functions.cores", [](const Sources& s) { return functions_cell(s, "cores"); })
DOC_VALUE("functions.seconds",
          [](const Sources& s) { return docs::fixed(functions_number(s, "seconds"), 0); })
DOC_VALUE("functions.processor_seconds",
          [](const Sources& s) { return docs::fixed(functions_number(s, "processor_seconds"), 0); })
DOC_VALUE("functions.each", [](const Sources& s) {
  return docs::fixed(functions_number(s, "processor_seconds") / functions_number(s, "graded"), 2);
})
DOC_VALUE("functions.per_minute", [](const Sources& s) {
  return docs::fixed(60 * functions_number(s, "graded") / functions_number(s, "seconds"), 0);
})

std::string own_cell(const Sources& sources, const std::string& column) {
  return sources.measured_cell("student_handouts.csv", {{"students", "500"}}, column);
}

double own_number(const Sources& sources, const std::string& column) {
  return std::stod(own_cell(sources, column));
}

DOC_VALUE("own.students", [](const Sources& s) { return own_cell(s, "students"); })
DOC_VALUE("own.sealed", [](const Sources& s) { return own_cell(s, "sealed"); })
DOC_VALUE("own.date", [](const Sources& s) { return own_cell(s, "date"); })
DOC_VALUE("own.device", [](const Sources& s) { return own_cell(s, "device"); })
DOC_VALUE("own.cores", [](const Sources& s) { return own_cell(s, "cores"); })
DOC_VALUE("own.processor_seconds",
          [](const Sources& s) { return own_cell(s, "processor_seconds"); })
DOC_VALUE("own.minutes", [](const Sources& s) {
  return docs::fixed(own_number(s, "processor_seconds") / own_number(s, "cores") / 60, 1);
})
DOC_VALUE("own.clock_minutes",
          [](const Sources& s) { return docs::fixed(own_number(s, "seconds") / 60, 1); })
DOC_VALUE("own.megabytes",
          [](const Sources& s) { return docs::fixed(own_number(s, "megabytes"), 0); })
DOC_VALUE("own.megabytes_each", [](const Sources& s) {
  return docs::fixed(own_number(s, "megabytes") / own_number(s, "students"), 2);
})

std::string handout_cell(const Sources& sources, const std::string& numbers,
                         const std::string& column) {
  return sources.measured_cell("worked_examples.csv", {{"numbers", numbers}}, column);
}

DOC_VALUE("handout.canonical.sealed",
          [](const Sources& s) { return handout_cell(s, "canonical", "sealed"); })
DOC_VALUE("handout.canonical.in_write_ups",
          [](const Sources& s) { return handout_cell(s, "canonical", "in_write_ups"); })
DOC_VALUE("handout.class.in_write_ups",
          [](const Sources& s) { return handout_cell(s, "class", "in_write_ups"); })
DOC_VALUE("handout.class.drawn", [](const Sources& s) { return handout_cell(s, "class", "drawn"); })
DOC_VALUE("handout.class.facts", [](const Sources& s) {
  return docs::fixed(std::stod(handout_cell(s, "class", "in_write_ups")) -
                         std::stod(handout_cell(s, "class", "drawn")),
                     0);
})

}  // namespace
