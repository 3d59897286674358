// SPDX-License-Identifier: MIT
// The order of the measurements, and what is recorded with each.
#include "measure/measure.hpp"

#include <algorithm>
#include <chrono>

#include "base/text.hpp"
#include "clock.hpp"
#include "gpu/device.hpp"
#include "host.hpp"
#include "launch_overhead.hpp"
#include "memory/in_flight.hpp"
#include "memory/ladder.hpp"
#include "memory/latency.hpp"
#include "memory/stream.hpp"
#include "power/energy_sweep.hpp"
#include "power/power_recorder.hpp"
#include "rates/operations.hpp"
#include "rates/packed_peak.hpp"
#include "rates/vector_peak.hpp"
#include "rates/vendor_gemm.hpp"
#include "rates/warpgroup_peak.hpp"
#include "sampling.hpp"

namespace roofline::measure {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kMebibyte = 1048576;

/// State shared by all measurements.
struct Context {
  DeviceInfo device;
  std::optional<Machine> datasheet;
  Sampling sampling;
  bool quick = false;
  const Report* like = nullptr;  ///< an earlier report whose configurations are used again
  ClockProbe* clock = nullptr;
  double* highest_clock_hz = nullptr;  ///< seen in this run
};

/// One entry of the list of things to measure.
struct Job {
  std::string name;
  double weight = 1;  ///< expected share of the time
  std::function<MeasuredRoof(const Context&)> run;
};

// At least four times the last-level cache, so that no cache can serve them, but at most an eighth
// of the memory each.
double array_bytes(const Context& context) {
  const bool cpu = context.device.backend == "cpu";
  const double cache = context.device.last_level_cache_bytes.value_or(32 * kMebibyte);
  double bytes = std::max(4 * cache, (cpu ? 128 : 2048) * kMebibyte);
  // A virtual machine may report its host's whole cache; a quick run must stay quick nevertheless.
  if (context.quick && cpu) bytes = std::min(bytes, 2048 * kMebibyte);
  if (context.device.memory_bytes) bytes = std::min(bytes, *context.device.memory_bytes / 8);
  return bytes;
}

std::size_t stream_elements(const Context& context) {
  return static_cast<std::size_t>(array_bytes(context) / sizeof(double));
}

// The candidate that an earlier report chose for the roof, or else all that were tried, the fastest
// first.
template <class Candidates>
std::vector<std::size_t> chosen_first(const Candidates& candidates, const std::string& roof,
                                      const Context& context, const Sampling& sampling) {
  if (context.like != nullptr) {
    for (const MeasuredRoof& before : context.like->roofs) {
      if (before.name != roof) continue;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].description == before.configuration) return {i};
      }
    }
  }
  return fastest_first({candidates.begin(), candidates.end()}, sampling);
}

template <class Candidates>
std::size_t chosen(const Candidates& candidates, const std::string& roof, const Context& context,
                   const Sampling& sampling) {
  return chosen_first(candidates, roof, context, sampling).front();
}

std::string check_note(long wrong) {
  if (wrong == 0) return {};
  return wrong < 0 ? "the sum of what was read is wrong"
                   : std::to_string(wrong) + " results are wrong";
}

/// The arrays of all streams, allocated when the first one is measured.
using SharedArrays = std::optional<StreamArrays>;

MeasuredRoof measure_stream(const Context& context, SharedArrays& shared, StreamOperation operation,
                            Stores stores) {
  if (!shared) shared.emplace(stream_elements(context), context.device.units);
  StreamArrays& arrays = *shared;
  const std::vector<Candidate> candidates = arrays.candidates(operation, stores);
  MeasuredRoof roof;
  roof.name = to_string(operation) + std::string(stores == Stores::kOrdinary ? ".ordinary" : "");
  const Candidate& best = candidates[chosen(candidates, roof.name, context, context.sampling)];
  roof.kind = RoofKind::kBandwidth;
  roof.level = "DRAM";
  roof.refused = check_note(arrays.wrong_results(operation, best));
  roof.rate = sample_rate(best.amount, best.launch, context.sampling);
  roof.working_set_bytes = best.amount;
  roof.configuration = best.description;
  roof.note = "FP64; bytes the program requests, lines fetched before a write not counted";
  std::optional<double> limit;
  if (context.datasheet) limit = memory_level(*context.datasheet, "DRAM").bytes_per_second;
  apply_limits(roof, {limit, limit, limit});
  return roof;
}

