// SPDX-License-Identifier: MIT
// Numbers of topic 04's attention of a whole prompt.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "roofline/bounds.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

using namespace base::prefixes;

// --- Tiles of queries: 32 heads of 128 numbers in BF16, a prompt of 8192, 64 keys per tile ---

constexpr double kHeads = 32;
constexpr double kDim = 128;
constexpr double kPrompt = 8192;
constexpr double kRowBytes = 2 * kDim;

DOC_VALUE("prefill_attention.tiles", [](const Sources&) {
  std::vector<Row> rows;
  for (const double queries : {1.0, 16.0, 64.0, 128.0, 256.0}) {
    const double keys = kPrompt * (kPrompt + queries) / (2 * queries);  // per head
    const double bytes = 2 * kHeads * keys * kRowBytes;
    const double flops = 4 * kHeads * kDim * kPrompt * (kPrompt + 1) / 2;
    const double shared = (queries + 2 * 64) * kRowBytes;
    rows.push_back({fixed(queries, 0), fixed(bytes / kGiga, 2), fixed(flops / bytes, 0),
                    fixed(kPercent * (queries - 1) / (kPrompt + queries), 1) + " %",
                    fixed(shared / kKibi, 0)});
  }
  return docs::markdown_table({"queries a block", "keys and values read, GB", "FLOP/B",
                               "beyond the mask", "three tiles, KiB"},
                              rows);
})

// --- Exponentials ---

/// At the clock that the peak of the matrix units is stated for: a multiprocessor has one clock.
double exponentials(const roofline::Machine& machine) {
  const roofline::Multiprocessor& one = machine.multiprocessor.value();
  const roofline::Peak* matrix =
      roofline::find_peak(machine, roofline::Precision::kBf16, roofline::Unit::kMatrix);
  return one.count * one.special_per_clock * matrix->clock_hz.value();
}
/// Time of the exponentials divided by that of the products.
double share(const roofline::Machine& machine, roofline::Precision precision, double dim) {
  const double peak = roofline::roof_of(machine, precision).flops_per_second;
  return peak / (4 * dim * exponentials(machine));
}
DOC_VALUE("prefill_attention.exponentials", [](const Sources& s) {
  std::vector<Row> rows;
  for (const auto& [name, id] : {std::pair{"A100", "a100-80gb-sxm"}, {"H200", "h200-sxm"}}) {
    const roofline::Machine machine = s.machine(id);
    for (const auto& [format, precision] :
         {std::pair{"BF16", roofline::Precision::kBf16}, {"FP8", roofline::Precision::kFp8}}) {
      if (precision == roofline::Precision::kFp8 && id != std::string("h200-sxm")) continue;
      rows.push_back({fmt::format("{}, {}", name, format), fixed(exponentials(machine) / kTera, 2),
                      fixed(kPercent * share(machine, precision, 64), 0) + " %",
                      fixed(kPercent * share(machine, precision, 128), 0) + " %"});
    }
  }
  return docs::markdown_table({"", "10^12 exponentials/s", "heads of 64", "heads of 128"}, rows);
})
DOC_VALUE("prefill_attention.serial", [](const Sources& s) {
  const double waiting = share(s.machine("h200-sxm"), roofline::Precision::kBf16, kDim);
  return fixed(kPercent / (1 + waiting), 0);
})

std::string prefill_share(const Sources& s, const char* prompt) {
  const auto seconds = [&](const char* variant) {
    return s.measured_number("h100_prefill.csv", {{"prompt", prompt}, {"variant", variant}},
                             "seconds_median");
  };
  return fixed(kPercent * seconds("PyTorch") / seconds("lab"), 0);
}
DOC_FORMULA("prefill_attention.h100_2048", prefill_share(s, "2048"))
DOC_FORMULA("prefill_attention.h100_8192", prefill_share(s, "8192"))
DOC_VALUE("prefill_attention.h200", [](const Sources& s) {
  const auto seconds = [&](const char* prompt, const char* variant) {
    return s.measured_number("h200_prefill.csv", {{"prompt", prompt}, {"variant", variant}},
                             "seconds_median");
  };
  std::vector<Row> rows;
  for (const char* prompt : {"512", "2048", "8192"}) {
    const double tokens = std::stod(prompt);
    // Two products for the scores that the mask leaves, 2 FLOPs per multiply-add.
    const double flops = 2 * kHeads * kDim * tokens * (tokens + 1);
    const double lab = seconds(prompt, "lab");
    const double torch = seconds(prompt, "PyTorch");
    rows.push_back({prompt, fixed(lab / kMicro, 1), fixed(flops / lab / kTera, 0),
                    fixed(torch / kMicro, 1), fixed(kPercent * torch / lab, 0) + " %"});
  }
  return docs::markdown_table(
      {"prompt", "lab's solution, us", "TFLOP/s", "PyTorch, us", "of PyTorch's rate"}, rows);
})

// --- Attention to chosen tokens ---

DOC_VALUE("sparse.table", [](const Sources&) {
  std::vector<Row> rows;
  for (const double context : {2048.0, 8192.0, 32768.0, 131072.0}) {
    const double dense = docs::dense_cache_bytes(context);
    const double sparse = docs::sparse_cache_bytes(context);
    rows.push_back({fixed(context, 0), fixed(dense / kMega, 2), fixed(sparse / kMega, 2),
                    fixed(dense / sparse, 2)});
  }
  return docs::markdown_table({"context", "all tokens, MB", "2048 chosen, MB", "gain"}, rows);
})
DOC_FORMULA("mtp.speedup",
            fixed((1 + docs::kSecondTokenAcceptance) / (1 + docs::kSecondTokenCost), 2))

}  // namespace
