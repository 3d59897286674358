// SPDX-License-Identifier: MIT
// Joules per decoded token: what `roofline predict` expects, and what an H200 used.
#include <algorithm>
#include <map>
#include <vector>

#include "base/csv.hpp"
#include "roofline/llm/question.hpp"
#include "value.hpp"

namespace {

using docs::fixed;
using docs::Sources;
namespace llm = roofline::llm;

using namespace base::prefixes;

/// Joules per output token of Llama-3-8B in PyTorch's graphs.
llm::Joules expected_joules(const Sources& sources, double batch, double context) {
  const llm::Model model = sources.model("llama-3-8b");
  llm::Question question{.model = model,
                         .formats = llm::stored_formats(model),
                         .system = {.machine = sources.machine("h200-sxm")}};
  question.batch = batch;
  question.context = context;
  const llm::ExpectationData all = llm::load_expectations(sources.data() / "expected");
  question.expected = llm::expected_system(question.system, llm::find_engine(all, "pytorch"), all);
  question.energy = llm::measured_energy_costs(question.system.machine, sources.data());
  const llm::Answer result = llm::answer(question);
  return llm::joules(question, result.expected.value().token).value();
}

DOC_VALUE("predict.decode_energy", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured("h200_decode_energy.csv"));
  std::map<double, std::vector<double>> tokens;  // joules of each run, by batch
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const double batch = std::stod(csv.field(i, "batch"));
    tokens[batch].push_back(std::stod(csv.field(i, "joules")) / batch);
  }
  const double context = std::stod(csv.field(0, "context"));
  std::vector<docs::Row> rows;
  for (auto& [batch, runs] : tokens) {
    std::sort(runs.begin(), runs.end());
    const double median = runs[runs.size() / 2];
    const llm::Joules expected = expected_joules(sources, batch, context);
    rows.push_back({fixed(batch, 0), fixed(expected.middle / kMilli, 0),
                    fixed(expected.low / kMilli, 0) + " to " + fixed(expected.high / kMilli, 0),
                    fixed(median / kMilli, 0),
                    fixed(kPercent * (expected.middle / median - 1), 0) + " %"});
  }
  return docs::markdown_table(
      {"batch", "expected, mJ a token", "range", "measured", "expected against measured"}, rows);
})

}  // namespace
