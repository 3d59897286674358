// SPDX-License-Identifier: MIT
// Reference values for topic 04: critical batches, latent attention, experts, quantisation,
// windows, speculation, fits, parallel ranks, and where the rules end.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "answers_common.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/least_squares.hpp"
#include "roofline/llm/measured_rows.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/transformer.hpp"

namespace {

using namespace answers04;
namespace llm = roofline::llm;
using harness::Answer;
using harness::Parameters;

// --- Critical batches ---

double critical(double size, const char* format, double activation_bytes, double ridge) {
  const roofline::DenseLayer layer{size, size, llm::parse_format(format).bytes_per_element(),
                                   activation_bytes};
  return roofline::critical_batch(layer, ridge).value();
}
constexpr double kA100Ridge = kA100Peak / kA100Bandwidth;
constexpr double kH100Ridge = kHopperPeak / kH100Bandwidth;
constexpr double kH200Ridge = kHopperPeak / kH200Bandwidth;

HARNESS_FORMULA("04.critical.a100", plain(critical(p["size"], "bf16", 2, kA100Ridge)))
HARNESS_FORMULA("04.critical.a100/ridge", plain(kA100Ridge))
HARNESS_FORMULA("04.critical.h100", plain(critical(p["size"], "bf16", 2, kH100Ridge)))
HARNESS_FORMULA("04.critical.h100/ridge", plain(kH100Ridge))
HARNESS_FORMULA("04.critical.h200", plain(critical(p["size"], "bf16", 2, kH200Ridge)))
HARNESS_FORMULA("04.critical.h200/ridge", plain(kH200Ridge))
HARNESS_FORMULA("04.critical.w8", plain(critical(p["size"], "int8", 2, kH100Ridge)))
HARNESS_FORMULA("04.critical.w8/activations", plain(critical(p["size"], "int8", 1, kH100Ridge)))
HARNESS_FORMULA("04.critical.w8/weights_alone", plain(kH100Ridge / 2))
HARNESS_FORMULA("04.critical.w8/bf16", plain(critical(p["size"], "bf16", 2, kH100Ridge)))
HARNESS_FORMULA("04.critical.w4", plain(critical(p["size"], "int4/128", 2, kH100Ridge)))
HARNESS_FORMULA("04.critical.w4/no_scales", plain(critical(p["size"], "int4", 2, kH100Ridge)))
HARNESS_FORMULA("04.critical.w4/quarter", plain(kH100Ridge / 4))
HARNESS_ANSWER("04.critical.small", [](const Parameters&) {
  const roofline::DenseLayer layer{512, 512, 2, 2};
  const bool is_reached = roofline::critical_batch(layer, kH100Ridge).has_value();
  return Answer::choice(is_reached ? "at 295" : "never");
})

// --- Latent attention ---

double latent_intensity(int ranks) {
  const llm::Operator op =
      operator_of(llm::shard(deepseek(), ranks), llm::decode_pass(1, 4096), "latent attention");
  return op.flops / op.kv_bytes;
}
HARNESS_FORMULA("04.mla.intensity", intensity(latent_intensity(1)))
HARNESS_ANSWER("04.mla.intensity/expanded", [](const Parameters&) {
  const llm::LatentAttention a = latent();
  const double flops = 2.0 * static_cast<double>(a.heads * (a.nope_dim + a.rope_dim + a.value_dim));
  return intensity(flops / expanded_cache_bytes());
})
HARNESS_FORMULA("04.mla.rank", intensity(latent_intensity(static_cast<int>(p["ranks"]))))
HARNESS_FORMULA("04.mla.rank/divided", intensity(latent_intensity(1)))
HARNESS_ANSWER("04.mla.bound", [](const Parameters&) {
  const roofline::Roof h100{kHopperPeak, kH100Bandwidth};
  return Answer::choice(roofline::to_string(roofline::classify(h100, latent_intensity(1))));
})

double latent_bytes(const char* kv_format) {
  llm::Formats formats = llm::stored_formats(deepseek());
  formats.kv = llm::parse_format(kv_format);
  return llm::kv_bytes_per_token(deepseek().layers.at(0).attention, formats);
}
HARNESS_FORMULA("04.mla.ratio", plain(expanded_cache_bytes() / latent_bytes("bf16")))
HARNESS_ANSWER("04.mla.ratio/keys", [](const Parameters&) {
  const llm::LatentAttention a = latent();
  return plain(2.0 * static_cast<double>(a.heads * (a.nope_dim + a.rope_dim)) /
               latent_bytes("bf16"));
})
HARNESS_ANSWER("04.mla.ratio/no_key_rotary", [](const Parameters&) {
  const llm::LatentAttention a = latent();
  return plain(2.0 * static_cast<double>(a.heads * (a.nope_dim + a.value_dim)) /
               latent_bytes("bf16"));
})
HARNESS_FORMULA("04.mla.ratio/no_rotary",
                plain(expanded_cache_bytes() / (2.0 * static_cast<double>(latent().kv_rank))))
// The rotary key stays in 16 bits.
HARNESS_FORMULA("04.mla.fp8", plain(latent_bytes("bf16") / latent_bytes("fp8/128:32")))
HARNESS_FORMULA("04.mla.fp8/no_scales", plain(latent_bytes("bf16") / latent_bytes("fp8")))

// Per head; all counts have the same heads and the same factor 2 for a multiply-add.
double expanding_products(const llm::LatentAttention& a) {
  return static_cast<double>(a.kv_rank * (a.nope_dim + a.value_dim));
}
double expanded_products(const llm::LatentAttention& a) {
  return static_cast<double>(a.nope_dim + a.rope_dim + a.value_dim);
}
double absorbed_products(const llm::LatentAttention& a) {
  return static_cast<double>(2 * a.kv_rank + a.rope_dim);
}
HARNESS_ANSWER("04.mla.absorbed", [](const Parameters& p) {
  const llm::LatentAttention a = latent();
  return plain(p["context"] * (expanding_products(a) + expanded_products(a)) /
               (expanding_products(a) + p["context"] * absorbed_products(a)));
})
HARNESS_FORMULA("04.mla.absorbed/attention",
                plain(expanded_products(latent()) / absorbed_products(latent())))
HARNESS_ANSWER("04.mla.absorbed/free", [](const Parameters&) {
  const llm::LatentAttention a = latent();
  return plain((expanding_products(a) + expanded_products(a)) / absorbed_products(a));
})
HARNESS_ANSWER("04.mla.expand", [](const Parameters&) {
  const llm::LatentAttention a = latent();
  return plain(expanding_products(a) / (absorbed_products(a) - expanded_products(a)));
})
HARNESS_FORMULA("04.mla.expand/free",
                plain(expanding_products(latent()) / absorbed_products(latent())))

// --- Experts ---

constexpr double kExperts = 128;
constexpr double kExpertsPerToken = 8;
HARNESS_FORMULA("04.moe.distinct",
                plain(llm::distinct_experts(kExperts, kExpertsPerToken, p["batch"])))
HARNESS_FORMULA("04.moe.distinct/no_overlap",
                plain(std::min(kExperts, p["batch"] * kExpertsPerToken)))
HARNESS_FORMULA("04.moe.distinct/one_token", plain(kExpertsPerToken))

double expert_step(double tokens) {
  const llm::Model moe = model("qwen3-30b-a3b");
  return llm::streamed_weight_bytes(moe, llm::stored_formats(moe), tokens) / kH200Bandwidth;
}
HARNESS_FORMULA("04.moe.step", Answer::number(expert_step(p["batch"]), "s"))
HARNESS_FORMULA("04.moe.step/active", Answer::number(expert_step(1), "s"))
HARNESS_FORMULA("04.moe.step/all", Answer::number(expert_step(1e6), "s"))

HARNESS_FORMULA("04.moe.critical", plain(p["experts"] * kH200Ridge / p["chosen"]))
HARNESS_FORMULA("04.moe.critical/dense", plain(kH200Ridge))
HARNESS_FORMULA("04.moe.critical/one_chosen", plain(p["experts"] * kH200Ridge))

/// Bytes of `experts` experts with three matrices each.
Answer layer_bytes(double experts) {
  return Answer::number(experts * 3 * 2048 * 768 * 2, "B");
}
double distinct(const Parameters& p) {
  return llm::distinct_experts(kExperts, kExpertsPerToken, p["batch"]);
}
HARNESS_FORMULA("04.moe.layer_bytes", layer_bytes(distinct(p)))
HARNESS_FORMULA("04.moe.layer_bytes/each_row", layer_bytes(p["batch"] * kExpertsPerToken))
HARNESS_FORMULA("04.moe.layer_bytes/all", layer_bytes(kExperts))

double filled(const Parameters& p, double experts) {
  return kExpertsPerToken * p["batch"] / (16 * experts);
}
HARNESS_FORMULA("04.moe.padding", plain(filled(p, distinct(p))))
HARNESS_FORMULA("04.moe.padding/all_experts", plain(filled(p, kExperts)))
HARNESS_FORMULA("04.moe.padding/tokens", plain(filled(p, distinct(p)) / kExpertsPerToken))

// --- Quantised weights ---

double bits(const std::string& format) {
  return llm::parse_format(format).bits_per_element;
}
/// Four bits, plus a scale of 16 bits per group.
double grouped_bits(const Parameters& p) {
  return bits("int4/" + std::to_string(static_cast<int>(p["group"])));
}
HARNESS_FORMULA("04.quant.q4_0", plain(bits("q4_0")))
HARNESS_FORMULA("04.quant.int4", plain(grouped_bits(p)))
HARNESS_FORMULA("04.quant.int4/wide_scale",
                plain(bits("int4") + 2 * (grouped_bits(p) - bits("int4"))))
HARNESS_FORMULA("04.quant.speedup", plain(16 / grouped_bits(p)))
HARNESS_FORMULA("04.quant.speedup/q4_0", plain(16 / bits("q4_0")))

double llama2_bytes(const char* format) {
  const llm::Model llama = model("llama-2-7b");
  llm::Formats formats = llm::stored_formats(llama);
  formats.weights = formats.head = llm::parse_format(format);
  return llm::weight_bytes(llama, formats);
}
HARNESS_FORMULA("04.quant.size", Answer::number(llama2_bytes("q4_0"), "B"))
HARNESS_FORMULA("04.quant.size/no_scales", Answer::number(llama2_bytes("int4"), "B"))
HARNESS_FORMULA("04.quant.size/bf16", Answer::number(llama2_bytes("bf16"), "B"))

// --- Windows ---

double windowed(const char* id, double context) {
  const llm::Model m = model(id);
  return llm::kv_bytes(m, llm::stored_formats(m), context);
}
double unwindowed(const char* id, double context) {
  const llm::Model m = model(id);
  return context * llm::kv_bytes_per_token(m, llm::stored_formats(m));
}
/// As if every layer used the window.
double all_windowed(const char* id, double context) {
  llm::Model m = model(id);
  double window = context;
  for (const llm::LayerGroup& group : m.layers) {
    if (group.window) window = std::min(window, static_cast<double>(*group.window));
  }
  return window * llm::kv_bytes_per_token(m, llm::stored_formats(m));
}
HARNESS_FORMULA("04.windows.gemma", Answer::number(windowed("gemma-2-9b", p["context"]), "B"))
HARNESS_FORMULA("04.windows.gemma/full",
                Answer::number(unwindowed("gemma-2-9b", p["context"]), "B"))
HARNESS_FORMULA("04.windows.gemma/all",
                Answer::number(all_windowed("gemma-2-9b", p["context"]), "B"))
HARNESS_FORMULA("04.windows.gpt_oss", Answer::number(windowed("gpt-oss-120b", 131072), "B"))
HARNESS_FORMULA("04.windows.gpt_oss/full", Answer::number(unwindowed("gpt-oss-120b", 131072), "B"))
HARNESS_FORMULA("04.windows.gpt_oss/all", Answer::number(all_windowed("gpt-oss-120b", 131072), "B"))

// --- Speculation ---

constexpr double kAcceptance = 0.8;
constexpr double kDraftCost = 0.1;
double tokens_of_check(const Parameters& p) {
  return llm::expected_tokens(p["acceptance"], static_cast<int>(p["draft"]));
}
HARNESS_FORMULA("04.speculative.tokens", plain(tokens_of_check(p)))
HARNESS_FORMULA("04.speculative.tokens/no_order", plain(1 + p["draft"] * p["acceptance"]))
HARNESS_FORMULA("04.speculative.tokens/no_bonus", plain(tokens_of_check(p) - 1))
HARNESS_FORMULA("04.speculative.speedup",
                plain(llm::speculative_speedup(p["acceptance"], static_cast<int>(p["draft"]),
                                               p["cost"])))
HARNESS_FORMULA("04.speculative.speedup/free_draft", plain(tokens_of_check(p)))
HARNESS_FORMULA("04.speculative.speedup/one_draft", plain(tokens_of_check(p) / (1 + p["cost"])))
HARNESS_FORMULA("04.speculative.best", plain(llm::best_draft_length(kAcceptance, kDraftCost)))

// --- Fits ---

/// gpt-fast's Llama-2-7B at 1, 2, 4 and 8 ranks: step = slope / ranks + intercept.
llm::Line parallel_line() {
  return llm::fit_line({1, 1.0 / 2, 1.0 / 4, 1.0 / 8}, {9.533, 5.923, 3.937, 3.045});
}
HARNESS_FORMULA("04.fit.slope", Answer::number(parallel_line().slope, "ms"))
HARNESS_FORMULA("04.fit.slope/first", Answer::number(9.533, "ms"))
HARNESS_FORMULA("04.fit.slope/two_points", Answer::number((9.533 - 3.045) / (1 - 1.0 / 8), "ms"))
HARNESS_FORMULA("04.fit.limit", rate(1000 / parallel_line().intercept))
HARNESS_FORMULA("04.fit.limit/eight", rate(1000 / 3.045))
HARNESS_FORMULA("04.fit.limit/slope", rate(1000 / parallel_line().slope))
HARNESS_FORMULA("04.fit.limit/step", rate(parallel_line().intercept))

/// Phi-4 on an EPYC 9554 in four formats (rows 300 to 303): bytes in GB, steps in ms.
llm::Line cpu_line() {
  return llm::fit_line({9.052, 10.598, 12.026, 15.580}, {34.7947, 39.3020, 43.0182, 52.0996});
}
constexpr double kGbPerMs = 1e12;
HARNESS_FORMULA("04.fit.bandwidth", Answer::number(kGbPerMs / cpu_line().slope, "B/s"))
HARNESS_FORMULA("04.fit.bandwidth/slope", Answer::number(cpu_line().slope, "GB/s"))
HARNESS_FORMULA("04.fit.bandwidth/last_row", Answer::number(15.580 / 52.0996 * kGbPerMs, "B/s"))
HARNESS_FORMULA("04.fit.bandwidth/datasheet", Answer::number(460.8e9, "B/s"))
HARNESS_FORMULA("04.fit.overhead", Answer::number(cpu_line().intercept, "ms"))
HARNESS_FORMULA("04.fit.overhead/from_datasheet",
                Answer::number(34.7947 - 9.052 / 460.8 * 1000, "ms"))

// --- A calibrated prediction: TensorRT-LLM rows without the one that is asked for ---

const llm::MeasuredRow* find_row(const std::vector<llm::MeasuredRow>& rows,
                                 const std::string& batch, const std::string& prompt) {
  for (const llm::MeasuredRow& row : rows) {
    if (row.kind == "serving_decode" && row.engine == "trtllm 1.0.0rc3" && row.ranks == "1" &&
        row.batch == batch && row.context == prompt) {
      return &row;
    }
  }
  return nullptr;
}

double calibrated_step() {
  const llm::Names names(harness::course_file("data/measured/names.csv"));
  const auto rows = llm::read_rows(harness::course_file("data/measured/llm_measured.csv"));
  const std::filesystem::path models = harness::course_file("data/models");
  llm::Machines machines{harness::course_file("data/machines")};
  const llm::Library library{names, models, machines};
  llm::MeasuredRow asked = *find_row(rows, "32", "4096");
  std::vector<llm::MeasuredRow> alike;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(alike),
               [&](const llm::MeasuredRow& row) {
                 return row.kind == asked.kind && row.engine == asked.engine;
               });
  const auto calibrations = llm::calibrate_groups(alike, rows, library, {});
  asked.batch = "64";
  const llm::Observations seen = llm::observe({asked}, library);
  for (const llm::Calibration& calibration : calibrations) {
    if (calibration.group == llm::group_of(seen.usable.at(0))) {
      return llm::predict_seconds(seen.usable.at(0), &calibration);
    }
  }
  throw std::logic_error("no calibration of trtllm");
}
HARNESS_FORMULA("04.served.calibrated", Answer::number(calibrated_step(), "s"))
HARNESS_FORMULA("04.served.calibrated/floor",
                Answer::number(llm::decode_floor_seconds(llama_8b(),
                                                         llm::stored_formats(llama_8b()), 64,
                                                         4096 + 256, kH100Bandwidth),
                               "s"))
