// SPDX-License-Identifier: MIT
// A course of four exercises, and results for it without running the grader.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/batch/result_files.hpp"
#include "grader/report/report.hpp"
#include "support/temporary_folder.hpp"
#include "term/term.hpp"

namespace small {

inline grader::Exercise exercise(const std::string& id, double points) {
  grader::Exercise result;
  result.id = id;
  result.points = points;
  grader::Misconception mistake;
  mistake.message = "This counts y once.";
  result.misconceptions.push_back(mistake);
  return result;
}

/// 01.a 1 point, 01.b 3, 02.a 2, 02.b 2.
inline std::vector<grader::Topic> topics() {
  grader::Topic first{"01-one", "", {exercise("01.a", 1), exercise("01.b", 3)}};
  grader::Topic second{"02-two", "", {exercise("02.a", 2), exercise("02.b", 2)}};
  return {first, second};
}

/// The verdict on one exercise: points, and a status if it does not follow from them.
struct Points {
  double points = 0;
  grader::Status status = grader::Status::kPassed;
  std::string detail{};
};

/// The results that a batch would produce for a student's attempt.
inline grader::Results results_of(const std::string& student, const std::string& attempt,
                                  const std::map<std::string, Points>& verdicts) {
  grader::Results results;
  results.student = student;
  results.attempt = attempt;
  for (const grader::Topic& topic : topics()) {
    for (const grader::Exercise& one : topic.exercises) {
      const auto found = verdicts.find(one.id);
      if (found == verdicts.end()) continue;
      grader::Verdict verdict;
      verdict.id = one.id;
      verdict.topic = topic.name;
      verdict.points = found->second.points;
      verdict.max_points = one.points;
      verdict.status = found->second.status;
      if (verdict.status == grader::Status::kPassed && verdict.points < verdict.max_points) {
        verdict.status = verdict.points > 0 ? grader::Status::kPartial : grader::Status::kFailed;
      }
      verdict.message = "judged";
      verdict.detail = found->second.detail;
      results.verdicts.push_back(verdict);
    }
  }
  return results;
}

/// Stores what a batch would store for a student with one hand-in.
inline void store(const support::TemporaryFolder& folder, const std::string& batch,
                  const std::string& student, const std::map<std::string, Points>& verdicts) {
  folder.write(batch + "/results/" + grader::student_file_name(student) + ".json",
               grader::results_json(results_of(student, "", verdicts)));
}

}  // namespace small
