// SPDX-License-Identifier: MIT
// Predicted times: sum of maxima, collectives, overheads, requests, memory.
#include "roofline/llm/predict.hpp"

#include "course_data.hpp"
#include "roofline/llm/config.hpp"
#include "roofline/llm/speculative.hpp"
#include "support/catch.hpp"

using namespace roofline;
using namespace roofline::llm;
using Catch::Matchers::Contains;

namespace {

System one(const std::string& id) {
  return {.machine = machine(id)};
}

PassTime decode(const System& system, const Model& m, double batch, double context) {
  return predict_pass(m, stored_formats(m), decode_pass(batch, context), system);
}

}  // namespace

TEST_CASE("a step is the sum of its operators' maxima, never the maximum of the sums") {
  const System h200 = one("h200-sxm");
  const Model m = model("llama-3.1-8b");
  for (const double batch : {1.0, 64.0, 384.0}) {
    const PassTime step = decode(h200, m, batch, 256);
    double sum = 0;
    for (const OperatorTime& op : step.operators) {
      CHECK(op.seconds == std::max(op.compute_seconds, op.memory_seconds));
      sum += op.seconds;
    }
    CHECK(step.seconds() == Approx(sum));
    CHECK(step.max_of_sums_seconds <= step.seconds());
  }
  // If products are compute-bound and attention is not, the wrong bound is far too fast.
  const PassTime step = decode(h200, m, 384, 256);
  CHECK(step.max_of_sums_seconds < 0.75 * step.seconds());
}

TEST_CASE("a decode step never beats the floor of weights and cache, and comes close to it") {
  const System h200 = one("h200-sxm");
  const Model m = model("llama-3.1-8b");
  for (const double batch : {1.0, 8.0, 64.0}) {
    const double floor = decode_floor_seconds(m, stored_formats(m), batch, 4096, 4800e9);
    const double step = decode(h200, m, batch, 4096).seconds();
    CHECK(step >= floor);
    CHECK(step < 1.02 * floor);
  }
}

TEST_CASE("an efficiency slows down what it is about") {
  System system = one("h200-sxm");
  const Model m = model("llama-3.1-8b");
  const double plain = decode(system, m, 32, 4096).seconds();
  system.efficiencies = {.weights = 0.5, .kv = 1, .compute = 1};
  const double weights = decode(system, m, 32, 4096).seconds();
  system.efficiencies = {.weights = 1, .kv = 0.5, .compute = 1};
  const double kv = decode(system, m, 32, 4096).seconds();
  system.efficiencies = {.weights = 0.5, .kv = 0.5, .compute = 1};
  CHECK(decode(system, m, 32, 4096).seconds() == Approx(2 * plain));
  CHECK(weights + kv == Approx(3 * plain));
  CHECK(kv > weights);  // 17.6 GB of cache against 15.0 GB of weights
  system.efficiencies.weights = 1.2;
  CHECK_THROWS_WITH(decode(system, m, 1, 10), Contains("efficiency of weight streaming"));
}

TEST_CASE("launches cost per kernel, a graph once per step") {
  System system = one("h200-sxm");
  const Model m = model("llama-3.1-8b");
  const PassTime plain = decode(system, m, 1, 128);
  double kernels = 0;
  for (const OperatorTime& op : plain.operators) kernels += op.op.calls;
  system.overheads.per_kernel_seconds = 5e-6;
  CHECK(decode(system, m, 1, 128).seconds() == Approx(plain.seconds() + kernels * 5e-6));
  system.overheads = {.per_step_seconds = 10e-6, .per_layer_seconds = 20e-6};
  CHECK(decode(system, m, 1, 128).seconds() == Approx(plain.seconds() + 10e-6 + 32 * 20e-6));
}

TEST_CASE("all-reduces: latency counts, bandwidth alone hides it") {
  System system = one("h200-sxm");
  system.ranks = 8;
  const Model m = model("llama-3.1-70b");
  CHECK_THROWS_WITH(decode(system, m, 4, 100), Contains("all-reduce"));
  system.all_reduce = {.latency_seconds = 0, .bytes_per_second = 450e9};
  const double bandwidth_only = decode(system, m, 4, 100).collective_seconds;
  CHECK(bandwidth_only * 1e3 == Approx(0.041).margin(0.0005));
  system.all_reduce->latency_seconds = 6.4e-6;
  CHECK(decode(system, m, 4, 100).collective_seconds * 1e3 == Approx(1.07).margin(0.02));
}