HARNESS_FORMULA("04.served.calibrated/one_efficiency",
                Answer::number(llm::decode_floor_seconds(llama_8b(),
                                                         llm::stored_formats(llama_8b()), 64,
                                                         4096 + 256, 0.8 * kH100Bandwidth),
                               "s"))

// --- Tensor parallelism ---

constexpr double kLayers70b = 80;
constexpr double kLatency = 6.5e-6;
constexpr double kRing = 2.0 * 7 / 8;
double collective_seconds(double calls, double latency) {
  return calls * (latency + kRing * 8192 * 2 / 450e9);
}
HARNESS_FORMULA("04.parallel.exchange",
                Answer::number(collective_seconds(2 * kLayers70b, kLatency), "s"))
HARNESS_FORMULA("04.parallel.exchange/no_latency",
                Answer::number(collective_seconds(2 * kLayers70b, 0), "s"))
HARNESS_FORMULA("04.parallel.exchange/latency_alone",
                Answer::number(2 * kLayers70b * kLatency, "s"))
HARNESS_FORMULA("04.parallel.exchange/one_a_layer",
                Answer::number(collective_seconds(kLayers70b, kLatency), "s"))

// --- Where the rules end ---

HARNESS_ANSWER("04.limits.linear", [](const Parameters&) {
  const roofline::Operation op = roofline::linear(512, 4096, 28672);
  return Answer::choice(
      roofline::to_string(roofline::classify({kHopperPeak, kH200Bandwidth}, op.intensity())));
})
HARNESS_ANSWER("04.limits.attention", [](const Parameters&) {
  const llm::Operator op = operator_of(llama_8b(), llm::decode_pass(512, 2048), "attention");
  return Answer::choice(roofline::to_string(
      roofline::classify({kHopperPeak, kH200Bandwidth}, op.flops / op.bytes())));
})

