// SPDX-License-Identifier: MIT
// Two scripts and two sbatch calls; everything else is an ordinary batch.
#include "grader/batch/slurm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

#include "base/files.hpp"
#include "grader/exercise/exercise.hpp"
#include "grader/exercise/names.hpp"
#include "grader/kind/kinds.hpp"
#include "grader/program/process.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// `word` quoted as a single word for /bin/sh.
std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  return result + "'";
}

/// "grader batch ..." without --out, --jobs and Slurm's options, with full paths, because a job may
/// start in any folder. Tasks share what they have compiled and judged.
std::string command_of(const BatchOptions& batch, const SlurmOptions& slurm) {
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe").string(), "batch",
                                    fs::absolute(batch.submissions).string(),    "--root",
                                    fs::absolute(batch.root).string(),           "--build",
                                    fs::absolute(batch.build).string()};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
  };
  if (!batch.roster.empty()) add("--roster", fs::absolute(batch.roster).string());
  for (const std::string& exercise : batch.exercises) add("--exercise", exercise);
  if (!slurm.secret_file.empty()) {
    add("--secret-file", fs::absolute(slurm.secret_file).string());
    if (batch.class_name.empty()) {
      add("--variant-version", std::to_string(batch.variant_version));
    } else {
      add("--class", batch.class_name);
    }
  }
  add("--attempt", std::string(name_of(batch.attempt)));
  if (!slurm.policy.empty()) add("--policy", fs::absolute(slurm.policy).string());
  for (const fs::path& folder : batch.take) add("--take", fs::absolute(folder).string());
  add("--shared", fs::absolute(batch.shared.empty() ? batch.out : batch.shared).string());
  add("--course", batch.course);
  if (batch.seed != 0) add("--seed", std::to_string(batch.seed));
  if (batch.isolation == Isolation::kLight) words.push_back("--isolation-light");
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

/// The cores that Slurm allocated to a task, unless a number was requested.
std::string jobs_of(const SlurmOptions& slurm) {
  if (slurm.jobs > 0) return fmt::format("--jobs {}", slurm.jobs);
  return "--jobs \"${SLURM_CPUS_ON_NODE:-1}\"";
}

/// The output of sbatch --parsable: the job's id, optionally followed by ";CLUSTER".
std::string submit(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"/usr/bin/env", "sbatch", "--parsable"});
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  Limits limits;
  limits.file_bytes = 0;
  Child child({arguments, {}, environment}, limits);
  const int status = child.wait();
  const std::string said = child.output();
  if (status != 0) {
    throw std::runtime_error(
        "sbatch did not accept the job; grade on one machine without --slurm, or fix this:\n" +
        (said.empty() ? "sbatch is not installed (slurm-client)" : said));
  }
  return said.substr(0, said.find_first_of(";\n"));
}

/// A job array: its script, the folder for its tasks' parts, and which exercises they judge.
struct Array {
  std::string script;
  fs::path parts;
  Timed timed = Timed::kAll;
  std::vector<std::string> options;
};

std::string timed_option(Timed timed) {
  return timed == Timed::kAll ? "" : fmt::format(" --timed {}", name_of(timed));
}

bool has_timed(const BatchOptions& batch) {
  std::vector<SchemaError> errors;
  for (const Topic& topic : load_topics(batch.root, errors)) {
    for (const Exercise& exercise : topic.exercises) {
      if (is_timed(exercise.kind()) && is_chosen(exercise, batch.exercises)) return true;
    }
  }
  return false;
}

