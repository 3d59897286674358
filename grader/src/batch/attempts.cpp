// SPDX-License-Identifier: MIT
// Matches the names of submissions with a class list.
#include "grader/batch/attempts.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>

#include "base/text.hpp"

namespace grader {
namespace {

bool is_named_by(const std::string& name, const std::string& id) {
  if (!name.starts_with(id)) return false;
  if (name.size() == id.size() || name[id.size()] == '_') return true;
  if (name[id.size()] != '-' && name[id.size()] != ' ') return false;
  const auto next =
      static_cast<unsigned char>(name.size() > id.size() + 1 ? name[id.size() + 1] : 0);
  return std::isalpha(next) == 0 && next < 0x80;
}

/// The student whose name for submissions is the longest that `found` begins with; null if there is
/// none.
const Student* owner_of(const std::string& found, const std::vector<Student>& roster) {
  const Student* owner = nullptr;
  std::size_t longest = 0;
  for (const Student& student : roster) {
    for (const std::string& name : submission_names(student)) {
      if (name.size() <= longest || !is_named_by(found, name)) continue;
      owner = &student;
      longest = name.size();
    }
  }
  return owner;
}

Work work_of(const Student& student, const std::vector<Submission>& found, Attempt counts) {
  Work work{student, {}, {}, {}};
  const auto by_name = [](const std::string& a, const std::string& b) {
    return base::natural_less(a, b);
  };
  std::map<std::string, std::vector<Submission>, decltype(by_name)> attempts(by_name);
  for (const Submission& submission : found) attempts[submission.student].push_back(submission);
  for (auto& [name, attempt] : attempts) work.attempts.push_back(std::move(attempt));
  if (counts == Attempt::kBest || work.attempts.size() < 2) return work;
  if (counts == Attempt::kLast) std::reverse(work.attempts.begin(), work.attempts.end());
  work.others.assign(std::make_move_iterator(work.attempts.begin() + 1),
                     std::make_move_iterator(work.attempts.end()));
  work.attempts.resize(1);
  return work;
}

/// The course's files in a hand-in.
std::set<std::string> files_in(const Submission& submission, const std::vector<Topic>& topics) {
  std::set<std::string> names;
  for (const auto& [name, content] : collect(submission, topics).files) names.insert(name);
  return names;
}

bool are_single_files(const std::vector<Submission>& attempt) {
  return std::all_of(attempt.begin(), attempt.end(), is_single_file);
}

bool have_common(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

}  // namespace

std::string_view name_of(Attempt attempt) {
  switch (attempt) {
    case Attempt::kLast:
      return "last";
    case Attempt::kFirst:
      return "first";
    case Attempt::kBest:
      return "best";
  }
  return "unknown";
}

ClassWork sort_by_student(const Found& found, const std::optional<std::vector<Student>>& roster,
                          Attempt counts) {
  std::vector<Student> students;
  if (roster) {
    students = *roster;
  } else {
    for (const Submission& submission : found.submissions) {
      const auto same = [&](const Student& s) { return s.id == submission.student; };
      if (std::none_of(students.begin(), students.end(), same)) {
        students.push_back({submission.student, "", 0});
      }
    }
  }
  ClassWork result;
  std::map<std::string, std::vector<Submission>> attempts;
  for (const Submission& submission : found.submissions) {
    const Student* owner = nullptr;
    if (roster) owner = owner_of(submission.student, students);
    if (roster && owner == nullptr) {
      result.unowned.push_back(submission);
    } else {
      attempts[owner == nullptr ? submission.student : owner->id].push_back(submission);
    }
  }
  for (const Student& student : students) {
    result.students.push_back(work_of(student, attempts[student.id], counts));
  }
  for (const Other& other : found.others) {
    const Student* owner = owner_of(other.student, students);
    if (owner == nullptr) {
      result.not_judged.push_back(other.problem);
    } else {
      result.students[static_cast<std::size_t>(owner - students.data())].not_judged.push_back(
          other.problem);
    }
  }
  return result;
}

std::vector<std::vector<Submission>> join_single_files(
    std::vector<std::vector<Submission>> attempts, const std::vector<Topic>& topics) {
  std::size_t singles = 0;
  for (const std::vector<Submission>& attempt : attempts) {
    if (are_single_files(attempt)) singles += attempt.size();
  }
  if (singles < 2) return attempts;  // not worth reading: nothing can join it
  std::vector<std::vector<Submission>> joined;
  std::vector<std::set<std::string>> files;  // of each that is joined; unused for the others
  for (std::vector<Submission>& attempt : attempts) {
    if (!are_single_files(attempt)) {
      joined.push_back(std::move(attempt));
      files.emplace_back();
      continue;
    }
    for (Submission& file : attempt) {
      const std::set<std::string> own = files_in(file, topics);
      std::size_t at = 0;
      while (at < joined.size() && (!are_single_files(joined[at]) || have_common(files[at], own))) {
        ++at;
      }
      if (at < joined.size()) {
        joined[at].front().beside.push_back(std::move(file.path));
      } else {
        joined.push_back({std::move(file)});
        files.emplace_back();
      }
      files[at].insert(own.begin(), own.end());
    }
  }
  return joined;
}

}  // namespace grader
