// SPDX-License-Identifier: MIT
// Compares two standings field by field; a change without a cause would be a bug of the grader.
#include "term/changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "percent.hpp"

namespace term {
namespace {

const AssignmentScore* find(const Standing& standing, const std::string& assignment) {
  for (const AssignmentScore& score : standing.assignments) {
    if (score.name == assignment) return &score;
  }
  return nullptr;
}

void add_exercises(const AssignmentScore& before, const AssignmentScore& after,
                   std::vector<std::string>& reasons) {
  std::map<std::string, const ExercisePoints*> earlier;
  for (const ExercisePoints& exercise : before.exercises) earlier[exercise.id] = &exercise;
  for (const ExercisePoints& now : after.exercises) {
    const auto found = earlier.find(now.id);
    if (found == earlier.end()) {
      if (!before.exercises.empty()) {
        reasons.push_back(
            fmt::format("{} is new: {:g} of {:g}", now.id, now.points, now.max_points));
      }
      continue;
    }
    const ExercisePoints was = *found->second;
    earlier.erase(found);
    if (was.counted != now.counted) {
      reasons.push_back(now.counted ? fmt::format("{} counts: {:g} of {:g} ({})", now.id,
                                                  now.points, now.max_points, now.why)
                                    : fmt::format("{} does not count ({})", now.id, now.why));
    } else if (was.points != now.points || was.max_points != now.max_points) {
      const std::string most =
          was.max_points == now.max_points
              ? std::string()
              : fmt::format(" of {:g} instead of {:g}", now.max_points, was.max_points);
      reasons.push_back(
          fmt::format("{} {:g} -> {:g}{} ({})", now.id, was.points, now.points, most, now.why));
    }
  }
  if (after.exercises.empty()) return;
  for (const auto& [id, exercise] : earlier) {
    reasons.push_back(
        fmt::format("{} is no longer part of it (it had {:g})", id, exercise->points));
  }
}

std::vector<std::string> reasons_of(const AssignmentScore& before, const AssignmentScore& after) {
  std::vector<std::string> reasons;
  const auto add = [&](bool differs, const std::string& text) {
    if (differs) reasons.push_back(text);
  };
  add(before.collected != after.collected, after.collected ? "collected" : "no longer collected");
  if (before.collected && after.collected) {
    add(before.submission != after.submission,
        after.submission.empty()    ? "no submission counts any longer"
        : before.submission.empty() ? "handed in: " + after.submission
                                    : fmt::format("another submission counts: {} instead of {}",
                                                  after.submission, before.submission));
    add_exercises(before, after, reasons);
  }
  add(before.days_late != after.days_late,
      fmt::format("{} days late instead of {}", after.days_late, before.days_late));
  add(before.free_days != after.free_days,
      fmt::format("{} free late days instead of {}", after.free_days, before.free_days));
  add(before.penalty != after.penalty && before.days_late == after.days_late &&
          before.free_days == after.free_days,
      fmt::format("late days cost {:g} % instead of {:g} %", kPercent * after.penalty,
                  kPercent * before.penalty));
  add(before.excused != after.excused, after.excused ? "excused" : "no longer excused");
  add(before.dropped != after.dropped,
      after.dropped ? "dropped as the lowest" : "no longer dropped");
  for (const std::string& note : after.notes) {
    const bool is_new =
        std::find(before.notes.begin(), before.notes.end(), note) == before.notes.end();
    // The points of an override are listed with the exercises.
    const bool is_said = std::any_of(
        after.exercises.begin(), after.exercises.end(),
        [&](const ExercisePoints& exercise) { return note.starts_with(exercise.id + ":"); });
    add(is_new && !is_said, note);
  }
  return reasons;
}

/// True if no exercise's points differ, even if only the sum would be equal.
bool has_same_points(const AssignmentScore& before, const AssignmentScore& after) {
  return std::equal(before.exercises.begin(), before.exercises.end(), after.exercises.begin(),
                    after.exercises.end(), [](const ExercisePoints& a, const ExercisePoints& b) {
                      return a.id == b.id && a.points == b.points && a.max_points == b.max_points &&
                             a.counted == b.counted;
                    });
}

double effective(const AssignmentScore& score) {
  return score.counts() ? score.share() : 0;
}

}  // namespace

std::vector<Change> changes_between(const std::vector<Standing>& before,
                                    const std::vector<Standing>& after) {
  std::map<std::string, const Standing*> earlier;
  for (const Standing& standing : before) earlier[standing.student.id] = &standing;
  std::vector<Change> changes;
  for (const Standing& now : after) {
    const auto was = earlier.find(now.student.id);
    if (was == earlier.end()) {
      changes.push_back({now.student.id, "", 0, now.total().value_or(0), {"joined the class"}});
      continue;
    }
    for (const AssignmentScore& score : now.assignments) {
      const AssignmentScore* old = find(*was->second, score.name);
      if (old == nullptr) {
        if (score.collected) {
          changes.push_back(
              {now.student.id, score.name, 0, effective(score), {"a new assignment"}});
        }
        continue;
      }
      const bool is_same = old->share() == score.share() && old->counts() == score.counts();
      if (is_same && (!score.counts() || has_same_points(*old, score))) continue;
      changes.push_back(
          {now.student.id, score.name, effective(*old), effective(score), reasons_of(*old, score)});
    }
    for (const AssignmentScore& old : was->second->assignments) {
      if (find(now, old.name) != nullptr || !old.collected) continue;
      changes.push_back(
          {now.student.id, old.name, effective(old), 0, {"the policy no longer has it"}});
    }
    earlier.erase(was);
  }
  for (const auto& [id, standing] : earlier) {
    changes.push_back({id, "", standing->total().value_or(0), 0, {"left the class"}});
  }
  return changes;
}

std::string in_words(const Change& change) {
  std::string text = fmt::format("{}{}{}: {:.1f} % -> {:.1f} %\n", change.student,
                                 change.assignment.empty() ? "" : ", ", change.assignment,
                                 kPercent * change.before, kPercent * change.after);
  for (const std::string& reason : change.reasons) text += "  " + reason + "\n";
  return text;
}

std::string changes_csv(const std::vector<Change>& changes) {
  std::string text = "id,assignment,before_percent,after_percent,why\n";
  for (const Change& change : changes) {
    text += fmt::format("{},{},{:.4g},{:.4g},{}\n", grader::csv_field(change.student),
                        grader::csv_field(change.assignment), kPercent * change.before,
                        kPercent * change.after,
                        grader::csv_field(fmt::format("{}", fmt::join(change.reasons, "; "))));
  }
  return text;
}

}  // namespace term
