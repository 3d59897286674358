// SPDX-License-Identifier: MIT
// Numbers of topic 04's section on serving.

#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/speculative.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Sources;

constexpr double kBandwidth = 4800e9;
constexpr double kPeak = 989.4e12;
using namespace base::prefixes;

llm::Model llama(const Sources& s) {
  return s.model("llama-3.1-8b");
}
double wait(double load) {
  return load / (2 * (1 - load));
}
constexpr double kReached = 0.6;  // of the peak, in prefill
double products_seconds(const Sources& s, double tokens) {
  return 2 * static_cast<double>(llm::count_parameters(llama(s)).matrices) * tokens /
         (kReached * kPeak);
}
/// Of a whole prompt, causal, at the same rate.
double attention_seconds(const Sources& s, double prompt) {
  const llm::Model m = llama(s);
  double flops = 0;
  for (const llm::Operator& op :
       llm::pass_operators(m, llm::stored_formats(m), llm::prefill_pass(1, prompt))) {
    if (op.attention) flops += op.calls * op.flops;
  }
  return flops / (kReached * kPeak);
}
/// Tokens per second with as many sequences as fit in nine tenths of an H200's memory.
double full_rate(const Sources& s, double context) {
  const llm::Model m = llama(s);
  const llm::Formats formats = llm::stored_formats(m);
  const auto batch =
      static_cast<double>(llm::largest_batch(m, formats, context, 0.9 * 141e9).value());
  return batch / llm::decode_floor_seconds(m, formats, batch, context, kBandwidth);
}
double dearest_check() {
  return llm::expected_tokens(0.8, 4) - 4 * 0.1;
}

DOC_FORMULA("load.wait.half", fixed(wait(0.5), 1))
DOC_FORMULA("load.wait.most", fixed(wait(0.8), 0))
DOC_FORMULA("load.wait.knee", fixed(wait(0.95), 1))
DOC_FORMULA("load.ridge", fixed(kPeak / kBandwidth, 0))
DOC_FORMULA("load.stall", fixed(products_seconds(s, 8192) / kMilli, 0))
DOC_FORMULA("load.stall_attention",
            fixed((products_seconds(s, 8192) + attention_seconds(s, 8192)) / kMilli, 0))
DOC_FORMULA("load.chunked", fixed(products_seconds(s, 512 + 64) / kMilli, 0))
DOC_FORMULA("load.transfer",
            fixed(llm::kv_bytes(llama(s), llm::stored_formats(llama(s)), 8192) / 50e9 / kMilli, 0))
DOC_FORMULA("load.long", fixed(full_rate(s, 4096) / full_rate(s, 131072), 0))
DOC_FORMULA("load.dearest", fixed(dearest_check(), 2))
DOC_FORMULA("load.decline", fixed(kPeak / kBandwidth / 5, 0))
DOC_FORMULA("load.break_even", fixed(kPeak / kBandwidth / 5 * dearest_check(), 0))

}  // namespace
