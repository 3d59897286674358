// SPDX-License-Identifier: MIT
// What the virtual GPU reports about a kernel's launches. Counts are for the whole launch: if only
// part of the blocks ran they are extrapolated, and need not be whole numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vgpu/geometry.hpp"

namespace vgpu {

enum class Space { kGlobal, kShared };
enum class Access { kLoad, kStore, kAtomic };

/// The accesses of one kind on one line of the source.
struct Site {
  std::string file;  ///< name without folders
  int line = 0;
  Space space = Space::kGlobal;
  Access access = Access::kLoad;
  double requests = 0;  ///< warp-wide instructions
  double lanes = 0;     ///< lanes that took part, over all requests
  double bytes = 0;     ///< requested, over all lanes
  double sectors = 0;   ///< global memory: sectors touched, each counted once per request
  double lines = 0;     ///< global memory: cache lines touched, each counted once per request
  /// Shared memory: passes over the banks, and how many the access widths alone need. The
  /// difference is bank conflicts.
  double wavefronts = 0;
  double ideal_wavefronts = 0;
  double held = 0;  ///< global loads: the most that a warp holds in registers before it stores them

  double sectors_per_request() const { return requests > 0 ? sectors / requests : 0; }
  double conflicts() const { return wavefronts - ideal_wavefronts; }
};

/// Arithmetic of one number format, in operations of single lanes.
struct Arithmetic {
  double add = 0;  ///< and subtract
  double multiply = 0;
  double fma = 0;
  double divide = 0;
  double special = 0;  ///< square roots, exponentials and so on
  /// Conversions from this format to others, and from integers; rounding a pair to 16 bits counts
  /// once.
  double convert = 0;
  double packed = 0;  ///< instructions that did one of the first five on two numbers

  /// A fused multiply-add counts as two.
  double flops() const { return add + multiply + 2 * fma; }
};

/// What matrix units compute from factors of one format.
struct MatrixWork {
  /// Instructions of a warp: 4096 FLOPs each, 16 x 8 x 16, if a warp has 32 lanes, and twice as
  /// many if it has 64.
  double instructions = 0;
  double flops = 0;
};

/// What a line of the source executes apart from its accesses.
struct LineWork {
  std::string file;
  int line = 0;
  double warp_steps = 0;  ///< times that a warp executed it
  double lanes = 0;       ///< lanes that took part, over all warp steps
  double flops = 0;       ///< by lanes and matrix units
};

/// One launch on a virtual machine whose caches started empty.
struct Launch {
  std::string kernel;
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::array<std::int64_t, 3> block{1, 1, 1};
  std::int64_t shared_bytes = 0;  ///< of a block, static and dynamic
  int registers_per_thread = 0;
  bool registers_are_assumed = true;
  Occupancy occupancy;
  double waves = 0;             ///< blocks divided by the blocks that are resident at a time
  std::int64_t blocks_run = 0;  ///< fewer than the grid's if the launch was sampled
  /// The relative difference between the two halves of the sample that the rest is extrapolated
  /// from: the larger of the differences in L1 sectors missed and in DRAM bytes read. 0 if every
  /// block ran, -1 if the sample is a single wave.
  double sample_error = 0;

  std::vector<Site> sites;                       ///< by file, line, space and access
  std::vector<LineWork> lines;                   ///< by file and line
  std::map<std::string, Arithmetic> arithmetic;  ///< "fp64", "fp32", "fp16"
  std::map<std::string, MatrixWork> matrix;      ///< "fp16", "bf16"
  double barriers = 0;                           ///< reached by blocks

  // Sectors, from the multiprocessors downwards.
  double l1_load_sectors = 0;
  double l1_load_hits = 0;
  double l2_read_sectors = 0;  ///< that L1 missed
  double l2_read_hits = 0;
  double l2_write_sectors = 0;  ///< L1 writes through
  double l2_write_parts = 0;    ///< store lines that leave some bytes of a sector unchanged
  double l2_atomic_sectors = 0;
  double atomics_of_a_line = 0;  ///< the largest number of these on one line
  double dram_bytes_read = 0;
  double dram_bytes_written = 0;  ///< evicted from L2, without what stays there
  double l2_dirty_bytes = 0;      ///< still in L2 at the end

  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  /// The total over all sites of a kind.
  double total(Space space, Access access, double Site::*figure) const;
  double flops() const;  ///< by lanes
  double matrix_instructions() const;
  double matrix_flops() const;
  /// Active lanes per warp step, as a fraction of the warp's; 1 if no warp diverges.
  double lane_use(int lanes_of_warp) const;
};

/// All launches of a call.
struct Profile {
  Geometry geometry;
  std::vector<Launch> launches;
};

/// As JSON: schema "vgpu.profile", version 3, names as above.
std::string to_json(const Profile& profile);
/// @throws std::runtime_error when to_json() could not have written the text.
Profile profile_from_json(const std::string& text);
std::string to_json(const Geometry& geometry);
/// @throws std::runtime_error when to_json() could not have written the text.
Geometry geometry_from_json(const std::string& text);

}  // namespace vgpu
