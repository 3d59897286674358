// SPDX-License-Identifier: MIT
// Reference values for topic 04: attention of a whole prompt.
#include "answers_common.hpp"

namespace {

using namespace answers04;
using harness::Answer;
using harness::Parameters;

constexpr double kHeads = 32;
constexpr double kDim = 128;
constexpr double kPrompt = 8192;
constexpr double kBf16 = 2;
constexpr double kRowBytes = kBf16 * kDim;
constexpr double kPairs = kPrompt * kPrompt;

// --- Tiles ---

/// Keys and values of all heads, `rows` of each per head.
Answer key_value_bytes(double rows) {
  return Answer::number(2 * kBf16 * kHeads * kDim * rows, "B");
}
/// The t-th tile of queries needs the first t of S / queries tiles of keys.
double rows_read(double queries) {
  return kPrompt * (kPrompt + queries) / (2 * queries);
}
HARNESS_FORMULA("04.prefill_attention.traffic", key_value_bytes(rows_read(p["queries"])))
HARNESS_FORMULA("04.prefill_attention.traffic/not_causal", key_value_bytes(kPairs / p["queries"]))
HARNESS_FORMULA("04.prefill_attention.traffic/half", key_value_bytes(kPairs / p["queries"] / 2))
HARNESS_FORMULA("04.prefill_attention.traffic/each_query", key_value_bytes(rows_read(1)))
HARNESS_FORMULA("04.prefill_attention.traffic/once", key_value_bytes(kPrompt))

Answer shared_bytes(double tiles, double numbers) {
  return Answer::number(tiles * numbers, "B");
}
HARNESS_FORMULA("04.prefill_attention.shared",
                shared_bytes(p["queries"] + 2 * p["keys"], kRowBytes))
HARNESS_FORMULA("04.prefill_attention.shared/no_values",
                shared_bytes(p["queries"] + p["keys"], kRowBytes))
HARNESS_FORMULA("04.prefill_attention.shared/scores",
                Answer::number((p["queries"] + 2 * p["keys"]) * kBf16 * kDim +
                                   4 * p["queries"] * p["keys"],
                               "B"))

double beyond_mask(const Parameters& p) {
  return (p["queries"] - 1) / (p["prompt"] + p["queries"]);
}
HARNESS_FORMULA("04.prefill_attention.masked", plain(beyond_mask(p)))
HARNESS_FORMULA("04.prefill_attention.masked/of_needed",
                plain((p["queries"] - 1) / (p["prompt"] + 1)))
HARNESS_FORMULA("04.prefill_attention.masked/whole_tiles",
                plain(2 * p["queries"] / (p["prompt"] + p["queries"])))

/// With r queries, each key takes 4 r d FLOPs and loads a key and a value of d numbers.
constexpr double kSharedBytesPerClock = 128;
double least_queries(const Parameters& p) {
  return p["flops"] / kSharedBytesPerClock * (2 * kBf16 * kDim) / (4 * kDim);
}
HARNESS_FORMULA("04.prefill_attention.warp", plain(least_queries(p)))
HARNESS_FORMULA("04.prefill_attention.warp/fp32", plain(2 * least_queries(p)))
HARNESS_FORMULA("04.prefill_attention.warp/fma", plain(least_queries(p) / 2))

// --- The second ceiling ---

/// Exponentials per second of an H200: multiprocessors, exponentials per clock of each, and the
/// clock that the matrix peak is stated at, because a multiprocessor has only one clock.
constexpr double kExponentials = 132 * 16 * 1.83e9;
/// Time of the exponentials divided by that of the matrix products: one exponential and 4 d FLOPs
/// per score.
double exponential_share(double dim) {
  return (1 / kExponentials) / (4 * dim / kHopperPeak);
}
HARNESS_FORMULA("04.prefill_attention.exponentials", plain(exponential_share(p["dim"])))
HARNESS_FORMULA("04.prefill_attention.exponentials/one_product",
                plain(2 * exponential_share(p["dim"])))
HARNESS_FORMULA("04.prefill_attention.exponentials/fma", plain(4 * exponential_share(p["dim"])))

HARNESS_FORMULA("04.prefill_attention.serial", plain(1 / (1 + exponential_share(p["dim"]))))
HARNESS_FORMULA("04.prefill_attention.serial/difference", plain(1 - exponential_share(p["dim"])))

// --- Attention to chosen tokens ---

constexpr double kEntry = 576 * kBf16;
constexpr double kIndexKey = 128;
constexpr double kChosen = 2048;

double sparse_bytes(double context) {
  return context * kIndexKey + kChosen * kEntry;
}
HARNESS_FORMULA("04.sparse.bytes", Answer::number(sparse_bytes(p["context"]), "B"))
HARNESS_FORMULA("04.sparse.bytes/no_index", Answer::number(sparse_bytes(0), "B"))
HARNESS_FORMULA("04.sparse.bytes/all", Answer::number(p["context"] * (kIndexKey + kEntry), "B"))
HARNESS_FORMULA("04.sparse.gain", plain(p["context"] * kEntry / sparse_bytes(p["context"])))
HARNESS_FORMULA("04.sparse.gain/no_index", plain(p["context"] / kChosen))
HARNESS_FORMULA("04.sparse.gain/limit", plain(kEntry / kIndexKey))

// --- Multi-token prediction ---

HARNESS_FORMULA("04.mtp.speedup", plain((1 + p["acceptance"]) / (1 + p["cost"])))
HARNESS_FORMULA("04.mtp.speedup/free", plain(1 + p["acceptance"]))
HARNESS_FORMULA("04.mtp.speedup/draft_only", plain(p["acceptance"] / (1 + p["cost"])))

}  // namespace
