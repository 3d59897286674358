// SPDX-License-Identifier: MIT
// Numbers of topic 04, LLM inference.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/communication.hpp"
#include "roofline/llm/calibration.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/least_squares.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/transformer.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Sources;

constexpr double kH200Bandwidth = 4800e9;
constexpr double kHopperPeak = 989.4e12;
using namespace base::prefixes;

/// With thousands separators.
std::string whole(double value) {
  std::string digits = fixed(value, 0);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}
llm::Model llama(const Sources& sources) {
  return sources.model("llama-3.1-8b");
}
llm::Operator operator_of(const llm::Model& m, const llm::Pass& pass, std::string_view name) {
  return llm::operator_named(llm::pass_operators(m, llm::stored_formats(m), pass), name);
}

// --- Weights, cache, attention ---

DOC_FORMULA("llm.parameters", whole(static_cast<double>(llm::count_parameters(llama(s)).total())))
DOC_FORMULA("llm.streamed_gb",
            fixed(llm::streamed_weight_bytes(llama(s), llm::stored_formats(llama(s)), 1) / kGiga,
                  2))
std::string cache_per_token(const Sources& s, std::string_view id) {
  const llm::Model m = s.model(id);
  return whole(llm::kv_bytes_per_token(m, llm::stored_formats(m)));
}
DOC_FORMULA("kv.llama-2-7b", cache_per_token(s, "llama-2-7b"))
DOC_FORMULA("kv.llama-3.1-8b", cache_per_token(s, "llama-3.1-8b"))
DOC_FORMULA("kv.llama-3.1-70b", cache_per_token(s, "llama-3.1-70b"))
DOC_FORMULA("kv.qwen3-30b-a3b", cache_per_token(s, "qwen3-30b-a3b"))
DOC_FORMULA("kv.deepseek-v3", cache_per_token(s, "deepseek-v3"))

// How many sequences of Llama-2-7B fit in memory with its weights.
constexpr double kExampleContext = 4096;
DOC_VALUE("kv.example.weights_gb", [](const Sources& s) {
  const llm::Model m = s.model("llama-2-7b");
  return fixed(llm::weight_bytes(m, llm::stored_formats(m)) / kGiga, 1);
})
DOC_VALUE("kv.example.sequence_gb", [](const Sources& s) {
  const llm::Model m = s.model("llama-2-7b");
  return fixed(llm::kv_bytes(m, llm::stored_formats(m), kExampleContext) / kGiga, 2);
})
DOC_VALUE("kv.example.batch", [](const Sources& s) {
  const llm::Model m = s.model("llama-2-7b");
  constexpr double kUsable = 0.9 * 80 * kGiga;
  return fmt::to_string(
      llm::largest_batch(m, llm::stored_formats(m), kExampleContext, kUsable).value());
})

std::string decode_intensity(const Sources& s, std::int64_t kv_heads) {
  llm::Model m = llama(s);
  std::get<llm::GroupedAttention>(m.layers.at(0).attention).kv_heads = kv_heads;
  const llm::Operator op = operator_of(m, llm::decode_pass(1, 8192), "attention");
  return fixed(roofline::arithmetic_intensity(op.flops, op.kv_bytes), 0);
}
DOC_FORMULA("ai.mha_decode", decode_intensity(s, 32))
DOC_FORMULA("ai.gqa_decode", decode_intensity(s, 8))
DOC_FORMULA("ai.mqa_decode", decode_intensity(s, 1))

std::string rate(const Sources& s, double batch) {
  return fixed(batch / llm::decode_floor_seconds(llama(s), llm::stored_formats(llama(s)), batch,
                                                 4096, kH200Bandwidth),
               0);
}
DOC_FORMULA("rate.1", rate(s, 1))
DOC_FORMULA("rate.8", rate(s, 8))
DOC_FORMULA("rate.32", rate(s, 32))
DOC_FORMULA("rate.64", rate(s, 64))
DOC_FORMULA("rate.128", rate(s, 128))
DOC_FORMULA("rate.206", rate(s, 206))

DOC_VALUE("rate.limit", [](const Sources& s) {
  const llm::Model m = llama(s);
  return fixed(kH200Bandwidth / llm::kv_bytes(m, llm::stored_formats(m), 4096), 0);
})

std::string critical(double in, double out) {
  return fixed(roofline::critical_batch({in, out, 2, 2}, 152).value(), 0);
}
/// For a layer of 4096 x 4096 in BF16 on a machine.
std::string critical_on(const Sources& s, std::string_view machine) {
  const roofline::Roof roof = roofline::roof_of(s.machine(machine), roofline::Precision::kBf16);
  return fixed(roofline::critical_batch({4096, 4096, 2, 2}, roofline::ridge(roof)).value(), 0);
}
DOC_FORMULA("critical.a100", critical_on(s, "a100-80gb-sxm"))
DOC_FORMULA("critical.h100", critical_on(s, "h100-sxm"))
DOC_FORMULA("critical.h200", critical_on(s, "h200-sxm"))
DOC_FORMULA("critical.4096", critical(4096, 4096))
DOC_FORMULA("critical.768", critical(768, 768))
DOC_FORMULA("critical.768_3072", critical(768, 3072))