std::string percent_text(double ratio) {
  return base::formatted("%.0f %%", 100 * ratio);
}

/// Samples a compute roof and the clock of the same samples.
Spread sample_with_clock(const Candidate& candidate, Sampling sampling, const Context& context) {
  context.clock->take();  // of a roof that was given up
  sampling.clock = context.clock;
  return sample_rate(candidate.amount, candidate.launch, sampling);
}

/// What a compute roof is compared with: the datasheet's peak, the same units at the clock of the
/// samples, and at the highest clock seen in this run. Under a heavy product the clock swings from
/// one moment to the next, so only the last is a hard limit.
RoofLimits compute_limits(const Context& context, const Peak* peak) {
  const std::optional<double> clock_hz = context.clock->take();
  if (peak == nullptr) return {};
  if (!clock_hz) return {};
  *context.highest_clock_hz = std::max(*context.highest_clock_hz, *clock_hz);
  RoofLimits limits{peak->operations_per_second, std::nullopt, std::nullopt};
  if (!peak->parts) return limits;
  const double per_clock = std::min<double>(peak->parts->units, context.device.units) *
                           peak->parts->operations_per_clock;
  limits.at_clock = per_clock * *clock_hz;
  limits.possible = per_clock * *context.highest_clock_hz;
  return limits;
}

const Peak* datasheet_peak(const Context& context, Precision precision, Unit unit) {
  return context.datasheet ? find_peak(*context.datasheet, precision, unit) : nullptr;
}

template <class T>
MeasuredRoof measure_vector_peak(const Context& context, Precision precision) {
  FmaChains<T> chains(context.device.units);
  const std::vector<Candidate> candidates = chains.candidates();
  MeasuredRoof roof;
  roof.name = std::string(to_string(precision)) + ".vector";
  const std::size_t best = chosen(candidates, roof.name, context, context.sampling);
  roof.kind = RoofKind::kCompute;
  roof.precision = precision;
  roof.unit = Unit::kVector;
  roof.refused = check_note(chains.wrong_results(best));
  roof.rate = sample_with_clock(candidates[best], context.sampling, context);
  roof.configuration = candidates[best].description;
  roof.note = "fused multiply-adds in registers, 2 FLOP each";
  apply_limits(roof, compute_limits(context, datasheet_peak(context, precision, Unit::kVector)));
  return roof;
}

/// A GPU's matrix units exceed the board's power cap within milliseconds, and the clock drops for
/// everything that follows. With rests between samples the mean power stays below the cap.
constexpr double kRest = 3;

Sampling with_rests(const Context& context) {
  Sampling sampling = context.sampling;
  if (context.device.backend != "cpu") sampling.rest = kRest;
  return sampling;
}

Sampling sampling_of(const Context& context, Unit unit) {
  return unit == Unit::kMatrix ? with_rests(context) : context.sampling;
}

// How many of the fastest are tried without rests, for how long each, and how long the one that is
// kept. The control loop behind the power cap overshoots at first.
constexpr std::size_t kTriedWithoutRests = 8;
constexpr double kSecondsOfTried = 0.25;
constexpr double kSecondsOfBest = 1;

// The power cap favours candidates that draw less power, so the fastest with pauses need not be the
// fastest without.
void measure_sustained(MeasuredRoof& roof, const std::vector<Candidate>& candidates,
                       const std::vector<std::size_t>& fastest_first, const Context& context) {
  Sampling sampling = context.sampling;
  sampling.recorder = nullptr;
  const Candidate* best = nullptr;
  double highest = 0;
  for (std::size_t i = 0; i < std::min(fastest_first.size(), kTriedWithoutRests); ++i) {
    const Candidate& candidate = candidates[fastest_first[i]];
    const double rate =
        rate_without_pause(candidate.amount, candidate.launch, kSecondsOfTried, sampling);
    if (rate <= highest) continue;
    highest = rate;
    best = &candidate;
  }
  roof.sustained = rate_without_pause(best->amount, best->launch, kSecondsOfBest, context.sampling);
  roof.sustained_configuration = best->description;
}

