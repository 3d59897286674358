// SPDX-License-Identifier: MIT
// Two scripts and two calls of sbatch; everything else is a batch like any other.
#include "grader/batch/slurm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

#include "base/files.hpp"
#include "grader/program/process.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// One word for /bin/sh, whatever is in it.
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

/// "grader batch ..." without --out, --jobs and what is Slurm's, with full paths: a job may start
/// in any folder.
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
  add("--course", batch.course);
  if (batch.seed != 0) add("--seed", std::to_string(batch.seed));
  if (batch.isolation == Isolation::kLight) words.push_back("--isolation-light");
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

/// The cores that Slurm gave to a task.
constexpr const char* kJobs = "--jobs \"${SLURM_CPUS_ON_NODE:-1}\"";

/// What sbatch prints with --parsable: the job's id, and perhaps ";CLUSTER".
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

}  // namespace

SlurmJobs submit_to_slurm(const BatchOptions& batch, const SlurmOptions& slurm) {
  const fs::path out = fs::absolute(batch.out);
  const fs::path folder = out / "slurm";
  fs::create_directories(folder / "parts");
  const std::string command = command_of(batch, slurm);
  const std::string parts = (folder / "parts").string();
  base::write_file_atomically(
      folder / "task.sh",
      fmt::format("#!/bin/sh\n# One slice of the class; started again, it goes on.\n"
                  "exec {} {} --out {}/\"$SLURM_ARRAY_TASK_ID\" \\\n"
                  "  --slice \"$SLURM_ARRAY_TASK_ID\"/{}\n",
                  command, kJobs, quoted(parts), slurm.tasks));
  std::string taken;
  for (int task = 0; task < slurm.tasks; ++task) {
    taken += fmt::format(" \\\n  --take {}", quoted(fmt::format("{}/{}", parts, task)));
  }
  base::write_file_atomically(
      folder / "merge.sh",
      fmt::format("#!/bin/sh\n# Takes over what the tasks finished, and grades what they lost.\n"
                  "exec {} {} --out {}{}\n",
                  command, kJobs, quoted(out.string()), taken));

  SlurmJobs jobs;
  std::vector<std::string> array = slurm.options;
  const std::vector<std::string> own = {fmt::format("--array=0-{}", slurm.tasks - 1),
                                        "--job-name=grade",
                                        "--output=" + (folder / "task-%a.log").string(),
                                        "--open-mode=append",
                                        "--requeue",
                                        (folder / "task.sh").string()};
  array.insert(array.end(), own.begin(), own.end());
  jobs.array = submit(array);
  std::vector<std::string> merge = slurm.options;
  const std::vector<std::string> after = {"--dependency=afterany:" + jobs.array,
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