// --- Prefill and fused attention ---

double prefill_flops(const Sources& s, const std::string& part) {
  double sum = 0;
  for (const llm::Operator& op :
       llm::pass_operators(llama(s), llm::stored_formats(llama(s)), llm::prefill_pass(1, 2048))) {
    if (op.name.find(part) != std::string::npos) sum += op.calls * op.flops;
  }
  return sum;
}
double prefill_total(const Sources& s) {
  return prefill_flops(s, "projection") + prefill_flops(s, "attention") +
         prefill_flops(s, "output head");
}
DOC_FORMULA("prefill.tflop", fixed(prefill_total(s) / 1e12, 2))
DOC_FORMULA("prefill.parameters", fixed(prefill_flops(s, "projection") / (2 * 2048) / kGiga, 2))
DOC_FORMULA("prefill.linear", fixed(prefill_flops(s, "projection") / 1e12, 2))
DOC_FORMULA("prefill.attention", fixed(prefill_flops(s, "attention") / 1e12, 2))
DOC_FORMULA("prefill.ms", fixed(prefill_total(s) / (0.5 * kHopperPeak) / kMilli, 1))
DOC_FORMULA("prefill.equal",
            whole(prefill_flops(s, "projection") / 2048 / (4.0 * 32 * 128 * 32 / 2)))

constexpr roofline::Attention kOneHead{.sequence = 2048, .head_dim = 128};
DOC_FORMULA("fused.two",
            fixed(roofline::unfused_attention(kOneHead, roofline::Precision::kFp16, 2).intensity(),
                  1))
// Only the scores, for long sequences: 4 d FLOPs over four passes of two bytes.
DOC_FORMULA("fused.four",
            fixed(4 * kOneHead.head_dim / (4 * 2.0) * (1 + 5 / (4 * kOneHead.head_dim)), 1))
DOC_FORMULA("fused.four_2048",
            fixed(roofline::unfused_attention(kOneHead, roofline::Precision::kFp16, 4).intensity(),
                  1))
DOC_FORMULA("fused.fused",
            fixed(roofline::fused_attention(kOneHead, roofline::Precision::kFp16).intensity(), 0))

// --- Formats, experts, latents, windows, speculation, fits ---

DOC_FORMULA("bits.int4", fixed(llm::parse_format("int4/128").bits_per_element, 3))
DOC_FORMULA("bits.speedup", fixed(16 / llm::parse_format("int4/128").bits_per_element, 2))
DOC_FORMULA("bits.q4_0", fixed(llm::parse_format("q4_0").bits_per_element, 1))
// The effect of a mistake.
const llm::GroupedAttention& heads_of(const llm::Model& m) {
  return std::get<llm::GroupedAttention>(m.layers.at(0).attention);
}
std::string head_dim(const Sources& s, std::string_view id) {
  return fmt::to_string(heads_of(s.model(id)).head_dim);
}
std::string hidden_over_heads(const Sources& s, std::string_view id) {
  const llm::Model m = s.model(id);
  return fmt::to_string(m.hidden / heads_of(m).query_heads);
}
DOC_FORMULA("04.wrong.qwen_guess", hidden_over_heads(s, "qwen3-30b-a3b"))
DOC_FORMULA("04.wrong.qwen_dim", head_dim(s, "qwen3-30b-a3b"))
DOC_FORMULA("04.wrong.gemma_guess", hidden_over_heads(s, "gemma-2-9b"))
DOC_FORMULA("04.wrong.gemma_dim", head_dim(s, "gemma-2-9b"))
/// FLOPs of the output head on all tokens of a prompt of 2048, minus those of the last one.
double needless_head_flops(const Sources& s) {
  const llm::Model m = llama(s);
  return 2.0 * 2047 * static_cast<double>(m.hidden) * static_cast<double>(m.vocabulary);
}
DOC_FORMULA("04.wrong.head_tflop", fixed(needless_head_flops(s) / 1e12, 2))
DOC_FORMULA("04.wrong.head_percent", fixed(100 * needless_head_flops(s) / prefill_total(s), 0))
DOC_FORMULA("04.wrong.pairs_percent",
            fixed(100 * prefill_flops(s, "attention") / prefill_total(s), 0))
constexpr int kLongDraft = 16;
DOC_FORMULA("04.wrong.long_tokens", fixed(llm::expected_tokens(0.8, kLongDraft), 2))
DOC_FORMULA("04.wrong.long_speedup", fixed(llm::speculative_speedup(0.8, kLongDraft, 0.1), 2))
DOC_FORMULA("04.wrong.part_weight", fixed(1 / (1 + std::exp(2.0)), 2))

