// SPDX-License-Identifier: MIT
// The number exercises on LLM inference: the library computes every answer of the course.
#include <algorithm>
#include <cmath>

#include "course_data.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/transformer.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;

namespace {

constexpr double kH200Bandwidth = 4800e9;
constexpr double kH100Bandwidth = 3350e9;
constexpr double kA100Bandwidth = 2039e9;
constexpr double kHopperPeak = 989.4e12;
constexpr double kA100Peak = 312e12;

Model llama_8b() {
  return model("llama-3.1-8b");
}

double cache_per_token(const char* id) {
  const Model read = model(id);
  return kv_bytes_per_token(read, stored_formats(read));
}

/// A value printed with `digits` decimals.
Approx printed(double value, int digits) {
  return Approx(value).margin(0.5001 * std::pow(10.0, -digits)).epsilon(0);
}

double flops_of(const std::vector<Operator>& operators, const std::string& part) {
  double sum = 0;
  for (const Operator& op : operators) {
    if (op.name.find(part) != std::string::npos) sum += op.calls * op.flops;
  }
  return sum;
}

}  // namespace

TEST_CASE("1: parameters and bytes of a decode step") {
  const Model m = llama_8b();
  CHECK(count_parameters(m).total() == 8030261248);
  CHECK(streamed_weight_bytes(m, stored_formats(m), 1) == printed(2.0 * 7504924672, 0));
  CHECK(streamed_weight_bytes(m, stored_formats(m), 1) / 1e9 == printed(15.010, 3));
}

TEST_CASE("2: cache bytes per token") {
  CHECK(cache_per_token("llama-2-7b") == 524288);
  CHECK(cache_per_token("llama-3.1-8b") == 131072);
  CHECK(cache_per_token("llama-3.1-70b") == 327680);
  CHECK(cache_per_token("qwen2.5-7b") == 57344);
  CHECK(cache_per_token("gemma-2-9b") == 344064);
  CHECK(cache_per_token("qwen3-30b-a3b") == 98304);
  CHECK(cache_per_token("gpt-oss-120b") == 73728);
  CHECK(cache_per_token("deepseek-v3") == 70272);
}

TEST_CASE("3: largest batch in 90 % of 80 GB") {
  const Model m = llama_8b();
  CHECK(largest_batch(m, stored_formats(m), 8192, 0.9 * 80e9).value() == 52);
  CHECK_FALSE(largest_batch(model("llama-3.1-70b"), stored_formats(m), 8192, 80e9));
}

TEST_CASE("4: intensity of decode attention, from the operators") {
  const auto intensity = [](std::int64_t kv_heads) {
    Model m = llama_8b();
    std::get<GroupedAttention>(m.layers.at(0).attention).kv_heads = kv_heads;
    for (const Operator& op : pass_operators(m, stored_formats(m), decode_pass(1, 8192))) {
      if (op.name == "attention") return op.flops / op.kv_bytes;
    }
    return 0.0;
  };
  CHECK(intensity(32) == 1);
  CHECK(intensity(8) == 4);
  CHECK(intensity(1) == 32);
}

TEST_CASE("5: critical batches") {
  const double a100 = kA100Peak / kA100Bandwidth;
  const double h100 = kHopperPeak / kH100Bandwidth;
  const double h200 = kHopperPeak / kH200Bandwidth;
  const auto square = [](double n, const char* format) {
    return DenseLayer{n, n, parse_format(format).bytes_per_element(), 2};
  };
  CHECK(critical_batch(square(4096, "bf16"), a100).value() == printed(165.4, 1));
  CHECK(critical_batch(square(4096, "bf16"), h100).value() == printed(345.1, 1));
  CHECK(critical_batch(square(4096, "bf16"), h200).value() == printed(229.2, 1));
  CHECK(critical_batch(square(4096, "int8"), h100).value() == printed(172.6, 1));
  CHECK(critical_batch(square(4096, "int4/128"), h100).value() == printed(89.0, 1));
  CHECK_FALSE(critical_batch(square(512, "bf16"), h100));
}