// A packed instruction or a vendor's product: both provide their name and check their results.
template <class Source>
MeasuredRoof measure_source(const Context& context, Source& source, Sampling sampling) {
  const std::vector<Candidate> candidates = source.candidates();
  MeasuredRoof roof;
  roof.name = source.name();
  const std::vector<std::size_t> order = chosen_first(candidates, roof.name, context, sampling);
  const std::size_t best = order.front();
  roof.kind = RoofKind::kCompute;
  roof.precision = source.precision();
  roof.unit = source.unit();
  roof.refused = check_note(source.wrong_results(best));
  const bool rests = sampling.rest > 0;
  if (rests) sampling.recorder = nullptr;  // power is that of work without rests
  roof.rate = sample_with_clock(candidates[best], sampling, context);
  apply_limits(roof,
               compute_limits(context, datasheet_peak(context, source.precision(), source.unit())));
  if (rests) measure_sustained(roof, candidates, order, context);
  roof.configuration = candidates[best].description;
  return roof;
}

void add_packed_jobs(std::vector<Job>& jobs,
                     const std::vector<std::unique_ptr<PackedPeak>>& packed) {
  for (const auto& peak : packed) {
    jobs.push_back({peak->name(), 6, [&peak](const Context& context) {
                      MeasuredRoof roof =
                          measure_source(context, *peak, sampling_of(context, peak->unit()));
                      roof.note = peak->note();
                      return roof;
                    }});
  }
}

// The roof uses random operands; the rate with zeros is noted, because others publish that. All
// products rest: even FP32, on the vector units, is limited by the power cap.
MeasuredRoof measure_gemm(const Context& context, VendorGemm& gemm) {
  Sampling sampling = with_rests(context);
  MeasuredRoof roof = measure_source(context, gemm, sampling);
  sampling.recorder = nullptr;
  for (const Candidate& candidate : gemm.candidates()) {
    if (candidate.description != roof.configuration) continue;
    gemm.clear_operands();
    const Spread zeros = sample_rate(candidate.amount, candidate.launch, sampling);
    roof.note = gemm.library() + "; random operands, on zeros " +
                percent_text(zeros.median / roof.rate.median);
  }
  return roof;
}

void add_gemm_jobs(std::vector<Job>& jobs, const std::vector<VendorRoof>& gemms) {
  for (const VendorRoof& gemm : gemms) {
    jobs.push_back({gemm.name, 10, [&gemm](const Context& context) {
                      return measure_gemm(context, *gemm.make());
                    }});
  }
}

std::string size_text(double bytes) {
  const bool small = bytes < kMebibyte;
  return base::formatted("%.3g%s", bytes / (small ? 1024 : kMebibyte), small ? "KiB" : "MiB");
}

MeasuredRoof measure_rung(const Context& context, Ladder& ladder, const Rung& rung) {
  const std::vector<LadderCandidate> ways = ladder.candidates(rung);
  MeasuredRoof roof;
  roof.name = "ladder." + size_text(rung.bytes);
  const LadderCandidate& best = ways[chosen(ways, roof.name, context, context.sampling)];
  roof.kind = RoofKind::kBandwidth;
  roof.level = rung.level;
  if (!ladder.sum_is_right(best)) roof.refused = "the sum of what was read is wrong";
  roof.rate = sample_rate(best.amount, best.launch, context.sampling);
  roof.working_set_bytes = static_cast<double>(best.elements) * sizeof(double);
  roof.configuration = best.description;
  roof.note = rung.private_pieces ? "every unit rereads its own piece"
                                  : "the pieces move from unit to unit with every pass";
  return roof;
}

MeasuredRoof latency(const char* name, const Spread& seconds, const char* note) {
  MeasuredRoof roof;
  roof.name = name;
  roof.kind = RoofKind::kLatency;
  roof.rate = seconds;
  roof.note = note;
  return roof;
}

void add_launch_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"launch", 1, [](const Context& context) {
                    return latency("launch", launch_seconds(context.sampling),
                                   "from start to start of empty kernels queued back to back");
                  }});
  jobs.push_back({"launch.round_trip", 1, [](const Context& context) {
                    return latency("launch.round_trip", round_trip_seconds(context.sampling),
                                   "starting an empty kernel and waiting for it");
                  }});
}

void add_ladder_jobs(std::vector<Job>& jobs, Ladder& ladder, const std::vector<Rung>& all) {
  for (const Rung& rung : all) {
    jobs.push_back({"ladder." + size_text(rung.bytes), 4, [&ladder, rung](const Context& context) {
                      return measure_rung(context, ladder, rung);
                    }});
  }
}