DOC_FORMULA("moe.1", fixed(llm::distinct_experts(128, 8, 1), 0))
DOC_FORMULA("moe.8", fixed(llm::distinct_experts(128, 8, 8), 1))
DOC_FORMULA("moe.64", fixed(llm::distinct_experts(128, 8, 64), 1))
std::string expert_step(const Sources& s, double batch) {
  const llm::Model m = s.model("qwen3-30b-a3b");
  return fixed(
      llm::streamed_weight_bytes(m, llm::stored_formats(m), batch) / kH200Bandwidth / kMilli, 2);
}
DOC_FORMULA("moe_ms.1", expert_step(s, 1))
DOC_FORMULA("moe_ms.8", expert_step(s, 8))
DOC_FORMULA("moe_ms.64", expert_step(s, 64))
DOC_FORMULA("moe.step_ratio",
            fixed(std::stod(expert_step(s, 64)) / std::stod(expert_step(s, 8)), 1))

DOC_VALUE("mla.ratio", [](const Sources& s) {
  const llm::Model m = s.model("deepseek-v3");
  const auto& a = std::get<llm::LatentAttention>(m.layers.at(0).attention);
  const double expanded =
      2.0 * static_cast<double>(a.heads * (a.nope_dim + a.rope_dim + a.value_dim));
  return fixed(expanded / llm::kv_bytes_per_token(m.layers.at(0).attention, llm::stored_formats(m)),
               1);
})
std::string latent_intensity(const Sources& s, int ranks) {
  const llm::Operator op = operator_of(llm::shard(s.model("deepseek-v3"), ranks),
                                       llm::decode_pass(1, 4096), "latent attention");
  return fixed(op.flops / op.kv_bytes, 1);
}
DOC_FORMULA("mla.ai", latent_intensity(s, 1))
DOC_FORMULA("mla.ai8", latent_intensity(s, 8))
DOC_VALUE("mla.absorption", [](const Sources& s) {
  std::vector<docs::Row> rows;
  constexpr double kContext = 8192;
  for (const double added : {1, 16, 128, 512, 8192}) {
    rows.push_back({fixed(added, 0), fixed(docs::latent_flops(s, kContext, added, true) / kGiga, 1),
                    fixed(docs::latent_flops(s, kContext, added, false) / kGiga, 1)});
  }
  return docs::markdown_table({"new tokens", "absorbed, GFLOP", "expanded, GFLOP"}, rows);
})
DOC_VALUE("mla.expand", [](const Sources& s) {
  const llm::Model m = s.model("deepseek-v3");
  const auto& a = std::get<llm::LatentAttention>(m.layers.at(0).attention);
  return fixed(static_cast<double>(a.kv_rank * (a.nope_dim + a.value_dim)) /
                   static_cast<double>(2 * a.kv_rank - a.nope_dim - a.value_dim),
               0);
})
DOC_VALUE("windows.gemma", [](const Sources& s) {
  const llm::Model m = s.model("gemma-2-9b");
  return fixed(llm::kv_bytes(m, llm::stored_formats(m), 8192) / kGiga, 2);
})
DOC_VALUE("windows.gemma_full", [](const Sources& s) {
  const llm::Model m = s.model("gemma-2-9b");
  return fixed(8192 * llm::kv_bytes_per_token(m, llm::stored_formats(m)) / kGiga, 2);
})
DOC_FORMULA("spec.tokens", fixed(llm::expected_tokens(0.8, 4), 2))
DOC_FORMULA("spec.speedup", fixed(llm::speculative_speedup(0.8, 4, 0.1), 2))
/// The first batch at which drafting no longer pays off.
int break_even(const Sources& s, double context) {
  constexpr int kMost = 4096;
  for (int batch = 1; batch <= kMost; ++batch) {
    if (docs::speculation_gain(s, batch, context) <= 1) return batch;
  }
  throw std::logic_error("drafting never loses at this context");
}
DOC_VALUE("spec.table", [](const Sources& s) {
  std::vector<docs::Row> rows;
  for (const double batch : {1, 16, 32, 64, 128, 256}) {
    rows.push_back({fixed(batch, 0), fixed(docs::check_cost(s, batch, 256), 2),
                    fixed(docs::speculation_gain(s, batch, 256), 2),
                    fixed(docs::check_cost(s, batch, 4096), 2),
                    fixed(docs::speculation_gain(s, batch, 4096), 2)});
  }
  return docs::markdown_table(
      {"batch", "check, in steps (context 256)", "gain", "check, in steps (context 4096)", "gain"},
      rows);
})
// Layers alone: 4096 x 4096, whose verification costs (k + 1) B over the critical batch once it is
// compute-bound.
DOC_VALUE("spec.declines", [](const Sources& s) {
  const roofline::Roof roof = roofline::roof_of(s.machine("h200-sxm"), roofline::Precision::kBf16);
  const double critical =
      roofline::critical_batch({4096, 4096, 2, 2}, roofline::ridge(roof)).value();
  return fixed(critical / (docs::kDrafted + 1), 0);
})
DOC_FORMULA("spec.check_cost", fixed(llm::expected_tokens(docs::kAcceptance, docs::kDrafted) -
                                         docs::kDrafted * docs::kDraftCost,
                                     2))