TEST_CASE("6: FLOPs of a causal prefill") {
  const Model m = llama_8b();
  const auto operators = pass_operators(m, stored_formats(m), prefill_pass(1, 2048));
  const double head = flops_of(operators, "output head");
  const double attention = flops_of(operators, "attention");
  const double linear = flops_of(operators, "projection");
  CHECK(linear / 1e12 == printed(28.587, 3));
  CHECK(attention / 1e12 == printed(1.100, 3));
  CHECK(head / 1e12 == printed(0.001, 3));
  const double total = linear + attention + head;
  CHECK(total / 1e12 == printed(29.688, 3));
  CHECK(total / kHopperPeak * 1e3 == printed(30.0, 1));
  CHECK(total / (0.5 * kHopperPeak) * 1e3 == printed(60.0, 1));
  // S^2/2 pairs grow until they cost as much as the linear layers.
  const double linear_per_token = linear / 2048;
  CHECK(linear_per_token / (4.0 * 32 * 128 * 32 / 2) == 53248);
  const auto equal = pass_operators(m, stored_formats(m), prefill_pass(1, 53248));
  CHECK(flops_of(equal, "attention") / flops_of(equal, "projection") == Approx(1).epsilon(1e-4));
}

TEST_CASE("7 and 8: bound of step and rate over the batch") {
  const Model m = llama_8b();
  const Formats formats = stored_formats(m);
  const auto rate = [&](double batch) {
    return batch / decode_floor_seconds(m, formats, batch, 4096, kH200Bandwidth);
  };
  CHECK(1e3 / rate(1) == printed(3.239, 3));
  CHECK(rate(1) == printed(308.7, 1));
  CHECK(rate(8) == printed(1989, 0));
  CHECK(rate(32) == printed(4772, 0));
  CHECK(rate(64) == printed(6222, 0));
  CHECK(rate(128) == printed(7338, 0));
  CHECK(rate(206) == printed(7872, 0));
  CHECK(largest_batch(m, formats, 4096, 141e9).value() == 232);
}

TEST_CASE("8: the maximum of the sums is 31 % too fast at batch 384 and context 256") {
  // Products and attention alone, weights and cache alone, as the exercise defines its bound.
  const Model m = llama_8b();
  double compute = 0;
  double memory = 0;
  double sum_of_maxima = 0;
  for (const Operator& op : pass_operators(m, stored_formats(m), decode_pass(384, 256))) {
    if (op.kind != OperatorKind::kProduct) continue;
    const double c = op.calls * op.flops / kHopperPeak;
    const double b = op.calls * (op.weight_bytes + op.kv_bytes) / kH200Bandwidth;
    compute += c;
    memory += b;
    sum_of_maxima += std::max(c, b);
  }
  CHECK(1 - std::max(compute, memory) / sum_of_maxima == printed(0.31, 2));
}

TEST_CASE("9: context at which cache and weights weigh the same") {
  const Model m = llama_8b();
  CHECK(context_where_kv_equals_weights(m, stored_formats(m), 1) == printed(114516, 0));
  CHECK(context_where_kv_equals_weights(m, stored_formats(m), 32) == printed(3579, 0));
  CHECK_THROWS_WITH(context_where_kv_equals_weights(model("gemma-2-9b"), stored_formats(m), 1),
                    Catch::Matchers::Contains("window"));
}

TEST_CASE("10: intensity of latent attention, on one rank and on one of eight") {
  const auto intensity = [](int ranks) {
    const Model m = shard(model("deepseek-v3"), ranks);
    for (const Operator& op : pass_operators(m, stored_formats(m), decode_pass(1, 4096))) {
      if (op.name == "latent attention") return op.flops / op.kv_bytes;
    }
    return 0.0;
  };
  CHECK(intensity(1) == printed(241.8, 1));
  CHECK(intensity(8) == printed(30.2, 1));
  const Roof h100{kHopperPeak, kH100Bandwidth};
  CHECK(ridge(h100) == printed(295, 0));
  CHECK(classify(h100, intensity(1)) == Bound::kMemory);
}

TEST_CASE("11: latent cache against expanded keys and values") {
  const Model m = model("deepseek-v3");
  const AttentionLayer latent = m.layers.at(0).attention;
  const auto& a = std::get<LatentAttention>(latent);
  Formats formats = stored_formats(m);
  const double bf16 = kv_bytes_per_token(latent, formats);
  const double expanded =
      2.0 * static_cast<double>(a.heads * (a.nope_dim + a.rope_dim + a.value_dim));
  CHECK(bf16 == 1152);
  CHECK(expanded / bf16 == printed(71.1, 1));
  formats.kv = parse_format("fp8/128:32");  // the rotary key stays in 16 bits
  CHECK(kv_bytes_per_token(latent, formats) == 656);
  CHECK(bf16 / kv_bytes_per_token(latent, formats) == printed(1.756, 3));
}

