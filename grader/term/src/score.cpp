// SPDX-License-Identifier: MIT
// Points, late days, and which submission counts.
#include "term/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "base/files.hpp"
#include "grader/batch/result_files.hpp"

namespace term {
namespace {

namespace fs = std::filesystem;
using grader::Results;
using grader::Student;
using grader::Verdict;

/// A batch's results and times.
struct Batch {
  explicit Batch(const Collection& from) : collection(from) {
    if (!collection.times.empty()) times = read_times(collection.times);
  }

  /// A batch's findings about a student; nothing if the student is in none of its results.
  struct Found {
    std::vector<Results> attempts;    ///< that were judged; empty if nothing was handed in
    std::vector<std::string> unread;  ///< hand-ins that cannot be read
  };

  Found of(const std::string& student) const {
    const fs::path file =
        collection.results / "results" / (grader::student_file_name(student) + ".json");
    if (!fs::exists(file)) return {};
    Found found{grader::read_attempts(collection.results, student), {}};
    try {
      Results counted = grader::parse_results(base::read_file(file));
      found.unread = counted.unread;
      if (found.attempts.empty()) found.attempts.push_back(std::move(counted));
    } catch (const std::exception& error) {
      throw std::runtime_error(file.string() + ": " + error.what());
    }
    std::erase_if(found.attempts, [](const Results& results) {
      return std::all_of(
          results.verdicts.begin(), results.verdicts.end(),
          [](const Verdict& verdict) { return verdict.status == grader::Status::kMissing; });
    });
    return found;
  }

  /// The attempt's own time, else the student's, else the collection's.
  Time handed_in(const std::string& student, const std::string& attempt) const {
    if (const auto own = times.find(student); own != times.end()) {
      for (const std::string& name : {attempt, std::string()}) {
        if (const auto found = own->second.find(name); found != own->second.end()) {
          return found->second;
        }
      }
    }
    if (collection.handed_in) return *collection.handed_in;
    const bool has_others = times.contains(student);
    throw std::runtime_error(
        fmt::format("{}: no time for {}{}, whose work is in {}", collection.times.string(), student,
                    has_others ? "'s attempt " + attempt : "", collection.results.string()));
  }

  /// Reports odd hand-in times of these attempts.
  std::vector<std::string> odd_times(const std::string& student,
                                     const std::vector<Results>& attempts) const {
    std::vector<std::string> lines;
    const auto own = times.find(student);
    if (own == times.end()) return lines;
    for (const auto& [name, time] : own->second) {
      const bool is_judged =
          std::any_of(attempts.begin(), attempts.end(),
                      [&, &name = name](const Results& one) { return one.attempt == name; });
      if (is_judged || attempts.empty()) continue;
      if (!name.empty()) {
        lines.push_back(fmt::format("{} has a time for {}, which {} did not judge",
                                    collection.times.string(), name, collection.results.string()));
      } else if (attempts.size() > 1 && own->second.size() == 1) {
        lines.push_back(
            fmt::format("{} has one time for all attempts; give each its own (column attempt)",
                        collection.times.string()));
      }
    }
    return lines;
  }

  const Collection& collection;
  std::map<std::string, AttemptTimes> times;
};

std::string written_by(const Decision& decision) {
  return fmt::format("{}, by {}", decision.reason, decision.by);
}

/// A mistake that the grader recognised although the exercise does not list it: the rest of the
/// first line with "It looks like this: " or "It looks like this, in the time: ".
std::string diagnosis_in(const std::string& text) {
  const std::size_t words = text.find("It looks like this");
  if (words == std::string::npos) return "";
  const std::string line = text.substr(words, text.find('\n', words) - words);
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? "" : line.substr(colon + 2);
}

class Scorer {
 public:
  Scorer(const Policy& policy, const std::vector<grader::Topic>& topics) : policy_(policy) {
    for (const grader::Topic& topic : topics) {
      for (const grader::Exercise& exercise : topic.exercises) {
        exercises_[exercise.id] = &exercise;
      }
    }
    for (const Assignment& assignment : policy.assignments) {
      std::vector<Batch>& batches = batches_.emplace_back();
      for (const Collection& collection : assignment.submissions) batches.emplace_back(collection);
    }
  }

