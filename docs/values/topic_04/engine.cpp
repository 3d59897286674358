// SPDX-License-Identifier: MIT
// Times of the engine's decode steps on a CPU and on a GPU (data/measured/*_engine_steps.csv).
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr const char* kCpuFile = "cpu_engine_steps.csv";
constexpr const char* kGpuFile = "h100_engine_steps.csv";
constexpr const char* kPartsFile = "h100_engine_parts.csv";
constexpr const char* kTorchFile = "h100_engine_torch.csv";
using namespace base::prefixes;
constexpr const char* kFormats[] = {"fp16", "int8", "int4"};

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

/// Tokens per second of PyTorch, whose rows have batches of 1 and 16.
double torch_rate(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kTorchFile));
  return std::stod(csv.field(row, "batch")) / std::stod(csv.field(row, "seconds_median"));
}

DOC_FORMULA("engine.read_gb", read_gb(s, kCpuFile))
DOC_FORMULA("engine.steps", table(s, kCpuFile, 1))
/// Tokens per second of a batch of 16 in FP16 divided by those of one sequence.
DOC_VALUE("engine.batch_gain", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kCpuFile));
  const double one = std::stod(csv.field(0, "median_ms"));
  const double sixteen = std::stod(csv.field(1, "median_ms"));
  return fixed(16 * one / sixteen, 1);
})
DOC_FORMULA("engine.gpu.read_gb", read_gb(s, kGpuFile))
DOC_FORMULA("engine.gpu.steps", table(s, kGpuFile, 0))
DOC_FORMULA("engine.gpu.torch_1", fixed(torch_rate(s, 0), 0))
DOC_FORMULA("engine.gpu.torch_16", fixed(torch_rate(s, 1), 0))
/// Tokens per second of the engine in FP16, whose rows come first: a batch of 1, then of 16.
double fp16_rate(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kGpuFile));
  return std::stod(csv.field(row, "batch")) / (std::stod(csv.field(row, "median_ms")) * kMilli);
}
DOC_FORMULA("engine.gpu.over_torch_1", fixed(fp16_rate(s, 0) / torch_rate(s, 0), 2))
DOC_FORMULA("engine.gpu.over_torch_16", fixed(fp16_rate(s, 1) / torch_rate(s, 1), 2))
/// Milliseconds that a step of a row takes beyond the time of its bytes.
std::string beyond_bytes(const Sources& sources, std::size_t row) {
  const base::CsvFile csv(sources.measured(kGpuFile));
  return fixed(std::stod(csv.field(row, "median_ms")) - std::stod(csv.field(row, "predicted_ms")),
               1);
}
// Rows of batches of 1 and 16 alternate: FP16, INT8, INT4.
DOC_FORMULA("engine.gpu.beyond_fp16_ms", beyond_bytes(s, 0))
DOC_FORMULA("engine.gpu.beyond_int8_ms", beyond_bytes(s, 2))
DOC_FORMULA("engine.gpu.beyond_int4_ms", beyond_bytes(s, 4))

/// Milliseconds of a step without one of its parts.
double without(const Sources& sources, std::size_t format, std::string_view left_out) {
  const base::CsvFile csv(sources.measured(kPartsFile));
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (csv.field(row, "weights") == kFormats[format] && csv.field(row, "left_out") == left_out) {
      return std::stod(csv.field(row, "median_ms"));
    }
  }
  throw std::runtime_error("no step without " + std::string(left_out) + " in " + kPartsFile);
}
DOC_VALUE("engine.gpu.parts", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kPartsFile));
  std::vector<Row> rows;
  // The rows of a format are adjacent.
  for (std::size_t i = 0; i < csv.size() / std::size(kFormats); ++i) {
    const std::string left_out = csv.field(i, "left_out");
    Row row{left_out};
    for (std::size_t format = 0; format < std::size(kFormats); ++format) {
      row.push_back(fixed(without(sources, format, left_out), 2));
    }
    rows.push_back(std::move(row));
  }
  return docs::markdown_table({"left out", "fp16, ms", "int8, ms", "int4, ms"}, rows);
})
DOC_FORMULA("engine.gpu.beside_ms", fixed(without(s, 2, "products"), 2))
/// Microseconds that a product of a step takes beyond its bytes, if the step has only products.
std::string beyond_product(const Sources& sources, std::size_t format) {
  constexpr double kProducts = 4 * 32 + 1;
  const base::CsvFile csv(sources.measured(kGpuFile));
  const auto number = [&](std::size_t batch_row, const char* column) {
    return std::stod(csv.field(2 * format + batch_row, column));
  };
  // Sixteen sequences read fifteen more caches than one.
  const double cache = (number(1, "bytes") - number(0, "bytes")) / 15;
  const double bytes_ms = (number(0, "bytes") - cache) / (number(0, "gb_per_s") * 1e9) / kMilli;
  return fixed((without(sources, format, "all but products") - bytes_ms) / kProducts / kMilli, 1);
}
DOC_FORMULA("engine.gpu.product_fp16_us", beyond_product(s, 0))
DOC_FORMULA("engine.gpu.product_int8_us", beyond_product(s, 1))
DOC_FORMULA("engine.gpu.product_int4_us", beyond_product(s, 2))
/// The bound's share of an INT4 step that consists only of products.
DOC_VALUE("engine.gpu.int4_products_share", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured(kGpuFile));
  const double bound = std::stod(csv.field(4, "predicted_ms"));
  return fixed(kPercent * bound / without(sources, 2, "all but products"), 0);
})
/// Microseconds saved by leaving out a part of a step in INT4, divided by how many there are.
std::string saved_us(const Sources& sources, std::string_view part, double count) {
  const double saved = without(sources, 2, "nothing") - without(sources, 2, part);
  return fixed(saved / count / kMilli, 1);
}
DOC_FORMULA("engine.gpu.attention_us", saved_us(s, "attention", 32))
DOC_FORMULA("engine.gpu.norm_us", saved_us(s, "norms", 65))

}  // namespace
