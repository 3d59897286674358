// SPDX-License-Identifier: MIT
// The operators of a pass: totals, windows, experts, shards, and agreement with the operations.
#include "roofline/llm/operators.hpp"

#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/transformer.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

std::vector<Operator> operators(const Model& m, const Pass& pass) {
  return pass_operators(m, stored_formats(m), pass);
}

struct Sums {
  double flops = 0;
  double weights = 0;
  double kv = 0;
};

Sums sums(const std::vector<Operator>& list) {
  Sums result;
  for (const Operator& op : list) {
    result.flops += op.calls * op.flops;
    result.weights += op.calls * op.weight_bytes;
    result.kv += op.calls * op.kv_bytes;
  }
  return result;
}

}  // namespace

TEST_CASE("a decode step reads every weight and every cached token once, for all models") {
  for (const auto& file : model_files(kData / "models")) {
    INFO(file.stem());
    const Model m = load_model(file);
    const Formats formats = stored_formats(m);
    for (const double batch : {1.0, 7.0, 64.0}) {
      const Sums sum = sums(pass_operators(m, formats, decode_pass(batch, 1000)));
      const double lookup = batch * static_cast<double>(m.hidden) * 2;
      CHECK(sum.weights - lookup == Approx(streamed_weight_bytes(m, formats, batch)).epsilon(1e-9));
      // The new token's keys and values are written, then read with the others.
      // States are both read and written.
      double states = 0;
      for (const LayerGroup& group : m.layers) {
        states += static_cast<double>(group.count) * state_bytes(group.attention, formats);
      }
      CHECK(sum.kv ==
            Approx(batch * (kv_bytes(m, formats, 1000) + kv_bytes_per_token(m, formats) + states))
                .epsilon(1e-9));
    }
  }
}

TEST_CASE("products take two FLOPs a parameter and token") {
  for (const char* id : {"llama-3.1-8b", "qwen2.5-7b", "qwen3-32b", "phi-3-mini-4k"}) {
    INFO(id);
    const Model m = model(id);
    double flops = 0;
    for (const Operator& op : operators(m, decode_pass(3, 100))) {
      if (op.kind == OperatorKind::kProduct && op.kv_bytes == 0) flops += op.calls * op.flops;
    }
    const ParameterCount count = count_parameters(m);
    CHECK(flops == Approx(2.0 * 3 * static_cast<double>(count.matrices + count.head)));
  }
}

TEST_CASE("pairs inside mask and window, against counting them") {
  for (const double past : {0.0, 3.0, 10.0}) {
    for (const double fresh : {1.0, 2.0, 9.0}) {
      for (const std::int64_t window : {1, 4, 12, 100}) {
        double counted = 0;
        for (double i = 1; i <= fresh; ++i) {
          counted += std::min(past + i, static_cast<double>(window));
        }
        const Pass pass{.sequences = 1, .new_tokens = fresh, .context = past + fresh};
        INFO(past << " " << fresh << " " << window);
        CHECK(attention_pairs(pass, window) == counted);
      }
      const Pass pass{.sequences = 1, .new_tokens = fresh, .context = past + fresh};
      CHECK(attention_pairs(pass, std::nullopt) == fresh * past + fresh * (fresh + 1) / 2);
    }
  }
}

TEST_CASE("causality halves the attention of a prefill") {
  const Model m = model("llama-3.1-8b");
  const Operator op = operator_named(operators(m, prefill_pass(2, 4096)), "attention");
  const double all_pairs = 4.0 * 32 * 128 * 4096 * 4096 * 2;
  CHECK(op.flops / all_pairs == Approx(0.5).epsilon(1e-3));
}

TEST_CASE("windowed layers are operators of their own") {
  const auto list = operators(model("gemma-2-9b"), decode_pass(1, 8192));
  CHECK_THROWS_WITH(operator_named(list, "attentoin"), Contains("no operator is named attentoin"));
  CHECK(operator_named(list, "attention").calls == 21);
  CHECK(operator_named(list, "attention, window 4096").calls == 21);
  CHECK(operator_named(list, "attention").kv_bytes ==
        2 * operator_named(list, "attention, window 4096").kv_bytes);
  CHECK(operator_named(list, "qkv projection").calls == 42);  // alike in both, hence one entry
  CHECK(operator_named(list, "norm and residual").calls == 4 * 42);
}

