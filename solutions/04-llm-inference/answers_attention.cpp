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

// --- Tiles ---

/// Keys and values of all heads, `rows` of each per head.
Answer key_value_bytes(double rows) {
  return Answer::number(2 * kBf16 * kHeads * kDim * rows, "B");
}
/// The t-th tile of queries needs the first t of S / queries tiles of keys.
double rows_read(double queries) {
  return kPrompt * (kPrompt + queries) / (2 * queries);
}
HARNESS_ANSWER("04.prefill_attention.traffic",
               [](const Parameters& p) { return key_value_bytes(rows_read(p["queries"])); })
HARNESS_ANSWER("04.prefill_attention.traffic/not_causal", [](const Parameters& p) {
  return key_value_bytes(kPrompt * kPrompt / p["queries"]);
})
HARNESS_ANSWER("04.prefill_attention.traffic/half", [](const Parameters& p) {
  return key_value_bytes(kPrompt * kPrompt / p["queries"] / 2);
})
HARNESS_ANSWER("04.prefill_attention.traffic/each_query",
               [](const Parameters&) { return key_value_bytes(rows_read(1)); })
HARNESS_ANSWER("04.prefill_attention.traffic/once",
               [](const Parameters&) { return key_value_bytes(kPrompt); })

Answer shared_bytes(double tiles, double numbers) {
  return Answer::number(tiles * numbers, "B");
}
HARNESS_ANSWER("04.prefill_attention.shared", [](const Parameters& p) {
  return shared_bytes(p["queries"] + 2 * p["keys"], kBf16 * kDim);
})
HARNESS_ANSWER("04.prefill_attention.shared/no_values", [](const Parameters& p) {
  return shared_bytes(p["queries"] + p["keys"], kBf16 * kDim);
})
HARNESS_ANSWER("04.prefill_attention.shared/scores", [](const Parameters& p) {
  return Answer::number(
      (p["queries"] + 2 * p["keys"]) * kBf16 * kDim + 4 * p["queries"] * p["keys"], "B");
})

double beyond_mask(const Parameters& p) {
  return (p["queries"] - 1) / (p["prompt"] + p["queries"]);
}
HARNESS_ANSWER("04.prefill_attention.masked",
               [](const Parameters& p) { return plain(beyond_mask(p)); })
HARNESS_ANSWER("04.prefill_attention.masked/of_needed",
               [](const Parameters& p) { return plain((p["queries"] - 1) / (p["prompt"] + 1)); })
HARNESS_ANSWER("04.prefill_attention.masked/whole_tiles", [](const Parameters& p) {
  return plain(2 * p["queries"] / (p["prompt"] + p["queries"]));
})

/// With r queries, each key takes 4 r d FLOPs and loads a key and a value of d numbers.
constexpr double kSharedBytesPerClock = 128;
double least_queries(const Parameters& p) {
  return p["flops"] / kSharedBytesPerClock * (2 * kBf16 * kDim) / (4 * kDim);
}
HARNESS_ANSWER("04.prefill_attention.warp",
               [](const Parameters& p) { return plain(least_queries(p)); })
HARNESS_ANSWER("04.prefill_attention.warp/fp32",
               [](const Parameters& p) { return plain(2 * least_queries(p)); })
HARNESS_ANSWER("04.prefill_attention.warp/fma",
               [](const Parameters& p) { return plain(least_queries(p) / 2); })

// --- The second ceiling ---

/// Exponentials per second of an H200: multiprocessors, exponentials per clock of each, and the
/// clock that the matrix peak is stated at, because a multiprocessor has only one clock.
constexpr double kExponentials = 132 * 16 * 1.83e9;
/// Time of the exponentials divided by that of the matrix products: one exponential and 4 d FLOPs
/// per score.
double exponential_share(double dim) {
  return (1 / kExponentials) / (4 * dim / kHopperPeak);
}
HARNESS_ANSWER("04.prefill_attention.exponentials",
               [](const Parameters& p) { return plain(exponential_share(p["dim"])); })
HARNESS_ANSWER("04.prefill_attention.exponentials/one_product",
               [](const Parameters& p) { return plain(2 * exponential_share(p["dim"])); })
HARNESS_ANSWER("04.prefill_attention.exponentials/fma",
               [](const Parameters& p) { return plain(4 * exponential_share(p["dim"])); })

HARNESS_ANSWER("04.prefill_attention.serial",
               [](const Parameters& p) { return plain(1 / (1 + exponential_share(p["dim"]))); })
HARNESS_ANSWER("04.prefill_attention.serial/difference",
               [](const Parameters& p) { return plain(1 - exponential_share(p["dim"])); })

// --- Attention to chosen tokens ---

constexpr double kEntry = 576 * kBf16;
constexpr double kIndexKey = 128;
constexpr double kChosen = 2048;

double sparse_bytes(double context) {
  return context * kIndexKey + kChosen * kEntry;
}
HARNESS_ANSWER("04.sparse.bytes",
               [](const Parameters& p) { return Answer::number(sparse_bytes(p["context"]), "B"); })
HARNESS_ANSWER("04.sparse.bytes/no_index",
               [](const Parameters&) { return Answer::number(kChosen * kEntry, "B"); })
HARNESS_ANSWER("04.sparse.bytes/all", [](const Parameters& p) {
  return Answer::number(p["context"] * (kIndexKey + kEntry), "B");
})
HARNESS_ANSWER("04.sparse.gain", [](const Parameters& p) {
  return plain(p["context"] * kEntry / sparse_bytes(p["context"]));
})
HARNESS_ANSWER("04.sparse.gain/no_index",
               [](const Parameters& p) { return plain(p["context"] / kChosen); })
HARNESS_ANSWER("04.sparse.gain/limit", [](const Parameters&) { return plain(kEntry / kIndexKey); })

// --- Multi-token prediction ---

HARNESS_ANSWER("04.mtp.speedup",
               [](const Parameters& p) { return plain((1 + p["acceptance"]) / (1 + p["cost"])); })
HARNESS_ANSWER("04.mtp.speedup/free",
               [](const Parameters& p) { return plain(1 + p["acceptance"]); })
HARNESS_ANSWER("04.mtp.speedup/draft_only",
               [](const Parameters& p) { return plain(p["acceptance"] / (1 + p["cost"])); })

}  // namespace