TEST_CASE("more ranks shorten a step by less than their number") {
  System system = one("h200-sxm");
  const Model m = model("llama-3.1-70b");
  const double alone = decode(system, m, 4, 1000).seconds();
  system.ranks = 8;
  system.all_reduce = {.latency_seconds = 5e-6, .bytes_per_second = 300e9};
  const double eight = decode(system, m, 4, 1000).seconds();
  CHECK(eight < alone / 4);
  CHECK(eight > alone / 8);
}

TEST_CASE("a request: first token, then tokens at the middle of the output") {
  const System h100 = one("h100-sxm");
  const Model m = model("llama-3.1-8b");
  const Formats formats = stored_formats(m);
  Request request{.batch = 16, .prompt = 1024, .output = 512};
  const RequestTime batch = predict_request(m, formats, request, h100);
  CHECK(batch.time_per_output_token == decode(h100, m, 16, 1280).seconds());
  CHECK(batch.time_to_first_token ==
        predict_pass(m, formats, prefill_pass(16, 1024), h100).seconds());
  CHECK(batch.request_seconds ==
        Approx(batch.time_to_first_token + 511 * batch.time_per_output_token));
  request.continuous = true;
  const RequestTime served = predict_request(m, formats, request, h100);
  const double one_prompt = predict_pass(m, formats, prefill_pass(1, 1024), h100).seconds();
  CHECK(served.time_to_first_token == one_prompt);
  CHECK(served.time_per_output_token ==
        Approx(batch.time_per_output_token + 15.0 / 512 * one_prompt));
  CHECK(served.tokens_per_second < batch.tokens_per_second);
}

TEST_CASE("prefill is compute-bound, decode memory-bound, until the prompt is short") {
  const System h100 = one("h100-sxm");
  const Model m = model("llama-3.1-8b");
  const auto bound_of = [&](const Pass& pass) {
    for (const OperatorTime& op : predict_pass(m, stored_formats(m), pass, h100).operators) {
      if (op.op.name == "down projection") return op.bound;
    }
    return Bound::kMemory;
  };
  CHECK(bound_of(prefill_pass(1, 2048)) == Bound::kCompute);
  CHECK(bound_of(prefill_pass(1, 256)) == Bound::kMemory);
  CHECK(bound_of(decode_pass(64, 2048)) == Bound::kMemory);
  CHECK(bound_of(decode_pass(512, 2048)) == Bound::kCompute);
}

TEST_CASE("weight-only quantisation helps decode and not a compute-bound prefill") {
  const System h100 = one("h100-sxm");
  const Model m = model("llama-3.1-8b");
  const Formats plain = stored_formats(m);
  Formats quantised = plain;
  quantised.weights = parse_format("int4/128");
  const auto ratio = [&](const Pass& pass) {
    return predict_pass(m, plain, pass, h100).seconds() /
           predict_pass(m, quantised, pass, h100).seconds();
  };
  CHECK(ratio(decode_pass(1, 128)) > 2.5);
  CHECK(ratio(prefill_pass(1, 4096)) == Approx(1).epsilon(0.01));
}

TEST_CASE("a precision that the machine lacks is refused by name") {
  Formats formats = stored_formats(model("llama-3.1-8b"));
  formats.arithmetic = Precision::kFp8;
  CHECK_THROWS_WITH(
      predict_pass(model("llama-3.1-8b"), formats, decode_pass(1, 10), one("a100-80gb-sxm")),
      Contains("FP8") || Contains("fp8"));
}

TEST_CASE("memory of a rank and the largest batch in it") {
  System system = one("a100-80gb-sxm");
  const Model m = model("llama-3.1-8b");
  const MemoryUse use = predict_memory(m, stored_formats(m), 10, 8192, system, 0.9);
  CHECK(use.largest_batch.value() == 52);
  CHECK(use.kv_bytes == 10 * 8192 * 131072.0);
  const Model large = model("llama-3.1-70b");
  CHECK_FALSE(predict_memory(large, stored_formats(large), 1, 100, system, 0.9).largest_batch);
  system.ranks = 4;
  CHECK(predict_memory(large, stored_formats(large), 1, 8192, system, 0.9).largest_batch.value() >
        0);
}

TEST_CASE("checking a draft costs little more than a step, so it pays") {
  const System h100 = one("h100-sxm");
  const Model m = model("llama-3.1-8b");
  const double step = decode(h100, m, 1, 1000).seconds();
  const double check = predict_pass(m, stored_formats(m), verify_pass(1, 1004, 5), h100).seconds();
  CHECK(check > step);
  CHECK(check < 1.02 * step);
  CHECK(expected_tokens(0, 4) == 1);
  CHECK(expected_tokens(1, 4) == 5);
  CHECK(best_draft_length(0.1, 0.5) == 0);
  CHECK_THROWS_WITH(expected_tokens(1.1, 4), Contains("probability"));
}