/// The first batch at which verifying with such a layer costs what its tokens are worth; inputs and
/// outputs move too, so a step itself gets a little longer up to that point.
DOC_VALUE("spec.even_layers", [](const Sources& s) {
  const roofline::Roof roof = roofline::roof_of(s.machine("h200-sxm"), roofline::Precision::kBf16);
  const auto seconds = [&](double rows) {
    constexpr double kSize = 4096, kBytes = 2;
    return roofline::time_seconds(roof, 2 * rows * kSize * kSize,
                                  kBytes * (kSize * kSize + 2 * rows * kSize));
  };
  const double worth =
      llm::expected_tokens(docs::kAcceptance, docs::kDrafted) - docs::kDrafted * docs::kDraftCost;
  int batch = 1;
  while (seconds(batch * (docs::kDrafted + 1.0)) / seconds(batch) < worth) ++batch;
  return fmt::format("{}", batch);
})
DOC_FORMULA("spec.even_256", fmt::format("{}", break_even(s, 256)))
DOC_FORMULA("spec.gain_4096", fixed(docs::speculation_gain(s, 1024, 4096), 2))

// --- FLOPs of a token of Qwen3-30B-A3B, as routed and if it went to all experts ---

llm::Model with_all_experts(llm::Model m) {
  for (llm::LayerGroup& group : m.layers) {
    if (auto* experts = std::get_if<llm::ExpertFeedForward>(&group.feed_forward)) {
      experts->experts_per_token = experts->experts;
    }
  }
  return m;
}
/// MFLOP of one token's products, for the operators that satisfy `belongs`.
double token_mflop(const llm::Model& m, double context,
                   const std::function<bool(const llm::Operator&)>& belongs) {
  double sum = 0;
  for (const llm::Operator& op :
       llm::pass_operators(m, llm::stored_formats(m), llm::decode_pass(1, context))) {
    if (op.kind == llm::OperatorKind::kProduct && belongs(op)) sum += op.calls * op.flops;
  }
  return sum / kMega;
}
std::string flops_part(const Sources& s, double context) {
  const auto all = [](const llm::Operator&) { return true; };
  const llm::Model some = s.model("qwen3-30b-a3b");
  return "1/" +
         fixed(token_mflop(with_all_experts(some), context, all) / token_mflop(some, context, all),
               0);
}
constexpr double kRoutedContext = 1024;
DOC_FORMULA("moe.flops_part", flops_part(s, kRoutedContext))
DOC_FORMULA("moe.flops_part_short", flops_part(s, 1))
DOC_VALUE("moe.flops_table", [](const Sources& s) {
  const auto is_expert = [](const llm::Operator& op) { return op.name.starts_with("expert "); };
  const auto is_head = [](const llm::Operator& op) { return op.name == "output head"; };
  const llm::Model some = s.model("qwen3-30b-a3b"), all = with_all_experts(some);
  struct Part {
    const char* name;
    std::function<bool(const llm::Operator&)> belongs;
  };
  const std::vector<Part> parts = {
      {"attention's projections, and the router",
       [&](const llm::Operator& op) { return !op.attention && !is_expert(op) && !is_head(op); }},
      {"attention over 1024 tokens", [](const llm::Operator& op) { return op.attention; }},
      {"experts", is_expert},
      {"output head", is_head},
      {"together", [](const llm::Operator&) { return true; }}};
  std::vector<docs::Row> rows;
  for (const Part& part : parts) {
    rows.push_back({part.name, fixed(token_mflop(some, kRoutedContext, part.belongs), 0),
                    fixed(token_mflop(all, kRoutedContext, part.belongs), 0)});
  }
  return docs::markdown_table({"MFLOP of a token", "8 experts", "all 128"}, rows);
})
DOC_VALUE("paged.kb", [](const Sources&) {
  constexpr double kTokens = 16, kHeads = 8, kHeadDim = 128, kBytes = 2;
  return fixed(2 * kTokens * kHeads * kHeadDim * kBytes / 1024, 0);
})
DOC_VALUE("tp.bandwidth_ms", [](const Sources& s) {
  const double hidden_bytes = 2 * static_cast<double>(s.model("llama-3.1-70b").hidden);
  return fixed(160 *
                   roofline::collective_seconds(roofline::Collective::kAllReduce, hidden_bytes, 8,
                                                {0, 450 * kGiga}) /
                   kMilli,
               2);
})
llm::Line parallel_line() {
  return llm::fit_line({1, 1.0 / 2, 1.0 / 4, 1.0 / 8}, {9.533, 5.923, 3.937, 3.045});
}
DOC_FORMULA("fit.slope", fixed(parallel_line().slope, 3))
DOC_FORMULA("fit.intercept", fixed(parallel_line().intercept, 3))
DOC_FORMULA("fit.limit", fixed(1000 / parallel_line().intercept, 0))

roofline::Operation gemv() {
  return roofline::linear(1, 4096, 4096,
                          {roofline::Precision::kFp32, 0, roofline::Precision::kFp32, 0},
                          roofline::Precision::kFp32);
}
DOC_FORMULA("gemv.mb", fixed(gemv().bytes() / 1e6, 2))
DOC_FORMULA("gemv.ai", fixed(gemv().intensity(), 5))

