// SPDX-License-Identifier: MIT
// A machine as the roofline model sees it: peaks per precision and unit, memory levels, launch
// cost.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/compute_unit.hpp"
#include "roofline/energy.hpp"
#include "roofline/multiprocessor.hpp"
#include "roofline/precision.hpp"
#include "roofline/provenance.hpp"

namespace vgpu {
struct Geometry;
}

namespace roofline {

/// The parts from which a vendor's peak follows: units x operations per clock x clock.
struct PeakParts {
  double units = 0;
  double operations_per_clock = 0;  ///< per unit, counting a multiply-add as 2
};

struct Peak {
  Precision precision = Precision::kFp32;
  Unit unit = Unit::kVector;
  double operations_per_second = 0;
  bool sparse = false;             ///< counts operations that 2:4 sparsity skips; never a default
  std::optional<double> clock_hz;  ///< the clock that the figure is stated for
  std::string accumulator;         ///< format of the sums; empty if it is the precision itself
  std::optional<PeakParts> parts;
  Provenance provenance;
  /// What reached a measured peak, if several can: an instruction ("mma.sync", "wgmma") or
  /// "library" for the vendor's matrix product. Their rates differ a lot, so it is shown with the
  /// figure.
  std::string reached_by;
};

/// The parts from which a memory bandwidth follows: bus bits x transfers per second / 8.
struct MemoryParts {
  double bus_bits = 0;
  double transfers_per_second = 0;
};

/// One level of the memory hierarchy. Names are "L1", "L2", "LLC" and "DRAM".
struct MemoryLevel {
  std::string name;
  std::optional<double> capacity_bytes;    ///< of one instance
  double instances = 1;                    ///< e.g. one L1 per core
  std::optional<double> bytes_per_second;  ///< of all instances together
  std::optional<MemoryParts> parts;
  Provenance provenance;
};

/// Everything is in base units: B, B/s, FLOP/s (or OP/s), Hz, s.
struct Machine {
  std::string id;
  std::string name;
  std::string vendor;
  std::string kind;  ///< "gpu" or "cpu"
  std::string architecture;
  std::vector<std::string> reported_as;  ///< substrings of the names that drivers give this device
  bool measured = false;                 ///< from `roofline measure`, not from a datasheet
  std::vector<Peak> peaks;
  std::vector<MemoryLevel> levels;        ///< nearest to the core first
  std::map<std::string, double> streams;  ///< measured DRAM rates by pattern (read, triad ...), B/s
  std::map<Precision, double> products;   ///< measured rates of the vendor's matrix product
  /// The same without pauses between samples, so that the power cap can lower the rates.
  std::map<Precision, double> sustained_products;
  std::optional<MeasuredEnergyCosts> energy;  ///< if a report has them
  std::optional<double> launch_overhead_seconds;
  std::optional<Multiprocessor> multiprocessor;  ///< for GPUs that the virtual GPU can imitate
};

/// Loads a data file (.toml) or the output of `roofline measure` (.json). Throws std::runtime_error
/// naming file, line and column of what is malformed.
Machine load_machine(const std::filesystem::path& file);

/// The data files of a folder, sorted by name. Throws std::runtime_error if the folder is missing.
std::vector<std::filesystem::path> machine_files(const std::filesystem::path& folder);

/// A file path as given, or otherwise the id of a file in `folder` ("a100-80gb-sxm"). Throws
/// std::runtime_error listing the ids if there is no such machine.
std::filesystem::path resolve_machine(std::string_view name_or_path,
                                      const std::filesystem::path& folder);

/// The peak of one precision on one unit, or null. Dense unless sparse is requested. If a chip has
/// figures for several accumulators, the highest is taken.
const Peak* find_peak(const Machine& machine, Precision precision, Unit unit, bool sparse = false);

/// The highest dense peak of a precision on any unit.
/// Throws std::invalid_argument listing the precisions that the machine has.
const Peak& best_peak(const Machine& machine, Precision precision);

/// A level by name. Throws std::invalid_argument listing the levels that the machine has.
const MemoryLevel& memory_level(const Machine& machine, std::string_view name);

/// Bandwidth of a level in B/s. Throws std::invalid_argument if it is not known.
double bandwidth(const Machine& machine, std::string_view level = "DRAM");

/// A roof of DRAM, and the stream that determined it.
struct MemoryStream {
  std::string name;  ///< "read", "triad" ...; "DRAM" if a datasheet gives one figure for all
  double bytes_per_second = 0;
};

/// DRAM for a kernel with this mix of reads and writes: the measured stream whose share of reads is
/// closest (read 1, add and triad 2/3, copy and scale 1/2, write 0), in a tie the fastest.
/// bandwidth(machine) if no such stream was measured. If nothing is moved, that counts as reading.
/// Throws std::invalid_argument for amounts that are negative or not finite.
MemoryStream stream_of_mix(const Machine& machine, double bytes_read, double bytes_written);

/// The roof of a precision (best dense unit) over a level.
Roof roof_of(const Machine& machine, Precision precision, std::string_view level = "DRAM");

/// Some of a GPU's multiprocessors, with the same share of everything that all of them use: L2 and
/// its rate, DRAM's rate. Peaks shrink with it; latencies, and the time to start a kernel, do not.
/// Throws std::invalid_argument for a machine without [multiprocessor] or with fewer of them.
Machine part_of(const Machine& machine, int multiprocessors);

/// The sizes (vgpu/geometry.hpp) with which the virtual GPU imitates this machine. Throws
/// std::invalid_argument for a machine whose file has no [multiprocessor] or no size of L2.
vgpu::Geometry geometry_of(const Machine& machine);

/// The product of the parts of a peak or a level; empty if a part is not public.
std::optional<double> derived_rate(const Peak& peak);
std::optional<double> derived_rate(const MemoryLevel& level);

}  // namespace roofline
