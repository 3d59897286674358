// SPDX-License-Identifier: MIT
// Computed by the library from the models and machines of data/.
#include "shared.hpp"

#include <variant>

#include "roofline/bounds.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/number_formats.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/transformer.hpp"

namespace docs {
namespace {

namespace llm = roofline::llm;
using roofline::Precision;

}  // namespace

Bound token_bound(const Sources& sources) {
  constexpr double kBytes = 2 * kParameters;
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  return {kBytes / roofline::bandwidth(sources.machine("h200-sxm")),
          kBytes / measured.streams.at("read")};
}

Bound prompt_bound(const Sources& sources) {
  const roofline::Roof stated = roofline::roof_of(sources.machine("h200-sxm"), Precision::kBf16);
  const roofline::Report report = roofline::read_report(sources.measured("h200_roofs.json"));
  return {kPromptFlops / stated.flops_per_second,
          kPromptFlops / roof_named(report, "bf16.gemm").rate.median};
}

double check_cost(const Sources& sources, double batch, double context) {
  const llm::Model llama = sources.model("llama-3.1-8b");
  const llm::System system{sources.machine("h200-sxm")};
  const auto seconds = [&](const llm::Pass& pass) {
    return llm::predict_pass(llama, llm::stored_formats(llama), pass, system).seconds();
  };
  return seconds(llm::verify_pass(batch, context, kDrafted + 1)) /
         seconds(llm::decode_pass(batch, context));
}

double speculation_gain(const Sources& sources, double batch, double context) {
  return llm::speculative_speedup(kAcceptance, kDrafted, kDraftCost,
                                  check_cost(sources, batch, context));
}

double latent_flops(const Sources& sources, double context, double added, bool is_absorbed) {
  const llm::Model deepseek = sources.model("deepseek-v3");
  const auto& a = std::get<llm::LatentAttention>(deepseek.layers.at(0).attention);
  const double pairs = added * (context - added) + added * (added + 1) / 2;
  const auto matrices = static_cast<double>(a.kv_rank * (a.nope_dim + a.value_dim));
  const auto numbers = static_cast<double>(is_absorbed ? 2 * a.kv_rank + a.rope_dim
                                                       : a.nope_dim + a.rope_dim + a.value_dim);
  return 2 * static_cast<double>(a.heads) *
         ((is_absorbed ? added : context) * matrices + pairs * numbers);
}

std::vector<roofline::Work> six_operations() {
  return {{57.8e6, 24.5e6}, {51.4e6, 2.3e6}, {925e6, 24.5e6},
          {236e6, 3.7e6},   {172e6, 1.3e6},  {231e6, 1.3e6}};
}

double nvfp4_tensor_scale() {
  constexpr double kLargest = 0.11;
  return kLargest / (6 * 448);
}
double nvfp4_block_scale() {
  return llm::nearest(llm::magnitudes(llm::kE4m3), kBlock.back() / 6 / nvfp4_tensor_scale());
}
double nvfp4_scale() {
  return nvfp4_block_scale() * nvfp4_tensor_scale();
}

double dense_cache_bytes(double context) {
  return context * kLatentBytes;
}
double sparse_cache_bytes(double context) {
  return context * kIndexBytes + kChosenTokens * kLatentBytes;
}

double layer_seconds(const Sources& sources, double batch, double weight_bytes,
                     double activation_bytes, Precision precision) {
  constexpr double kSize = 4096;
  const roofline::Roof roof = roofline::roof_of(sources.machine("h100-sxm"), precision);
  const double bytes = kSize * kSize * weight_bytes + 2 * batch * kSize * activation_bytes;
  return roofline::time_seconds(roof, 2 * batch * kSize * kSize, bytes);
}
double bf16_layer_seconds(const Sources& sources, double batch) {
  return layer_seconds(sources, batch, 2, 2, Precision::kBf16);
}
double w4a16_layer_seconds(const Sources& sources, double batch) {
  return layer_seconds(sources, batch, llm::parse_format("int4/128").bytes_per_element(), 2,
                       Precision::kBf16);
}
double w8a8_layer_seconds(const Sources& sources, double batch) {
  return layer_seconds(sources, batch, 1, 1, Precision::kFp8);
}

ExpertLayer expert_layer(double batch) {
  constexpr double kExperts = 128;
  constexpr double kChosen = 8;
  constexpr double kExpertBytes = 3.0 * 2048 * 768 * 2;
  constexpr double kBandwidth = 4800e9;
  constexpr double kPeak = 989.4e12;
  const double touched = llm::distinct_experts(kExperts, kChosen, batch);
  const double rows = batch * kChosen;
  return {touched, rows / touched, touched * kExpertBytes / kBandwidth,
          rows * kExpertBytes / kPeak};  // 2 FLOPs for 2 bytes
}

std::vector<StoredProduct> stored_products() {
  constexpr double kSide = 4096, kGroup = 128;
  constexpr double kWeights = kSide * kSide;
  return {{"FP32", 4 * kWeights + 8 * kSide},
          {"FP16", 2 * kWeights + 6 * kSide},
          {"INT8, a scale a row", kWeights + 10 * kSide},
          {"INT4, groups of 128", (0.5 + 2 / kGroup) * kWeights + 6 * kSide}};
}

double product_seconds(const StoredProduct& product) {
  constexpr double kRate = 4590e9;  // as programs reach it
  return kStartSeconds + product.bytes / kRate;
}

double launch_seconds(const Sources& sources) {
  return roofline::load_machine(sources.measured("h200_roofs.json"))
      .launch_overhead_seconds.value();
}
double read_bandwidth(const Sources& sources) {
  return roofline::load_machine(sources.measured("h200_roofs.json")).streams.at("read");
}
double reported_bandwidth(const Sources& sources, double bytes) {
  return bytes / (launch_seconds(sources) + bytes / read_bandwidth(sources));
}

double ladder_of_two_cores(const Sources& sources, const std::string& n) {
  const auto cell = [&](const char* column) {
    return sources.measured_number("cpu_ladder.csv", {{"n", n}}, column);
  };
  return 8 * std::stod(n) * cell("passes") / cell("seconds_min");
}

std::vector<roofline::Operation> printed_block() {
  return roofline::transformer_block(32, 1024, 768, Precision::kFp16);
}
roofline::Roof block_roof(const Sources& sources) {
  return roofline::roof_of(sources.machine("h200-sxm"), Precision::kFp16);
}
double block_seconds(const Sources& sources, const roofline::Operation& row) {
  return roofline::time_seconds(block_roof(sources), row.flops, row.bytes());
}
BlockTime block_time(const Sources& sources) {
  const roofline::Roof roof = block_roof(sources);
  const roofline::Operation all = roofline::total("block", printed_block());
  BlockTime result{.sums_seconds = block_seconds(sources, all)};
  for (const roofline::Operation& row : printed_block()) {
    const double seconds = block_seconds(sources, row);
    result.seconds += seconds;
    if (roofline::classify(roof, row.intensity()) != roofline::Bound::kMemory) continue;
    result.waiting_flops += row.flops / all.flops;
    result.waiting_time += seconds;
  }
  result.waiting_time /= result.seconds;
  return result;
}

}  // namespace docs
