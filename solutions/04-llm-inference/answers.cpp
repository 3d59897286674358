// SPDX-License-Identifier: MIT
// Reference values for topic 04: weights, caches, intensities, steps and prefill of real models.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "answers_common.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/transformer.hpp"

namespace {

using namespace answers04;
namespace llm = roofline::llm;
using harness::Answer;
using harness::Parameters;

// --- One request ---

Answer seconds_of(double milliseconds) {
  return Answer::number(milliseconds * 1e-3, "s");
}
HARNESS_FORMULA("04.request.last", seconds_of(p["ttft"] + (p["tokens"] - 1) * p["tpot"]))
HARNESS_FORMULA("04.request.last/one_step_more", seconds_of(p["ttft"] + p["tokens"] * p["tpot"]))
HARNESS_FORMULA("04.request.last/decode_alone", seconds_of((p["tokens"] - 1) * p["tpot"]))
HARNESS_FORMULA("04.request.last/decode_of_all", seconds_of(p["tokens"] * p["tpot"]))
HARNESS_FORMULA("04.request.last/all_like_the_first", seconds_of(p["tokens"] * p["ttft"]))

constexpr roofline::Roof kH200Roof{kHopperPeak, kH200Bandwidth};
roofline::Operation output_projection(double tokens) {
  return roofline::linear(tokens, 4096, 4096);
}
HARNESS_ANSWER("04.request.layer", [](const Parameters& p) {
  const roofline::Operation product = output_projection(p["tokens"]);
  return Answer::number(roofline::time_seconds(kH200Roof, product.flops, product.bytes()), "s");
})
HARNESS_ANSWER("04.request.layer/shorter", [](const Parameters& p) {
  const roofline::Operation product = output_projection(p["tokens"]);
  return Answer::number(std::min(product.flops / kHopperPeak, product.bytes() / kH200Bandwidth),
                        "s");
})
HARNESS_ANSWER("04.request.layer/sum", [](const Parameters& p) {
  const roofline::Operation product = output_projection(p["tokens"]);
  return Answer::number(product.flops / kHopperPeak + product.bytes() / kH200Bandwidth, "s");
})
HARNESS_ANSWER("04.request.layer/one_by_one", [](const Parameters& p) {
  const roofline::Operation product = output_projection(1);
  return Answer::number(
      p["tokens"] * roofline::time_seconds(kH200Roof, product.flops, product.bytes()), "s");
})
HARNESS_ANSWER("04.request.layer/one_token", [](const Parameters&) {
  const roofline::Operation product = output_projection(1);
  return Answer::number(roofline::time_seconds(kH200Roof, product.flops, product.bytes()), "s");
})

// --- Packed weights of the engine ---

constexpr double kPackedRows = 256, kGroup = 128, kHalf = 2;
double groups_of(const Parameters& p) {
  return kPackedRows * std::ceil(p["columns"] / kGroup);
}
HARNESS_FORMULA("04.engine.packed", Answer::number(groups_of(p) * (kGroup / 2 + kHalf), "B"))
HARNESS_FORMULA("04.engine.packed/not_filled",
                Answer::number(p["columns"] * kPackedRows / 2 + groups_of(p) * kHalf, "B"))
HARNESS_FORMULA("04.engine.packed/no_scales", Answer::number(groups_of(p) * kGroup / 2, "B"))
HARNESS_FORMULA("04.engine.packed/bytes_each", Answer::number(groups_of(p) * (kGroup + kHalf), "B"))
HARNESS_FORMULA(
    "04.engine.packed/no_last_group",
    Answer::number(std::floor(p["columns"] / kGroup) * kPackedRows * (kGroup / 2 + kHalf), "B"))
HARNESS_FORMULA("04.engine.packed/wide_scale", Answer::number(groups_of(p) * (kGroup / 2 + 4), "B"))
HARNESS_FORMULA("04.engine.packed/weights_alone",
                Answer::number(p["columns"] * kPackedRows / 2, "B"))

// --- A desktop ---

double tokens_of_reading(const Parameters& p) {
  const double reading = 4.5e9 / (p["bandwidth"] * 1e9);
  return reading / (2 * 8e9 / (p["peak"] * 1e12));
}
HARNESS_FORMULA("04.cpu.prompt", plain(tokens_of_reading(p)))
HARNESS_FORMULA("04.cpu.prompt/rounded_up", plain(std::ceil(tokens_of_reading(p))))
HARNESS_FORMULA("04.cpu.prompt/rounded_down", plain(std::floor(tokens_of_reading(p))))
HARNESS_FORMULA("04.cpu.prompt/ridge",
                plain(roofline::ridge({p["peak"] * 1e12, p["bandwidth"] * 1e9})))

// --- Weights ---

HARNESS_FORMULA("04.weights.parameters",
                plain(static_cast<double>(llm::count_parameters(llama_8b()).total())))
HARNESS_ANSWER("04.weights.parameters/tied", [](const Parameters&) {
  const llm::ParameterCount count = llm::count_parameters(llama_8b());
  return plain(static_cast<double>(count.total() - count.head));
})
HARNESS_FORMULA("04.weights.parameters/no_last_norm",
                plain(static_cast<double>(llm::count_parameters(llama_8b()).total()) - 4096))
HARNESS_FORMULA("04.weights.parameters/two_matrices",
                plain(static_cast<double>(llm::count_parameters(llama_8b()).total()) -
                      32.0 * 4096 * 14336))
HARNESS_ANSWER("04.weights.parameters/multi_head", [](const Parameters&) {
  llm::Model model = llama_8b();
  grouped(model).kv_heads = grouped(model).query_heads;
  return plain(static_cast<double>(llm::count_parameters(model).total()));
})

double streamed_bytes(double bits = 16) {
  return bits / 16 * llm::streamed_weight_bytes(llama_8b(), llm::stored_formats(llama_8b()), 1);
}
double all_weight_bytes() {
  return llm::weight_bytes(llama_8b(), llm::stored_formats(llama_8b()));
}
HARNESS_FORMULA("04.weights.streamed", Answer::number(streamed_bytes(p["bits"]), "B"))
HARNESS_FORMULA("04.weights.streamed/embedding",
                Answer::number(p["bits"] / 16 * all_weight_bytes(), "B"))
HARNESS_FORMULA("04.weights.streamed/fp32", Answer::number(2 * streamed_bytes(p["bits"]), "B"))

// --- Cache bytes of a token ---

double cache_per_token(const llm::Model& model) {
  return llm::kv_bytes_per_token(model, llm::stored_formats(model));
}
/// The same with one size changed by a common mistake.
template <class Change>
double cache_per_token_with(const char* id, const Change& change) {
  llm::Model changed = model(id);
  for (llm::LayerGroup& group : changed.layers) {
    if (auto* heads = std::get_if<llm::GroupedAttention>(&group.attention)) change(*heads);
  }
  return cache_per_token(changed);
}
Answer bytes(double value) {
  return Answer::number(value, "B");
}
Answer with_all_query_heads(const char* id) {
  return bytes(
      cache_per_token_with(id, [](llm::GroupedAttention& a) { a.kv_heads = a.query_heads; }));
}
/// head_dim computed as hidden / heads, which does not hold for these models.
Answer with_derived_head_dim(const char* id) {
  const llm::Model m = model(id);
  const auto& a = std::get<llm::GroupedAttention>(m.layers.front().attention);
  return bytes(cache_per_token(m) * static_cast<double>(m.hidden) /
               static_cast<double>(a.query_heads * a.head_dim));
}
Answer of_one_layer(const char* id) {
  return bytes(cache_per_token(model(id)) / static_cast<double>(model(id).layer_count()));
}

/// With numbers of this many bits instead of the sixteen that these models are stored in.
Answer in_bits(const Parameters& p, const Answer& in_16_bits) {
  return bytes(in_16_bits.value * p["bits"] / 16);
}
Answer cache_in_bits(const Parameters& p, const char* id) {
  return in_bits(p, bytes(cache_per_token(model(id))));
}

HARNESS_FORMULA("04.kv.llama2_7b", cache_in_bits(p, "llama-2-7b"))
HARNESS_FORMULA("04.kv.llama2_7b/layer", in_bits(p, of_one_layer("llama-2-7b")))
HARNESS_FORMULA("04.kv.llama31_8b", cache_in_bits(p, "llama-3.1-8b"))
HARNESS_FORMULA("04.kv.llama31_8b/query_heads", in_bits(p, with_all_query_heads("llama-3.1-8b")))
HARNESS_FORMULA("04.kv.llama31_70b", cache_in_bits(p, "llama-3.1-70b"))
HARNESS_FORMULA("04.kv.llama31_70b/query_heads", in_bits(p, with_all_query_heads("llama-3.1-70b")))
HARNESS_FORMULA("04.kv.qwen25_7b", cache_in_bits(p, "qwen2.5-7b"))
HARNESS_FORMULA("04.kv.qwen25_7b/query_heads", in_bits(p, with_all_query_heads("qwen2.5-7b")))
HARNESS_FORMULA("04.kv.gemma2_9b", cache_in_bits(p, "gemma-2-9b"))
HARNESS_FORMULA("04.kv.gemma2_9b/head_dim", in_bits(p, with_derived_head_dim("gemma-2-9b")))
HARNESS_FORMULA("04.kv.qwen3_30b", cache_in_bits(p, "qwen3-30b-a3b"))
HARNESS_FORMULA("04.kv.qwen3_30b/head_dim", in_bits(p, with_derived_head_dim("qwen3-30b-a3b")))
HARNESS_FORMULA("04.kv.qwen3_30b/query_heads", in_bits(p, with_all_query_heads("qwen3-30b-a3b")))
HARNESS_FORMULA("04.kv.gpt_oss_120b", cache_in_bits(p, "gpt-oss-120b"))
HARNESS_FORMULA("04.kv.gpt_oss_120b/head_dim", in_bits(p, with_derived_head_dim("gpt-oss-120b")))
HARNESS_FORMULA("04.kv.deepseek_v3", bytes(cache_per_token(deepseek())))
HARNESS_FORMULA("04.kv.deepseek_v3/expanded",
                bytes(expanded_cache_bytes() * static_cast<double>(deepseek().layer_count())))
HARNESS_FORMULA("04.kv.deepseek_v3/no_rotary",
                bytes(2.0 * static_cast<double>(latent().kv_rank * deepseek().layer_count())))

// --- Largest batch ---

double cache_bytes(double context) {
  return llm::kv_bytes(llama_8b(), llm::stored_formats(llama_8b()), context);
}
HARNESS_ANSWER("04.kv.largest_batch", [](const Parameters& p) {
  const auto batch =
      llm::largest_batch(llama_8b(), llm::stored_formats(llama_8b()), p["context"], 0.9 * 80e9);
  return plain(static_cast<double>(batch.value()));
})
HARNESS_FORMULA("04.kv.largest_batch/no_weights",
                plain(std::floor(0.9 * 80e9 / cache_bytes(p["context"]))))
HARNESS_FORMULA("04.kv.largest_batch/rounded_up",
                plain(std::ceil((0.9 * 80e9 - all_weight_bytes()) / cache_bytes(p["context"]))))
HARNESS_FORMULA("04.kv.largest_batch/all_memory",
                plain(std::floor((80e9 - all_weight_bytes()) / cache_bytes(p["context"]))))

// --- Intensity of decode attention ---

double attention_intensity(std::int64_t kv_heads) {
  llm::Model changed = llama_8b();
  grouped(changed).kv_heads = kv_heads;
  const llm::Operator op = operator_of(changed, llm::decode_pass(1, 8192), "attention");
  return op.flops / op.kv_bytes;
}
HARNESS_FORMULA("04.attention.mha", intensity(attention_intensity(32)))
HARNESS_FORMULA("04.attention.gqa", intensity(attention_intensity(8)))
HARNESS_FORMULA("04.attention.mqa", intensity(attention_intensity(1)))

double cache_read(const Parameters& p) {
  return operator_of(llama_8b(), llm::decode_pass(1, p["context"]), "attention").kv_bytes;
}
HARNESS_FORMULA("04.attention.floor", Answer::number(cache_read(p) / kH200Bandwidth, "s"))
HARNESS_FORMULA("04.attention.floor/query_heads",
                Answer::number(4 * cache_read(p) / kH200Bandwidth, "s"))
HARNESS_ANSWER("04.attention.floor/measured", [](const Parameters& p) {
  constexpr double kMeasured = 4488e9;  // the write-up's prediction takes it
  return Answer::number(cache_read(p) / kMeasured, "s");
})

// --- Prefill ---

double prefill_flops(double prompt, const std::string& part) {
  double sum = 0;
  for (const llm::Operator& op : llm::pass_operators(llama_8b(), llm::stored_formats(llama_8b()),
                                                     llm::prefill_pass(1, prompt))) {
    if (op.name.find(part) != std::string::npos) sum += op.calls * op.flops;
  }
  return sum;
}
/// Linear layers, attention and the head on the last token.
double prefill_total(double prompt) {
  return prefill_flops(prompt, "projection") + prefill_flops(prompt, "attention") +
         prefill_flops(prompt, "output head");
}
HARNESS_FORMULA("04.prefill.flops", Answer::number(prefill_total(p["prompt"]), "FLOP"))
HARNESS_FORMULA("04.prefill.flops/not_causal",
                Answer::number(prefill_total(p["prompt"]) + prefill_flops(p["prompt"], "attention"),
                               "FLOP"))
HARNESS_FORMULA("04.prefill.flops/no_attention",
                Answer::number(prefill_total(p["prompt"]) - prefill_flops(p["prompt"], "attention"),
                               "FLOP"))
HARNESS_ANSWER("04.prefill.flops/two_a_parameter", [](const Parameters& p) {
  constexpr double kBytesPerParameter = 2;
  return Answer::number(2 * all_weight_bytes() / kBytesPerParameter * p["prompt"], "FLOP");
})
HARNESS_FORMULA("04.prefill.flops/all_logits",
                Answer::number(prefill_total(p["prompt"]) +
                                   (p["prompt"] - 1) * prefill_flops(p["prompt"], "output head"),
                               "FLOP"))
HARNESS_FORMULA("04.prefill.time",
                Answer::number(prefill_total(p["prompt"]) / (0.5 * kHopperPeak), "s"))
HARNESS_FORMULA("04.prefill.time/peak",
                Answer::number(prefill_total(p["prompt"]) / kHopperPeak, "s"))
HARNESS_FORMULA("04.prefill.time/bytes", Answer::number(streamed_bytes() / kH100Bandwidth, "s"))
/// The prompt at which attention equals the linear layers, with S^2 / 2 pairs of tokens in every
/// head and layer.
double equal_prompt() {
  const double linear_per_token = prefill_flops(2048, "projection") / 2048;
  return linear_per_token / (4.0 * 32 * 128 * 32 / 2);
}
HARNESS_FORMULA("04.prefill.equal", plain(equal_prompt()))
HARNESS_FORMULA("04.prefill.equal/not_causal", plain(equal_prompt() / 2))
HARNESS_FORMULA("04.prefill.equal/one_product", plain(2 * equal_prompt()))

// --- The decode step of Llama-3.1-8B on an H200 ---

double floor_seconds(double batch, double context, double bandwidth) {
  return llm::decode_floor_seconds(llama_8b(), llm::stored_formats(llama_8b()), batch, context,
                                   bandwidth);
}
HARNESS_FORMULA("04.step.time", Answer::number(floor_seconds(1, 4096, kH200Bandwidth), "s"))
HARNESS_FORMULA("04.step.time/embedding",
                Answer::number((all_weight_bytes() + cache_bytes(4096)) / kH200Bandwidth, "s"))
HARNESS_FORMULA("04.step.time/no_cache", Answer::number(streamed_bytes() / kH200Bandwidth, "s"))
HARNESS_FORMULA("04.step.rate", rate(p["batch"] / floor_seconds(p["batch"], 4096, kH200Bandwidth)))
HARNESS_FORMULA("04.step.rate/one_sequence",
                rate(1 / floor_seconds(p["batch"], 4096, kH200Bandwidth)))
HARNESS_FORMULA("04.step.rate/shared_cache",
                rate(p["batch"] / floor_seconds(1, 4096, kH200Bandwidth)))
HARNESS_FORMULA("04.step.rate/no_cache", rate(p["batch"] / (streamed_bytes() / kH200Bandwidth)))
HARNESS_FORMULA(
    "04.step.batch_limit",
    plain(static_cast<double>(
        llm::largest_batch(llama_8b(), llm::stored_formats(llama_8b()), 4096, 141e9).value())))
HARNESS_FORMULA("04.step.batch_limit/no_weights", plain(std::floor(141e9 / cache_bytes(4096))))
HARNESS_FORMULA("04.step.batch_limit/rounded_up",
                plain(std::ceil((141e9 - all_weight_bytes()) / cache_bytes(4096))))
HARNESS_FORMULA("04.step.batch_limit/streamed",
                plain(std::floor((141e9 - streamed_bytes()) / cache_bytes(4096))))

/// The step at batch 384 and context 256, summed over products and attention; also weights and
/// cache alone.
struct StepSums {
  double compute = 0;
  double memory = 0;
  double maxima = 0;
};
StepSums step_sums() {
  StepSums sums;
  for (const llm::Operator& op : llm::pass_operators(llama_8b(), llm::stored_formats(llama_8b()),
                                                     llm::decode_pass(384, 256))) {
    if (op.kind != llm::OperatorKind::kProduct) continue;
    const double compute = op.calls * op.flops / kHopperPeak;
    const double memory = op.calls * (op.weight_bytes + op.kv_bytes) / kH200Bandwidth;
    sums.compute += compute;
    sums.memory += memory;
    sums.maxima += std::max(compute, memory);
  }
  return sums;
}
HARNESS_ANSWER("04.step.max_of_sums", [](const Parameters&) {
  const StepSums sums = step_sums();
  return Answer::number(1 - std::max(sums.compute, sums.memory) / sums.maxima, "1");
})
HARNESS_ANSWER("04.step.max_of_sums/upside_down", [](const Parameters&) {
  const StepSums sums = step_sums();
  return Answer::number(sums.maxima / std::max(sums.compute, sums.memory) - 1, "1");
})
HARNESS_ANSWER("04.step.max_of_sums/added", [](const Parameters&) {
  const StepSums sums = step_sums();
  return Answer::number(1 - std::max(sums.compute, sums.memory) / (sums.compute + sums.memory),
                        "1");
})

double equal_context(double batch) {
  return llm::context_where_kv_equals_weights(llama_8b(), llm::stored_formats(llama_8b()), batch);
}
HARNESS_FORMULA("04.context.equal", plain(equal_context(p["batch"])))
HARNESS_FORMULA("04.context.equal/embedding",
                plain(all_weight_bytes() / cache_bytes(1) / p["batch"]))
HARNESS_FORMULA("04.context.equal/times_batch", plain(equal_context(1) * p["batch"] * 1.5))

// --- Served on an H100 ---

constexpr double kServedContext = 4096 + 512 / 2.0;
HARNESS_FORMULA("04.served.floor",
                Answer::number(floor_seconds(64, kServedContext, kH100Bandwidth), "s"))
HARNESS_FORMULA("04.served.floor/prompt",
                Answer::number(floor_seconds(64, 4096, kH100Bandwidth), "s"))
HARNESS_FORMULA(
    "04.served.floor/table",
    Answer::number((all_weight_bytes() + 64 * cache_bytes(kServedContext)) / kH100Bandwidth, "s"))
HARNESS_FORMULA("04.served.floor/whole",
                Answer::number(floor_seconds(64, 4096 + 512, kH100Bandwidth), "s"))
HARNESS_FORMULA("04.served.small",
                Answer::number(floor_seconds(8, 1024 + 512 / 2.0, kH100Bandwidth), "s"))
HARNESS_FORMULA("04.served.small/no_cache", Answer::number(streamed_bytes() / kH100Bandwidth, "s"))
HARNESS_FORMULA("04.served.small/h200",
                Answer::number(floor_seconds(8, 1024 + 512 / 2.0, kH200Bandwidth), "s"))

// --- GEMV ---

double gemv_bytes(double n) {
  return roofline::linear(1, n, n, {roofline::Precision::kFp32, 0, roofline::Precision::kFp32, 0},
                          roofline::Precision::kFp32)
      .bytes();
}
HARNESS_FORMULA("04.gemv.bytes", Answer::number(gemv_bytes(p["n"]), "B"))
HARNESS_FORMULA("04.gemv.bytes/weights", Answer::number(4 * p["n"] * p["n"], "B"))
HARNESS_FORMULA("04.gemv.bytes/fp16", Answer::number(gemv_bytes(p["n"]) / 2, "B"))

/// The intensity if this many bytes move.
Answer gemv_intensity(const Parameters& p, double bytes) {
  return intensity(2 * p["n"] * p["n"] / bytes);
}
HARNESS_FORMULA("04.gemv.ai", gemv_intensity(p, gemv_bytes(p["n"])))
HARNESS_FORMULA("04.gemv.ai/no_reuse", gemv_intensity(p, 8 * p["n"] * p["n"]))

}  // namespace