// The lab's product of 8192 x 8192 in FP32.
roofline::Operation large_gemv() {
  return roofline::linear(1, 8192, 8192,
                          {roofline::Precision::kFp32, 0, roofline::Precision::kFp32, 0},
                          roofline::Precision::kFp32);
}
DOC_FORMULA("gemv.large_mb", fixed(large_gemv().bytes() / 1e6, 0))
DOC_VALUE("gemv.large_us", [](const Sources& s) {
  const double read =
      roofline::load_machine(s.measured("h200_roofs_quick.json")).streams.at("read");
  return fixed(large_gemv().bytes() / read / kMicro, 1);
})

DOC_VALUE("sums.percent", [](const Sources& s) {
  double compute = 0, memory = 0, maxima = 0;
  for (const llm::Operator& op :
       llm::pass_operators(llama(s), llm::stored_formats(llama(s)), llm::decode_pass(384, 256))) {
    if (op.kind != llm::OperatorKind::kProduct) continue;
    const double c = op.calls * op.flops / kHopperPeak;
    const double b = op.calls * (op.weight_bytes + op.kv_bytes) / kH200Bandwidth;
    compute += c;
    memory += b;
    maxima += std::max(c, b);
  }
  return fixed(100 * (1 - std::max(compute, memory) / maxima), 0);
})

// --- Published measurements ---

const llm::Validation& validation(const Sources& s) {
  static const llm::Validation result = [&] {
    const llm::Names names(s.measured("names.csv"));
    const auto rows = llm::read_rows(s.measured("llm_measured.csv"));
    const std::filesystem::path models = s.data() / "models";
    llm::Machines machines(s.data() / "machines");
    return llm::validate(rows, rows, {names, models, machines}, {});
  }();
  return result;
}
const llm::GroupValidation& group(const Sources& s, std::string_view name) {
  for (const llm::GroupValidation& candidate : validation(s).groups) {
    if (candidate.group == name) return candidate;
  }
  throw std::runtime_error(fmt::format("no group of rows is named {}", name));
}
constexpr std::string_view kGptFast = "e2e_decode: gpt-fast (torch.compile) on A100-SXM-80GB";
constexpr std::string_view kTrtllm = "serving_decode: trtllm 1.0.0rc3 on H100-SXM-80GB";
constexpr std::string_view kVllm = "serving_decode: vllm on H200-SXM";
constexpr std::string_view kLlamaCpp = "e2e_decode: llama.cpp";
std::string row_count(const Sources& s, std::string_view name) {
  return fmt::format("{}", group(s, name).rows.size());
}
std::string bare_error(const Sources& s, std::string_view name) {
  return fixed(100 * group(s, name).uncalibrated_mape, 1);
}
std::string fitted_error(const Sources& s, std::string_view name) {
  return fixed(100 * group(s, name).left_out_mape.value(), 1);
}
DOC_FORMULA("mape.gptfast.rows", row_count(s, kGptFast))
DOC_FORMULA("mape.gptfast.bare", bare_error(s, kGptFast))
DOC_FORMULA("mape.gptfast.fit", fitted_error(s, kGptFast))
DOC_FORMULA("mape.trtllm.rows", row_count(s, kTrtllm))
DOC_FORMULA("mape.trtllm.bare", bare_error(s, kTrtllm))
DOC_FORMULA("mape.trtllm.fit", fitted_error(s, kTrtllm))
DOC_FORMULA("mape.vllm.rows", row_count(s, kVllm))
DOC_FORMULA("mape.vllm.bare", bare_error(s, kVllm))
DOC_FORMULA("mape.vllm.fit", fitted_error(s, kVllm))
DOC_FORMULA("mape.llamacpp.rows", row_count(s, kLlamaCpp))
DOC_FORMULA("mape.llamacpp.bare", bare_error(s, kLlamaCpp))
DOC_FORMULA("mape.llamacpp.fit", fitted_error(s, kLlamaCpp))

DOC_FORMULA("mape.prefill.fit", fitted_error(s, "e2e_prefill: llama.cpp"))

/// Mean error, in percent, of a group whose rows are predicted by the bound divided by one
/// efficiency, which was fitted to the other rows by least squares of the relative error.
double one_efficiency_error(const Sources& s, std::string_view name) {
  std::vector<double> ratios;  // bound over measured time
  for (const llm::RowError& row : group(s, name).rows) {
    ratios.push_back(row.uncalibrated_seconds / row.observation.seconds);
  }
  double sum = 0;
  for (std::size_t left_out = 0; left_out < ratios.size(); ++left_out) {
    double first = 0, second = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      if (i == left_out) continue;
      first += ratios[i];
      second += ratios[i] * ratios[i];
    }
    sum += std::abs(ratios[left_out] * first / second - 1);
  }
  return 100 * sum / static_cast<double>(ratios.size());
}
DOC_FORMULA("fit.one.gptfast", fixed(one_efficiency_error(s, kGptFast), 0))
DOC_FORMULA("fit.one.trtllm", fixed(one_efficiency_error(s, kTrtllm), 0))
DOC_FORMULA("fit.one.vllm", fixed(one_efficiency_error(s, kVllm), 0))
DOC_FORMULA("fit.one.llamacpp", fixed(one_efficiency_error(s, kLlamaCpp), 0))

