// SPDX-License-Identifier: MIT
// Reference values for topic 03's numbers, choices and predictions, computed by the library.
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/prefixes.hpp"
#include "harness/answer.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/communication.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/energy.hpp"
#include "roofline/machine.hpp"
#include "roofline/operation.hpp"
#include "roofline/profile.hpp"
#include "roofline/transformer.hpp"

namespace {

using harness::Answer;
using harness::Parameters;
using roofline::Operation;
using roofline::Precision;
using roofline::Roof;

using namespace base::prefixes;
constexpr double kPico = 1e-12;
constexpr double kFloat = 4;  // bytes

Answer intensity(double value) {
  return Answer::number(value, "FLOP/B");
}
Answer seconds(double value) {
  return Answer::number(value, "s");
}
Answer ratio(double value) {
  return Answer::number(value, "");
}

// --- Why, and where it comes from ---

HARNESS_ANSWER("03.why.next-gpu", [](const Parameters&) {
  constexpr Roof kNow{989.4 * kTera, 4800 * kGiga}, kNext{2 * 989.4 * kTera, 4800 * kGiga};
  const auto gets_faster = [&](double tokens) {
    const Operation layer = roofline::linear(tokens, 4096, 4096);
    return roofline::time_seconds(kNext, layer.flops, layer.bytes()) <
           roofline::time_seconds(kNow, layer.flops, layer.bytes());
  };
  const bool prompts = gets_faster(2048);
  if (gets_faster(1)) return Answer::choice(prompts ? "both" : "tokens");
  return Answer::choice(prompts ? "prompts" : "neither");
})

constexpr double kTriad = 4424 * kGiga, kStated = 4800 * kGiga;
HARNESS_FORMULA("03.history.prediction", seconds(p["megabytes"] * kMega / kTriad))
HARNESS_FORMULA("03.history.prediction/bound", seconds(p["megabytes"] * kMega / kStated))
HARNESS_FORMULA("03.history.prediction/reads", seconds(2.0 / 3 * p["megabytes"] * kMega / kTriad))

// --- Training: bytes kept for each weight ---

constexpr double kProductBytes = 2, kGradient = 4, kCopy = 4, kMoments = 2 * 4;
Answer kept(const Parameters& p, double bytes_per_weight) {
  return Answer::number(p["billions"] * kGiga * bytes_per_weight, "B");
}
HARNESS_FORMULA("03.training.memory", kept(p, kProductBytes + kGradient + kCopy + kMoments))
HARNESS_FORMULA("03.training.memory/weights", kept(p, kProductBytes))
HARNESS_FORMULA("03.training.memory/three-of-four", kept(p, kProductBytes + kCopy + kMoments))
HARNESS_FORMULA("03.training.memory/no-products", kept(p, kGradient + kCopy + kMoments))
HARNESS_FORMULA("03.training.memory/all-fp32", kept(p, 4 + kGradient + kCopy + kMoments))
HARNESS_FORMULA("03.training.memory/optimiser", kept(p, kCopy + kMoments))

// --- Ceilings, levels, the chart, registers ---

HARNESS_FORMULA("03.ceilings.stacked",
                Answer::number(p["peak_gflops"] * kGiga / 2 / p["cores"], "FLOP/s"))
HARNESS_FORMULA("03.ceilings.stacked/all-cores",
                Answer::number(p["peak_gflops"] * kGiga / 2, "FLOP/s"))

struct Levels {
  double l1, l2, dram, arithmetic;  ///< seconds
};
Levels levels_of(const Parameters& p) {
  return {50 * kGiga / (19.3 * kTera), p["l2"] * kGiga / (9.79 * kTera), 8 * kGiga / (4.59 * kTera),
          137.4 * kGiga / (65.9 * kTera)};
}
HARNESS_ANSWER("03.levels.time", [](const Parameters& p) {
  const Levels times = levels_of(p);
  return seconds(std::max({times.l1, times.l2, times.dram, times.arithmetic}));
})
HARNESS_FORMULA("03.levels.time/most-bytes", seconds(levels_of(p).l1))
HARNESS_FORMULA("03.levels.time/dram", seconds(levels_of(p).dram))
HARNESS_FORMULA("03.levels.time/arithmetic", seconds(levels_of(p).arithmetic))
HARNESS_ANSWER("03.levels.time/sum", [](const Parameters& p) {
  const Levels times = levels_of(p);
  return seconds(times.l1 + times.l2 + times.dram + times.arithmetic);
})

/// With `missing` of the bytes that are left in L2 not counted.
Answer profiled_saxpy(const Parameters& p, double missing) {
  const Operation saxpy = roofline::axpy(p["millions"] * kMega, Precision::kFp32);
  return intensity(saxpy.flops / (saxpy.bytes() - missing * p["left"] * kMega));
}
HARNESS_FORMULA("03.chart.left", profiled_saxpy(p, 1))
HARNESS_FORMULA("03.chart.left/formula", profiled_saxpy(p, 0))
HARNESS_FORMULA("03.chart.left/added", profiled_saxpy(p, -1))
HARNESS_ANSWER("03.chart.left/y-once", [](const Parameters& p) {
  const double bytes = 2 * 4 * p["millions"] * kMega;
  return intensity(2 * p["millions"] * kMega / (bytes - p["left"] * kMega));
})

HARNESS_FORMULA("03.cpu.registers", ratio(p["rows"] * p["packs"] + p["packs"] + 1))
HARNESS_FORMULA("03.cpu.registers/sums", ratio(p["rows"] * p["packs"]))
HARNESS_FORMULA("03.cpu.registers/no-a", ratio(p["rows"] * p["packs"] + p["packs"]))
HARNESS_FORMULA("03.cpu.registers/no-b", ratio(p["rows"] * p["packs"] + 1))
HARNESS_FORMULA("03.cpu.registers/all-of-a", ratio(p["rows"] * p["packs"] + p["packs"] + p["rows"]))

// --- The model ---

Roof stated_roof(const Parameters& p) {
  return {p["peak_tflops"] * kTera, p["bandwidth_gbs"] * kGiga};
}

HARNESS_FORMULA("03.model.ridge", intensity(roofline::ridge(stated_roof(p))))
HARNESS_FORMULA("03.model.ridge/inverted", intensity(1 / roofline::ridge(stated_roof(p))))
HARNESS_FORMULA("03.model.ridge/tera-over-giga", intensity(p["peak_tflops"] / p["bandwidth_gbs"]))

HARNESS_FORMULA("03.model.attainable",
                Answer::number(roofline::attainable(stated_roof(p), p["intensity"]), "FLOP/s"))
HARNESS_FORMULA("03.model.attainable/peak",
                Answer::number(stated_roof(p).flops_per_second, "FLOP/s"))
HARNESS_FORMULA("03.model.attainable/inverted",
                Answer::number(stated_roof(p).bytes_per_second / p["intensity"], "FLOP/s"))

constexpr Roof kExampleRoof{15 * kTera, 500 * kGiga};

HARNESS_FORMULA("03.model.bound",
                Answer::choice(roofline::to_string(roofline::classify(kExampleRoof,
                                                                      p["intensity"]))))

/// Uses the read-only stream, as the question says.
double own_ridge(const Parameters& p, Precision precision) {
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return roofline::ridge(
      {roofline::best_peak(machine, precision).operations_per_second, machine.streams.at("read")});
}

HARNESS_FORMULA("03.model.my-ridge", intensity(own_ridge(p, Precision::kFp32)))
HARNESS_FORMULA("03.model.my-ridge/fp64", intensity(own_ridge(p, Precision::kFp64)))
HARNESS_FORMULA("03.model.my-ridge/inverted", intensity(1 / own_ridge(p, Precision::kFp32)))

// Two FLOPs per step, and each element read and written once.
HARNESS_FORMULA("03.model.fma-iterations",
                ratio(p["ridge"] / roofline::arithmetic_intensity(2, 2 * kFloat)))
HARNESS_FORMULA("03.model.fma-iterations/beyond",
                ratio(p["ridge"] / roofline::arithmetic_intensity(2, 2 * kFloat) + 1))

// --- Six operations on a machine of 4608 GFLOP/s and 96 GB/s ---

constexpr Roof kSixRoof{4608 * kGiga, 96 * kGiga};
const std::vector<roofline::Work> kSix = {{57.8 * kMega, 24.5 * kMega}, {51.4 * kMega, 2.3 * kMega},
                                          {925 * kMega, 24.5 * kMega},  {236 * kMega, 3.7 * kMega},
                                          {172 * kMega, 1.3 * kMega},   {231 * kMega, 1.3 * kMega}};

const roofline::Work& six(const Parameters& p) {
  return kSix.at(static_cast<std::size_t>(p["operation"]) - 1);
}
double compute_seconds(const roofline::Work& work, const Roof& roof = kSixRoof) {
  return work.flops / roof.flops_per_second;
}
double memory_seconds(const roofline::Work& work, const Roof& roof = kSixRoof) {
  return work.bytes / roof.bytes_per_second;
}
Roof roof_of_task(const Parameters& p) {
  return {p["peak_gflops"] * kGiga, p["bandwidth_gbs"] * kGiga};
}
roofline::Work sum_of_six() {
  roofline::Work sum;
  for (const roofline::Work& work : kSix) {
    sum.flops += work.flops;
    sum.bytes += work.bytes;
  }
  return sum;
}

HARNESS_FORMULA("03.six.time",
                seconds(roofline::time_seconds(roof_of_task(p), six(p).flops, six(p).bytes)))
HARNESS_ANSWER("03.six.time/other", [](const Parameters& p) {
  const Roof roof = roof_of_task(p);
  return seconds(std::min(compute_seconds(six(p), roof), memory_seconds(six(p), roof)));
})
HARNESS_ANSWER("03.six.time/sum", [](const Parameters& p) {
  const Roof roof = roof_of_task(p);
  return seconds(compute_seconds(six(p), roof) + memory_seconds(six(p), roof));
})
HARNESS_FORMULA("03.six.total", seconds(roofline::time_of_sequence(kSixRoof, kSix)))
HARNESS_ANSWER("03.six.total/max-of-sums", [](const Parameters&) {
  const roofline::Work sum = sum_of_six();
  return seconds(roofline::time_seconds(kSixRoof, sum.flops, sum.bytes));
})
HARNESS_FORMULA("03.six.total/compute", seconds(compute_seconds(sum_of_six())))

HARNESS_ANSWER("03.six.half-flops", [](const Parameters&) {
  const roofline::Work& first = kSix.front();
  const double before = roofline::time_seconds(kSixRoof, first.flops, first.bytes);
  const double after = roofline::time_seconds(kSixRoof, first.flops / 2, first.bytes);
  return Answer::choice(after == before ? "same" : "half");
})

double time_of_six(std::size_t number) {
  const roofline::Work& work = kSix.at(number - 1);
  return roofline::time_seconds(kSixRoof, work.flops, work.bytes);
}
HARNESS_FORMULA("03.six.more-flops", ratio(time_of_six(3) / time_of_six(1)))
HARNESS_FORMULA("03.six.more-flops/flops", ratio(kSix[2].flops / kSix[0].flops))
HARNESS_FORMULA("03.six.more-flops/peak", ratio(compute_seconds(kSix[2]) / time_of_six(1)))

// --- Predictions from this machine's roofs ---

bool is_gpu(const roofline::Machine& machine) {
  return machine.kind == "gpu";
}

/// Bandwidth of the stream that reads and writes as the kernel does; the best one if that is not
/// known.
double stream(const roofline::Machine& machine, const std::string& name) {
  const auto found = machine.streams.find(name);
  return found == machine.streams.end() ? roofline::bandwidth(machine) : found->second;
}

enum class Build { kOwn, kOther };

/// Elements of the predicted kernels: those for the build that measured a machine, or for the
/// other.
double predicted_elements(const roofline::Machine& machine, Build build = Build::kOwn) {
  return is_gpu(machine) == (build == Build::kOwn) ? 134217728 : 33554432;
}
Answer predicted_seconds(const Parameters& p, double bytes_per_element,
                         const std::string& stream_name, Build build = Build::kOwn) {
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return seconds(predicted_elements(machine, build) * bytes_per_element /
                 stream(machine, stream_name));
}
double fp32_peak(const roofline::Machine& machine) {
  return roofline::roof_of(machine, Precision::kFp32).flops_per_second;
}
/// The answer if arithmetic determined the time.
Answer predicted_computing(const Parameters& p, double flops_per_element) {
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return seconds(predicted_elements(machine) * flops_per_element / fp32_peak(machine));
}

constexpr double kSweepBytes = 2 * kFloat;
HARNESS_FORMULA("03.sweep.predict-memory", predicted_seconds(p, kSweepBytes, "scale"))
HARNESS_FORMULA("03.sweep.predict-memory/read", predicted_seconds(p, kSweepBytes, "read"))
HARNESS_FORMULA("03.sweep.predict-memory/computing", predicted_computing(p, 2))
HARNESS_FORMULA("03.sweep.predict-memory/other_build",
                predicted_seconds(p, kSweepBytes, "scale", Build::kOther))

Answer rate(double flops_per_second) {
  return Answer::number(flops_per_second, "FLOP/s");
}
/// The rate that memory allows a kernel of the sweep, by a stream that reads as much as it writes.
Answer sweep_slope(const Parameters& p, double intensity, const char* by = "scale") {
  return rate(intensity * stream(roofline::load_machine(p.machine_file()), by));
}
HARNESS_FORMULA("03.sweep.predict-compute",
                rate(fp32_peak(roofline::load_machine(p.machine_file()))))
HARNESS_ANSWER("03.sweep.predict-compute/fp64", [](const Parameters& p) {
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return rate(roofline::roof_of(machine, Precision::kFp64).flops_per_second);
})
HARNESS_FORMULA("03.sweep.predict-compute/slope", sweep_slope(p, 250))
HARNESS_FORMULA("03.sweep.predict-compute/slope_of_copy", sweep_slope(p, 250, "copy"))
HARNESS_FORMULA("03.sweep.predict-compute/left_end", sweep_slope(p, 0.25))

constexpr double kFusedBytes = 4 * kFloat;
HARNESS_FORMULA("03.fusion.predict", predicted_seconds(p, kFusedBytes, "triad"))
HARNESS_FORMULA("03.fusion.predict/computing", predicted_computing(p, 3))
HARNESS_FORMULA("03.fusion.predict/other_build",
                predicted_seconds(p, kFusedBytes, "triad", Build::kOther))

// --- Fusion ---

HARNESS_ANSWER("03.fusion.gain", [](const Parameters&) {
  const Operation scale = roofline::elementwise("scale", 1, 1, 1, Precision::kFp32);
  const Operation combine = roofline::elementwise("combine", 1, 1, 2, Precision::kFp32);
  const Operation two = roofline::fused("two", scale, combine, kFloat);
  const Operation all = roofline::fused("all", two, combine, kFloat);
  return ratio((scale.bytes() + 2 * combine.bytes()) / all.bytes());
})

double norm_gain(bool still_written) {
  const Operation add = roofline::residual_add(1, Precision::kFp32);
  const Operation norm = roofline::rms_norm(1, 1, Precision::kFp32);
  const Operation both = roofline::fused("both", add, norm, kFloat, still_written);
  return (add.bytes() + norm.bytes()) / both.bytes();
}
HARNESS_FORMULA("03.fusion.norm-gain", ratio(norm_gain(true)))
HARNESS_FORMULA("03.fusion.norm-gain/not-written", ratio(norm_gain(false)))

// --- Matrix products ---

HARNESS_ANSWER("03.gemm.tile-intensity", [](const Parameters& p) {
  const double tile = p["tile"];
  return intensity(
      roofline::arithmetic_intensity(2 * tile * tile * tile, 2 * tile * tile * kFloat));
})

roofline::KernelCounts on_h200(const std::string& name);

// L1 and L2 come from the machine's file, where they are measured; DRAM and the ceiling come from
// the same report.
HARNESS_ANSWER("03.hier.limit", [](const Parameters&) {
  const roofline::Machine stated =
      roofline::load_machine(harness::course_file("data/machines/h200-sxm.toml"));
  const roofline::Machine measured =
      roofline::load_machine(harness::course_file("data/measured/h200_roofs.json"));
  const roofline::KernelCounts counts = on_h200("gemm_naive_kernel");
  const double peak = roofline::find_peak(measured, Precision::kFp32, roofline::Unit::kVector)
                          ->operations_per_second;
  const std::string limit = roofline::hierarchical_bound(
                                peak, counts.flops(),
                                {{"l1", roofline::bandwidth(stated, "L1"), counts.bytes.at("L1")},
                                 {"l2", roofline::bandwidth(stated, "L2"), counts.bytes.at("L2")},
                                 {"dram", measured.streams.at("read"), counts.bytes.at("DRAM")}})
                                .limit;
  return Answer::choice(limit);
})

// --- Precision, energy, communication ---

constexpr double kVectorWidth = 4096;

HARNESS_ANSWER("03.precision.intensity", [](const Parameters& p) {
  const double elements = kVectorWidth * kVectorWidth + 2 * kVectorWidth;
  return intensity(
      roofline::arithmetic_intensity(2 * kVectorWidth * kVectorWidth, elements * p["bits"] / 8));
})

Answer percent_of_a100(bool sparse) {
  const roofline::Machine machine =
      roofline::load_machine(harness::course_file("data/machines/a100-80gb-sxm.toml"));
  const roofline::Peak* peak =
      roofline::find_peak(machine, Precision::kFp16, roofline::Unit::kMatrix, sparse);
  if (peak == nullptr) throw std::runtime_error("the A100 has no such FP16 peak");
  const Operation product = roofline::gemv(kVectorWidth, kVectorWidth, Precision::kFp16);
  return Answer::number(
      100 * product.intensity() * roofline::bandwidth(machine) / peak->operations_per_second, "%");
}
HARNESS_FORMULA("03.precision.fraction", percent_of_a100(false))
HARNESS_FORMULA("03.precision.fraction/sparse", percent_of_a100(true))

roofline::EnergyCosts costs(const Parameters& p) {
  return {p["pj_flop"] * kPico, p["pj_byte"] * kPico};
}
HARNESS_FORMULA("03.energy.ridge", intensity(roofline::energy_ridge(costs(p))))
HARNESS_FORMULA("03.energy.ridge/inverted", intensity(1 / roofline::energy_ridge(costs(p))))

constexpr roofline::Link kLink{0, 450 * kGiga};

Answer collective(const Parameters& p, roofline::Collective kind) {
  return seconds(roofline::collective_seconds(kind, p["megabytes"] * kMega,
                                              static_cast<int>(p["ranks"]), kLink));
}
HARNESS_FORMULA("03.comm.all-reduce", collective(p, roofline::Collective::kAllReduce))
HARNESS_FORMULA("03.comm.all-reduce/once", collective(p, roofline::Collective::kReduceScatter))
HARNESS_FORMULA("03.comm.all-reduce/twice",
                seconds(2 * p["megabytes"] * kMega / kLink.bytes_per_second))
HARNESS_FORMULA("03.comm.all-reduce/whole_pieces",
                seconds(2 * (p["ranks"] - 1) * p["megabytes"] * kMega / kLink.bytes_per_second))
HARNESS_FORMULA("03.comm.all-reduce/whole_once",
                seconds((p["ranks"] - 1) * p["megabytes"] * kMega / kLink.bytes_per_second))
HARNESS_FORMULA("03.comm.all-reduce/all", collective(p, roofline::Collective::kSendReceive))

// --- Prefill, decode, a transformer block ---

constexpr double kPrefillBatch = 8;

Operation qkv(const Parameters& p) {
  return roofline::linear(kPrefillBatch * p["length"], p["width"], 3 * p["width"]);
}
HARNESS_FORMULA("03.place.prefill", intensity(qkv(p).intensity()))
HARNESS_ANSWER("03.place.prefill/weights", [](const Parameters& p) {
  const double weights = 3 * p["width"] * p["width"];
  return intensity(roofline::arithmetic_intensity(
      qkv(p).flops, weights * roofline::bytes_per_element(Precision::kFp16)));
})
HARNESS_ANSWER("03.place.decode", [](const Parameters& p) {
  const auto precision =
      roofline::parse_precision("fp" + std::to_string(static_cast<int>(p["bits"])));
  return intensity(roofline::gemv(p["width"], p["width"], precision).intensity());
})

constexpr double kQueryHeads = 32;
constexpr double kHeadWidth = 128;

Answer decode_intensity(double kv_heads, double context) {
  return intensity(
      roofline::decode_attention(1, kQueryHeads, kv_heads, kHeadWidth, context, Precision::kFp16)
          .intensity());
}
HARNESS_FORMULA("03.place.gqa", decode_intensity(p["kv_heads"], p["context"]))
HARNESS_FORMULA("03.place.gqa/mha", decode_intensity(kQueryHeads, p["context"]))
HARNESS_ANSWER("03.place.decode-bound", [](const Parameters&) {
  const roofline::Machine machine =
      roofline::load_machine(harness::course_file("data/machines/h200-sxm.toml"));
  constexpr double kGroupedIntensity = 4;
  return Answer::choice(roofline::to_string(
      roofline::classify(roofline::roof_of(machine, Precision::kFp16), kGroupedIntensity)));
})

constexpr double kHidden = 768;

std::vector<Operation> block(const Parameters& p) {
  return roofline::transformer_block(p["batch"], p["sequence"], kHidden, Precision::kFp16);
}
HARNESS_FORMULA("03.block.flops", Answer::number(roofline::total("block", block(p)).flops, "FLOP"))
HARNESS_ANSWER("03.block.flops/no-attention", [](const Parameters& p) {
  double flops = 0;
  for (const Operation& operation : block(p)) {
    if (operation.name != "attention") flops += operation.flops;
  }
  return Answer::number(flops, "FLOP");
})
HARNESS_FORMULA("03.block.intensity", intensity(roofline::total("block", block(p)).intensity()))
HARNESS_ANSWER("03.block.intensity/mean", [](const Parameters& p) {
  const std::vector<Operation> operations = block(p);
  double sum = 0;
  for (const Operation& operation : operations) sum += operation.intensity();
  return intensity(sum / static_cast<double>(operations.size()));
})

HARNESS_ANSWER("03.block.intensity/physical", [](const Parameters& p) {
  const std::vector<Operation> operations = roofline::transformer_block(
      p["batch"], p["sequence"], kHidden, Precision::kFp16, roofline::BlockTraffic::kAsRun);
  return intensity(roofline::total("block", operations).intensity());
})

// --- Profiles ---

const std::string kProfiles = "topics/03-roofline-modeling/profiles/";

/// The first kernel with counts whose name contains `name` in a profile of this topic.
roofline::KernelProfile profiled(const std::string& file, const std::string& name) {
  const roofline::Profile profile =
      roofline::import_profile(harness::course_file(kProfiles + file));
  for (const roofline::KernelProfile& kernel : profile.kernels) {
    if (kernel.name.find(name) != std::string::npos && kernel.counts) return kernel;
  }
  throw std::runtime_error(file + " has no counts of a kernel " + name);
}
roofline::KernelCounts on_h200(const std::string& name) {
  return *profiled("kernels_h200.csv", name).counts;
}

HARNESS_FORMULA("03.profile.ncu-intensity",
                intensity(roofline::place(on_h200("gemm_tiled_kernel")).intensity))
HARNESS_ANSWER("03.profile.ncu-intensity/l2", [](const Parameters&) {
  const roofline::KernelCounts counts = on_h200("gemm_tiled_kernel");
  return intensity(roofline::arithmetic_intensity(counts.flops(), counts.bytes.at("L2")));
})
HARNESS_FORMULA("03.profile.ncu-rate",
                Answer::number(roofline::place(on_h200("gemm_vectorised_kernel")).flops_per_second,
                               "FLOP/s"))
HARNESS_FORMULA("03.profile.ncu-rate/tiled",
                Answer::number(roofline::place(on_h200("gemm_tiled_kernel")).flops_per_second,
                               "FLOP/s"))
HARNESS_ANSWER("03.profile.ncu-bound", [](const Parameters&) {
  const roofline::Machine machine =
      roofline::load_machine(harness::course_file("data/machines/h200-sxm.toml"));
  const double flops_per_byte = roofline::place(on_h200("fused_chain_kernel")).intensity;
  return Answer::choice(roofline::to_string(
      roofline::classify(roofline::roof_of(machine, roofline::Precision::kFp32), flops_per_byte)));
})

roofline::KernelProfile constructed(const std::string& name) {
  return profiled("constructed_gfx942.db", name);
}

HARNESS_FORMULA("03.profile.amd-flops",
                Answer::number(constructed("matrix_product").counts->flops(), "FLOP"))
HARNESS_FORMULA("03.profile.amd-flops/vector",
                Answer::number(constructed("matrix_product").counts->operations.at("fp32.vector"),
                               "FLOP"))

HARNESS_ANSWER("03.profile.amd-flops/units", [](const Parameters&) {
  const roofline::KernelProfile kernel = constructed("matrix_product");
  return Answer::number(kernel.counts->operations.at("fp32.vector") +
                            kernel.counters.at("SQ_INSTS_VALU_MFMA_MOPS_F32"),
                        "FLOP");
})

HARNESS_FORMULA("03.profile.amd-intensity",
                intensity(roofline::place(*constructed("matrix_product").counts).intensity))
/// The intensity of the matrix product if `bytes` is its traffic.
Answer product_intensity(double (*bytes)(const std::map<std::string, double>& counters)) {
  const roofline::KernelProfile kernel = constructed("matrix_product");
  return intensity(roofline::arithmetic_intensity(kernel.counts->flops(), bytes(kernel.counters)));
}
HARNESS_ANSWER("03.profile.amd-intensity/reads", [](const Parameters&) {
  return product_intensity([](const auto& counters) {
    return 64 * (counters.at("TCC_EA0_RDREQ_sum") + counters.at("TCC_BUBBLE_sum"));
  });
})
HARNESS_ANSWER("03.profile.amd-intensity/short", [](const Parameters&) {
  return product_intensity([](const auto& counters) {
    return 64 * (counters.at("TCC_EA0_RDREQ_sum") + counters.at("TCC_EA0_WRREQ_sum"));
  });
})
HARNESS_ANSWER("03.profile.amd-bound", [](const Parameters&) {
  const roofline::Machine machine =
      roofline::load_machine(harness::course_file("data/machines/mi300x.toml"));
  const auto bound = roofline::place(*constructed("matrix_product").counts, &machine).bound;
  return Answer::choice(roofline::to_string(bound.value()));
})

/// The FLOPs of the simple formula divided by the actual FLOPs.
double simple_factor() {
  const roofline::KernelProfile kernel = constructed("saxpy");
  return roofline::simple_amd_estimate(kernel.counters).flops / kernel.counts->flops();
}
HARNESS_FORMULA("03.profile.amd-simple", ratio(simple_factor()))
HARNESS_FORMULA("03.profile.amd-simple/inverted", ratio(1 / simple_factor()))
HARNESS_ANSWER("03.profile.amd-simple/instructions", [](const Parameters&) {
  const roofline::KernelProfile kernel = constructed("saxpy");
  return ratio(kernel.counters.at("SQ_INSTS_VALU") / kernel.counters.at("SQ_INSTS_VALU_FMA_F32"));
})

// --- Banks ---

constexpr int kBanks = 32;

/// Passes that 32 lanes take when lane l reads word stride x l: the number of lanes on the busiest
/// bank.
double passes(double stride) {
  std::array<int, kBanks> wanted{};
  for (int lane = 0; lane < kBanks; ++lane) {
    ++wanted[static_cast<std::size_t>(lane * static_cast<int>(stride) % kBanks)];
  }
  return *std::max_element(wanted.begin(), wanted.end());
}
HARNESS_FORMULA("03.banks.stride", ratio(passes(p["stride"])))
HARNESS_FORMULA("03.banks.stride/banks", ratio(kBanks / passes(p["stride"])))
HARNESS_FORMULA("03.banks.stride/conflicts", ratio(passes(p["stride"]) - 1))

/// A warp takes as many steps as its longest lane, and all of its lanes could work in each step.
Answer lanes_at_work(double working) {
  constexpr double kLanes = 32;
  constexpr double kLongest = 512;
  return Answer::number(100 * working / (kLanes * kLongest), "%");
}
HARNESS_FORMULA("03.lanes.uneven", lanes_at_work(31 * p["short"] + 512))
HARNESS_FORMULA("03.lanes.uneven/short", lanes_at_work(32 * p["short"]))
HARNESS_FORMULA("03.lanes.uneven/without", lanes_at_work(31 * p["short"]))
HARNESS_FORMULA("03.lanes.uneven/idle", lanes_at_work(31 * (512 - p["short"])))

}  // namespace
