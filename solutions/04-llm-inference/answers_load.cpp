// SPDX-License-Identifier: MIT
// Reference values for topic 04: a server under load, chunks, capacity, cost, and when speculation
// stops paying off.
#include <cmath>

#include "answers_common.hpp"
#include "base/prefixes.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/llm/speculative.hpp"

namespace {

using namespace answers04;
namespace llm = roofline::llm;
using harness::Answer;
using harness::Parameters;

using namespace base::prefixes;

Answer milliseconds(double seconds) {
  return Answer::number(seconds / kMilli, "ms");
}

// --- Waiting ---

/// Mean wait before a server with the same service time for every request (Pollaczek, Khinchine).
double wait(double load, double service) {
  return load * service / (2 * (1 - load));
}
HARNESS_FORMULA("04.load.wait", milliseconds(wait(p["load"], p["service"] * kMilli)))
HARNESS_FORMULA("04.load.wait/random_service",
                milliseconds(2 * wait(p["load"], p["service"] * kMilli)))
HARNESS_FORMULA("04.load.wait/with_service",
                milliseconds(wait(p["load"], p["service"] * kMilli) + p["service"] * kMilli))
HARNESS_FORMULA("04.load.wait/random_in_all", milliseconds(p["service"] * kMilli / (1 - p["load"])))
HARNESS_FORMULA("04.load.knee", plain(wait(p["high"], 1) / wait(p["low"], 1)))
HARNESS_FORMULA("04.load.knee/loads", plain(p["high"] / p["low"]))
HARNESS_FORMULA("04.load.knee/idle", plain((1 - p["low"]) / (1 - p["high"])))
HARNESS_FORMULA("04.load.knee/wait", plain(wait(p["high"], 1)))
HARNESS_FORMULA("04.load.knee/inverted", plain(wait(p["low"], 1) / wait(p["high"], 1)))

constexpr double kFirst = 0.2;
double answer_seconds(const Parameters& p) {
  return kFirst + (p["output"] - 1) * 20 * kMilli;
}
HARNESS_FORMULA("04.load.little", plain(p["rate"] * answer_seconds(p)))
HARNESS_FORMULA("04.load.little/first", plain(p["rate"] * kFirst))
/// Counts a gap for every token, including the first one.
HARNESS_FORMULA("04.load.little/gaps", plain(p["rate"] * (kFirst + p["output"] * 20 * kMilli)))
HARNESS_FORMULA("04.load.little/decode", plain(p["rate"] * (answer_seconds(p) - kFirst)))

// --- Chunks ---

constexpr double kH200Ridge = kHopperPeak / kH200Bandwidth;
/// Parameters of the layers' matrices, which every token of a prompt passes through.
double layer_parameters() {
  return static_cast<double>(llm::count_parameters(llama_8b()).matrices);
}
double products_seconds(double tokens, double part) {
  return 2 * layer_parameters() * tokens / (part / 100 * kHopperPeak);
}
HARNESS_FORMULA("04.load.chunk", plain(kH200Ridge - p["batch"]))
HARNESS_FORMULA("04.load.chunk/ridge", plain(kH200Ridge))
HARNESS_FORMULA("04.load.chunk/double", plain(2 * kH200Ridge - p["batch"]))
HARNESS_FORMULA("04.load.stall", milliseconds(products_seconds(p["prompt"], p["part"])))
HARNESS_FORMULA("04.load.stall/peak", milliseconds(products_seconds(p["prompt"], 100)))
HARNESS_FORMULA("04.load.stall/one_flop",
                milliseconds(products_seconds(p["prompt"], p["part"]) / 2))
HARNESS_FORMULA("04.load.chunked",
                milliseconds(products_seconds(p["chunk"] + p["batch"], p["part"])))
HARNESS_FORMULA("04.load.chunked/chunk", milliseconds(products_seconds(p["chunk"], p["part"])))
HARNESS_FORMULA("04.load.chunked/peak",
                milliseconds(products_seconds(p["chunk"] + p["batch"], 100)))
HARNESS_FORMULA("04.load.chunked/memory", milliseconds(2 * layer_parameters() / kH200Bandwidth))

// --- Apart ---

double transfer_seconds(const Parameters& p) {
  return llm::kv_bytes(llama_8b(), llm::stored_formats(llama_8b()), p["prompt"]) /
         (p["link"] * 1e9);
}
HARNESS_FORMULA("04.load.transfer", milliseconds(transfer_seconds(p)))
HARNESS_FORMULA("04.load.transfer/query_heads", milliseconds(4 * transfer_seconds(p)))
HARNESS_FORMULA("04.load.transfer/keys", milliseconds(transfer_seconds(p) / 2))
HARNESS_FORMULA("04.load.transfer/one_layer", milliseconds(transfer_seconds(p) / 32))

// --- Capacity and cost ---

double prefill_seconds(const Parameters& p) {
  return p["prompt"] / 30000;
}
double decode_seconds(const Parameters& p) {
  return p["output"] * 12 * kMilli / p["batch"];
}
HARNESS_FORMULA("04.load.ratio", plain(prefill_seconds(p) / decode_seconds(p)))
HARNESS_FORMULA("04.load.ratio/inverse", plain(decode_seconds(p) / prefill_seconds(p)))
HARNESS_FORMULA("04.load.ratio/no_batch",
                plain(prefill_seconds(p) / (decode_seconds(p) * p["batch"])))
constexpr double kBusy = 0.7;
HARNESS_FORMULA("04.load.capacity",
                plain(std::ceil(p["rate"] * (prefill_seconds(p) + decode_seconds(p)) / kBusy)))
HARNESS_FORMULA("04.load.capacity/full",
                plain(std::ceil(p["rate"] * (prefill_seconds(p) + decode_seconds(p)))))
HARNESS_FORMULA("04.load.capacity/rounded_down",
                plain(std::floor(p["rate"] * (prefill_seconds(p) + decode_seconds(p)) / kBusy)))
HARNESS_FORMULA("04.load.capacity/decode", plain(std::ceil(p["rate"] * decode_seconds(p) / kBusy)))
HARNESS_FORMULA("04.load.cost", plain(p["price"] / 3600 / p["tokens"] * 1e6))
HARNESS_FORMULA("04.load.cost/minutes", plain(p["price"] / 60 / p["tokens"] * 1e6))
HARNESS_FORMULA("04.load.cost/thousand", plain(p["price"] / 3600 / p["tokens"] * 1e3))

/// Tokens per second of an H200 with as many sequences as fit in nine tenths of its memory.
double full_rate(double context) {
  const llm::Model llama = llama_8b();
  const llm::Formats formats = llm::stored_formats(llama);
  const auto batch =
      static_cast<double>(llm::largest_batch(llama, formats, context, 0.9 * 141e9).value());
  return batch / llm::decode_floor_seconds(llama, formats, batch, context, kH200Bandwidth);
}
double single_step(double context) {
  return llm::decode_floor_seconds(llama_8b(), llm::stored_formats(llama_8b()), 1, context,
                                   kH200Bandwidth);
}
HARNESS_FORMULA("04.load.long", plain(full_rate(p["short"]) / full_rate(p["long"])))
HARNESS_FORMULA("04.load.long/batch_one", plain(single_step(p["long"]) / single_step(p["short"])))

// --- Speculation under load ---

double break_even(const Parameters& p) {
  return llm::expected_tokens(p["acceptance"], static_cast<int>(p["draft"])) -
         p["draft"] * p["cost"];
}
HARNESS_FORMULA("04.load.break_even", plain(break_even(p)))
HARNESS_FORMULA("04.load.break_even/free_draft", plain(break_even(p) + p["draft"] * p["cost"]))
HARNESS_FORMULA("04.load.break_even/accepted", plain(break_even(p) - 1))
HARNESS_FORMULA("04.load.break_even/every_token", plain(p["draft"] + 1))
constexpr double kCritical = 206;
HARNESS_FORMULA("04.load.break_even_batch", plain(break_even(p) * kCritical / (p["draft"] + 1)))
HARNESS_FORMULA("04.load.break_even_batch/decline", plain(kCritical / (p["draft"] + 1)))
HARNESS_FORMULA("04.load.break_even_batch/critical", plain(kCritical))
/// The first batch at which verifying with a layer of 4.10 costs what its tokens are worth.
HARNESS_ANSWER("04.load.break_even_batch/activations", [](const Parameters& p) {
  const auto seconds = [](double rows) {
    constexpr double kSize = 4096;
    constexpr double kBytes = 2;
    return roofline::time_seconds({kHopperPeak, kH200Bandwidth}, 2 * rows * kSize * kSize,
                                  kBytes * (kSize * kSize + 2 * rows * kSize));
  };
  double batch = 1;
  while (seconds(batch * (p["draft"] + 1)) / seconds(batch) < break_even(p)) ++batch;
  return plain(batch);
})

}  // namespace