/// A layer of 4096 x 4096 on an H100; products are in BF16 whatever the weights are stored in.
double layer_seconds(double batch, const char* format) {
  const double weights = 4096.0 * 4096;
  const double bytes =
      weights * llm::parse_format(format).bytes_per_element() + 2 * batch * (4096.0 + 4096.0);
  return roofline::time_seconds({kHopperPeak, kH100Bandwidth}, 2 * batch * weights, bytes);
}
HARNESS_FORMULA("04.limits.w4_layer",
                plain(layer_seconds(p["batch"], "bf16") / layer_seconds(p["batch"], "int4/128")))
HARNESS_FORMULA("04.limits.w4_layer/bytes", plain(16 / bits("int4/128")))

double quantised_step(const char* format, double batch, double context) {
  llm::Formats formats = llm::stored_formats(llama_8b());
  formats.weights = formats.head = llm::parse_format(format);
  return llm::decode_floor_seconds(llama_8b(), formats, batch, context, kH200Bandwidth);
}
HARNESS_FORMULA("04.limits.w4_step",
                plain(quantised_step("bf16", 64, 8192) / quantised_step("int4/128", 64, 8192)))
HARNESS_FORMULA("04.limits.w4_step/weights_only", plain(16 / bits("int4/128")))
HARNESS_FORMULA("04.limits.w4_step/one_sequence",
                plain(quantised_step("bf16", 1, 8192) / quantised_step("int4/128", 1, 8192)))
