// SPDX-License-Identifier: MIT
// Reference values for topic 04: the quantised cache.
#include "answers_common.hpp"
#include "roofline/llm/format.hpp"

namespace {

using namespace answers04;
namespace llm = roofline::llm;
using harness::Answer;
using harness::Parameters;

/// For Llama-3.1-8B: a key and a value in each of 8 heads of 32 layers.
constexpr double kRows = 2.0 * 32 * 8;
constexpr double kDim = 128;

Answer bytes(double of_row) {
  return Answer::number(kRows * of_row, "B");
}
HARNESS_FORMULA("04.kv_quant.bytes", bytes(kDim + p["scale"] / 8))
HARNESS_FORMULA("04.kv_quant.bytes/no_scales", bytes(kDim))
HARNESS_FORMULA("04.kv_quant.bytes/one_scale", bytes(kDim + p["scale"] / 8 / 2))

Answer step(const Parameters& p, const char* cache, const char* weights) {
  const llm::Model llama = llama_8b();
  llm::Formats formats = llm::stored_formats(llama);
  formats.kv = llm::parse_format(cache);
  formats.weights = formats.head = llm::parse_format(weights);
  return Answer::number(llm::decode_floor_seconds(llama, formats, p["batch"], 8192, kH200Bandwidth),
                        "s");
}
HARNESS_FORMULA("04.kv_quant.step", step(p, "int8/128", "bf16"))
HARNESS_FORMULA("04.kv_quant.step/bf16", step(p, "bf16", "bf16"))
HARNESS_FORMULA("04.kv_quant.step/halved", step(p, "int8/128", "int8"))

HARNESS_FORMULA("04.kv_quant.outlier", plain(p["largest"] / 127 / 2))
HARNESS_FORMULA("04.kv_quant.outlier/step", plain(p["largest"] / 127))
HARNESS_FORMULA("04.kv_quant.outlier/range", plain(p["largest"] / 127 / 4))

}  // namespace