/// The efficiency of weight streaming of the served rows of vLLM, in percent.
std::string weight_efficiency(const Sources& s, llm::Origin origin) {
  const llm::Names names(s.measured("names.csv"));
  const auto rows = llm::read_rows(s.measured("llm_measured.csv"));
  const std::filesystem::path models = s.data() / "models";
  llm::Machines machines(s.data() / "machines");
  llm::FitChoice choice;
  choice.weights.origin = origin;
  for (const auto& calibration :
       llm::calibrate_groups(rows, rows, {names, models, machines}, choice)) {
    if (calibration.group == kVllm) return fixed(100 * calibration.efficiencies.weights, 0);
  }
  throw std::runtime_error("no calibration of the served rows");
}
DOC_FORMULA("fit.weights.free", weight_efficiency(s, llm::Origin::kFitted))
DOC_FORMULA("fit.weights.measured", weight_efficiency(s, llm::Origin::kMeasured))

// --- Measured on an H200 ---

double cell(const Sources& s, const char* file, const char* kernel, const std::string& shape,
            const std::string& variant, const char* column) {
  return s.measured_number(file, {{"kernel", kernel}, {"shape", shape}, {"variant", variant}},
                           column);
}
std::string own_rate(const Sources& s, const char* kernel, const char* shape, const char* variant) {
  return fixed(cell(s, "h200_llm_kernels.csv", kernel, shape, variant, "gb_per_s"), 0);
}
double own_us(const Sources& s, const char* kernel, const std::string& shape,
              const std::string& variant) {
  return cell(s, "h200_llm_kernels.csv", kernel, shape, variant, "seconds_median") / kMicro;
}
std::string torch_rate(const Sources& s, const char* kernel, const char* shape,
                       const char* variant) {
  return fixed(cell(s, "h200_torch_beside.csv", kernel, shape, variant, "gb_per_s"), 0);
}
std::string step_us(const Sources& s, int hidden, const char* variant) {
  return fixed(own_us(s, "decode step", fmt::format("hidden {} layers 4 fp32", hidden), variant),
               0);
}
constexpr const char* kBatch64 = "batch 64 heads 32/8/128 context 4096";
constexpr const char* kBatch1 = "batch 1 heads 32/8/128 context 8192";
DOC_VALUE("h200.read_gb_s", [](const Sources& s) {
  const roofline::Machine machine = roofline::load_machine(s.measured("h200_roofs_quick.json"));
  return fixed(machine.streams.at("read") / kGiga, 0);
})
DOC_FORMULA("h200.step.256.launches", step_us(s, 256, "launches"))
DOC_FORMULA("h200.step.256.graph", step_us(s, 256, "graph"))
DOC_FORMULA("h200.step.1024.launches", step_us(s, 1024, "launches"))
DOC_FORMULA("h200.step.1024.graph", step_us(s, 1024, "graph"))
DOC_FORMULA("h200.step.2048.launches", step_us(s, 2048, "launches"))
DOC_FORMULA("h200.step.2048.graph", step_us(s, 2048, "graph"))
DOC_FORMULA("h200.gemv.fp32", own_rate(s, "gemv", "8192x8192", "fp32"))
DOC_FORMULA("h200.gemv.fp16", own_rate(s, "gemv", "8192x8192", "fp16"))
DOC_FORMULA("h200.gemv.fp16_large", own_rate(s, "gemv", "16384x8192", "fp16"))
DOC_FORMULA("h200.gemv.int8", own_rate(s, "gemv", "16384x8192", "int8"))
DOC_FORMULA("h200.gemv.int4_us", fixed(own_us(s, "gemv", "8192x8192", "int4 group 128"), 1))
DOC_FORMULA("h200.gemv.int4_speedup", fixed(own_us(s, "gemv", "8192x8192", "fp16") /
                                                own_us(s, "gemv", "8192x8192", "int4 group 128"),
                                            2))
DOC_FORMULA("h200.gemv.int4_large", own_rate(s, "gemv", "16384x16384", "int4 group 128"))
DOC_FORMULA("h200.torch.int4_speedup",
            fixed(cell(s, "h200_torch_beside.csv", "gemv", "8192x8192", "torch.mv fp16",
                       "seconds_median") /
                      kMicro / own_us(s, "gemv", "8192x8192", "int4 group 128"),
                  1))