TEST_CASE("expert weights grow with the batch, their FLOPs with the tokens") {
  const Model m = model("qwen3-30b-a3b");
  const Operator one = operator_named(operators(m, decode_pass(1, 10)), "expert down projection");
  const Operator many = operator_named(operators(m, decode_pass(8, 10)), "expert down projection");
  CHECK(many.flops == 8 * one.flops);
  CHECK(many.weight_bytes / one.weight_bytes == Approx(distinct_experts(128, 8, 8) / 8));
  const auto deepseek = operators(model("deepseek-v3"), decode_pass(1, 10));
  CHECK(operator_named(deepseek, "shared down projection").calls == 58);
  CHECK(operator_named(deepseek, "gate and up projection").calls == 3);
}

TEST_CASE("a latent cache is expanded in a prefill and absorbed in decode") {
  const Model m = model("deepseek-v3");
  const Operator prefill =
      operator_named(operators(m, prefill_pass(1, 100)), "attention, expanded");
  CHECK(prefill.flops == 100 * 101 / 2 * 2.0 * 128 * (192 + 128));
  const Operator decode = operator_named(operators(m, decode_pass(1, 100)), "latent attention");
  CHECK(decode.flops == 100 * 2.0 * 128 * (2 * 512 + 64));
}

TEST_CASE("formulas agree with the operations library") {
  const Model m = model("llama-3.1-8b");
  const auto list = operators(m, decode_pass(5, 3000));
  const Operation attention = decode_attention(5, 32, 8, 128, 3000, Precision::kBf16);
  CHECK(operator_named(list, "attention").flops == attention.flops);
  CHECK(operator_named(list, "attention").kv_bytes == attention.bytes());
  const WeightFormat bf16{Precision::kBf16, 0, Precision::kBf16, 0};
  const Operation projection = linear(5, 4096, 6144, bf16, Precision::kBf16);
  CHECK(operator_named(list, "qkv projection").flops == projection.flops);
  CHECK(operator_named(list, "qkv projection").bytes() == projection.bytes());
  const Model deepseek = model("deepseek-v3");
  const Operation latent = mla_decode_attention(5, 128, 512, 64, 3000, Precision::kBf16);
  const Operator absorbed =
      operator_named(operators(deepseek, decode_pass(5, 3000)), "latent attention");
  CHECK(absorbed.flops == latent.flops);
  CHECK(absorbed.kv_bytes == latent.bytes());
}

TEST_CASE("shards divide heads, widths and vocabulary, and repeat scarce key-value heads") {
  const Model m = model("llama-3.1-70b");
  const Formats formats = stored_formats(m);
  const Model eighth = shard(m, 8);
  CHECK(weight_bytes(eighth, formats) == Approx(weight_bytes(m, formats) / 8).epsilon(1e-3));
  CHECK(kv_bytes_per_token(eighth, formats) == kv_bytes_per_token(m, formats) / 8);
  CHECK(kv_bytes_per_token(shard(m, 16), formats) == kv_bytes_per_token(m, formats) / 8);
  const Model deepseek = model("deepseek-v3");
  CHECK(kv_bytes_per_token(shard(deepseek, 8), formats) == kv_bytes_per_token(deepseek, formats));
  CHECK_THROWS_WITH(shard(m, 3), Contains("query heads (64) cannot be divided over 3"));
  CHECK_THROWS_WITH(shard(m, 0), Contains("at least 1"));
}

TEST_CASE("impossible passes are refused") {
  const Model m = model("llama-3.1-8b");
  CHECK_THROWS_WITH(operators(m, decode_pass(0, 10)), Contains("number of sequences"));
  CHECK_THROWS_WITH(operators(m, verify_pass(1, 3, 4)), Contains("cannot be shorter"));
  CHECK_THROWS_WITH(
      operators(m, {.sequences = 1, .new_tokens = 1, .context = 4, .outputs_per_sequence = 2}),
      Contains("more outputs"));
}
