// SPDX-License-Identifier: MIT
// Numbers of topic 04's predicted gains: a product of 4096 x 4096 in each format of weights.

#include <vector>

#include "shared.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

using namespace base::prefixes;

DOC_VALUE("gain.table", [](const Sources&) {
  const std::vector<docs::StoredProduct> products = docs::stored_products();
  std::vector<Row> rows;
  for (const docs::StoredProduct& product : products) {
    const double seconds = product_seconds(product);
    rows.push_back({product.name, fixed(product.bytes / kMega, 2), fixed(seconds / kMicro, 1),
                    fixed(products.front().bytes / product.bytes, 2),
                    fixed(product_seconds(products.front()) / seconds, 2)});
  }
  return docs::markdown_table({"weights", "MB", "time, us", "bytes, times fewer", "gain"}, rows);
})
DOC_FORMULA("gain.limit",
            fixed(product_seconds(docs::stored_products().front()) / docs::kStartSeconds, 1))

}  // namespace
