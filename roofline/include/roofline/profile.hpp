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

/// What counters say about one launch, in base units.
struct KernelCounts {
  std::map<std::string, double> operations;  ///< by kind: "fp32.vector", "fp16.matrix" ...
  std::map<std::string, double> bytes;       ///< by level: "DRAM", "L2", "L1", "fabric"
  double seconds = 0;

  /// Floating-point operations of all kinds; integer ones are kept apart.
  double flops() const;
};

/// One launch. counts is empty where counters are missing or broken, and problem says why.
struct KernelProfile {
  std::string id;  ///< of the launch in its file
  std::string name;
  std::string device;
  std::optional<KernelCounts> counts;
  std::string problem;
  std::vector<std::string> notes;  ///< what the counters cannot tell
  /// Counters by name as the file gives them (AMD formats), for simple_amd_estimate().
  std::map<std::string, double> counters;
};

struct Profile {
  std::string format;  ///< "ncu raw", "ncu details", "rocprofv3 csv", "rocpd"
  std::vector<KernelProfile> kernels;

  /// True when every kernel has its counts.
  bool complete() const;
};

/// Options for what a file does not say by itself.
struct ImportOptions {
  std::string architecture;  ///< "gfx90a", "gfx942" or "gfx950" for AMD files; empty: from the file
};

/// Reads a file of any of the formats, known by its content.
/// Throws std::runtime_error, naming the file, when it is of none of them or cannot be read at all.
Profile import_profile(const std::filesystem::path& file, const ImportOptions& options = {});

/// Where a kernel stands: its intensity over the outermost level counted, rates, bound.
struct ProfilePoint {
  std::string level;     ///< "DRAM", or "fabric" on AMD
  double intensity = 0;  ///< +infinity when no byte moved: cache-resident
  double flops_per_second = 0;
  double bytes_per_second = 0;
  std::optional<Bound> bound;  ///< with a machine only
  double fraction_of_roof = 0;
};

/// Places counts on a machine's roofline (best dense ceiling among the kinds that did work).
/// Throws std::invalid_argument when the counts hold no work, no bytes or no time.
ProfilePoint place(const KernelCounts& counts, const Machine* machine = nullptr);

/// The estimate for gfx942 that is often met: FLOPs = 8 SQ_INSTS_VALU + 512 MFMA_MOPS_F32, bytes =
/// 32 RDREQ_32B + 64 RDREQ_64B. It is wrong: SQ_INSTS_VALU counts every vector instruction, matrix
/// ones included; an FMA of a 64-wide wave is 128 FLOPs, not 8; other matrix types, writes and
/// 128-byte reads are missed. Here so that the course can show by how much. Absent counters are 0.
Work simple_amd_estimate(const std::map<std::string, double>& counters);

/// The report as JSON: schema "roofline.profile", version 1; "roofline" is null, with the reason,
/// for a kernel without counts.
std::string profile_json(const Profile& profile, const Machine* machine = nullptr);

}  // namespace roofline
