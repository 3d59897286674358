// SPDX-License-Identifier: MIT
// Energy costs times work.
#include "roofline/llm/energy_use.hpp"

#include <algorithm>
#include <vector>

#include "base/csv.hpp"
#include "roofline/units.hpp"

namespace roofline::llm {
namespace {

std::optional<double> number_of(const base::CsvFile& csv, std::size_t row, const char* column) {
  const std::string& text = csv.field(row, column);
  if (text.empty()) return std::nullopt;
  return parse_quantity_as(text, kNumber);
}

std::vector<EnergyCosts> read_runs(const std::filesystem::path& file) {
  const base::CsvFile csv(file);
  std::vector<EnergyCosts> runs;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    EnergyCosts costs;
    costs.joules_per_flop = number_of(csv, row, "joules_per_flop").value_or(0);
    costs.joules_per_byte = number_of(csv, row, "joules_per_byte").value_or(0);
    costs.idle_watts = number_of(csv, row, "static_watts").value_or(0);
    runs.push_back(costs);
  }
  return runs;
}

}  // namespace

PassWork& PassWork::operator+=(const PassWork& other) {
  bytes += other.bytes;
  vector_flops += other.vector_flops;
  for (const auto& [precision, flops] : other.products) products[precision] += flops;
  seconds += other.seconds;
  return *this;
}

PassWork PassWork::operator*(double factor) const {
  PassWork result = *this;
  result.bytes *= factor;
  result.vector_flops *= factor;
  for (auto& [precision, flops] : result.products) flops *= factor;
  result.seconds *= factor;
  return result;
}

PassWork work_of(const PassTime& pass) {
  PassWork work;
  work.seconds = pass.seconds();
  for (const OperatorTime& timed : pass.operators) {
    const Operator& op = timed.op;
    if (op.kind == OperatorKind::kCollective) continue;
    work.bytes += op.calls * op.bytes();
    (op.kind == OperatorKind::kElementwise ? work.vector_flops : work.products[op.precision]) +=
        op.calls * op.flops;
  }
  return work;
}

std::optional<Joules> energy_of(const PassWork& work, const MeasuredEnergyCosts& costs,
                                const Band& times) {
  std::vector<double> middles;
  std::optional<Joules> result;
  for (const EnergyCosts& run : costs.runs) {
    double moved = energy_joules(run, work.vector_flops, work.bytes);
    for (const auto& [precision, flops] : work.products) {
      if (flops <= 0) continue;
      const auto product = costs.products.find(precision);
      if (product == costs.products.end()) return std::nullopt;
      moved += flops * product_joules_per_flop(product->second, run);
    }
    const double at_rest = run.idle_watts * work.seconds;
    const double low = moved + at_rest * times.low;
    const double high = moved + at_rest * times.high;
    middles.push_back(moved + at_rest);
    if (!result) result = Joules{0, low, high};
    result->low = std::min(result->low, low);
    result->high = std::max(result->high, high);
  }
  if (!result) return std::nullopt;
  const auto middle = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
  std::nth_element(middles.begin(), middle, middles.end());
  result->middle = *middle;
  return result;
}

std::optional<MeasuredEnergyCosts> measured_energy_costs(const Machine& machine,
                                                         const std::filesystem::path& folder) {
  if (machine.measured) return machine.energy;
  const base::CsvFile csv(folder / "expected" / "energy.csv");
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (csv.field(row, "machine") != machine.id) continue;
    const std::filesystem::path measured = folder / "measured";
    std::optional<MeasuredEnergyCosts> costs =
        load_machine(measured / csv.field(row, "report")).energy;
    if (!costs) csv.fail(row, "this report has no energy costs");
    costs->runs = read_runs(measured / csv.field(row, "runs"));
    if (costs->runs.empty()) csv.fail(row, "no runs in the file of this row");
    return costs;
  }
  return std::nullopt;
}

StatedCosts stated_costs(const std::string& machine, const std::filesystem::path& folder) {
  StatedCosts stated;
  const base::CsvFile csv(folder / "expected" / "power.csv");
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (csv.field(row, "machine") != machine) continue;
    stated.watts = number_of(csv, row, "watts");
    stated.dollars_per_hour = number_of(csv, row, "dollars_per_hour");
  }
  return stated;
}

}  // namespace roofline::llm
