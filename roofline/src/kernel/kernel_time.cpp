// SPDX-License-Identifier: MIT
// The time model of the virtual GPU.
#include "roofline/kernel/kernel_time.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

namespace roofline {
namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;

constexpr double kDivisionSlots = 8;  ///< Newton steps after a reciprocal
constexpr double kSpecialSlots = 4;   ///< range reduction and rounding
constexpr double kUnrolled = 4;       ///< loads of a line, as compilers do by default
constexpr double kMostUnrolled = 16;  ///< as far as registers allow

// For an H200's DRAM. A pseudo-channel of 32 bits opens at most four rows in 15 ns (nFAW of the
// preset HBM3_2Gbps in Ramulator 2, src/dram/impl/HBM3.cpp), and in a quarter of that time 94 bytes
// pass at 6.25 GT/s: a request for 64 bytes of a row costs as much as 94.
constexpr double kBytesOfARow = 94;
// Sectors that are written alone, and first read to be complete, may or may not share a row: they
// cost between 1 and 94 / 32 times their bytes. Fitted to a family of "scatter, random" and copies
// with strides of 32 and 64 in tests/virtual_gpu.
constexpr double kLoneStore = 2.1;
// Loads of whole warps on all multiprocessors take 411 ns with little else in flight: 132 x 512 B /
// 164.5 GB/s in data/measured/h200_roofs_full.json, 1.5 times the published 273 ns of a lone one.
constexpr double kWarpLatency = 1.5;
// How two queues add up. From the same table: with 6 to 16 KiB in flight on each multiprocessor,
// where latency and rate limit about equally, a pass takes (latency^p + transfer^p)^(1/p), p = 2.5.
constexpr double kOverlap = 2.5;
// "histogram, global atomics" of tests/virtual_gpu: 2.7 M sectors on 8 lines in 1.08 ms.
constexpr double kClocksPerAtomic = 6.4;
// Fitted to all patterns of tests/virtual_gpu: the time until the next block starts after one has
// ended, and instructions of a warp: those at a kernel's start, and those per line that a warp
// executes. Fits to every second pattern predict the other half with a median error of 10 %, as
// does the fit to all; their 270 and 275 ns agree, their instructions per line (0.1 and 1.8) do
// not, so little depends on these.
constexpr double kBlockTurnSeconds = 250e-9;
constexpr double kFirstInstructions = 25;
constexpr double kInstructionsPerLine = 0.5;
/// Instructions and arguments come from DRAM before the first load, one after the other.
constexpr double kColdFetches = 2;

const Multiprocessor& multiprocessor_of(const Machine& machine) {
  if (machine.multiprocessor) return *machine.multiprocessor;
  throw std::invalid_argument("the time of a kernel on " + machine.id +
                              " cannot be predicted: its file has no [multiprocessor]");
}

/// The rates of all multiprocessors together, per second.
double everywhere(const Multiprocessor& part, double per_clock) {
  return per_clock * part.count * part.clock_hz;
}

double warps_of(const Launch& launch, const Multiprocessor& part) {
  const auto threads = static_cast<double>(launch.threads_per_block());
  return static_cast<double>(launch.blocks()) * std::ceil(threads / part.lanes);
}

/// Fraction of the lanes that take part; the others wait.
double lane_use(const Launch& launch, const Multiprocessor& part) {
  return std::max(launch.lane_use(part.lanes), 1.0 / part.lanes);
}

/// Whether a register holds two numbers, and an instruction computes with both.
bool has_pairs(const std::string& format) {
  return format == "fp16" || format == "bf16";
}

/// Instructions of lanes. Compilers fuse a multiplication with the addition that uses it, unless
/// told not to; a packed instruction processes two numbers.
double arithmetic_slots(const std::string& format, const vgpu::Arithmetic& work, Code code) {
  const double numbers = work.add + work.multiply + work.fma + work.divide + work.special;
  double instructions_a_number = numbers > 0 ? 1 - work.packed / numbers : 1;
  if (code == Code::kUnrolled && has_pairs(format)) instructions_a_number = 0.5;
  return instructions_a_number * (std::max(work.add, work.multiply) + work.fma +
                                  kDivisionSlots * work.divide + kSpecialSlots * work.special) +
         work.convert;
}

/// Operations per instruction of a lane: a multiply-add, for 16-bit formats of two numbers.
double operations_of_slot(const std::string& format) {
  return has_pairs(format) ? 4 : 2;
}

double warp_instructions(const Launch& launch, const Multiprocessor& part, Code code) {
  double instructions = kFirstInstructions * warps_of(launch, part) + launch.matrix_instructions();
  for (const Site& site : launch.sites) instructions += site.requests;
  for (const auto& [format, work] : launch.arithmetic) {
    instructions += arithmetic_slots(format, work, code) / (part.lanes * lane_use(launch, part));
  }
  if (code == Code::kUnrolled) return instructions;
  for (const vgpu::LineWork& line : launch.lines) {
    // Code that only computes on registers needs no address and no loop.
    const bool accesses = std::ranges::any_of(launch.sites, [&](const Site& site) {
      return site.line == line.line && site.file == line.file;
    });
    if (line.flops <= 0 || accesses) instructions += kInstructionsPerLine * line.warp_steps;
  }
  return instructions;
}

/// The time of the busiest multiprocessor over the average.
double tail_of(const Launch& launch, const Multiprocessor& part) {
  const auto blocks = static_cast<double>(launch.blocks());
  if (blocks <= 0) return 1;
  return std::ceil(blocks / part.count) * part.count / blocks;
}

/// Collects units; idle ones are left out.
class Units {
 public:
  void add(Pipe pipe, const std::string& name, double amount, const char* what, double peak_rate,
           double reached, double tail = 1) {
    if (amount <= 0 || peak_rate <= 0) return;
    const double seconds = amount / peak_rate * tail;
    units_.push_back({name, pipe, amount, what, peak_rate, seconds, seconds / reached, 0});
  }
  std::vector<UnitTime> take() { return std::move(units_); }