HARNESS_FORMULA("04.limits.w4_prefill",
                Answer::choice(layer_seconds(2048, "int4/128") < layer_seconds(2048, "bf16")
                                   ? "yes"
                                   : "no"))

/// 24 layers of hidden size 896 and inner size 4864, seven launches each, in 16 bits.
constexpr double kSmallWeights = 24 * (2 * 896.0 * 896 + 2 * 896.0 * 128 + 3 * 896.0 * 4864);
constexpr double kLaunches = 24 * 7;
constexpr double kLaunchSeconds = 3e-6;
HARNESS_ANSWER("04.limits.launches", [](const Parameters&) {
  const double streaming = 2 * kSmallWeights / kH200Bandwidth;
  return Answer::choice(kLaunches * kLaunchSeconds > streaming ? "launches" : "memory");
})

// --- A product of 4096 x 4096 in fewer bits ---

struct GainedProduct {
  double start;     // seconds besides the time of the bytes
  double old_time;  // for the bytes, in seconds
  double new_time;
};
GainedProduct gained_product(const Parameters& p) {
  constexpr double kSize = 4096;
  const double rate = p["rate"] * 1e9;
  // A row has its weights, a scale and an output; a column has an input.
  return {p["start"] * 1e-6, 4 * (kSize * kSize + 2 * kSize) / rate,
          (kSize * kSize + (4 + 4 + 2) * kSize) / rate};
}
HARNESS_ANSWER("04.gain.int8", [](const Parameters& p) {
  const GainedProduct product = gained_product(p);
  return Answer::number(product.start + product.new_time, "s");
})
HARNESS_ANSWER("04.gain.int8/quarter", [](const Parameters& p) {
  const GainedProduct product = gained_product(p);
  return Answer::number((product.start + product.old_time) / 4, "s");
})
HARNESS_FORMULA("04.gain.int8/no_start", Answer::number(gained_product(p).new_time, "s"))

