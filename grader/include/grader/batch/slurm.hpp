// SPDX-License-Identifier: MIT
// A batch spread over the nodes of a Slurm cluster.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/batch/batch.hpp"

namespace grader {

struct SlurmOptions {
  int tasks = 0;                     ///< of the job array; each grades its slice of the class
  std::vector<std::string> options;  ///< for sbatch: --partition=cpu, --mem=4G, --exclusive ...
  /// sbatch options for timed exercises, which are then graded by a separate array. Empty: they are
  /// graded with the others.
  std::vector<std::string> timed_options;
  std::filesystem::path secret_file;  ///< as given to the batch, empty for none
  std::filesystem::path policy;       ///< as given to the batch, empty for none
  int jobs = 0;             ///< submissions at a time; 0: one per core that Slurm allocated
  bool similarity = false;  ///< the merge lists who handed in the same work
};

/// Job ids, as sbatch printed them.
struct SlurmJobs {
  std::string array;  ///< grades
  std::string timed;  ///< grades the timed exercises; empty if there is no separate array
  std::string merge;  ///< starts when every task of the arrays has ended, successfully or not
};

/// Writes out/slurm/task.sh, timed.sh if there are timed_options, and merge.sh, and submits them.
/// Task K grades the class's slice K into out/slurm/parts/K (timed/K). The merge is a local batch
/// into `out` that takes over what the tasks finished and grades the rest itself, so a lost node
/// costs time and nothing else. A task or the merge may be restarted at any time. `out`, the course
/// and its build tree must be on storage that all nodes share. A batch that already has a slice is
/// refused.
/// @throws std::runtime_error saying what to do when sbatch is missing or refuses.
SlurmJobs submit_to_slurm(const BatchOptions& batch, const SlurmOptions& slurm);

}  // namespace grader
