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

DOC_FORMULA("class.students", class_cell(s, "students"))
DOC_FORMULA("class.date", class_cell(s, "date"))
DOC_FORMULA("class.device", class_cell(s, "device"))
DOC_FORMULA("class.cores", class_cell(s, "cores"))
DOC_FORMULA("class.programs", class_cell(s, "programs"))
DOC_FORMULA("class.minutes", docs::fixed(class_number(s, "seconds") / 60, 0))
DOC_FORMULA("class.per_minute",
            docs::fixed(60 * class_number(s, "graded") / class_number(s, "seconds"), 0))

std::string functions_cell(const Sources& sources, const std::string& column) {
  return sources.measured_cell("grader_functions.csv", {{"students", "40"}}, column);
}

double functions_number(const Sources& sources, const std::string& column) {
  return std::stod(functions_cell(sources, column));
}

DOC_FORMULA("functions.students", functions_cell(s, "students"))
DOC_FORMULA("functions.date", functions_cell(s, "date"))
DOC_FORMULA("functions.device", functions_cell(s, "device"))
DOC_FORMULA("functions.cores", functions_cell(s, "cores"))
DOC_FORMULA("functions.seconds", docs::fixed(functions_number(s, "seconds"), 0))
DOC_FORMULA("functions.processor_seconds", docs::fixed(functions_number(s, "processor_seconds"), 0))
DOC_FORMULA("functions.each",
            docs::fixed(functions_number(s, "processor_seconds") / functions_number(s, "graded"),
                        2))
DOC_FORMULA("functions.per_minute",
            docs::fixed(60 * functions_number(s, "graded") / functions_number(s, "seconds"), 0))

std::string own_cell(const Sources& sources, const std::string& column) {
  return sources.measured_cell("student_handouts.csv", {{"students", "500"}}, column);
}

double own_number(const Sources& sources, const std::string& column) {
  return std::stod(own_cell(sources, column));
}

DOC_FORMULA("own.students", own_cell(s, "students"))
DOC_FORMULA("own.sealed", own_cell(s, "sealed"))
DOC_FORMULA("own.date", own_cell(s, "date"))
DOC_FORMULA("own.device", own_cell(s, "device"))
DOC_FORMULA("own.cores", own_cell(s, "cores"))
DOC_FORMULA("own.processor_seconds", own_cell(s, "processor_seconds"))
DOC_FORMULA("own.minutes",
            docs::fixed(own_number(s, "processor_seconds") / own_number(s, "cores") / 60, 1))
DOC_FORMULA("own.clock_minutes", docs::fixed(own_number(s, "seconds") / 60, 1))
DOC_FORMULA("own.megabytes", docs::fixed(own_number(s, "megabytes"), 0))
DOC_FORMULA("own.megabytes_each",
            docs::fixed(own_number(s, "megabytes") / own_number(s, "students"), 2))

std::string handout_cell(const Sources& sources, const std::string& numbers,
                         const std::string& column) {
  return sources.measured_cell("worked_examples.csv", {{"numbers", numbers}}, column);
}

DOC_FORMULA("handout.canonical.sealed", handout_cell(s, "canonical", "sealed"))
DOC_FORMULA("handout.canonical.in_write_ups", handout_cell(s, "canonical", "in_write_ups"))
DOC_FORMULA("handout.class.in_write_ups", handout_cell(s, "class", "in_write_ups"))
DOC_FORMULA("handout.class.drawn", handout_cell(s, "class", "drawn"))
DOC_FORMULA("handout.class.facts", docs::fixed(std::stod(handout_cell(s, "class", "in_write_ups")) -
                                                   std::stod(handout_cell(s, "class", "drawn")),
                                               0))

}  // namespace
