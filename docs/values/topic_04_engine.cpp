// SPDX-License-Identifier: MIT
// What the engine's steps of decode took on a CPU (data/measured/cpu_engine_steps.csv).
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr const char* kFile = "cpu_engine_steps.csv";
constexpr double kMilli = 1e-3;
constexpr double kPercent = 100;

DOC_VALUE("engine.read_gb", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kFile));
  return fixed(std::stod(csv.field(0, "gb_per_s")), 0);
})
DOC_VALUE("engine.steps", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kFile));
  std::vector<Row> rows;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const auto number = [&](const char* column) { return std::stod(csv.field(i, column)); };
    const double batch = number("batch");
    const double median = number("median_ms");
    rows.push_back({csv.field(i, "weights"), fixed(batch, 0),
                    fixed(batch / (number("predicted_ms") * kMilli), 1),
                    fixed(batch / (median * kMilli), 1),
                    fixed(kPercent * number("predicted_ms") / median, 0) + " %"});
  }
  return docs::markdown_table(
      {"weights", "batch", "tokens/s, predicted", "tokens/s, measured", "share"}, rows);
})

}  // namespace
