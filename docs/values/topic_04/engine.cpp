// SPDX-License-Identifier: MIT
// What the engine's steps of decode took on a CPU and on a GPU (data/measured/*_engine_steps.csv).
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr const char* kCpuFile = "cpu_engine_steps.csv";
constexpr const char* kGpuFile = "h100_engine_steps.csv";
constexpr const char* kTorchFile = "h100_engine_torch.csv";
constexpr double kMilli = 1e-3;
constexpr double kPercent = 100;

std::string read_gb(const Sources& sources, const char* file) {
  const base::CsvFile csv(sources.measured(file));
  return fixed(std::stod(csv.field(0, "gb_per_s")), 0);
}

std::string table(const Sources& sources, const char* file, int digits) {
  const base::CsvFile csv(sources.measured(file));
  std::vector<Row> rows;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const auto number = [&](const char* column) { return std::stod(csv.field(i, column)); };
    const double batch = number("batch");
    const double median = number("median_ms");
    rows.push_back({csv.field(i, "weights"), fixed(batch, 0),
                    fixed(batch / (number("predicted_ms") * kMilli), digits),
                    fixed(batch / (median * kMilli), digits),
                    fixed(kPercent * number("predicted_ms") / median, 0) + " %"});
  }
  return docs::markdown_table(
      {"weights", "batch", "tokens/s, predicted", "tokens/s, measured", "share"}, rows);
}

/// Tokens per second of PyTorch, whose rows have a batch of 1 and of 16.
double torch_rate(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kTorchFile));
  return std::stod(csv.field(row, "batch")) / std::stod(csv.field(row, "seconds_median"));
}

DOC_VALUE("engine.read_gb", [](const Sources& sources) { return read_gb(sources, kCpuFile); })
DOC_VALUE("engine.steps", [](const Sources& sources) { return table(sources, kCpuFile, 1); })
/// Tokens per second of a batch of 16 in FP16 over those of one sequence.
DOC_VALUE("engine.batch_gain", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kCpuFile));
  const double one = std::stod(csv.field(0, "median_ms"));
  const double sixteen = std::stod(csv.field(1, "median_ms"));
  return fixed(16 * one / sixteen, 1);
})
DOC_VALUE("engine.gpu.read_gb", [](const Sources& sources) { return read_gb(sources, kGpuFile); })
DOC_VALUE("engine.gpu.steps", [](const Sources& sources) { return table(sources, kGpuFile, 0); })
DOC_VALUE("engine.gpu.torch_1",
          [](const Sources& sources) { return fixed(torch_rate(sources, 0), 0); })
DOC_VALUE("engine.gpu.torch_16",
          [](const Sources& sources) { return fixed(torch_rate(sources, 1), 0); })
/// Tokens per second of the engine in FP16, whose rows come first: a batch of 1, then of 16.
double fp16_rate(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kGpuFile));
  return std::stod(csv.field(row, "batch")) / (std::stod(csv.field(row, "median_ms")) * kMilli);
}
DOC_VALUE("engine.gpu.over_torch_1", [](const Sources& sources) {
  return fixed(fp16_rate(sources, 0) / torch_rate(sources, 0), 2);
})
DOC_VALUE("engine.gpu.over_torch_16", [](const Sources& sources) {
  return fixed(fp16_rate(sources, 1) / torch_rate(sources, 1), 2);
})
/// Milliseconds that a step of a row takes beyond its bytes.
std::string beyond_bytes(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kGpuFile));
  return fixed(std::stod(csv.field(row, "median_ms")) - std::stod(csv.field(row, "predicted_ms")),
               1);
}
// Rows of a batch of 1 and of 16 take turns: FP16, INT8, INT4.
DOC_VALUE("engine.gpu.beyond_fp16_ms",
          [](const Sources& sources) { return beyond_bytes(sources, 0); })
DOC_VALUE("engine.gpu.beyond_int8_ms",
          [](const Sources& sources) { return beyond_bytes(sources, 2); })
DOC_VALUE("engine.gpu.beyond_int4_ms",
          [](const Sources& sources) { return beyond_bytes(sources, 4); })

}  // namespace
