// SPDX-License-Identifier: MIT
// Numbers of topic 04's products of experts: one layer of Qwen3-30B-A3B.
#include <vector>

#include "roofline/llm/parameters.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr double kExperts = 128;
constexpr double kChosen = 8;
constexpr double kExpertBytes = 3.0 * 2048 * 768 * 2;
constexpr double kBandwidth = 4800e9;
constexpr double kPeak = 989.4e12;
constexpr double kTile = 16;

DOC_VALUE("moe_product.table", [](const Sources&) {
  std::vector<Row> rows;
  for (const double batch : {1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0}) {
    const double distinct = llm::distinct_experts(kExperts, kChosen, batch);
    const double per_expert = batch * kChosen / distinct;
    const double read = distinct * kExpertBytes / kBandwidth;
    const double computed = batch * kChosen * kExpertBytes / kPeak;  // 2 FLOPs for 2 bytes
    rows.push_back({fixed(batch, 0), fixed(distinct, 1), fixed(per_expert, 1),
                    per_expert < kTile ? fixed(100 * per_expert / kTile, 0) + " %" : "",
                    fixed(read * 1e6, 0), fixed(computed * 1e6, 1)});
  }
  return docs::markdown_table(
      {"batch", "experts touched", "rows of each", "filled", "reading, us", "computing, us"}, rows);
})
DOC_VALUE("moe_product.reread", [](const Sources&) {
  constexpr double kBatch = 64;
  return fixed(kBatch * kChosen / llm::distinct_experts(kExperts, kChosen, kBatch), 1);
})

}  // namespace