// The address tables are made when a rung is measured, and the largest is limited to fit in memory.
double most_latency_bytes(const Context& context) {
  const double most = 1024 * kMebibyte;
  return context.device.memory_bytes ? std::min(most, *context.device.memory_bytes / 16) : most;
}

MeasuredRoof measure_latency(const Context& context, const std::string& name, const Rung& rung) {
  Chase chase(rung);
  const bool right = chase.ends_where_it_should();
  std::vector<double> seconds = sample_seconds(chase.launch(), context.sampling);
  for (double& each : seconds) each /= static_cast<double>(chase.steps());
  MeasuredRoof roof =
      latency(name.c_str(), summarize(std::move(seconds)),
              "one thread, each load needs the one before; the order is random over "
              "lines and pages, so where the TLB does not reach that far, a page "
              "walk is part of it");
  roof.level = rung.level;
  if (!right) roof.refused = "the walk does not end where it should";
  roof.working_set_bytes = chase.bytes();
  roof.configuration =
      "1 thread, a cycle through lines of " + std::to_string(Chase::line_bytes()) + " bytes";
  return roof;
}

void add_latency_jobs(std::vector<Job>& jobs, const std::vector<Rung>& own) {
  const auto add = [&](const std::string& name, const Rung& rung) {
    jobs.push_back({"latency." + name, 2, [name, rung](const Context& context) {
                      return measure_latency(context, "latency." + name, rung);
                    }});
  };
  for (const Rung& rung : own) add(size_text(rung.bytes), rung);
  for (const Rung& rung : far_rungs()) add(rung.level, rung);
}

MeasuredRoof measure_operation(const Context& context, OperationRate& operation) {
  const std::vector<Candidate> candidates = operation.candidates();
  MeasuredRoof roof;
  roof.name = operation.name();
  roof.kind = operation.kind();
  if (roof.kind == RoofKind::kBandwidth) roof.level = "shared";
  const std::size_t best = chosen(candidates, roof.name, context, context.sampling);
  roof.refused = check_note(operation.wrong_results(best));
  roof.rate = sample_rate(candidates[best].amount, candidates[best].launch, context.sampling);
  roof.configuration = candidates[best].description;
  roof.note = operation.note();
  return roof;
}

void add_operation_jobs(std::vector<Job>& jobs,
                        const std::vector<std::unique_ptr<OperationRate>>& operations) {
  for (const auto& operation : operations) {
    jobs.push_back({operation->name(), 2, [&operation](const Context& context) {
                      return measure_operation(context, *operation);
                    }});
  }
}

std::vector<Job> jobs_for(SharedArrays& arrays) {
  std::vector<Job> jobs;
  for (const StreamOperation operation : kStreamOperations) {
    jobs.push_back({to_string(operation), bytes_per_element(operation),
                    [&arrays, operation](const Context& context) {
                      return measure_stream(context, arrays, operation, Stores::kAny);
                    }});
  }
  jobs.push_back({"triad.ordinary", bytes_per_element(StreamOperation::kTriad),
                  [&arrays](const Context& context) {
                    return measure_stream(context, arrays, StreamOperation::kTriad,
                                          Stores::kOrdinary);
                  }});
  jobs.push_back({"fp32.vector", 8, [](const Context& context) {
                    return measure_vector_peak<float>(context, Precision::kFp32);
                  }});
  jobs.push_back({"fp64.vector", 8, [](const Context& context) {
                    return measure_vector_peak<double>(context, Precision::kFp64);
                  }});
  return jobs;
}

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

// A roof that cannot be measured, for lack of memory or library support, is left out; the others
// are still measured.
bool run_job(const Job& job, const Context& context, Report& report) {
  try {
    report.roofs.push_back(job.run(context));
    if (context.sampling.recorder) report.roofs.back().power = context.sampling.recorder->take();
    return true;
  } catch (const std::exception& error) {
    report.problems.push_back(job.name + ": " + error.what());
    return false;
  }
}