 private:
  std::vector<UnitTime> units_;
};

/// Fraction of the sectors of a kind of access that are alone in their line within a request; 0 if
/// lines have two or more on average.
double lone_share(const Launch& launch, Access access) {
  const double sectors = launch.total(Space::kGlobal, access, &Site::sectors);
  const double lines = launch.total(Space::kGlobal, access, &Site::lines);
  return sectors > 0 ? std::max(0.0, 2 * lines / sectors - 1) : 0;
}

/// Sectors that stay in a cache until others of their line are requested are no longer alone.
double still_lone(double share, double requested_bytes, double dram_bytes) {
  return requested_bytes > 0 ? share * std::min(1.0, dram_bytes / requested_bytes) : 0;
}

/// The bytes that DRAM could have moved in the time it spends on opening rows for lone sectors.
double bytes_lost_to_rows(const Launch& launch, const Multiprocessor& part) {
  const double sector = part.l1.sector_bytes;
  const double fetch = part.dram.fetch_bytes;
  const double loads = lone_share(launch, Access::kLoad);
  const double missed = sector * (launch.l2_read_sectors - launch.l2_read_hits);
  double loaded = launch.dram_bytes_read;
  if (launch.l2_write_parts > 0) {  // the rest completes partly written sectors
    loaded = std::min(loaded, missed * (1 + loads * (fetch / sector - 1)));
  }
  const double written =
      launch.dram_bytes_written + launch.l2_dirty_bytes;  // what stays in L2 was stored too
  const double stored = sector * launch.total(Space::kGlobal, Access::kStore, &Site::sectors);
  const double read_alone = loaded * still_lone(loads, sector * launch.l1_load_sectors, loaded);
  const double written_alone = (launch.dram_bytes_read - loaded + launch.dram_bytes_written) *
                               still_lone(lone_share(launch, Access::kStore), stored, written);
  return read_alone * std::max(0.0, kBytesOfARow / fetch - 1) + written_alone * (kLoneStore - 1);
}

void add_memory(Units& units, const Launch& launch, const Machine& machine,
                const Multiprocessor& part, const Efficiencies& reached) {
  const double sector = part.l1.sector_bytes;
  const double dram = launch.dram_bytes_read + launch.dram_bytes_written;
  if (dram > 0) {
    const double used = dram / (dram + bytes_lost_to_rows(launch, part));
    units.add(Pipe::kDram, "DRAM", dram, "B", bandwidth(machine),
              reached.dram(launch.dram_bytes_written / dram) * used);
  }
  // An atomic reads its sector and writes it; a store that leaves some bytes of a sector unchanged
  // takes one more access for its line.
  const double l2 = launch.l2_read_sectors + launch.l2_write_sectors +
                    2 * launch.l2_atomic_sectors +
                    launch.l2_write_parts * part.l1.line_bytes / sector;
  units.add(Pipe::kL2, "L2", sector * l2, "B", part.l2.bytes_per_clock * part.clock_hz, reached.l2);
  const double l1 =
      launch.l1_load_sectors + launch.total(Space::kGlobal, Access::kStore, &Site::sectors);
  const double tail = tail_of(launch, part);
  units.add(Pipe::kL1, "L1", sector * l1, "B", everywhere(part, part.l1.bytes_per_clock), 1, tail);
  double lines = 0;
  for (const Access access : {Access::kLoad, Access::kStore, Access::kAtomic}) {
    lines += launch.total(Space::kGlobal, access, &Site::lines);
  }
  units.add(Pipe::kL1, "L1 tags", lines, "lines", everywhere(part, 1), 1, tail);
  units.add(Pipe::kAtomics, "atomics", launch.atomics_of_a_line, "sectors",
            part.clock_hz / kClocksPerAtomic, 1);
  double wavefronts = 0;
  for (const Access access : {Access::kLoad, Access::kStore, Access::kAtomic}) {
    wavefronts += launch.total(Space::kShared, access, &Site::wavefronts);
  }
  units.add(Pipe::kShared, "shared memory", wavefronts, "wavefronts", everywhere(part, 1), 1, tail);
}

/// The vector peak of a format named by the virtual GPU; null if the machine has none.
const Peak* vector_peak(const Machine& machine, const std::string& format) {
  for (const Precision precision : all_precisions()) {
    if (to_string(precision) == format) return find_peak(machine, precision, Unit::kVector);
  }
  return nullptr;
}

/// The dense peak of products with sums in FP32, the only ones in this kernel language; null if the
/// machine has none. With shorter sums some machines are faster.
const Peak* matrix_peak(const Machine& machine, const std::string& format) {
  for (const Peak& peak : machine.peaks) {
    if (to_string(peak.precision) == format && peak.unit == Unit::kMatrix && !peak.sparse &&
        peak.accumulator == "fp32") {
      return &peak;
    }
  }
  return nullptr;
}

double fraction_of(const std::map<Precision, double>& reached, Precision precision) {
  const auto found = reached.find(precision);
  return found == reached.end() ? 1 : found->second;
}

void add_arithmetic(Units& units, const Launch& launch, const Machine& machine,
                    const Multiprocessor& part, const Efficiencies& reached, Code code) {
  const double tail = tail_of(launch, part);
  const double use = lane_use(launch, part);
  units.add(Pipe::kIssue, "issue", warp_instructions(launch, part, code), "instructions",
            everywhere(part, part.instructions_per_clock), 1, tail);
  double special = 0;
  for (const auto& [format, work] : launch.arithmetic) {
    special += work.special + work.divide;
    const Peak* peak = vector_peak(machine, format);
    if (peak == nullptr) continue;
    const double operations =
        operations_of_slot(format) * arithmetic_slots(format, work, code) / use;
    units.add(Pipe::kIssue, display_name(peak->precision), operations, "operations",
              peak->operations_per_second, fraction_of(reached.vector, peak->precision), tail);
  }
  for (const auto& [format, work] : launch.matrix) {
    const Peak* peak = matrix_peak(machine, format);
    if (peak == nullptr) continue;
    units.add(Pipe::kIssue, display_name(peak->precision) + " matrix", work.flops, "operations",
              peak->operations_per_second, fraction_of(reached.matrix, peak->precision), tail);
  }
  units.add(Pipe::kIssue, "special functions", special / use, "operations",
            everywhere(part, part.special_per_clock), 1, tail);
}

double blocks_at_a_time(const Launch& launch, const Multiprocessor& part) {
  const double room = static_cast<double>(launch.occupancy.blocks) * part.count;
  return std::max(1.0, std::min(room, static_cast<double>(launch.blocks())));
}

double load_requests(const Launch& launch, Space space) {
  return launch.total(space, Access::kLoad, &Site::requests);
}

/// The number of groups of a warp's loads of a kind that cannot be in flight together: barriers
/// separate them, and a load from device memory cannot be moved before an atomic.
double groups_of(const Launch& launch, double warps, Space space) {
  const auto blocks = static_cast<double>(std::max<std::int64_t>(1, launch.blocks()));
  double groups = launch.barriers / blocks + 1;
  if (space != Space::kGlobal) return groups;
  for (const Site& site : launch.sites) {
    if (site.access == Access::kAtomic) groups = std::max(groups, site.requests / warps);
  }
  return groups;
}

/// Loads of a kind that a warp has in flight if `unrolled` loads of a line are issued together, and
/// those that it holds at the same time anyway.
double loads_in_flight(const Launch& launch, double warps, Space space, double unrolled) {
  const double groups = groups_of(launch, warps, space);
  double in_flight = 0;
  for (const Site& site : launch.sites) {
    if (site.space != space || site.access != Access::kLoad) continue;
    const double of_warp = site.requests / warps;
    const double together = std::max(unrolled, std::min(site.held, kMostUnrolled));
    in_flight += std::min({of_warp, std::max(1.0, of_warp / groups), together});
  }
  return in_flight;
}

/// How often a warp waits for loads of a kind.
double waits(const Launch& launch, double warps, Space space, double unrolled) {
  const double in_flight = loads_in_flight(launch, warps, space, unrolled);
  return in_flight > 0 ? load_requests(launch, space) / warps / in_flight : 0;
}

/// The latency of the slowest of `loads` that a warp waits for together. Each may miss like any
/// other.
double group_latency(const Launch& launch, const Multiprocessor& part, double loads) {
  if (launch.l1_load_sectors <= 0) return 0;
  const double missed_l1 = 1 - launch.l1_load_hits / launch.l1_load_sectors;
  const double missed_l2 =
      launch.l2_read_sectors > 0 ? 1 - launch.l2_read_hits / launch.l2_read_sectors : 0;
  const auto any = [&](double share) { return 1 - std::pow(1 - share, std::max(1.0, loads)); };
  return part.l1.latency_seconds +
         any(missed_l1) * (part.l2.latency_seconds - part.l1.latency_seconds) +
         any(missed_l1 * missed_l2) *
             (kWarpLatency * part.dram.latency_seconds - part.l2.latency_seconds);
}

void add_latency(KernelTime& time, const Launch& launch, const Machine& machine,
                 const Multiprocessor& part, const Efficiencies& reached, Code code) {
  const double warps = warps_of(launch, part);
  if (warps <= 0) return;
  const double rounds = static_cast<double>(launch.blocks()) / blocks_at_a_time(launch, part);
  const double resident = warps / rounds;
  Concurrency& concurrency = time.concurrency;
  concurrency.latency_seconds = group_latency(launch, part, 1);
  concurrency.loads_per_warp = loads_in_flight(launch, warps, Space::kGlobal, kUnrolled);
  concurrency.bytes_needed = bandwidth(machine) * reached.dram(0) * part.dram.latency_seconds;
  const double loads = load_requests(launch, Space::kGlobal);
  if (loads > 0) {
    concurrency.bytes_available =
        resident * concurrency.loads_per_warp * launch.dram_bytes_read / loads;
  }
  const auto memory = [&](double unrolled) {
    const double together = loads_in_flight(launch, warps, Space::kGlobal, unrolled);
    return rounds * waits(launch, warps, Space::kGlobal, unrolled) *
           group_latency(launch, part, together);
  };
  time.memory_latency_seconds = memory(kUnrolled);
  time.least_latency_seconds = memory(kMostUnrolled);
  const double shared =
      rounds * waits(launch, warps, Space::kShared, kUnrolled) * part.l1.latency_seconds;
  const double clocks_each = code == Code::kUnrolled ? 1 : part.dependent_clocks;
  const double clocks = rounds * clocks_each * warp_instructions(launch, part, code) / warps;
  time.chain_seconds =
      rounds * kBlockTurnSeconds + time.memory_latency_seconds + shared + clocks / part.clock_hz;
}

void add_assumptions(KernelTime& time, const Launch& launch, const Machine& machine,
                     const Efficiencies& reached, Code code) {
  if (reached.device.empty()) {
    time.assumptions.push_back("Every unit is assumed to reach its peak: nothing was measured.");
  } else if (reached.machine != machine.id) {
    time.assumptions.push_back(
        "This machine was not measured: every unit is assumed to reach the "
        "same fraction of its peak as on an " +
        reached.device + ".");
  }
  if (launch.registers_are_assumed) {
    time.assumptions.push_back(std::to_string(launch.registers_per_thread) +
                               " registers per thread are assumed; set the compiler's figure with "
                               "--registers.");
  }
  for (const auto& [format, work] : launch.arithmetic) {
    if (vector_peak(machine, format) == nullptr) {
      time.assumptions.push_back("No time is counted for " + format +
                                 ": the machine's file has no peak for it.");
    }
  }
  for (const auto& [format, work] : launch.matrix) {
    if (matrix_peak(machine, format) == nullptr) {
      time.assumptions.push_back("No time is counted for products of " + format +
                                 " matrices: the machine's file has no peak for them.");
    }
  }
  const char* const loads =
      "Loads in a loop overlap: four per source line are in flight at a time, and more if their "
      "values are stored only after all of them. ";
  if (code == Code::kUnrolled) {
    time.assumptions.push_back(loads +
                               std::string("No other instruction of a thread waits for another, "
                                           "and 16-bit operations are done in pairs."));
    time.assumptions.push_back("Integer arithmetic and loops cost nothing.");
    return;
  }
  time.assumptions.push_back(
      loads + std::string("Every other instruction of a thread waits for the one before."));
  time.assumptions.push_back(
      "Integer arithmetic is not counted: instead, a warp is charged 25 instructions, and one for "
      "every two lines that it executes.");
}

/// The slowest unit of every pipe, slowest first. L1 and shared memory return their data through
/// one stage, a wavefront at a time: their times add up.
std::vector<UnitTime> longest_of_pipes(const std::vector<UnitTime>& units) {
  std::map<Pipe, UnitTime> longest;
  for (const UnitTime& unit : units) {
    const auto [entry, is_new] = longest.try_emplace(unit.pipe, unit);
    if (unit.seconds > entry->second.seconds) entry->second = unit;
  }
  const auto l1 = longest.find(Pipe::kL1);
  const auto shared = longest.find(Pipe::kShared);
  if (l1 != longest.end() && shared != longest.end()) {
    const bool l1_is_longer = l1->second.seconds > shared->second.seconds;
    const auto [both, other] = l1_is_longer ? std::pair(l1, shared) : std::pair(shared, l1);
    both->second.seconds += other->second.seconds;
    longest.erase(other);
  }
  std::vector<UnitTime> result;
  for (const auto& [pipe, unit] : longest) result.push_back(unit);
  std::ranges::sort(result, std::greater(), &UnitTime::seconds);
  return result;
}

void conclude(KernelTime& time) {
  const std::vector<UnitTime> pipes = longest_of_pipes(time.units);
  const double busy = pipes.empty() ? 0 : pipes[0].seconds;
  const double next = pipes.size() > 1 ? pipes[1].seconds : 0;
  double sum = std::pow(time.chain_seconds, kOverlap);
  for (const UnitTime& unit : pipes) sum += std::pow(unit.seconds, kOverlap);
  const double work = std::pow(sum, 1 / kOverlap);
  double at_peak = 0;
  for (const UnitTime& unit : time.units) at_peak = std::max(at_peak, unit.peak_seconds);
  time.low_seconds = time.start_seconds + std::max(at_peak, time.least_latency_seconds);
  time.expected_seconds = time.start_seconds + work;
  time.high_seconds = time.start_seconds + busy + next + time.chain_seconds;
  time.bound = busy >= time.chain_seconds && !pipes.empty() ? pipes[0].name : "latency";
  if (time.start_seconds > work) time.bound = "launch";
  for (UnitTime& unit : time.units) {
    unit.share_of_peak = unit.peak_seconds / time.expected_seconds;
  }
}

/// Updates a fraction if this rate over its peak is the best so far.
void raise(double& fraction, bool& is_known, double rate, double peak) {
  const double found = std::min(1.0, rate / peak);
  fraction = is_known ? std::max(fraction, found) : found;
  is_known = true;
}

/// The share of a stream's bytes that is written; negative if it is not a stream.
double written_share(const std::string& stream) {
  if (stream == "read") return 0;
  if (stream == "write") return 1;
  if (stream == "copy" || stream == "scale") return 1.0 / 2;
  if (stream == "add" || stream.starts_with("triad")) return 1.0 / 3;
  return -1;
}

}  // namespace