TEST_CASE("12: distinct experts and the step they allow") {
  CHECK(distinct_experts(128, 8, 1) == Approx(8));
  CHECK(distinct_experts(128, 8, 8) == printed(51.62, 2));
  CHECK(distinct_experts(128, 8, 64) == printed(125.94, 2));
  const Model m = model("qwen3-30b-a3b");
  const auto milliseconds = [&](double batch) {
    return streamed_weight_bytes(m, stored_formats(m), batch) / kH200Bandwidth * 1e3;
  };
  CHECK(milliseconds(1) == printed(1.267, 3));
  CHECK(milliseconds(8) == printed(5.384, 3));
  CHECK(milliseconds(64) == printed(12.398, 3));
}

TEST_CASE("13: bits of quantised weights") {
  CHECK(parse_format("q4_0").bits_per_element == 4.5);
  CHECK(parse_format("int4/32").bits_per_element == 4.5);
  CHECK(parse_format("int4/128").bits_per_element == 4.125);
  CHECK(16 / parse_format("int4/128").bits_per_element == printed(3.879, 3));
  const Model m = model("llama-2-7b");
  Formats formats = stored_formats(m);
  formats.weights = formats.head = parse_format("q4_0");
  CHECK(weight_bytes(m, formats) / 1e9 == printed(3.79, 2));
  CHECK(weight_bytes(m, formats) / 1073741824 == printed(3.53, 2));
}

TEST_CASE("14: caches with alternating windows") {
  const auto bytes = [](const char* id, double context) {
    const Model m = model(id);
    return kv_bytes(m, stored_formats(m), context) / 1e9;
  };
  CHECK(bytes("gemma-2-9b", 8192) == printed(2.114, 3));
  CHECK(8192 * cache_per_token("gemma-2-9b") / 1e9 == printed(2.819, 3));
  CHECK(bytes("gpt-oss-120b", 131072) == printed(4.84, 2));
  CHECK(131072 * cache_per_token("gpt-oss-120b") / 1e9 == printed(9.66, 2));
}

TEST_CASE("15: speculative decoding") {
  CHECK(expected_tokens(0.8, 4) == printed(3.3616, 4));
  CHECK(speculative_speedup(0.8, 4, 0.1) == printed(2.401, 3));
  CHECK(best_draft_length(0.8, 0.1) == 6);
  CHECK(speculative_speedup(0.8, 6, 0.1) == printed(2.47, 2));
}

TEST_CASE("16: FP32 matrix-vector product") {
  const Operation gemv =
      linear(1, 4096, 4096, {Precision::kFp32, 0, Precision::kFp32, 0}, Precision::kFp32);
  CHECK(4096.0 * 4096 * 4 / 1e6 == printed(67.11, 2));
  CHECK(gemv.bytes() / 1e6 == printed(67.14, 2));
  CHECK(gemv.intensity() == printed(0.49976, 5));
}

TEST_CASE("17: grouped-query decode attention on an H200") {
  const Model m = llama_8b();
  const std::vector<Operator> all = pass_operators(m, stored_formats(m), decode_pass(1, 8192));
  const Operator& op = operator_named(all, "attention");
  CHECK(op.kv_bytes / 1e6 == printed(33.55, 2));
  CHECK(op.flops / op.kv_bytes == 4);
  CHECK(time_seconds(Roof{kHopperPeak, kH200Bandwidth}, op.flops, op.kv_bytes) * 1e6 ==
        printed(6.99, 2));
}

TEST_CASE("20: floors of a served model") {
  const Model m = llama_8b();
  const auto floor = [&](double batch, double prompt) {
    return decode_floor_seconds(m, stored_formats(m), batch, prompt + 512 / 2.0, kH100Bandwidth) *
           1e3;
  };
  CHECK(floor(8, 1024) == printed(4.881, 3));
  CHECK(floor(64, 4096) == printed(15.378, 3));
}
