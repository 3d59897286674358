// SPDX-License-Identifier: MIT
// Numbers of topic 04's first look at one layer and one request.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "roofline/llm/expectation.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/predict.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Row;
using docs::short_number;
using docs::Sources;

constexpr double kPrompt = 512, kOutput = 256;
using namespace base::prefixes;

llm::Model llama(const Sources& s) {
  return s.model("llama-3-8b");
}

/// The parts of a layer, with the shape of what each operator multiplies by.
struct Part {
  const char* name;
  const char* shape;
};
constexpr std::array<Part, 6> kParts = {{{"qkv projection", "4096 x 6144"},
                                         {"attention", "T x 8 x 128, twice"},
                                         {"output projection", "4096 x 4096"},
                                         {"gate and up projection", "4096 x 28672"},
                                         {"gating", ""},
                                         {"down projection", "14336 x 4096"}}};

/// FLOPs per byte, with as many digits as are meaningful.
std::string intensity(double value) {
  return fixed(value, value < 0.95 ? 2 : value < 10 ? 1 : 0);
}

DOC_VALUE("layer.table", [](const Sources& s) {
  const llm::Model m = llama(s);
  const llm::Formats formats = llm::stored_formats(m);
  const auto decode = llm::pass_operators(m, formats, llm::decode_pass(1, kPrompt + kOutput / 2));
  const auto prefill = llm::pass_operators(m, formats, llm::prefill_pass(1, kPrompt));
  std::vector<Row> rows;
  for (const Part& part : kParts) {
    const llm::Operator one = llm::operator_named(decode, part.name);
    const llm::Operator all = llm::operator_named(prefill, part.name);
    rows.push_back({fmt::format("{}{}{}", part.name, *part.shape == '\0' ? "" : ", ", part.shape),
                    short_number(one.flops / kMega), short_number(one.bytes() / kMega),
                    intensity(one.flops / one.bytes()), short_number(all.flops / kGiga),
                    intensity(all.flops / all.bytes())});
  }
  return docs::markdown_table({"operator, and what it multiplies by", "decode, MFLOP", "decode, MB",
                               "FLOP/B", "prefill, GFLOP", "FLOP/B"},
                              rows);
})

llm::System h200(const Sources& s) {
  return {s.machine("h200-sxm")};
}
llm::RequestTime request(const Sources& s, const llm::System& system) {
  const llm::Model m = llama(s);
  return llm::predict_request(m, llm::stored_formats(m), {1, kPrompt, kOutput}, system);
}
llm::RequestTime bound(const Sources& s) {
  return request(s, h200(s));
}
/// With the kernels of a serving engine, as in `roofline predict`.
llm::RequestTime expected(const Sources& s) {
  const llm::ExpectationData data = llm::load_expectations(s.data() / "expected");
  return request(s, llm::expected_system(h200(s), llm::find_engine(data, "serving"), data).system);
}
double tokens_megabytes(const Sources& s, double tokens) {
  return llm::kv_bytes_per_token(llama(s), llm::stored_formats(llama(s))) * tokens / kMega;
}
double step_gigabytes(const Sources& s) {
  const llm::Model m = llama(s);
  return (llm::streamed_weight_bytes(m, llm::stored_formats(m), 1) +
          llm::kv_bytes(m, llm::stored_formats(m), kPrompt + kOutput / 2)) /
         kGiga;
}

DOC_VALUE("request.prefill_tflop", [](const Sources& s) {
  double flops = 0;
  const llm::Model m = llama(s);
  for (const llm::Operator& op :
       llm::pass_operators(m, llm::stored_formats(m), llm::prefill_pass(1, kPrompt))) {
    flops += op.calls * op.flops;
  }
  return fixed(flops / 1e12, 2);
})
DOC_FORMULA("request.step_gb", fixed(step_gigabytes(s), 2))
DOC_FORMULA("request.by_hand_ms",
            fixed(step_gigabytes(s) * kGiga / roofline::bandwidth(s.machine("h200-sxm")) / kMilli,
                  2))
DOC_FORMULA("request.cache_first_mb", fixed(tokens_megabytes(s, kPrompt), 0))
DOC_FORMULA("request.cache_last_mb", fixed(tokens_megabytes(s, kPrompt + kOutput), 0))
DOC_VALUE("request.table", [](const Sources& s) {
  const llm::RequestTime least = bound(s), likely = expected(s);
  const auto row = [](const char* name, double a, double b, int decimals) {
    return Row{name, fixed(a / kMilli, decimals), fixed(b / kMilli, decimals)};
  };
  const auto share = [](const llm::RequestTime& time) {
    return fixed(100 * (1 - time.time_to_first_token / time.request_seconds), 0) + " %";
  };
  return docs::markdown_table(
      {"one request on an H200", "bound", "expected"},
      {row("time to first token, ms", least.time_to_first_token, likely.time_to_first_token, 1),
       row("time per output token, ms", least.time_per_output_token, likely.time_per_output_token,
           2),
       row("whole request, ms", least.request_seconds, likely.request_seconds, 0),
       {"of which decode", share(least), share(likely)}});
})

}  // namespace
