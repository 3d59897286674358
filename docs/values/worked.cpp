// SPDX-License-Identifier: MIT
// Numbers of the worked problems at the end of each topic.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/measurement.hpp"
#include "roofline/operation.hpp"
#include "roofline/peaks.hpp"
#include "roofline/transformer.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::markdown_table;
using docs::Row;
using docs::short_number;
using docs::Sources;
using roofline::Operation;
using roofline::Precision;

using namespace base::prefixes;

// --- Topic 01, first problem: RMSNorm of eight rows in decode, on an A100 ---

constexpr double kNormRows = 8, kNormWidth = 4096;
Operation decode_norm() {
  Operation norm = roofline::rms_norm(kNormRows, kNormWidth, Precision::kFp16);
  norm.bytes_read += kNormWidth * roofline::bytes_per_element(Precision::kFp16);  // the scale
  return norm;
}
roofline::Roof a100_fp32(const Sources& s) {
  const roofline::Machine a100 = s.machine("a100-80gb-sxm");
  return {
      roofline::find_peak(a100, Precision::kFp32, roofline::Unit::kVector)->operations_per_second,
      roofline::bandwidth(a100)};
}
DOC_FORMULA("01.w1.flops", fixed(decode_norm().flops, 0))
DOC_FORMULA("01.w1.bytes", fixed(decode_norm().bytes(), 0))
DOC_FORMULA("01.w1.ai", fixed(decode_norm().intensity(), 2))
DOC_FORMULA("01.w1.memory_ns",
            fixed(decode_norm().bytes() / a100_fp32(s).bytes_per_second * kGiga, 0))
DOC_FORMULA("01.w1.compute_ns",
            fixed(decode_norm().flops / a100_fp32(s).flops_per_second * kGiga, 1))
DOC_VALUE("01.w1.launches", [](const Sources& s) {
  const double launch =
      roofline::load_machine(s.measured("h200_roofs.json")).launch_overhead_seconds.value();
  return fixed(launch / roofline::time_seconds(a100_fp32(s), decode_norm()), 0);
})

// --- Topic 01, second problem: the convolutions of ResNet-50 (stride in the 3x3, 224 x 224) ---

/// A convolution whose output is `side` / stride wide.
struct Layer {
  double in = 0;
  double out = 0;
  double side = 0;  ///< of its input
  double kernel = 1;
  double stride = 1;
};