/// One array for everything, or two if timed exercises have their own nodes.
std::vector<Array> arrays_of(const BatchOptions& batch, const SlurmOptions& slurm,
                             const fs::path& folder) {
  const bool is_apart =
      !slurm.timed_options.empty() && batch.timed == Timed::kAll && has_timed(batch);
  std::vector<Array> arrays = {
      {"task", folder / "parts", is_apart ? Timed::kNone : batch.timed, slurm.options}};
  if (batch.timed == Timed::kOnly || is_apart) {
    std::vector<std::string> options = slurm.options;
    options.insert(options.end(), slurm.timed_options.begin(), slurm.timed_options.end());
    if (is_apart) arrays.push_back({"timed", folder / "timed", Timed::kOnly, {}});
    arrays.back().options = options;
  }
  return arrays;
}

std::string submit_array(const Array& array, const std::string& command, const fs::path& folder,
                         const SlurmOptions& slurm) {
  fs::create_directories(array.parts);
  base::write_file_atomically(
      folder / (array.script + ".sh"),
      fmt::format("#!/bin/sh\n# One slice of the class; started again, it goes on.\n"
                  "exec {} {}{} --out {}/\"$SLURM_ARRAY_TASK_ID\" \\\n"
                  "  --slice \"$SLURM_ARRAY_TASK_ID\"/{}\n",
                  command, jobs_of(slurm), timed_option(array.timed), quoted(array.parts.string()),
                  slurm.tasks));
  std::vector<std::string> words = array.options;
  const std::vector<std::string> own = {
      fmt::format("--array=0-{}", slurm.tasks - 1),
      "--job-name=grade",
      "--output=" + (folder / (array.script + "-%a.log")).string(),
      "--open-mode=append",
      "--requeue",
      (folder / (array.script + ".sh")).string()};
  words.insert(words.end(), own.begin(), own.end());
  return submit(words);
}

/// Takes over one array after the other: a batch of some exercises keeps the others' results.
std::string merge_script(const std::vector<Array>& arrays, const std::string& command,
                         const fs::path& out, const SlurmOptions& slurm) {
  std::string script =
      "#!/bin/sh\n# Takes over what the tasks finished, and grades what they lost.\nstatus=0\n";
  for (const Array& array : arrays) {
    script += fmt::format("{} {}{}{} --out {}", command, jobs_of(slurm), timed_option(array.timed),
                          slurm.similarity ? " --similarity" : "", quoted(out.string()));
    for (int task = 0; task < slurm.tasks; ++task) {
      script +=
          fmt::format(" \\\n  --take {}", quoted((array.parts / std::to_string(task)).string()));
    }
    script += " || status=$?\n";
  }
  return script + "exit $status\n";
}

}  // namespace

SlurmJobs submit_to_slurm(const BatchOptions& batch, const SlurmOptions& slurm) {
  if (batch.slices != 1) {
    throw std::runtime_error(
        "--slice with --slurm: the tasks of the job array are the slices; leave --slice out");
  }
  std::vector<SchemaError> errors;
  require_exercises(load_topics(batch.root, errors), batch.exercises);
  const fs::path out = fs::absolute(batch.out);
  const fs::path folder = out / "slurm";
  fs::create_directories(folder);
  const std::string command = command_of(batch, slurm);
  const std::vector<Array> arrays = arrays_of(batch, slurm, folder);
  base::write_file_atomically(folder / "merge.sh", merge_script(arrays, command, out, slurm));

  SlurmJobs jobs;
  jobs.array = submit_array(arrays.front(), command, folder, slurm);
  if (arrays.size() > 1) jobs.timed = submit_array(arrays.back(), command, folder, slurm);
  // The merge judges what failed tasks left undone, on the same kind of node as the array.
  std::vector<std::string> merge = arrays.back().options;
  const std::vector<std::string> after = {
      "--dependency=afterany:" + jobs.array + (jobs.timed.empty() ? "" : ":" + jobs.timed),
      "--job-name=merge",
      "--output=" + (folder / "merge.log").string(),
      "--open-mode=append",
      "--requeue",
      (folder / "merge.sh").string()};
  merge.insert(merge.end(), after.begin(), after.end());
  jobs.merge = submit(merge);
  return jobs;
}

}  // namespace grader
