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
HARNESS_ANSWER("04.load.wait", [](const Parameters& p) {
  return milliseconds(wait(p["load"], p["service"] * kMilli));
})
HARNESS_ANSWER("04.load.wait/random_service", [](const Parameters& p) {
  return milliseconds(2 * wait(p["load"], p["service"] * kMilli));
})
HARNESS_ANSWER("04.load.wait/with_service", [](const Parameters& p) {
  return milliseconds(wait(p["load"], p["service"] * kMilli) + p["service"] * kMilli);
})
HARNESS_ANSWER("04.load.wait/random_in_all", [](const Parameters& p) {
  return milliseconds(p["service"] * kMilli / (1 - p["load"]));
})
HARNESS_ANSWER("04.load.knee",
               [](const Parameters& p) { return plain(wait(p["high"], 1) / wait(p["low"], 1)); })
HARNESS_ANSWER("04.load.knee/loads",
               [](const Parameters& p) { return plain(p["high"] / p["low"]); })
HARNESS_ANSWER("04.load.knee/idle",
               [](const Parameters& p) { return plain((1 - p["low"]) / (1 - p["high"])); })
HARNESS_ANSWER("04.load.knee/wait", [](const Parameters& p) { return plain(wait(p["high"], 1)); })
HARNESS_ANSWER("04.load.knee/inverted",
               [](const Parameters& p) { return plain(wait(p["low"], 1) / wait(p["high"], 1)); })

constexpr double kFirst = 0.2;
double answer_seconds(const Parameters& p) {
  return kFirst + (p["output"] - 1) * 20 * kMilli;
}
HARNESS_ANSWER("04.load.little",
               [](const Parameters& p) { return plain(p["rate"] * answer_seconds(p)); })
HARNESS_ANSWER("04.load.little/first",
               [](const Parameters& p) { return plain(p["rate"] * kFirst); })
/// Counts a gap for every token, including the first one.
HARNESS_ANSWER("04.load.little/gaps", [](const Parameters& p) {
  return plain(p["rate"] * (kFirst + p["output"] * 20 * kMilli));
})
HARNESS_ANSWER("04.load.little/decode",
               [](const Parameters& p) { return plain(p["rate"] * (answer_seconds(p) - kFirst)); })

// --- Chunks ---

constexpr double kH200Ridge = kHopperPeak / kH200Bandwidth;
/// Parameters of the layers' matrices, which every token of a prompt passes through.
double layer_parameters() {
  return static_cast<double>(llm::count_parameters(llama_8b()).matrices);
}
double products_seconds(double tokens, double part) {
  return 2 * layer_parameters() * tokens / (part / 100 * kHopperPeak);
}
HARNESS_ANSWER("04.load.chunk", [](const Parameters& p) { return plain(kH200Ridge - p["batch"]); })
HARNESS_ANSWER("04.load.chunk/ridge", [](const Parameters&) { return plain(kH200Ridge); })
HARNESS_ANSWER("04.load.chunk/double",
               [](const Parameters& p) { return plain(2 * kH200Ridge - p["batch"]); })
HARNESS_ANSWER("04.load.stall", [](const Parameters& p) {
  return milliseconds(products_seconds(p["prompt"], p["part"]));
})
HARNESS_ANSWER("04.load.stall/peak",
               [](const Parameters& p) { return milliseconds(products_seconds(p["prompt"], 100)); })
HARNESS_ANSWER("04.load.stall/one_flop", [](const Parameters& p) {
  return milliseconds(products_seconds(p["prompt"], p["part"]) / 2);
})
HARNESS_ANSWER("04.load.chunked", [](const Parameters& p) {
  return milliseconds(products_seconds(p["chunk"] + p["batch"], p["part"]));
})
HARNESS_ANSWER("04.load.chunked/chunk", [](const Parameters& p) {
  return milliseconds(products_seconds(p["chunk"], p["part"]));
})
HARNESS_ANSWER("04.load.chunked/peak", [](const Parameters& p) {
  return milliseconds(products_seconds(p["chunk"] + p["batch"], 100));
})
HARNESS_ANSWER("04.load.chunked/memory", [](const Parameters&) {
  return milliseconds(2 * layer_parameters() / kH200Bandwidth);
})

// --- Apart ---