DOC_FORMULA("h200.kv.one", own_rate(s, "kv_stream", "262144x1024", "one piece"))
DOC_FORMULA("h200.kv.paged", own_rate(s, "kv_stream", "262144x1024", "pages of 16"))
DOC_VALUE("paged.loss_percent", [](const Sources& s) {
  const auto rate = [&](const char* variant) {
    return cell(s, "h200_llm_kernels.csv", "kv_stream", "262144x1024", variant, "gb_per_s");
  };
  return fixed(100 * (1 - rate("pages of 16") / rate("one piece")), 1);
})
DOC_FORMULA("h200.attention.64", own_rate(s, "attention", kBatch64, "contiguous"))
DOC_FORMULA("h200.attention.paged", own_rate(s, "attention", kBatch64, "pages of 16"))
// In percent of the read bandwidth: the products, the caches larger than 100 MB, and the attention
// of a batch.
std::vector<double> shares_of_read(const Sources& s) {
  const roofline::Machine machine = roofline::load_machine(s.measured("h200_roofs_quick.json"));
  const double read = machine.streams.at("read") / kGiga;
  const auto share = [&](const char* kernel, const char* shape, const char* variant) {
    return 100 * cell(s, "h200_llm_kernels.csv", kernel, shape, variant, "gb_per_s") / read;
  };
  return {share("gemv", "8192x8192", "fp32"),
          share("gemv", "16384x8192", "fp32"),
          share("gemv", "8192x8192", "fp16"),
          share("gemv", "16384x8192", "fp16"),
          share("gemv", "16384x8192", "int8"),
          share("gemv", "16384x16384", "int4 group 128"),
          share("kv_stream", "262144x1024", "pages of 1"),
          share("kv_stream", "262144x1024", "pages of 16"),
          share("kv_stream", "262144x1024", "pages of 256"),
          share("kv_stream", "262144x1024", "one piece"),
          share("attention", kBatch64, "contiguous"),
          share("attention", kBatch64, "pages of 16")};
}
DOC_VALUE("h200.least_share", [](const Sources& s) {
  const std::vector<double> shares = shares_of_read(s);
  return fixed(std::floor(*std::min_element(shares.begin(), shares.end())), 0);
})
DOC_VALUE("h200.most_share", [](const Sources& s) {
  const std::vector<double> shares = shares_of_read(s);
  return fixed(*std::max_element(shares.begin(), shares.end()), 0);
})
DOC_VALUE("h200.attention.parts", [](const Sources& s) {
  const auto us = [&](const char* variant) {
    return fixed(own_us(s, "attention", kBatch1, variant), 1);
  };
  return fmt::format("{}, {}, {} and {}", us("split in 8"), us("split in 16"), us("split in 32"),
                     us("split in 64"));
})
DOC_VALUE("h200.attention.1", [](const Sources& s) {
  double best = own_us(s, "attention", kBatch1, "split in 8");
  for (const char* variant : {"split in 16", "split in 32", "split in 64"}) {
    best = std::min(best, own_us(s, "attention", kBatch1, variant));
  }
  return fixed(best, 1);
})
DOC_FORMULA("h200.torch.fp32", torch_rate(s, "gemv", "8192x8192", "torch.mv fp32"))
DOC_FORMULA("h200.torch.fp16", torch_rate(s, "gemv", "8192x8192", "torch.mv fp16"))
DOC_FORMULA("h200.torch.fp16_large", torch_rate(s, "gemv", "16384x8192", "torch.mv fp16"))
DOC_FORMULA("h200.torch.kv", torch_rate(s, "kv_stream", "262144x1024", "torch sum"))
DOC_FORMULA("h200.torch.attention.64", torch_rate(s, "attention", kBatch64, "torch sdpa gqa"))
DOC_FORMULA("h200.torch.attention.1", fixed(cell(s, "h200_torch_beside.csv", "attention", kBatch1,
                                                 "torch sdpa gqa", "seconds_median") /
                                                kMicro,
                                            1))

// --- A transformer in PyTorch on that H200 ---

struct Case {
  const char* phase;
  int batch;
  int tokens;
};
constexpr std::array<Case, 16> kCases{{{"decode", 1, 1024},
                                       {"decode", 1, 8192},
                                       {"decode", 4, 4096},
                                       {"decode", 8, 1024},
                                       {"decode", 16, 8192},
                                       {"decode", 32, 2048},
                                       {"decode", 64, 1024},
                                       {"decode", 64, 4096},
                                       {"decode", 64, 8192},
                                       {"decode", 128, 2048},
                                       {"decode", 256, 1024},
                                       {"prefill", 1, 512},
                                       {"prefill", 1, 2048},
                                       {"prefill", 1, 8192},
                                       {"prefill", 4, 2048},
                                       {"prefill", 16, 1024}}};

double predicted(const Sources& s, const Case& c, const char* column) {
  return s.measured_number("h200_llm_predicted.csv",
                           {{"phase", c.phase},
                            {"batch", std::to_string(c.batch)},
                            {"tokens", std::to_string(c.tokens)}},
                           column);
}
double measured(const Sources& s, const Case& c) {
  const bool is_decode = std::string_view(c.phase) == "decode";
  return s.measured_number("h200_llm_transformer.csv",
                           {{"phase", c.phase},
                            {"batch", std::to_string(c.batch)},
                            {"tokens", std::to_string(c.tokens)},
                            {"launch", is_decode ? "graph" : "eager"}},
                           "seconds_median");
}
double error(const Sources& s, const Case& c, const char* column) {
  return 100 * (predicted(s, c, column) / measured(s, c) - 1);
}