std::vector<Layer> resnet50() {
  std::vector<Layer> layers = {{3, 64, 224, 7, 2}};
  double in = 64;
  double side = 56;  // after the pooling
  for (const auto& [width, blocks] : {std::pair{64, 3}, {128, 4}, {256, 6}, {512, 3}}) {
    for (int block = 0; block < blocks; ++block) {
      const double stride = block == 0 && width > 64 ? 2 : 1;
      const double wide = 4.0 * width;
      if (block == 0) layers.push_back({in, wide, side, 1, stride});  // the shortcut
      layers.push_back({in, 1.0 * width, side, 1, 1});
      layers.push_back({1.0 * width, 1.0 * width, side, 3, stride});
      side /= stride;
      layers.push_back({1.0 * width, wide, side, 1, 1});
      in = wide;
    }
  }
  return layers;
}
double weights_of(const Layer& layer) {
  return layer.in * layer.out * layer.kernel * layer.kernel;
}
Operation convolution(const Layer& layer, double images) {
  const double out_pixels = images * std::pow(layer.side / layer.stride, 2);
  const double bytes = roofline::bytes_per_element(Precision::kFp16);
  return {"convolution",
          2 * out_pixels * weights_of(layer),
          bytes * (images * layer.side * layer.side * layer.in + weights_of(layer)),
          bytes * out_pixels * layer.out,
          {}};
}
roofline::Roof a100_fp16(const Sources& s) {
  return roofline::roof_of(s.machine("a100-80gb-sxm"), Precision::kFp16);
}
/// Layers left of the ridge, the total time, and the time if it were one operation.
struct Network {
  int memory_bound = 0;
  double seconds = 0;
  double of_the_sums = 0;
  double flops = 0;
  double bytes = 0;
};
Network run_network(const Sources& s, double images) {
  const roofline::Roof roof = a100_fp16(s);
  Network network;
  for (const Layer& layer : resnet50()) {
    const Operation operation = convolution(layer, images);
    if (classify(roof, operation.intensity()) == roofline::Bound::kMemory) ++network.memory_bound;
    network.seconds += roofline::time_seconds(roof, operation);
    network.flops += operation.flops;
    network.bytes += operation.bytes();
  }
  network.of_the_sums = roofline::time_seconds(roof, network.flops, network.bytes);
  return network;
}
DOC_FORMULA("01.w2.layers", fmt::format("{}", resnet50().size()))
DOC_VALUE("01.w2.weights", [](const Sources&) {
  double weights = 0;
  for (const Layer& layer : resnet50()) weights += weights_of(layer);
  return fixed(weights / kMega, 2);
})
DOC_FORMULA("01.w2.gflop", fixed(run_network(s, 1).flops / kGiga, 2))
DOC_VALUE("01.w2.table", [](const Sources& s) {
  std::vector<Row> rows;
  for (const double images : {1.0, 32.0}) {
    const Network network = run_network(s, images);
    rows.push_back({fixed(images, 0), fixed(network.bytes / kMega, 0),
                    fixed(network.flops / network.bytes, 0),
                    fmt::format("{}", network.memory_bound), fixed(network.seconds / kMicro, 0),
                    fixed(network.of_the_sums / kMicro, 0)});
  }
  return markdown_table({"images", "MB", "FLOP/B of the sums", "layers left of the ridge",
                         "time, us", "time of the sums, us"},
                        rows);
})
DOC_VALUE("01.w2.percent", [](const Sources& s) {
  const Network network = run_network(s, 32);
  return fixed(100 * (1 - network.of_the_sums / network.seconds), 0);
})

// --- Topic 02, first problem: is a printed figure dense? ---

constexpr double kMi300Units = 304, kMi300MatrixUnits = 4, kMi300Clock = 2.1e9;
double mi300_fp16() {
  return roofline::matrix_peak(kMi300Units, kMi300MatrixUnits, 256, kMi300Clock);
}
DOC_FORMULA("02.w1.fp16", fixed(mi300_fp16() / kTera, 1))
DOC_FORMULA("02.w1.ratio", fixed(2614.9e12 / mi300_fp16(), 2))
DOC_FORMULA("02.w1.fp8",
            fixed(roofline::matrix_peak(kMi300Units, kMi300MatrixUnits, 512, kMi300Clock) / kTera,
                  1))
DOC_FORMULA("02.w1.over_h100",
            fixed(mi300_fp16() / roofline::best_peak(s.machine("h100-sxm"), Precision::kFp16)
                                     .operations_per_second,
                  2))

// --- Topic 02, second problem: a copy on a desktop that prints too little ---

constexpr double kCopyPrinted = 42e9;
double desktop_bus() {
  return roofline::cpu_memory_peak(2, 4800e6);
}
DOC_FORMULA("02.w2.peak", fixed(desktop_bus() / kGiga, 1))
DOC_FORMULA("02.w2.printed_percent", fixed(100 * kCopyPrinted / desktop_bus(), 0))
DOC_FORMULA("02.w2.bus", fixed(kCopyPrinted * 3 / 2 / kGiga, 0))
DOC_FORMULA("02.w2.bus_percent", fixed(100 * kCopyPrinted * 3 / 2 / desktop_bus(), 0))
DOC_FORMULA("02.w2.triad", fixed(kCopyPrinted * 3 / 2 * 3 / 4 / kGiga, 0))

// --- Topic 03, first problem: a gated feed-forward network, three kernels ---

