// SPDX-License-Identifier: MIT
// Reference values for topic 02's numbers and choices, computed by the library.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/prefixes.hpp"
#include "harness/answer.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/peaks.hpp"

namespace {

using harness::Answer;
using harness::Parameters;

using namespace base::prefixes;

Answer percent(double fraction) {
  return Answer::number(100 * fraction, "%");
}

// --- Peaks on paper ---

constexpr double kMatrixUnits = 4;
constexpr double kFmaPipes = 2;
constexpr double kFp32Bits = 32;
constexpr double kFp64Bits = 64;

double vector_peak(const Parameters& p, double units) {
  return roofline::vector_peak(units, p["lanes"], p["clock_ghz"] * kGiga);
}

HARNESS_FORMULA("02.peak.vector", Answer::number(vector_peak(p, p["units"]), "FLOP/s"))
HARNESS_FORMULA("02.peak.vector/one-unit", Answer::number(vector_peak(p, 1), "FLOP/s"))

double matrix_peak(const Parameters& p, double matrix_units) {
  return roofline::matrix_peak(p["units"], matrix_units, p["fma"], p["clock_ghz"] * kGiga);
}

HARNESS_FORMULA("02.peak.matrix", Answer::number(matrix_peak(p, kMatrixUnits), "FLOP/s"))
HARNESS_FORMULA("02.peak.matrix/one-matrix-unit", Answer::number(matrix_peak(p, 1), "FLOP/s"))
HARNESS_FORMULA("02.peak.matrix/sparse", Answer::number(2 * matrix_peak(p, kMatrixUnits), "FLOP/s"))

HARNESS_FORMULA("02.peak.memory",
                Answer::number(roofline::memory_peak(p["clock_mhz"] * kMega, p["bus_bits"]), "B/s"))

double cpu_peak(const Parameters& p, double vector_bits, double element_bits) {
  return roofline::cpu_vector_peak(p["cores"], kFmaPipes, vector_bits, element_bits,
                                   p["clock_ghz"] * kGiga);
}

HARNESS_FORMULA("02.peak.cpu", Answer::number(cpu_peak(p, p["vector_bits"], kFp32Bits), "FLOP/s"))
HARNESS_FORMULA("02.peak.cpu/fp64",
                Answer::number(cpu_peak(p, p["vector_bits"], kFp64Bits), "FLOP/s"))
HARNESS_FORMULA("02.peak.cpu/one-lane", Answer::number(cpu_peak(p, kFp32Bits, kFp32Bits), "FLOP/s"))

double cpu_memory_peak(const Parameters& p, double channels) {
  return roofline::cpu_memory_peak(channels, p["mega_transfers"] * kMega);
}

HARNESS_FORMULA("02.peak.cpu-memory", Answer::number(cpu_memory_peak(p, p["channels"]), "B/s"))
HARNESS_FORMULA("02.peak.cpu-memory/one-channel", Answer::number(cpu_memory_peak(p, 1), "B/s"))

/// The clock at which units with this many multiply-adds per clock reach a published peak.
double clock_of(double peak, double units, double fma_per_clock) {
  return peak / roofline::vector_peak(units, fma_per_clock, 1);
}

constexpr double kH100Units = 132;

HARNESS_FORMULA("02.peak.clock",
                Answer::number(clock_of(p["tflops"] * kTera, p["units"], 2048), "Hz"))

double bytes_in_flight(const Parameters& p) {
  return p["bandwidth_gb_s"] * kGiga * p["latency_ns"] * kNano;
}

HARNESS_FORMULA("02.flight.bytes", Answer::number(bytes_in_flight(p), "B"))
HARNESS_FORMULA("02.flight.bytes/per-unit", Answer::number(bytes_in_flight(p) / kH100Units, "B"))

// --- Published claims ---

/// One figure of a printed table, with the multiply-adds per clock of a matrix unit (0: a vector
/// peak, which has no sparse form).
struct Claim {
  const char* name;
  double peak;
  double fma_per_clock;
};

bool is_sparse(const Claim& claim) {
  if (claim.fma_per_clock == 0) return false;
  const double dense =
      roofline::matrix_peak(kH100Units, kMatrixUnits, claim.fma_per_clock, 1.83 * kGiga);
  return claim.peak > 1.5 * dense;
}

HARNESS_ANSWER("02.claims.sparse", [](const Parameters&) {
  constexpr std::array<Claim, 4> kTable = {
      {{"fp32", 67e12, 0}, {"tf32", 989e12, 256}, {"fp16", 1979e12, 512}, {"int8", 3958e12, 1024}}};
  std::string word;
  for (const Claim& claim : kTable) {
    if (is_sparse(claim)) word += (word.empty() ? "" : "-") + std::string(claim.name);
  }
  return Answer::choice(word.empty() ? "none" : word);
})

HARNESS_ANSWER("02.claims.clock", [](const Parameters&) {
  const std::vector<std::string> choices = {"1.41", "1.59", "1.83", "1.98"};
  const double clock_ghz = clock_of(67e12, kH100Units, 128) / kGiga;
  const auto distance = [&](const std::string& word) {
    return std::abs(std::stod(word) - clock_ghz);
  };
  return Answer::choice(
      *std::min_element(choices.begin(), choices.end(),
                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); }));
})

