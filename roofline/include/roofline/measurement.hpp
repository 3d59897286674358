// SPDX-License-Identifier: MIT
// The report of `roofline measure`: roofs with their spread, and everything needed to judge them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roofline/energy.hpp"
#include "roofline/machine.hpp"

namespace roofline {

/// Version of the JSON schema that report_json() writes and read_report() accepts.
inline constexpr int kReportVersion = 1;

/// Median and spread of repeated samples, in the unit of the samples.
struct Spread {
  double median = 0;
  double percentile_5 = 0;
  double percentile_95 = 0;
  int samples = 0;
};

/// Median, and 5th and 95th percentile (linear interpolation between order statistics). Throws
/// std::invalid_argument if there are no samples or one is not finite.
Spread summarize(std::vector<double> samples);

/// The value below which a fraction of the sorted, non-empty samples lies, interpolated linearly.
double percentile(const std::vector<double>& sorted, double fraction);

/// What the device reported while it repeated a roof's work without a pause, after the roof's
/// samples.
struct RoofPower {
  double watts = 0;                ///< mean
  double joules_per_unit = 0;      ///< per byte or operation, including static power
  std::optional<double> clock_hz;  ///< median of what the driver reported
  std::string held_back_by;        ///< what throttled the clock; empty if nothing did
};

/// What kind of limit a roof is. Operations that are not FLOPs (exponentials, conversions, atomics)
/// are not compute roofs: they are in the report, but not among a machine's peaks.
enum class RoofKind { kBandwidth, kCompute, kLatency, kOperationRate };

const char* to_string(RoofKind kind);

/// One measured roof. rate is in B/s, FLOP/s (OP/s) or, for latencies, in seconds. The levels of
/// bandwidths and latencies are those of a machine ("DRAM", "L2" ...), or "shared" for the memory
/// shared by the threads of a block.
struct MeasuredRoof {
  std::string name;  ///< unique in a report, such as "triad" or "fp32.vector"
  RoofKind kind = RoofKind::kBandwidth;
  std::string level;                   ///< of a bandwidth, or of a load's latency
  std::optional<Precision> precision;  ///< of a compute roof
  std::optional<Unit> unit;            ///< of a compute roof
  Spread rate;
  /// Rate of launches that never pause, where the samples of `rate` have rests between them: what
  /// the power cap allows a matrix unit in the long run.
  std::optional<double> sustained;
  std::string sustained_configuration;  ///< what is fastest without rests, in words
  double working_set_bytes = 0;
  std::string configuration;        ///< what tuning chose, in words
  std::optional<double> datasheet;  ///< the vendor's figure for the whole device
  std::optional<double> limit;      ///< that figure for the units used and the measured clock
  std::string refused;              ///< why the figure must not be used; empty if it may be
  std::string note;                 ///< traffic convention and other remarks
  std::optional<RoofPower> power;   ///< if the machine has an energy counter
};

/// Below this fraction of the roof, the metered rate is far enough from it to be reported.
inline constexpr double kFullyMetered = 0.97;

/// The rate while power was metered, divided by the roof, or by the sustained rate if samples have
/// rests. Power belongs to that rate. Throws std::invalid_argument for a roof without power.
double metered_share(const MeasuredRoof& roof);

/// Energy of the whole device, from its own counter.
struct MeasuredEnergy {
  std::string meter;               ///< whose counter, and what it covers
  double idle_watts = 0;           ///< before anything was measured
  std::vector<EnergyPoint> sweep;  ///< FP32 multiply-adds on data from DRAM
  std::optional<EnergyFit> fit;    ///< of the sweep; empty if it does not separate the costs
};

/// Bandwidth of DRAM with this many bytes in flight on each unit.
struct ConcurrencyPoint {
  double bytes_per_unit = 0;
  double bytes_per_second = 0;  ///< of all units combined
};

/// One matrix product of a model's layer: C (rows x columns) = A (rows x depth) B (depth x
/// columns), where B holds the weights.
struct MeasuredProduct {
  std::string name;  ///< of the weights, such as "down"
  Precision precision = Precision::kBf16;
  int rows = 0;
  int columns = 0;
  int depth = 0;
  Spread rate;          ///< FLOP/s, 2 rows x columns x depth per product
  std::string refused;  ///< why the figure must not be used; empty if it may be
};

/// The values that a measured rate is compared with; empty if not known.
struct RoofLimits {
  std::optional<double> datasheet;  ///< the vendor's figure for the whole device
  std::optional<double> at_clock;   ///< the units used, at the clock measured along with the rate
  std::optional<double> possible;   ///< the same at the highest clock seen: nothing can exceed it
};

/// The unit of a roof's rate: "B/s", "FLOP/s", "OP/s" or "s".
const char* base_unit(const MeasuredRoof& roof);

/// Sets datasheet and limit, and refuses a rate that is above 102 % of what is possible. A roof
/// that is already refused stays refused.
void apply_limits(MeasuredRoof& roof, const RoofLimits& limits);

struct DeviceInfo {
  std::string backend;  ///< cpu, cuda or hip
  std::string name;
  std::string architecture;
  int units = 0;                   ///< cores, SMs or CUs that took part
  std::optional<double> clock_hz;  ///< while computing
  std::optional<double> memory_bytes;
  std::optional<double> last_level_cache_bytes;
  std::string driver;
  std::string datasheet;  ///< id of the machine file that limits came from; empty if none matches
};

struct BuildInfo {
  std::string compiler;
  std::string flags;
  std::string commit;
};

struct Report {
  DeviceInfo device;
  BuildInfo build;
  std::string started;  ///< UTC, ISO 8601
  std::string command;
  std::string operands;  ///< how the inputs were filled
  bool complete = true;  ///< false if the measurement was interrupted
  std::vector<MeasuredRoof> roofs;
  std::vector<ConcurrencyPoint> in_flight;  ///< GPUs only: a CPU's prefetchers add their own
  std::vector<MeasuredProduct> products;    ///< if the vendor's library has them
  std::vector<std::string> problems;        ///< roofs that could not be measured, with the reason
  std::optional<MeasuredEnergy> energy;
  std::string no_energy;  ///< why energy is missing; empty if it was not requested
};

/// Reads the output of `roofline measure`.
/// Throws std::runtime_error naming file and place, also for another schema version.
Report read_report(const std::filesystem::path& file);

/// The report as JSON text, schema "roofline.measurement".
std::string report_json(const Report& report);

/// The report as CSV: a header line, and one line per roof.
std::string report_csv(const Report& report);

/// The machine that a report describes. Refused figures are left out. The bandwidth of a level is
/// the highest median measured there; that of DRAM is the fastest stream that reads, because hardly
/// any kernel only writes. The streams stay available by name (see stream_of_mix()), as do the
/// rates of the vendor's matrix product: the highest, and the sustained one.
Machine machine_from_report(const Report& report);

/// Name of the roof ("read", "fp32.vector") that a figure of machine_from_report() comes from;
/// empty for a figure from a machine file.
std::string measured_roof_name(const Provenance& provenance);

}  // namespace roofline