template <std::size_t kIndex>
void register_case() {
  constexpr Case kCase = kCases[kIndex];
  const std::string key = fmt::format("own.{}.{}.{}.", kCase.phase, kCase.batch, kCase.tokens);
  docs::register_value(key + "bound", [](const Sources& s) {
    return fixed(predicted(s, kCases[kIndex], "seconds_bound") / kMilli, 2);
  });
  docs::register_value(key + "predicted", [](const Sources& s) {
    return fixed(predicted(s, kCases[kIndex], "seconds_predicted") / kMilli, 2);
  });
  docs::register_value(key + "measured", [](const Sources& s) {
    return fixed(measured(s, kCases[kIndex]) / kMilli, 2);
  });
  docs::register_value(key + "error", [](const Sources& s) {
    const double percent = std::round(error(s, kCases[kIndex], "seconds_predicted"));
    return percent == 0 ? "0" : fmt::format("{:+.0f}", percent);
  });
}
template <std::size_t... kIndex>
bool register_cases(std::index_sequence<kIndex...>) {
  (register_case<kIndex>(), ...);
  return true;
}
[[maybe_unused]] const bool kCasesAreRegistered =
    register_cases(std::make_index_sequence<kCases.size()>{});

// The prompt of 8192 tokens, in whole milliseconds.
constexpr Case kLongPrompt{"prefill", 1, 8192};
DOC_FORMULA("own.long_prompt.predicted",
            fixed(predicted(s, kLongPrompt, "seconds_predicted") / kMilli, 0))
DOC_FORMULA("own.long_prompt.measured", fixed(measured(s, kLongPrompt) / kMilli, 0))

/// Smallest and largest error of the predictions of decode, in percent, signed.
std::pair<double, double> decode_errors(const Sources& s) {
  std::vector<double> errors;
  for (const Case& c : kCases) {
    if (std::string_view(c.phase) == "decode") errors.push_back(error(s, c, "seconds_predicted"));
  }
  const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
  return {*least, *most};
}
DOC_FORMULA("own.decode.most", fixed(-decode_errors(s).first, 0))
DOC_FORMULA("own.decode.least", fixed(-decode_errors(s).second, 1))
DOC_VALUE("own.decode.mean", [](const Sources& s) {
  double sum = 0;
  int count = 0;
  for (const Case& c : kCases) {
    if (std::string_view(c.phase) != "decode") continue;
    sum += error(s, c, "seconds_predicted");
    ++count;
  }
  return fixed(-sum / count, 0);
})

/// A step of Llama-3.1-8B in PyTorch, in ms.
double transformer_ms(const Sources& s, int batch, int tokens, const char* launch) {
  return s.measured_number("h200_llm_transformer.csv",
                           {{"phase", "decode"},
                            {"batch", std::to_string(batch)},
                            {"tokens", std::to_string(tokens)},
                            {"launch", launch}},
                           "seconds_median") /
         kMilli;
}
DOC_VALUE("graphs.llama.table", [](const Sources& s) {
  std::vector<docs::Row> rows;
  for (const auto& [batch, tokens] :
       {std::pair{1, 1024}, {8, 1024}, {64, 1024}, {64, 8192}, {256, 1024}}) {
    const double eager = transformer_ms(s, batch, tokens, "eager");
    const double graph = transformer_ms(s, batch, tokens, "graph");
    rows.push_back({fmt::to_string(batch), fmt::to_string(tokens), fixed(eager, 2), fixed(graph, 2),
                    fixed(eager / graph, 2)});
  }
  return docs::markdown_table({"batch", "context", "launches one by one, ms", "graph, ms", "ratio"},
                              rows);
})
constexpr double kStepNodes = 4 * 7 + 1;  // enqueue_step() of decode_graph.cu
DOC_FORMULA("graphs.nodes", fixed(kStepNodes, 0))
DOC_FORMULA("graphs.node_us",
            fixed(own_us(s, "decode step", "hidden 256 layers 4 fp32", "graph") / kStepNodes, 1))
DOC_VALUE("graphs.floor_us", [](const Sources&) {
  // Weights of four layers of hidden size 256 in FP32, as in 04.stack.bytes.
  constexpr double kBytes = 4 * 4 * 256.0 * (2 * 256 + 2 * 64 + 3 * 3 * 256);
  return fixed(kBytes / kH200Bandwidth / kMicro, 1);
})
DOC_FORMULA(
    "graphs.launch_us",
    fixed(roofline::load_machine(s.measured("h200_roofs.json")).launch_overhead_seconds.value() /
              kMicro,
          1))

std::string median_error(const Sources& s, const char* column) {
  std::vector<double> errors;
  for (const Case& c : kCases) errors.push_back(std::abs(error(s, c, column)));
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  return fixed((errors[half - 1] + errors[half]) / 2, 0);
}
DOC_FORMULA("own.median_error", median_error(s, "seconds_predicted"))
DOC_FORMULA("own.median_bound_error", median_error(s, "seconds_bound"))

// --- The desktop of 4.20 ---

constexpr double kDesktopFlops = 2 * docs::kParameters * 512;
constexpr double kDesktopStep = docs::kDesktopBytes / docs::kDesktopRoof.bytes_per_second;
constexpr double kDesktopPrompt = kDesktopFlops / docs::kDesktopRoof.flops_per_second;
DOC_FORMULA("04.desktop.tflop", fixed(kDesktopFlops / kTera, 1))
DOC_FORMULA("04.desktop.prompt_s", fixed(kDesktopPrompt, 1))
DOC_FORMULA("04.desktop.tokens", fixed(kDesktopPrompt / kDesktopStep, 0))

}  // namespace