// Passes over arrays in a framework's triad: the product reads one and writes one, the sum reads
// two and writes one. The benchmark counts what a single kernel would move.
constexpr double kEagerPasses = 2 + 3;
constexpr double kTriadPasses = 3;

HARNESS_ANSWER("02.claims.triad", [](const Parameters&) {
  // The passes over the temporary account for what the printed figure lacks.
  const bool explained = std::abs(1128.0 / 1880.0 - kTriadPasses / kEagerPasses) < 0.01;
  return Answer::choice(explained ? "temporary" : "warm-up");
})

HARNESS_FORMULA("02.claims.cache", Answer::choice("cache"))

HARNESS_FORMULA("02.claims.precision", Answer::choice("fp64"))

HARNESS_FORMULA("02.claims.unit", Answer::choice(roofline::to_string(roofline::Unit::kVector)))

constexpr double kAcceptedShare = 0.6;

HARNESS_FORMULA("02.claims.steady", percent(1 / kAcceptedShare - 1))
HARNESS_FORMULA("02.claims.steady/rate", percent(1 - kAcceptedShare))
HARNESS_FORMULA("02.claims.steady/ratio", percent(1 / kAcceptedShare))

double gemm_flops(double side) {
  return roofline::gemm(side, side, side, roofline::Precision::kFp32).flops;
}

HARNESS_FORMULA("02.claims.tiny-gemm", Answer::number(gemm_flops(256) / 50e12, "s"))
HARNESS_FORMULA("02.claims.tiny-gemm/outputs", Answer::number(2.0 * 256 * 256 / 50e12, "s"))

// --- Measuring ---

HARNESS_FORMULA("02.stream.eager", percent(kTriadPasses / kEagerPasses))
HARNESS_FORMULA("02.stream.eager/inverted", percent(kEagerPasses / kTriadPasses))

/// Traffic on the bus when `read` arrays are read and one is written, with or without
/// write-allocate.
Answer bus_rate(const Parameters& p, double read, bool allocate) {
  return Answer::number(p["gb_s"] * kGiga * (read + (allocate ? 2 : 1)) / (read + 1), "B/s");
}

HARNESS_FORMULA("02.stream.write-allocate", bus_rate(p, 1, true))
HARNESS_FORMULA("02.stream.write-allocate/none", bus_rate(p, 1, false))
HARNESS_FORMULA("02.stream.write-allocate/triad", bus_rate(p, 2, true))

constexpr double kMebibyte = 1048576;
constexpr double kCachesPerArray = 4;

HARNESS_FORMULA("02.measure.array",
                Answer::number(p["cache_mib"] * kCachesPerArray * kMebibyte, "B"))
HARNESS_FORMULA("02.measure.array/mib", Answer::number(p["cache_mib"] * kCachesPerArray, "MB"))
HARNESS_FORMULA("02.measure.array/shared",
                Answer::number(p["cache_mib"] * kCachesPerArray * kMebibyte / 3, "B"))

/// (largest - smallest) over the sample at `place` when they are sorted.
Answer spread(const Parameters& p, std::size_t place) {
  std::array<double, 3> times = {p["first_ms"], 41.0, 41.4};
  std::sort(times.begin(), times.end());
  return percent((times[2] - times[0]) / times[place]);
}

HARNESS_FORMULA("02.measure.spread", spread(p, 1))
HARNESS_FORMULA("02.measure.spread/minimum", spread(p, 0))
HARNESS_FORMULA("02.measure.spread/maximum", spread(p, 2))
HARNESS_ANSWER("02.measure.spread/mean", [](const Parameters& p) {
  const auto [least, largest] = std::minmax({p["first_ms"], 41.0, 41.4});
  return percent((largest - least) / ((p["first_ms"] + 41.0 + 41.4) / 3));
})

HARNESS_ANSWER("02.fma.chains", [](const Parameters&) {
  constexpr double kLanes = 8, kLatencyClocks = 4;
  return Answer::choice(std::to_string(static_cast<int>(kFmaPipes * kLanes * kLatencyClocks)));
})