  Standing standing_of(const Student& student) {
    Standing standing{student, {}, policy_.late_days};
    for (std::size_t i = 0; i < policy_.assignments.size(); ++i) {
      AssignmentScore score = assignment_of(student.id, i, standing.late_days_left);
      standing.late_days_left -= score.free_days;
      standing.assignments.push_back(std::move(score));
    }
    drop_lowest(standing.assignments);
    return standing;
  }

  /// Reports times that match nobody on the roster: a misspelt id would hide somebody's lateness.
  void note_times_of_others(const std::set<std::string>& students) {
    for (const std::vector<Batch>& batches : batches_) {
      for (const Batch& batch : batches) {
        for (const auto& [student, times] : batch.times) {
          if (students.contains(student)) continue;
          open_[batch.collection.times.string() +
                " has times for students who are not on the roster"]
              .insert(student);
        }
      }
    }
  }

  /// Open verdicts and exercises that were not judged, for all students so far.
  std::vector<std::string> problems() const {
    std::vector<std::string> lines;
    for (const auto& [what, students] : open_) {
      constexpr std::size_t kNamed = 5;
      std::vector<std::string> named(students.begin(), students.end());
      const std::size_t more = named.size() > kNamed ? named.size() - kNamed : 0;
      named.resize(named.size() - more);
      lines.push_back(fmt::format("{}: {}{}", what, fmt::join(named, ", "),
                                  more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    return lines;
  }

 private:
  Time deadline_of(const std::string& student, const Assignment& assignment,
                   std::vector<std::string>& notes) const {
    Time deadline = assignment.deadline;
    for (const Extension& extension : policy_.extensions) {
      if (extension.student != student || extension.assignment != assignment.name) continue;
      const Time own = extension.until ? *extension.until
                                       : assignment.deadline + std::chrono::days(*extension.days);
      deadline = std::max(deadline, own);
      notes.push_back(
          fmt::format("due {} ({})", written(own, assignment.offset), written_by(extension)));
    }
    return deadline;
  }

  /// One submission's verdicts on the assignment's exercises, with overrides applied.
  std::vector<ExercisePoints> exercises_of(const std::string& student, const Assignment& assignment,
                                           const Results& results) {
    std::map<std::string, const Verdict*> verdicts;
    for (const Verdict& verdict : results.verdicts) verdicts[verdict.id] = &verdict;
    std::vector<ExercisePoints> all;
    for (const std::string& id : assignment.exercises) {
      ExercisePoints exercise{id, 0, exercises_.at(id)->points, true, "not judged", false, ""};
      if (const auto verdict = verdicts.find(id); verdict != verdicts.end()) {
        const grader::Status status = verdict->second->status;
        // A failure of the grader itself is in no sum either.
        exercise.counted = grader::is_counted(status) && status != grader::Status::kError;
        exercise.points = exercise.counted ? verdict->second->points : 0;
        exercise.max_points = verdict->second->max_points;
        exercise.why = verdict->second->message;
        exercise.mistake = mistake_in(*verdict->second);
        exercise.tried = status != grader::Status::kUnsolved && status != grader::Status::kMissing;
        exercise.tries = exercise.tried ? 1 : 0;
        exercise.seconds = verdict->second->seconds;
        if (status == grader::Status::kInconclusive || status == grader::Status::kError) {
          open_[id + " is to be judged again"].insert(student);
        }
      } else {
        open_[id + " was judged by no batch"].insert(student);
      }
      all.push_back(exercise);
    }
    return all;
  }

  std::string mistake_in(const Verdict& verdict) const {
    const auto exercise = exercises_.find(verdict.id);
    if (exercise == exercises_.end() || verdict.status == grader::Status::kPassed) return "";
    for (const grader::Misconception& known : exercise->second->misconceptions) {
      for (const std::string* text : {&verdict.message, &verdict.detail}) {
        if (text->find(known.message) != std::string::npos) return known.message;
      }
    }
    const std::string own = diagnosis_in(verdict.message);
    return own.empty() ? diagnosis_in(verdict.detail) : own;
  }

  void apply_overrides(const std::string& student, const Assignment& assignment,
                       AssignmentScore& score) const {
    for (const Override& override : policy_.overrides) {
      if (override.student != student) continue;
      if (score.exercises.empty()) {  // nothing handed in: everything else earns 0
        const auto& ids = assignment.exercises;
        if (std::find(ids.begin(), ids.end(), override.exercise) == ids.end()) continue;
        score.exercises = nothing_of(assignment);
      }
      for (ExercisePoints& exercise : score.exercises) {
        if (exercise.id != override.exercise) continue;
        const std::string by = written_by(override);
        score.notes.push_back(fmt::format("{}: {:g} instead of {:g} points ({})", exercise.id,
                                          override.points, exercise.points, by));
        exercise.points = override.points;
        exercise.max_points = exercises_.at(exercise.id)->points;
        exercise.counted = true;
        exercise.why = by;
        exercise.tried = true;
        exercise.mistake.clear();
      }
    }
  }

  std::vector<ExercisePoints> nothing_of(const Assignment& assignment) const {
    std::vector<ExercisePoints> all;
    for (const std::string& id : assignment.exercises) {
      all.push_back({id, 0, exercises_.at(id)->points, true, "nothing was handed in", false, ""});
    }
    return all;
  }

  AssignmentScore assignment_of(const std::string& student, std::size_t index, int free_days) {
    const Assignment& assignment = policy_.assignments[index];
    AssignmentScore base;
    base.name = assignment.name;
    base.offset = assignment.offset;
    base.weight = assignment.weight;
    base.collected = !assignment.submissions.empty();
    for (const Excuse& excuse : policy_.excuses) {
      if (excuse.student != student || excuse.assignment != assignment.name) continue;
      base.excused = true;
      base.notes.push_back("does not count: " + written_by(excuse));
    }
    const Time deadline = deadline_of(student, assignment, base.notes);
    std::vector<Batch::Found> found;
    for (const Batch& batch : batches_[index]) {
      found.push_back(batch.of(student));
      for (const std::string& one : found.back().unread) {
        open_[one].insert(student);
        base.unread.push_back(one);
        base.notes.push_back(one);
      }
    }
    std::vector<AssignmentScore> candidates;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Batch& batch = batches_[index][i];
      const std::vector<Results>& attempts = found[i].attempts;
      for (const std::string& line : batch.odd_times(student, attempts)) {
        open_[line].insert(student);
      }
      for (const Results& results : attempts) {
        AssignmentScore candidate = base;
        candidate.submission = batch.collection.results.string();
        if (attempts.size() > 1) candidate.submission += ", " + results.attempt;
        candidate.handed_in = batch.handed_in(student, results.attempt);
        candidate.exercises = exercises_of(student, assignment, results);
        apply_overrides(student, assignment, candidate);
        set_penalty(candidate, deadline, free_days);
        if (attempts.size() > 1) {
          candidate.notes.push_back(fmt::format("of {} attempts {} counts, handed in {}",
                                                attempts.size(), results.attempt,
                                                written(*candidate.handed_in, assignment.offset)));
        }
        candidates.push_back(std::move(candidate));
      }
    }
    if (candidates.empty() && base.unread.empty()) note_times_of_nothing(student, index);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const AssignmentScore& a, const AssignmentScore& b) {
                       return *a.handed_in < *b.handed_in;
                     });
    const AssignmentScore* chosen = nullptr;
    for (const AssignmentScore& candidate : candidates) {
      // Late work beyond the limit counts only if there is nothing else.
      const bool takes =
          chosen == nullptr || (beyond_limit(*chosen) && !beyond_limit(candidate)) ||
          (!beyond_limit(candidate) &&
           (policy_.count == Counting::kLast ||
            (policy_.count == Counting::kBest && candidate.share() > chosen->share())));
      if (takes) chosen = &candidate;
    }
    if (chosen != nullptr) return with_all_tries(*chosen, candidates);
    if (base.collected) base.exercises = nothing_of(assignment);
    if (!base.unread.empty()) {
      for (ExercisePoints& exercise : base.exercises) exercise.why = base.unread.front();
    }
    apply_overrides(student, assignment, base);
    return base;
  }