void run_jobs(const std::vector<Job>& jobs, const Context& context, Report& report,
              const std::function<void(const Progress&)>& tell) {
  double weight_left = 0;
  for (const Job& job : jobs) weight_left += job.weight;
  double weight_done = 0;
  const auto start = SteadyClock::now();
  Progress progress;
  progress.total = static_cast<int>(jobs.size());
  for (const Job& job : jobs) {
    progress.roof = job.name;
    progress.result = nullptr;
    tell(progress);
    const bool measured = run_job(job, context, report);
    weight_done += job.weight;
    weight_left -= job.weight;
    ++progress.done;
    progress.seconds_left = seconds_since(start) * weight_left / weight_done;
    progress.result = measured ? &report.roofs.back() : nullptr;
    if (measured) tell(progress);
  }
}

// Half as many samples as for a roof: there are dozens of points.
Sampling sampling_of_tables(const Context& context, Unit unit) {
  Sampling sampling = sampling_of(context, unit);
  sampling.samples = sampling.min_samples = context.sampling.samples / 2;
  sampling.recorder = nullptr;
  return sampling;
}

void measure_in_flight(const Context& context, Report& report) {
  InFlight reads(array_bytes(context), context.device.units);
  const Sampling sampling = sampling_of_tables(context, Unit::kVector);
  for (const InFlightLoad& load : reads.loads()) {
    if (!reads.sum_is_right(load)) {
      throw std::runtime_error("the sum of " + load.description + " is wrong");
    }
    const Spread rate = sample_rate(load.amount, load.launch, sampling);
    report.in_flight.push_back({load.bytes_per_unit, rate.median});
  }
}

void measure_products(const Context& context, Report& report) {
  for (const VendorProduct& one : layer_products()) {
    const std::unique_ptr<VendorGemm> gemm = one.make();
    const Sampling sampling = sampling_of_tables(context, gemm->unit());
    const std::vector<Candidate> candidates = gemm->candidates();
    const std::size_t best = fastest(candidates, sampling);
    MeasuredProduct product = one.product;
    product.refused = check_note(gemm->wrong_results(best));
    product.rate = sample_rate(candidates[best].amount, candidates[best].launch, sampling);
    report.products.push_back(std::move(product));
  }
}

/// What is measured besides the roofs, under names that `only` accepts too.
struct Table {
  const char* name;
  void (*measure)(const Context&, Report&);
};

constexpr Table kTables[] = {{"in_flight", measure_in_flight}, {"products", measure_products}};

bool has_tables(const Context& context) {
  return !context.quick && context.like == nullptr && context.device.backend != "cpu";
}

bool asked_for(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

void run_tables(const std::vector<std::string>& only, const Context& context, Report& report,
                const std::function<void(const Progress&)>& tell) {
  if (!has_tables(context)) return;
  for (const Table& table : kTables) {
    if (!asked_for(table.name, only)) continue;
    Progress progress;
    progress.roof = table.name;
    tell(progress);
    try {
      table.measure(context, report);
    } catch (const std::exception& error) {
      report.problems.push_back(std::string(table.name) + ": " + error.what());
    }
  }
}

/// The sweep that energy costs are fitted to.
constexpr const char* kEnergy = "energy";

/// Keeps the requested jobs. Throws std::invalid_argument for an unknown name.
void select(std::vector<Job>& jobs, const std::vector<std::string>& only, const Context& context) {
  std::vector<std::string> names;
  for (const Job& job : jobs) names.push_back(job.name);
  if (has_tables(context)) {
    for (const Table& table : kTables) names.push_back(table.name);
  }
  if (!context.quick) names.push_back(kEnergy);
  for (const std::string& name : only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw std::invalid_argument(
        "no roof or table is called '" + name +
        "'; --only takes these, separated by blanks: " + base::joined(names, " "));
  }
  std::erase_if(jobs, [&](const Job& job) { return !asked_for(job.name, only); });
}

/// The meter of a run and its recorder, if the machine has one.
struct Energy {
  FoundMeter found;
  std::optional<PowerRecorder> recorder;
  double idle_watts = 0;
};

// Called while the device is still idle. Without a meter nothing is recorded.
void start_energy(Energy& energy, Context& context, Report& report) {
  energy.found = find_power_meter();
  report.no_energy = energy.found.missing;
  if (!energy.found.meter) return;
  try {
    energy.idle_watts = idle_watts(*energy.found.meter);
    context.sampling.recorder = &energy.recorder.emplace(*energy.found.meter);
  } catch (const MeterFailure& failure) {
    report.no_energy = failure.what();
  }
}

std::vector<EnergyPoint> energy_sweep(const Context& context, PowerRecorder& recorder) {
  EnergySweep sweep(array_bytes(context), context.device.units);
  std::vector<EnergyPoint> points;
  for (const SweepLoad& load : sweep.loads()) {
    if (!sweep.sums_are_right(load)) throw std::runtime_error("sums of the energy sweep are wrong");
    sample_rate(load.amount, load.launch, context.sampling);
    const std::optional<RoofPower> power = recorder.take();
    if (!power) return {};
    // Over the same seconds during which the power was drawn.
    const double rate = power->watts / power->joules_per_unit;
    points.push_back({load.flops / load.amount * rate, rate, power->watts});
  }
  return points;
}

// The sweep at the end, and the energy costs that follow from it.
void finish_energy(Energy& energy, const Context& context, Report& report) {
  if (!energy.recorder) return;
  MeasuredEnergy measured{energy.found.meter->name(), energy.idle_watts, {}, {}};
  try {
    measured.sweep = energy_sweep(context, *energy.recorder);
    if (!measured.sweep.empty()) measured.fit = fit_energy(measured.sweep);
  } catch (const std::exception& error) {
    report.problems.push_back(std::string("energy: ") + error.what());
  }
  report.no_energy = energy.recorder->failure();
  if (report.no_energy.empty()) report.energy = std::move(measured);
}

}  // namespace

