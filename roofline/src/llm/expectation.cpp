// SPDX-License-Identifier: MIT
// Expectations from tables of measured kernels and of engines.
#include "roofline/llm/expectation.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/csv.hpp"
#include "base/prefixes.hpp"

namespace roofline::llm {
namespace {

using namespace base::prefixes;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('|', start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool begins_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

double number(const base::CsvFile& csv, std::size_t row, const char* column, double most = 1e9) {
  const std::string& text = csv.field(row, column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= most)) {
    csv.fail(row, std::string(column) + " is '" + text + "', not a number from 0 to " +
                      (most == 1 ? "1" : "10^9"));
  }
  return value;
}

double fraction(const base::CsvFile& csv, std::size_t row, const char* column) {
  const double value = number(csv, row, column, 1);
  if (value == 0) csv.fail(row, std::string(column) + " is 0");
  return value;
}

KernelCosts read_kernels(const base::CsvFile& csv, std::size_t row) {
  KernelCosts costs;
  costs.id = csv.field(row, "id");
  costs.generations = split(csv.field(row, "generations"));
  costs.machine = csv.field(row, "machine");
  costs.reached = {fraction(csv, row, "weights"), fraction(csv, row, "cache"),
                   fraction(csv, row, "compute"), fraction(csv, row, "attention"),
                   fraction(csv, row, "elementwise")};
  costs.product_seconds = number(csv, row, "product_us") * kMicro;
  costs.attention_seconds = number(csv, row, "attention_us") * kMicro;
  costs.elementwise_seconds = number(csv, row, "elementwise_us") * kMicro;
  costs.all_reduce = {number(csv, row, "allreduce_us") * kMicro,
                      number(csv, row, "allreduce_gb_s") * kGiga};
  costs.borrowed = csv.field(row, "borrowed");
  costs.source = csv.field(row, "source");
  return costs;
}

Engine read_engine(const base::CsvFile& csv, std::size_t row) {
  Engine engine;
  engine.id = csv.field(row, "id");
  engine.title = csv.field(row, "title");
  engine.names = split(csv.field(row, "names"));
  engine.elementwise_kernels = number(csv, row, "elementwise_kernels");
  engine.share = {fraction(csv, row, "weights"), fraction(csv, row, "cache"),
                  fraction(csv, row, "compute"), fraction(csv, row, "attention"),
                  fraction(csv, row, "elementwise")};
  if (!csv.field(row, "weights_most_gb_s").empty()) {
    engine.most_weights = number(csv, row, "weights_most_gb_s") * kGiga;
  }
  if (!csv.field(row, "compute_most_tflop_s").empty()) {
    engine.most_products = number(csv, row, "compute_most_tflop_s") * kTera;
  }
  engine.kernel_share = number(csv, row, "start_share");
  engine.layer_seconds = number(csv, row, "layer_us") * kMicro;
  engine.step_seconds = number(csv, row, "step_us") * kMicro;
  engine.decode = {number(csv, row, "decode_low"), number(csv, row, "decode_high")};
  engine.prefill = {number(csv, row, "prefill_low"), number(csv, row, "prefill_high")};
  engine.elsewhere = number(csv, row, "elsewhere");
  engine.source = csv.field(row, "source");
  return engine;
}

Band widened(const Band& band, double factor) {
  return {band.low / factor, band.high * factor};
}

bool of_generation(const KernelCosts& costs, const Machine& machine) {
  return begins_with_any(machine.architecture, costs.generations);
}

/// Efficiencies relative to measured roofs: the losses of the kernels beyond them.
Efficiencies over_measured(const Efficiencies& reached, bool products_measured) {
  return {
      1, 1, products_measured ? 1 : reached.compute,
      products_measured ? std::min(1.0, *reached.attention / reached.compute) : *reached.attention,
      std::min(1.0, *reached.elementwise / reached.weights)};
}

/// The rate of the precision in which engines multiply by default.
double usual_rate(const Machine& machine) {
  for (const Precision precision : {Precision::kBf16, Precision::kFp16}) {
    if (find_peak(machine, precision, Unit::kMatrix) ||
        find_peak(machine, precision, Unit::kVector)) {
      return product_rate(machine, precision);
    }
  }
  return product_rate(machine, Precision::kFp32);
}

std::string text_of(const KernelCosts& costs, const Machine& machine, bool own) {
  std::string text = "kernels as measured on " +
                     (costs.machine.empty() ? "no machine of this kind" : costs.machine);
  if (!own) text += ", another generation than " + machine.name;
  if (!costs.borrowed.empty()) text += "; borrowed: " + costs.borrowed;
  return text;
}

}  // namespace

ExpectationData load_expectations(const std::filesystem::path& folder) {
  ExpectationData data;
  const base::CsvFile kernels(folder / "kernels.csv");
  for (std::size_t i = 0; i < kernels.size(); ++i) data.kernels.push_back(read_kernels(kernels, i));
  const base::CsvFile engines(folder / "engines.csv");
  for (std::size_t i = 0; i < engines.size(); ++i) data.engines.push_back(read_engine(engines, i));
  if (data.kernels.empty() || data.engines.empty()) {
    throw std::runtime_error(folder.string() + ": kernels.csv and engines.csv need rows");
  }
  return data;
}

const Engine& find_engine(const ExpectationData& data, std::string_view id) {
  std::string known;
  for (const Engine& engine : data.engines) {
    if (engine.id == id) return engine;
    known += (known.empty() ? "" : ", ") + engine.id;
  }
  throw std::invalid_argument("no engine '" + std::string(id) + "': there are " + known);
}

const Engine* engine_of_row(const ExpectationData& data, const std::string& name) {
  for (const Engine& engine : data.engines) {
    if (begins_with_any(name, engine.names)) return &engine;
  }
  return nullptr;
}

const KernelCosts& kernels_of(const ExpectationData& data, const Machine& machine) {
  const std::string fallback_name = machine.kind == "cpu" ? "cpu" : "*";
  const KernelCosts* fallback = nullptr;
  for (const KernelCosts& costs : data.kernels) {
    if (machine.kind != "cpu" && of_generation(costs, machine)) return costs;
    if (!costs.generations.empty() && costs.generations.front() == fallback_name) fallback = &costs;
  }
  if (!fallback) {
    throw std::invalid_argument("kernels.csv has no row '" + fallback_name + "' for " +
                                machine.name);
  }
  return *fallback;
}

ExpectedSystem expected_system(const System& bare, const Engine& engine,
                               const ExpectationData& data) {
  const KernelCosts& costs = kernels_of(data, bare.machine);
  const bool own = of_generation(costs, bare.machine) && costs.borrowed.empty();
  ExpectedSystem expected;
  expected.system = bare;
  expected.engine = engine.id;
  System& system = expected.system;
  // With kernels back to back, the power cap keeps products below the highest rate, which is the
  // bound.
  for (const auto& [precision, rate] : bare.machine.sustained_products) {
    system.machine.products[precision] = rate;
  }
  const Efficiencies reached = bare.machine.measured
                                   ? over_measured(costs.reached, !bare.machine.products.empty())
                                   : costs.reached;
  const Efficiencies& share = engine.share;
  system.efficiencies = {reached.weights * share.weights, reached.kv * share.kv,
                         reached.compute * share.compute, *reached.attention * *share.attention,
                         *reached.elementwise * *share.elementwise};
  if (engine.most_weights) {
    system.efficiencies.weights = std::min(
        system.efficiencies.weights, *engine.most_weights / streaming_bandwidth(bare.machine));
  }
  if (engine.most_products) {
    system.efficiencies.compute =
        std::min(system.efficiencies.compute, *engine.most_products / usual_rate(system.machine));
  }
  Overheads& overheads = system.overheads;
  overheads.per_step_seconds += engine.step_seconds;
  overheads.per_layer_seconds += engine.layer_seconds;
  overheads.per_product_seconds = engine.kernel_share * costs.product_seconds;
  overheads.per_attention_seconds = engine.kernel_share * costs.attention_seconds;
  overheads.per_elementwise_seconds = engine.kernel_share * costs.elementwise_seconds;
  overheads.elementwise_kernels = engine.elementwise_kernels;
  if (!bare.all_reduce) system.all_reduce = costs.all_reduce;
  const double widening = own ? 1 : engine.elsewhere;
  expected.decode = widened(engine.decode, widening);
  expected.prefill = widened(engine.prefill, widening);
  expected.remarks.push_back("engine: " + engine.title);
  expected.remarks.push_back(bare.machine.measured
                                 ? "roofs as this report measured them; starts of " +
                                       text_of(costs, bare.machine, own)
                                 : text_of(costs, bare.machine, own));
  return expected;
}

}  // namespace roofline::llm