// --- The student's own machine ---

/// Bytes of decode_graph's weights with this hidden size: four layers in FP32, one step.
double stack_bytes(double hidden) {
  const double kv_width = std::max(1.0, std::floor(hidden / 64 / 4)) * 64;
  return 4 * 4 * hidden * (2 * hidden + 2 * kv_width + 3 * 3 * hidden);
}
constexpr double kSteps = 3;
HARNESS_FORMULA("04.stack.bytes", Answer::number(stack_bytes(1024) * kSteps, "B"))
HARNESS_FORMULA("04.stack.bytes/one_step", Answer::number(stack_bytes(1024), "B"))
HARNESS_FORMULA("04.stack.bytes/fp16", Answer::number(stack_bytes(1024) * kSteps / 2, "B"))

double read_bandwidth(const Parameters& p) {
  return roofline::load_machine(p.machine_file()).streams.at("read");
}
bool is_gpu(const Parameters& p) {
  return roofline::read_report(p.machine_file()).device.backend != "cpu";
}
double fp32_peak(const Parameters& p) {
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return roofline::roof_of(machine, roofline::Precision::kFp32).flops_per_second;
}

/// An FP32 GEMV with n rows and columns.
Answer gemv_seconds(double n, double bandwidth) {
  return Answer::number(4 * (n * n + 2 * n) / bandwidth, "s");
}
double predicted_rows(const Parameters& p) {
  return is_gpu(p) ? 8192 : 4096;
}
HARNESS_FORMULA("04.predict.gemv", gemv_seconds(predicted_rows(p), read_bandwidth(p)))
HARNESS_ANSWER("04.predict.gemv/computing", [](const Parameters& p) {
  const double n = predicted_rows(p);
  return Answer::number(2 * n * n / fp32_peak(p), "s");
})
HARNESS_FORMULA("04.predict.gemv/other_build",
                gemv_seconds(is_gpu(p) ? 4096 : 8192, read_bandwidth(p)))
