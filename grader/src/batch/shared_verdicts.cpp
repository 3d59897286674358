// SPDX-License-Identifier: MIT
// A folder of verdicts by content.
#include "grader/batch/shared_verdicts.hpp"

#include <stdexcept>

#include "base/files.hpp"
#include "grader/report/report.hpp"

namespace grader {
namespace {

bool is_lasting(Status status) {
  switch (status) {
    case Status::kPassed:
    case Status::kPartial:
    case Status::kFailed:
    case Status::kUnsolved:
    case Status::kCrashed:
    case Status::kShown:
      return true;
    case Status::kMissing:
    case Status::kTimedOut:
    case Status::kInconclusive:
    case Status::kSkipped:
    case Status::kError:
      return false;
  }
  return false;
}

}  // namespace

bool is_shared(Kind kind) {
  return rules_of(kind).is_shared;
}

SharedVerdicts::SharedVerdicts(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::filesystem::create_directories(folder_);
}

std::unique_lock<std::mutex> SharedVerdicts::claim(const std::string& key) {
  std::mutex* own = nullptr;
  {
    const std::lock_guard guard(mutex_);
    std::unique_ptr<std::mutex>& place = claims_[key];
    if (!place) place = std::make_unique<std::mutex>();
    own = place.get();
  }
  return std::unique_lock(*own);
}

SharedVerdicts::Verdicts SharedVerdicts::find(const std::string& key) const {
  Verdicts verdicts;
  if (!std::filesystem::exists(file_of(key))) return verdicts;
  try {
    const Results known = parse_results(base::read_file_if_any(file_of(key)));
    if (known.key != key) return verdicts;
    for (const Verdict& verdict : known.verdicts) verdicts[verdict.id] = verdict;
  } catch (const std::runtime_error&) {
    verdicts.clear();  // another version of the grader wrote it
  }
  return verdicts;
}

void SharedVerdicts::keep(const std::string& key, const Verdicts& verdicts) const {
  Results known;
  known.key = key;
  for (const auto& [id, verdict] : verdicts) {
    if (is_lasting(verdict.status)) known.verdicts.push_back(verdict);
  }
  base::write_file_atomically(file_of(key), results_json(known));
}

std::filesystem::path SharedVerdicts::file_of(const std::string& key) const {
  return folder_ / (key + ".json");
}

}  // namespace grader
