// SPDX-License-Identifier: MIT
// Judges exercises in order and collects the verdicts.
#include "grader/judge/judge_all.hpp"

#include "base/files.hpp"
#include "grader/judge/grade.hpp"
#include "harness/build_info.hpp"

namespace grader {

Results begun(const Session& session) {
  Results results;
  results.backend = session.backend();
  results.time = harness::current_time();
  if (session.machine()) results.machine = session.machine()->name;
  return results;
}

Results judge_all(Session& session, const std::vector<const Exercise*>& exercises,
                  const JudgeListener& listener) {
  Results results = begun(session);
  for (const Exercise* exercise : exercises) {
    if (listener.before) listener.before(*exercise);
    results.verdicts.push_back(grade(session, *exercise));
    if (listener.after) listener.after(results);
  }
  return results;
}

void store_last(const Results& results, const std::filesystem::path& folder) {
  Results one = results;
  one.verdicts = {results.verdicts.back()};
  std::filesystem::create_directories(folder);
  base::write_file_atomically(folder / (one.verdicts.front().id + ".json"), results_json(one));
}

}  // namespace grader