double transfer_seconds(const Parameters& p) {
  return llm::kv_bytes(llama_8b(), llm::stored_formats(llama_8b()), p["prompt"]) /
         (p["link"] * 1e9);
}
HARNESS_ANSWER("04.load.transfer",
               [](const Parameters& p) { return milliseconds(transfer_seconds(p)); })
HARNESS_ANSWER("04.load.transfer/query_heads",
               [](const Parameters& p) { return milliseconds(4 * transfer_seconds(p)); })
HARNESS_ANSWER("04.load.transfer/keys",
               [](const Parameters& p) { return milliseconds(transfer_seconds(p) / 2); })
HARNESS_ANSWER("04.load.transfer/one_layer",
               [](const Parameters& p) { return milliseconds(transfer_seconds(p) / 32); })

// --- Capacity and cost ---

double prefill_seconds(const Parameters& p) {
  return p["prompt"] / 30000;
}
double decode_seconds(const Parameters& p) {
  return p["output"] * 12 * kMilli / p["batch"];
}
HARNESS_ANSWER("04.load.ratio",
               [](const Parameters& p) { return plain(prefill_seconds(p) / decode_seconds(p)); })
HARNESS_ANSWER("04.load.ratio/inverse",
               [](const Parameters& p) { return plain(decode_seconds(p) / prefill_seconds(p)); })
HARNESS_ANSWER("04.load.ratio/no_batch", [](const Parameters& p) {
  return plain(prefill_seconds(p) / (decode_seconds(p) * p["batch"]));
})
constexpr double kBusy = 0.7;
HARNESS_ANSWER("04.load.capacity", [](const Parameters& p) {
  return plain(std::ceil(p["rate"] * (prefill_seconds(p) + decode_seconds(p)) / kBusy));
})
HARNESS_ANSWER("04.load.capacity/full", [](const Parameters& p) {
  return plain(std::ceil(p["rate"] * (prefill_seconds(p) + decode_seconds(p))));
})
HARNESS_ANSWER("04.load.capacity/rounded_down", [](const Parameters& p) {
  return plain(std::floor(p["rate"] * (prefill_seconds(p) + decode_seconds(p)) / kBusy));
})
HARNESS_ANSWER("04.load.capacity/decode", [](const Parameters& p) {
  return plain(std::ceil(p["rate"] * decode_seconds(p) / kBusy));
})
HARNESS_ANSWER("04.load.cost",
               [](const Parameters& p) { return plain(p["price"] / 3600 / p["tokens"] * 1e6); })
HARNESS_ANSWER("04.load.cost/minutes",
               [](const Parameters& p) { return plain(p["price"] / 60 / p["tokens"] * 1e6); })
HARNESS_ANSWER("04.load.cost/thousand",
               [](const Parameters& p) { return plain(p["price"] / 3600 / p["tokens"] * 1e3); })

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
HARNESS_ANSWER("04.load.long", [](const Parameters& p) {
  return plain(full_rate(p["short"]) / full_rate(p["long"]));
})
HARNESS_ANSWER("04.load.long/batch_one", [](const Parameters& p) {
  return plain(single_step(p["long"]) / single_step(p["short"]));
})

// --- Speculation under load ---

double break_even(const Parameters& p) {
  return llm::expected_tokens(p["acceptance"], static_cast<int>(p["draft"])) -
         p["draft"] * p["cost"];
}
HARNESS_ANSWER("04.load.break_even", [](const Parameters& p) { return plain(break_even(p)); })
HARNESS_ANSWER("04.load.break_even/free_draft",
               [](const Parameters& p) { return plain(break_even(p) + p["draft"] * p["cost"]); })
HARNESS_ANSWER("04.load.break_even/accepted",
               [](const Parameters& p) { return plain(break_even(p) - 1); })
HARNESS_ANSWER("04.load.break_even/every_token",
               [](const Parameters& p) { return plain(p["draft"] + 1); })
constexpr double kCritical = 206;
HARNESS_ANSWER("04.load.break_even_batch", [](const Parameters& p) {
  return plain(kCritical * break_even(p) / (p["draft"] + 1));
})
HARNESS_ANSWER("04.load.break_even_batch/decline",
               [](const Parameters& p) { return plain(kCritical / (p["draft"] + 1)); })
HARNESS_ANSWER("04.load.break_even_batch/critical",
               [](const Parameters&) { return plain(kCritical); })
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
