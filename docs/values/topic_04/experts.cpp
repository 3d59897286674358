// SPDX-License-Identifier: MIT
// Numbers of topic 04's expert products: one layer of Qwen3-30B-A3B.
#include <vector>

#include "shared.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr double kTile = 16;

DOC_VALUE("moe_product.table", [](const Sources&) {
  std::vector<Row> rows;
  for (const double batch : {1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0}) {
    const docs::ExpertLayer layer = docs::expert_layer(batch);
    rows.push_back({fixed(batch, 0), fixed(layer.touched, 1), fixed(layer.rows, 1),
                    layer.rows < kTile ? fixed(100 * layer.rows / kTile, 0) + " %" : "",
                    fixed(layer.reading_seconds * 1e6, 0),
                    fixed(layer.computing_seconds * 1e6, 1)});
  }
  return docs::markdown_table(
      {"batch", "experts touched", "rows of each", "filled", "reading, us", "computing, us"}, rows);
})
DOC_FORMULA("moe_product.reread", fixed(docs::expert_layer(64).rows, 1))

}  // namespace