HARNESS_FORMULA("02.gemm.flops", Answer::number(gemm_flops(p["side"]), "FLOP"))
HARNESS_FORMULA("02.gemm.flops/square", Answer::number(2 * p["side"] * p["side"], "FLOP"))

constexpr double kDensePeak = 989.4e12;

Answer product_time(const Parameters& p, double peak) {
  return Answer::number(gemm_flops(p["side"]) / peak, "s");
}
HARNESS_FORMULA("02.peak.product", product_time(p, kDensePeak / 2))
HARNESS_FORMULA("02.peak.product/fp32", product_time(p, 67e12))
HARNESS_FORMULA("02.peak.product/a100", product_time(p, 156e12))
HARNESS_FORMULA("02.peak.product/b200", product_time(p, 1125e12))

// --- Roofs that are reached, and those of one core and of all ---

constexpr roofline::Roof kPaperRoof = {kDensePeak, 4800e9}, kReachedRoof = {682e12, 4424e9};
constexpr double kKernelIntensity = 180;
constexpr double kMemoryRate = kKernelIntensity * kReachedRoof.bytes_per_second;
Answer time_at_rate(const Parameters& p, double flops_per_second) {
  return Answer::number(p["tflop"] * kTera / flops_per_second, "s");
}
HARNESS_FORMULA("02.reached.time",
                time_at_rate(p, roofline::attainable(kReachedRoof, kKernelIntensity)))
HARNESS_FORMULA("02.reached.time/paper",
                time_at_rate(p, roofline::attainable(kPaperRoof, kKernelIntensity)))
HARNESS_FORMULA("02.reached.time/memory", time_at_rate(p, kMemoryRate))
HARNESS_FORMULA("02.reached.time/peak", time_at_rate(p, kPaperRoof.flops_per_second))

HARNESS_ANSWER("02.reached.time/sum", [](const Parameters& p) {
  const double flops = p["tflop"] * kTera;
  return Answer::number(flops / kReachedRoof.flops_per_second +
                            flops / kKernelIntensity / kReachedRoof.bytes_per_second,
                        "s");
})

constexpr roofline::Roof kOneCore = {100e9, 24e9}, kAllCores = {32 * 100e9, 307.2e9};
HARNESS_FORMULA("02.cpu.scaling", Answer::number(roofline::attainable(kAllCores, p["intensity"]) /
                                                     roofline::attainable(kOneCore, p["intensity"]),
                                                 ""))
HARNESS_ANSWER("02.cpu.scaling/larger", [](const Parameters& p) {
  const auto larger = [&](const roofline::Roof& roof) {
    return std::max(roof.flops_per_second, p["intensity"] * roof.bytes_per_second);
  };
  return Answer::number(larger(kAllCores) / larger(kOneCore), "");
})
HARNESS_FORMULA("02.cpu.scaling/bandwidth",
                Answer::number(kAllCores.bytes_per_second / kOneCore.bytes_per_second, ""))

HARNESS_FORMULA("02.gemm.efficiency",
                percent(roofline::efficiency(p["tflops"] * kTera, kDensePeak)))
HARNESS_FORMULA("02.gemm.efficiency/sparse",
                percent(roofline::efficiency(p["tflops"] * kTera, 2 * kDensePeak)))
HARNESS_FORMULA("02.gemm.efficiency/inverted",
                percent(roofline::efficiency(kDensePeak, p["tflops"] * kTera)))

// --- This machine ---

roofline::Roof measured_roof(const Parameters& p, roofline::Precision precision) {
  return roofline::roof_of(roofline::load_machine(p.machine_file()), precision);
}

double stream_rate(const Parameters& p, const std::string& stream) {
  return roofline::load_machine(p.machine_file()).streams.at(stream);
}

/// Uses the read-only stream, as the question says.
double own_ridge(const Parameters& p, roofline::Precision precision) {
  return roofline::ridge({measured_roof(p, precision).flops_per_second, stream_rate(p, "read")});
}

HARNESS_FORMULA("02.machine.ridge",
                Answer::number(own_ridge(p, roofline::Precision::kFp32), "FLOP/B"))
HARNESS_FORMULA("02.machine.ridge/fp64",
                Answer::number(own_ridge(p, roofline::Precision::kFp64), "FLOP/B"))
HARNESS_FORMULA("02.machine.ridge/plot",
                Answer::number(roofline::ridge(measured_roof(p, roofline::Precision::kFp32)),
                               "FLOP/B"))
HARNESS_FORMULA("02.machine.ridge/inverted",
                Answer::number(1 / own_ridge(p, roofline::Precision::kFp32), "FLOP/B"))

HARNESS_ANSWER("02.machine.token", [](const Parameters& p) {
  constexpr double kBytesPerParameter = 2;
  return Answer::number(p["parameters_g"] * kGiga * kBytesPerParameter / stream_rate(p, "read"),
                        "s");
})