constexpr double kHidden = 4096, kInner = 14336;
struct Kernel {
  std::string name;
  Operation operation;
};
std::vector<Kernel> feed_forward(double tokens) {
  return {
      {"gate and up", roofline::linear(tokens, kHidden, 2 * kInner)},
      {"SiLU, product", roofline::elementwise("gating", tokens * kInner, 5, 2, Precision::kFp16)},
      {"down", roofline::linear(tokens, kInner, kHidden)}};
}
roofline::Roof h200_fp16(const Sources& s) {
  return roofline::roof_of(s.machine("h200-sxm"), Precision::kFp16);
}
double feed_forward_seconds(const Sources& s, double tokens) {
  double seconds = 0;
  for (const Kernel& kernel : feed_forward(tokens)) {
    seconds += roofline::time_seconds(h200_fp16(s), kernel.operation);
  }
  return seconds;
}
DOC_VALUE("03.w1.table", [](const Sources& s) {
  const roofline::Roof roof = h200_fp16(s);
  std::vector<Row> rows;
  for (const Kernel& kernel : feed_forward(512)) {
    const Operation& op = kernel.operation;
    rows.push_back({kernel.name, short_number(op.flops / kGiga), fixed(op.bytes() / kMega, 1),
                    fixed(op.intensity(), op.intensity() < 10 ? 2 : 0),
                    to_string(classify(roof, op.intensity())),
                    fixed(roofline::time_seconds(roof, op) / kMicro, 1)});
  }
  return markdown_table({"kernel", "GFLOP", "MB", "FLOP/B", "bound", "time, us"}, rows);
})
DOC_FORMULA("03.w1.us", fixed(feed_forward_seconds(s, 512) / kMicro, 1))
DOC_VALUE("03.w1.sums_us", [](const Sources& s) {
  std::vector<Operation> operations;
  for (const Kernel& kernel : feed_forward(512)) operations.push_back(kernel.operation);
  return fixed(roofline::time_seconds(h200_fp16(s), roofline::total("all", operations)) / kMicro,
               1);
})
/// The gating is done by the first kernel: its product of 2 x inner numbers per token is never
/// stored.
DOC_VALUE("03.w1.fused_us", [](const Sources& s) {
  const std::vector<Kernel> kernels = feed_forward(512);
  const Operation first =
      roofline::fused("gated", kernels[0].operation, kernels[1].operation, 512 * 2 * kInner * 2);
  return fixed((roofline::time_seconds(h200_fp16(s), first) +
                roofline::time_seconds(h200_fp16(s), kernels[2].operation)) /
                   kMicro,
               1);
})
DOC_FORMULA("03.w1.small_us", fixed(feed_forward_seconds(s, 16) / kMicro, 1))

// --- Topic 04, first problem: Llama-2-7B on an A100, a prompt of 512, 256 tokens ---

constexpr double kA100Peak = 312e12, kA100Bandwidth = 2039e9;
constexpr double kRoundParameters = 7e9, kPrompt = 512, kOutput = 256;
llm::Model llama2(const Sources& s) {
  return s.model("llama-2-7b");
}
double llama2_streamed(const Sources& s) {
  return llm::streamed_weight_bytes(llama2(s), llm::stored_formats(llama2(s)), 1);
}
constexpr double kRoughPrefill = 2 * kRoundParameters * kPrompt / kA100Peak;
constexpr double kRoughDecode = kOutput * 2 * kRoundParameters / kA100Bandwidth;
DOC_FORMULA("04.w1.rough_prefill", fixed(kRoughPrefill / kMilli, 1))
DOC_FORMULA("04.w1.rough_decode", fixed(kRoughDecode / kMilli, 0))
DOC_FORMULA("04.w1.rough_total", fixed((kRoughPrefill + kRoughDecode) / kMilli, 0))
DOC_FORMULA("04.w1.rough_rate", fixed(kOutput / kRoughDecode, 0))
DOC_FORMULA("04.w1.parameters",
            fixed(static_cast<double>(llm::count_parameters(llama2(s)).total()) / kGiga, 3))
