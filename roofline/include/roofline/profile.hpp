// SPDX-License-Identifier: MIT
// Profiles of kernels: counters from Nsight Compute, rocprofv3 and rocpd, made into rooflines.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/precision.hpp"

namespace roofline {

/// The counts of one launch, in base units.
struct KernelCounts {
  std::map<std::string, double> operations;  ///< by kind: "fp32.vector", "fp16.matrix" ...
  std::map<std::string, double> bytes;       ///< by level: "DRAM", "L2", "L1", "fabric"
  double seconds = 0;
  /// Counters of arithmetic that the file lacks, by kind as above or "tensor cores", "matrix
  /// cores". The list is empty if the names depend on the GPU and the file does not name it.
  std::map<std::string, std::vector<std::string>> uncounted;

  /// Floating-point operations of all kinds that were counted, without integer ones. If anything is
  /// uncounted this is a lower bound.
  double flops() const;

  /// False if nothing was counted and some counters are missing: flops() is then meaningless.
  bool flops_known() const { return uncounted.empty() || flops() > 0; }
};

/// The kinds that were not counted: "fp32.vector (fmul), tensor cores"; for a kind that was counted
/// in part, the subjects of its missing counters.
std::string uncounted_text(const KernelCounts& counts);

/// One launch. counts is empty if counters are missing or broken, and problem says why.
struct KernelProfile {
  std::string id;  ///< of the launch in its file
  std::string name;
  std::string device;
  std::optional<KernelCounts> counts;
  std::string problem;
  std::vector<std::string> notes;  ///< what the counters cannot tell
  /// Counters by name as in the file, in base units: for simple_amd_estimate() and
  /// kernel_comparison().
  std::map<std::string, double> counters;
};

struct Profile {
  std::string format;  ///< "ncu raw", "ncu details", "rocprofv3 csv", "rocpd"
  std::vector<KernelProfile> kernels;
  /// The shell command that collects every counter that is read, if one of the kernels lacks some.
  /// It lacks the program's arguments, which no file records.
  std::string rerun;

  /// True if every kernel has its counts and its FLOPs are known, even if only as a lower bound.
  bool complete() const;
};

/// Options for what a file does not state itself.
struct ImportOptions {
  std::string architecture;  ///< "gfx90a", "gfx942" or "gfx950" for AMD files; empty: from the file
};

/// Reads a file in any of the formats, recognised by its content. An Nsight Compute report
/// (.ncu-rep) is converted by the `ncu` found on PATH. Throws std::runtime_error, naming the file,
/// if it has none of the formats or cannot be read at all; for the text that ncu prints, with the
/// command to run instead.
Profile import_profile(const std::filesystem::path& file, const ImportOptions& options = {});

/// The position of a kernel on the roofline: its intensity over the outermost level counted, rates,
/// bound. If anything is uncounted, intensity, FLOP/s and fraction are lower bounds.
struct ProfilePoint {
  std::string level;            ///< "DRAM", or "fabric" on AMD
  double intensity = 0;         ///< +infinity if no byte moved; NaN if FLOPs are unknown
  double flops_per_second = 0;  ///< NaN if FLOPs are unknown
  double bytes_per_second = 0;
  /// Only with a machine. If anything is uncounted the work is a lower bound, from which only
  /// "compute-bound" can follow.
  std::optional<Bound> bound;
  double fraction_of_roof = 0;  ///< with a machine only; of the memory roof if FLOPs are unknown
};

/// Places counts on a machine's roofline (best dense ceiling among the kinds that did work). Throws
/// std::invalid_argument if the counts have no work, no bytes or no time.
ProfilePoint place(const KernelCounts& counts, const Machine* machine = nullptr);

/// A widespread estimate for gfx942: FLOPs = 8 SQ_INSTS_VALU + 512 MFMA_MOPS_F32, bytes = 32
/// RDREQ_32B + 64 RDREQ_64B. It is wrong: SQ_INSTS_VALU counts every vector instruction, including
/// matrix ones; an FMA of a 64-wide wave is 128 FLOPs, not 8; other matrix types, writes and
/// 128-byte reads are missed. It is here so that the course can show by how much. Absent counters
/// are 0.
Work simple_amd_estimate(const std::map<std::string, double>& counters);

/// The report as JSON: schema "roofline.profile", version 1; for a kernel without counts "roofline"
/// is null, with the reason, and "flops" is null if they are unknown.
std::string profile_json(const Profile& profile, const Machine* machine = nullptr);

}  // namespace roofline