  /// The score that counts, with the tries of all submissions.
  static AssignmentScore with_all_tries(AssignmentScore score,
                                        const std::vector<AssignmentScore>& candidates) {
    for (std::size_t i = 0; i < score.exercises.size(); ++i) {
      score.exercises[i].tries = 0;
      for (const AssignmentScore& one : candidates) {
        score.exercises[i].tries += one.exercises.at(i).tries;
      }
    }
    return score;
  }

  /// A student with a hand-in time must have handed in something.
  void note_times_of_nothing(const std::string& student, std::size_t index) {
    for (const Batch& batch : batches_[index]) {
      if (!batch.times.contains(student)) continue;
      open_[fmt::format("{} has a time, and no batch of {} has any work",
                        batch.collection.times.string(), policy_.assignments[index].name)]
          .insert(student);
    }
  }

  bool beyond_limit(const AssignmentScore& score) const {
    return policy_.late_limit && score.days_late > *policy_.late_limit;
  }

  void set_penalty(AssignmentScore& score, Time deadline, int free_days) const {
    using Days = std::chrono::days;
    const auto late = *score.handed_in - deadline;
    if (late.count() <= 0 || score.excused) return;
    score.days_late = static_cast<int>(std::chrono::ceil<Days>(late).count());
    if (beyond_limit(score)) {
      score.penalty = 1;
      score.notes.push_back(fmt::format("{} days late: does not count", score.days_late));
      return;
    }
    score.free_days = std::min(free_days, score.days_late);
    score.penalty = std::min(1.0, policy_.late_penalty * (score.days_late - score.free_days));
  }