HARNESS_FORMULA("04.predict.gemv/copy",
                gemv_seconds(predicted_rows(p),
                             roofline::load_machine(p.machine_file()).streams.at("copy")))

/// The cost of all launches of `steps` steps; zero on a CPU, where a launch is a call.
double launch_seconds(const Parameters& p, double steps) {
  constexpr double kLaunchesOfStep = 29;
  if (!is_gpu(p)) return 0;
  const roofline::Machine machine = roofline::load_machine(p.machine_file());
  return steps * kLaunchesOfStep * machine.launch_overhead_seconds.value();
}
/// Weights that one step of the predicted stack reads, in bytes.
double predicted_stack_bytes(const Parameters& p) {
  return stack_bytes(is_gpu(p) ? 2048 : 1024);
}
Answer stack_seconds(const Parameters& p, double bytes, double steps_launched) {
  return Answer::number(bytes / read_bandwidth(p) + launch_seconds(p, steps_launched), "s");
}
HARNESS_FORMULA("04.predict.stack", stack_seconds(p, predicted_stack_bytes(p) * kSteps, kSteps))
HARNESS_FORMULA("04.predict.stack/no_launches",
                stack_seconds(p, predicted_stack_bytes(p) * kSteps, 0))
HARNESS_FORMULA("04.predict.stack/one_step", stack_seconds(p, predicted_stack_bytes(p), 1))
HARNESS_FORMULA("04.predict.stack/one_layer",
                stack_seconds(p, predicted_stack_bytes(p) * kSteps / 4, kSteps))
HARNESS_FORMULA("04.predict.stack/fp16",
                stack_seconds(p, predicted_stack_bytes(p) * kSteps / 2, kSteps))
HARNESS_ANSWER("04.predict.stack/computing", [](const Parameters& p) {
  const double weights = kSteps * predicted_stack_bytes(p) / 4;
  return Answer::number(2 * weights / fp32_peak(p), "s");
})
HARNESS_FORMULA("04.predict.stack/other_build",
                stack_seconds(p, stack_bytes(is_gpu(p) ? 1024 : 2048) * kSteps, kSteps))

}  // namespace