Report measure(const Options& options, const std::function<void(const Progress&)>& tell,
               const std::atomic<bool>& stop) {
  Context context;
  context.device = device_info();
  context.datasheet = datasheet_of(context.device.name, options.machine_folder);
  context.quick = options.quick;
  context.like = options.like ? &*options.like : nullptr;
  context.sampling.stop = &stop;
  context.sampling.samples = options.like ? 8 : options.quick ? 20 : 40;
  context.sampling.min_sample_seconds = options.quick ? 1e-3 : 5e-3;
  context.sampling.tuning_seconds = options.quick ? 1 : 10;
  context.sampling.tuning_rounds = options.quick ? 1 : 3;
  Report report;
  report.device = context.device;
  if (context.datasheet) report.device.datasheet = context.datasheet->id;
  report.build = build_info();
  report.started = utc_now();
  report.command = options.command;
  report.operands = "pseudo-random";
  try {
    SharedArrays arrays;
    Energy energy;
    if (!context.quick) start_energy(energy, context, report);
    const std::unique_ptr<ClockProbe> clock = make_clock_probe(context.device.units);
    context.clock = clock.get();
    report.device.clock_hz = measured_clock_hz(context.device.units);
    double highest_clock_hz = report.device.clock_hz.value_or(0);
    context.highest_clock_hz = &highest_clock_hz;
    std::vector<Job> jobs = jobs_for(arrays);
    add_launch_jobs(jobs);
    const std::vector<Rung> ladder_rungs = rungs(cache_sizes(), context.device.units);
    std::optional<Ladder> ladder;
    std::vector<std::unique_ptr<PackedPeak>> packed;
    std::vector<std::unique_ptr<PackedPeak>> warpgroup;
    std::vector<VendorRoof> gemms;
    std::vector<std::unique_ptr<OperationRate>> special;
    std::vector<std::unique_ptr<OperationRate>> atomics;
    if (!context.quick) {
      ladder.emplace(ladder_rungs.back().bytes, context.device.units);
      packed = packed_peaks(context.device.architecture, context.device.units);
      gemms = vendor_gemms();
      add_packed_jobs(jobs, packed);
      add_gemm_jobs(jobs, gemms);
      add_ladder_jobs(jobs, *ladder, ladder_rungs);
      warpgroup = warpgroup_peaks(context.device.architecture, context.device.units);
      add_packed_jobs(jobs, warpgroup);
      special = special_operations(context.device.units);
      atomics = shared_and_atomic_operations(context.device.units);
      add_operation_jobs(jobs, special);
      add_operation_jobs(jobs, atomics);
      add_latency_jobs(jobs, latency_rungs(cache_sizes_of_one_core(), most_latency_bytes(context)));
    }
    select(jobs, options.only, context);
    run_jobs(jobs, context, report, tell);
    run_tables(options.only, context, report, tell);
    if (asked_for(kEnergy, options.only)) finish_energy(energy, context, report);
  } catch (const Interrupted&) {
    report.complete = false;
  }
  return report;
}

}  // namespace roofline::measure