  void drop_lowest(std::vector<AssignmentScore>& scores) const {
    for (int i = 0; i < policy_.drop_lowest; ++i) {
      AssignmentScore* lowest = nullptr;
      int counting = 0;
      for (AssignmentScore& score : scores) {
        if (!score.counts()) continue;
        ++counting;
        if (lowest == nullptr || score.share() < lowest->share()) lowest = &score;
      }
      if (counting < 2) return;  // something has to count
      lowest->dropped = true;
    }
  }

  const Policy& policy_;
  std::map<std::string, const grader::Exercise*> exercises_;  ///< by id
  std::vector<std::vector<Batch>> batches_;                   ///< by assignment
  std::map<std::string, std::set<std::string>> open_;
};

void require_known(const Policy& policy, const std::set<std::string>& students) {
  const auto check = [&](const std::string& what, const auto& rules) {
    for (const Decision& rule : rules) {
      if (students.contains(rule.student)) continue;
      throw std::runtime_error(
          fmt::format("the policy has an {} for {}, who is not on the roster", what, rule.student));
    }
  };
  check("extension", policy.extensions);
  check("excuse", policy.excuses);
  check("override", policy.overrides);
}

/// Results that match nobody on the roster.
std::vector<std::string> unknown_results(const Policy& policy,
                                         const std::set<std::string>& students) {
  std::set<std::string> names;
  for (const std::string& student : students) names.insert(grader::student_file_name(student));
  std::vector<std::string> lines;
  for (const Assignment& assignment : policy.assignments) {
    for (const Collection& collection : assignment.submissions) {
      for (const auto& entry : fs::directory_iterator(collection.results / "results")) {
        if (entry.path().extension() != ".json" || names.contains(entry.path().stem())) continue;
        lines.push_back(entry.path().string() + " matches nobody on the roster");
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

double sum(const std::vector<ExercisePoints>& exercises, double ExercisePoints::*part) {
  const double sum = std::accumulate(exercises.begin(), exercises.end(), 0.0,
                                     [&](double so_far, const ExercisePoints& exercise) {
                                       return so_far + (exercise.counted ? exercise.*part : 0);
                                     });
  return grader::without_rounding_errors(sum);
}

}  // namespace

double AssignmentScore::points() const {
  return sum(exercises, &ExercisePoints::points);
}

double AssignmentScore::max_points() const {
  return sum(exercises, &ExercisePoints::max_points);
}

double AssignmentScore::share() const {
  const double most = max_points();
  return most > 0 ? grader::without_rounding_errors(points() / most * (1 - penalty)) : 0;
}

std::optional<double> Standing::total() const {
  double earned = 0;
  double weights = 0;
  for (const AssignmentScore& score : assignments) {
    if (!score.counts()) continue;
    earned += score.weight * score.share();
    weights += score.weight;
  }
  if (weights <= 0) return std::nullopt;
  return grader::without_rounding_errors(earned / weights);
}

Term score(const Policy& policy, const std::vector<grader::Topic>& topics,
           const std::vector<Student>& roster) {
  std::set<std::string> students;
  for (const Student& student : roster) students.insert(student.id);
  require_known(policy, students);
  Scorer scorer(policy, topics);
  scorer.note_times_of_others(students);
  Term term;
  for (const Student& student : roster) term.standings.push_back(scorer.standing_of(student));
  term.problems = unknown_results(policy, students);
  for (std::string& line : scorer.problems()) term.problems.push_back(std::move(line));
  return term;
}

}  // namespace term