double Efficiencies::dram(double written) const {
  if (dram_by_written_share.empty()) return 1;
  const auto above = dram_by_written_share.lower_bound(written);
  if (above == dram_by_written_share.begin()) return above->second;
  const auto below = std::prev(above);
  if (above == dram_by_written_share.end()) return below->second;
  const double part = (written - below->first) / (above->first - below->first);
  return std::lerp(below->second, above->second, part);
}

Efficiencies efficiencies_of(const Report& measured, const Machine& machine) {
  const Multiprocessor& part = multiprocessor_of(machine);
  Efficiencies result;
  result.device = measured.device.name;
  result.machine = machine.id;
  bool knows_l2 = false;
  for (const MeasuredRoof& roof : measured.roofs) {
    if (!roof.refused.empty()) continue;
    const double rate = roof.rate.median;
    if (roof.kind == RoofKind::kCompute && roof.precision && roof.name.ends_with(".vector")) {
      const Peak* peak = find_peak(machine, *roof.precision, Unit::kVector);
      if (peak == nullptr) continue;
      result.vector[*roof.precision] = std::min(1.0, rate / peak->operations_per_second);
    } else if (roof.kind == RoofKind::kCompute && roof.precision &&
               roof.name.ends_with(".matrix")) {
      const Peak* peak = matrix_peak(machine, std::string(to_string(*roof.precision)));
      if (peak == nullptr) continue;
      result.matrix[*roof.precision] = std::min(1.0, rate / peak->operations_per_second);
    } else if (roof.kind == RoofKind::kBandwidth && roof.level == "L2") {
      raise(result.l2, knows_l2, rate, part.l2.bytes_per_clock * part.clock_hz);
    } else if (roof.kind == RoofKind::kBandwidth && written_share(roof.name) >= 0) {
      double& fraction = result.dram_by_written_share[written_share(roof.name)];
      fraction = std::max(fraction, std::min(1.0, rate / bandwidth(machine)));
    }
  }
  return result;
}

Efficiencies measured_efficiencies(const std::filesystem::path& data) {
  const std::filesystem::path file = data / "measured" / "h200_roofs.json";
  if (!std::filesystem::exists(file)) return {};
  const Report report = read_report(file);
  return efficiencies_of(report,
                         load_machine(resolve_machine(report.device.datasheet, data / "machines")));
}

double launch_seconds(const Multiprocessor& part) {
  return part.start_seconds + kColdFetches * part.dram.latency_seconds;
}

KernelTime time_of(const vgpu::Launch& launch, const Machine& machine, const Efficiencies& reached,
                   Code code) {
  const Multiprocessor& part = multiprocessor_of(machine);
  KernelTime time;
  Units units;
  add_memory(units, launch, machine, part, reached);
  add_arithmetic(units, launch, machine, part, reached, code);
  time.units = units.take();
  time.start_seconds = launch_seconds(part);
  add_latency(time, launch, machine, part, reached, code);
  add_assumptions(time, launch, machine, reached, code);
  conclude(time);
  return time;
}

}  // namespace roofline