// --- SAXPY and triad ---

// Per element of SAXPY in 32-bit floats: x and y are read, y is written.
constexpr double kSaxpyFlops = 2;
constexpr double kSaxpyBytes = 3 * 4;

HARNESS_FORMULA("02.saxpy.ai",
                Answer::number(roofline::arithmetic_intensity(kSaxpyFlops, kSaxpyBytes), "FLOP/B"))

HARNESS_ANSWER("02.saxpy.bound", [](const Parameters& p) {
  const roofline::Roof roof = measured_roof(p, roofline::Precision::kFp32);
  const double intensity = roofline::arithmetic_intensity(kSaxpyFlops, kSaxpyBytes);
  return Answer::choice(roofline::to_string(roofline::classify(roof, intensity)));
})

enum class Build { kOwn, kOther };

/// The number of elements that the question names for the build that measured this machine, or for
/// the other one.
double triad_elements(const Parameters& p, Build build) {
  const bool is_cpu = roofline::read_report(p.machine_file()).device.backend == "cpu";
  return is_cpu == (build == Build::kOwn) ? 8388608 : 67108864;
}
Answer triad_seconds(const Parameters& p, const std::string& stream, Build build = Build::kOwn) {
  return Answer::number(3 * 8 * triad_elements(p, build) / stream_rate(p, stream), "s");
}
// The reference solution uses ordinary stores.
HARNESS_FORMULA("02.triad.prediction", triad_seconds(p, "triad.ordinary"))
HARNESS_FORMULA("02.triad.prediction/nontemporal", triad_seconds(p, "triad"))
HARNESS_FORMULA("02.triad.prediction/copy", triad_seconds(p, "copy"))
HARNESS_FORMULA("02.triad.prediction/read", triad_seconds(p, "read"))
HARNESS_FORMULA("02.triad.prediction/other_build",
                triad_seconds(p, "triad.ordinary", Build::kOther))

// --- A launch in the measured time ---

/// Bytes of a kernel whose transfer takes as long as `launches` launches.
Answer bytes_of_launches(const Parameters& p, double launches) {
  return Answer::number(launches * p["launch_us"] * kMicro * p["bandwidth_gb_s"] * kGiga, "B");
}

HARNESS_ANSWER("02.measure.launch", [](const Parameters& p) {
  constexpr double kShare = 0.9;  // of the time, spent moving data
  return bytes_of_launches(p, kShare / (1 - kShare));
})
HARNESS_FORMULA("02.measure.launch/tenth", bytes_of_launches(p, 10))
HARNESS_FORMULA("02.measure.launch/half", bytes_of_launches(p, 1))

// --- What a multiprocessor holds ---

constexpr double kSharedKib = 228;  // per multiprocessor of an H200
constexpr double kBlockKib = 45;
constexpr double kReservedKib = 1;  // by the system, for each block
constexpr double kMostThreads = 2048;

/// Fraction of the threads that are resident with this many blocks.
Answer occupancy(const Parameters& p, double blocks) {
  return Answer::number(100 * blocks * p["threads"] / kMostThreads, "%");
}
HARNESS_FORMULA("02.occupancy.shared",
                occupancy(p, std::floor(kSharedKib / (kBlockKib + kReservedKib))))
HARNESS_FORMULA("02.occupancy.shared/reserved", occupancy(p, std::floor(kSharedKib / kBlockKib)))
HARNESS_FORMULA("02.occupancy.shared/part", occupancy(p, kSharedKib / (kBlockKib + kReservedKib)))
HARNESS_FORMULA("02.occupancy.shared/one", occupancy(p, 1))

/// Threads on an H200 with one block of 256 per multiprocessor.
constexpr double kFewThreads = 132 * 256;

HARNESS_FORMULA("02.in-flight.bytes", Answer::number(bytes_in_flight(p) / kFewThreads, "B"))
HARNESS_FORMULA("02.in-flight.bytes/inverted",
                Answer::number(p["bandwidth_gb_s"] / p["latency_ns"] / kFewThreads, "B"))

/// A warp's 128 bytes are four sectors, or five if they start inside one.
constexpr double kSectorsOfWarp = 128.0 / 32;
HARNESS_FORMULA("02.sectors.neighbour", Answer::number(p["warps"] * (3 * kSectorsOfWarp + 1), ""))
HARNESS_FORMULA("02.sectors.neighbour/once", Answer::number(p["warps"] * 2 * kSectorsOfWarp, ""))
HARNESS_FORMULA("02.sectors.neighbour/aligned", Answer::number(p["warps"] * 3 * kSectorsOfWarp, ""))

}  // namespace
