// SPDX-License-Identifier: MIT
// A batch spread over the nodes of a Slurm cluster.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/batch.hpp"

namespace grader {

struct SlurmOptions {
  int tasks = 0;                      ///< of the job array; each grades its slice of the class
  std::vector<std::string> options;   ///< for sbatch: --partition=cpu, --mem=4G, --exclusive ...
  std::filesystem::path secret_file;  ///< as given to the batch, empty for none
};

/// Job ids, as sbatch printed them.
struct SlurmJobs {
  std::string array;  ///< grades
  std::string merge;  ///< starts when every task of the array has ended, successfully or not
};

/// Writes out/slurm/task.sh and merge.sh and submits both. Task K grades the class's slice K into
/// out/slurm/parts/K; the merge is a local batch into `out` that takes over what the tasks finished
/// and grades the rest itself, so that a lost node costs time and nothing else. Either may be
/// started again at any time. `out`, the course and its build tree must be on storage that all
/// nodes share. @throws std::runtime_error saying what to do when sbatch is missing or refuses.
SlurmJobs submit_to_slurm(const BatchOptions& batch, const SlurmOptions& slurm);

}  // namespace grader