DOC_FORMULA("04.w1.gb",
            fixed(llm::weight_bytes(llama2(s), llm::stored_formats(llama2(s))) / kGiga, 2))
DOC_FORMULA("04.w1.streamed_gb", fixed(llama2_streamed(s) / kGiga, 2))
DOC_FORMULA("04.w1.weights_rate", fixed(kA100Bandwidth / llama2_streamed(s), 0))
double llama2_step(const Sources& s) {
  return llm::decode_floor_seconds(llama2(s), llm::stored_formats(llama2(s)), 1,
                                   kPrompt + kOutput / 2, kA100Bandwidth);
}
DOC_FORMULA("04.w1.cache_gb",
            fixed(llm::kv_bytes(llama2(s), llm::stored_formats(llama2(s)), kPrompt + kOutput / 2) /
                      kGiga,
                  2))
DOC_FORMULA("04.w1.step_ms", fixed(llama2_step(s) / kMilli, 2))
DOC_FORMULA("04.w1.rate", fixed(1 / llama2_step(s), 0))
double measured_rate(const Sources& s) {
  return s.measured_number("llm_measured.csv", {{"id", "1"}}, "measured");
}
DOC_FORMULA("04.w1.measured", fixed(measured_rate(s), 1))
DOC_FORMULA("04.w1.percent", fixed(100 * measured_rate(s) * llama2_streamed(s) / kA100Bandwidth, 0))

// --- Topic 04, second problem: Llama-3.1-70B on eight H200, at most 30 ms a token ---

constexpr double kContext = 4096, kLimit = 30 * kMilli;
constexpr int kRanks = 8;
llm::Model llama70(const Sources& s) {
  return s.model("llama-3.1-70b");
}
llm::System eight_h200(const Sources& s) {
  llm::System system{s.machine("h200-sxm"), kRanks, llm::AllReduce{6.5e-6, 450e9}};
  return system;
}
llm::PassTime step_of_70b(const Sources& s, double batch) {
  return llm::predict_pass(llama70(s), llm::stored_formats(llama70(s)),
                           llm::decode_pass(batch, kContext), eight_h200(s));
}
llm::MemoryUse memory_of_70b(const Sources& s) {
  return llm::predict_memory(llama70(s), llm::stored_formats(llama70(s)), 1, kContext,
                             eight_h200(s), 0.9);
}
DOC_FORMULA("04.w2.weights_gb", fixed(memory_of_70b(s).weight_bytes / kGiga, 1))
DOC_FORMULA("04.w2.cache_mb", fixed(memory_of_70b(s).kv_bytes / kMega, 0))
DOC_FORMULA("04.w2.largest", fmt::format("{}", memory_of_70b(s).largest_batch.value()))
/// The largest batch whose step stays within the limit.
int batch_within_limit(const Sources& s) {
  const int most = static_cast<int>(memory_of_70b(s).largest_batch.value());
  int batch = 1;
  while (batch < most && step_of_70b(s, batch + 1).seconds() <= kLimit) ++batch;
  return batch;
}
DOC_FORMULA("04.w2.batch", fmt::format("{}", batch_within_limit(s)))
DOC_VALUE("04.w2.table", [](const Sources& s) {
  std::vector<Row> rows;
  const int most = batch_within_limit(s);
  for (const int batch : {1, 64, most}) {
    const llm::PassTime step = step_of_70b(s, batch);
    rows.push_back({fmt::format("{}", batch), fixed(step.operator_seconds / kMilli, 2),
                    fixed(step.collective_seconds / kMilli, 2), fixed(step.seconds() / kMilli, 2),
                    fixed(batch / step.seconds(), 0)});
  }
  return markdown_table({"batch", "operators, ms", "all-reduces, ms", "step, ms", "tokens/s"},
                        rows);
})

}  // namespace
