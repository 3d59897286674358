// SPDX-License-Identifier: MIT
// Measured rows as questions to the predictor.
#include <algorithm>
#include <stdexcept>

#include "roofline/llm/calibration.hpp"
#include "roofline/llm/config.hpp"

namespace roofline::llm {
namespace {

/// A reason not to use a row, thrown while it is read.
struct Unusable {
  std::string reason;
};

double stated_number(const std::string& field, const char* what) {
  const auto number = leading_number(field);
  if (!number || *number <= 0) {
    throw Unusable{std::string(what) +
                   (field.empty() ? " is not stated" : " is '" + field + "', not a number")};
  }
  return *number;
}

Model find_model(const std::string& id, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / (id + ".json");
  if (!std::filesystem::is_regular_file(file)) throw Unusable{"no model file for '" + id + "'"};
  return load_model(file);
}

Format find_format(const Names& names, const char* column, const std::string& published) {
  try {
    return parse_format(names.meaning(column, published));
  } catch (const std::invalid_argument&) {
    throw Unusable{std::string(column) + " '" + published + "' is not a known format"};
  }
}

Formats formats_of(const MeasuredRow& row, const Names& names, const Model& model,
                   const Machine& machine) {
  FormatChoice choice;
  choice.weights = find_format(names, "weights_precision", row.weights);
  choice.kv = find_format(names, "kv_precision", row.kv);
  return choose_formats(model, machine, choice);
}

/// The number of sequences that an engine keeps under full load: what fits in memory with the
/// weights at the mean length, up to the maximum of engines.
double saturating_batch(const Observation& observation) {
  constexpr double kMostSequences = 2048;
  constexpr double kUsable = 0.9;
  const Request& request = observation.request;
  const MemoryUse memory =
      predict_memory(observation.model, observation.formats, 1, request.prompt + request.output / 2,
                     observation.system, kUsable);
  if (!memory.largest_batch || *memory.largest_batch < 1) {
    throw Unusable{"not one sequence fits into the memory"};
  }
  return std::min(kMostSequences, static_cast<double>(*memory.largest_batch));
}

void set_request(Observation& observation, const Names& names) {
  MeasuredRow row = observation.row;
  row.context = names.meaning("context_or_prompt", row.context);
  const bool throughput = row.kind == "e2e_throughput";
  const bool saturated = throughput && row.batch.starts_with("max");
  observation.prefill = row.kind == "e2e_prefill";
  Request& request = observation.request;
  request.prompt = stated_number(row.context, "the context");
  request.continuous = row.kind == "serving_decode" || saturated;
  observation.whole_batch = throughput && !saturated;
  if (request.continuous || throughput) {
    request.output = stated_number(row.output, "the output length");
  }
  request.batch = saturated ? saturating_batch(observation) : stated_number(row.batch, "the batch");
  observation.context = middle_context(row).value();
  observation.seconds =
      measured_seconds(row, request.batch * (observation.prefill ? request.prompt : 1));
}

Observation observe_row(const MeasuredRow& row, const Library& library) {
  const Names& names = library.names;
  const Machine* machine = library.machines.find(names.meaning("hardware", row.hardware));
  if (!machine) throw Unusable{"no machine file for '" + row.hardware + "'"};
  Observation observation;
  observation.row = row;
  observation.model = find_model(names.meaning("model_or_op", row.subject), library.model_folder);
  observation.formats = formats_of(row, names, observation.model, *machine);
  observation.system.machine = *machine;
  const bool processor = machine->kind == "cpu" && row.ranks.empty();
  const double ranks = processor ? 1 : stated_number(row.ranks, "the number of GPUs");
  // Layers split over devices run one after another: treated as one device that holds all of them.
  const bool by_layers = row.notes.find("layer split") != std::string::npos;
  observation.system.ranks = by_layers ? 1 : static_cast<int>(ranks);
  set_request(observation, names);
  // Call it here once, so that a row that cannot be predicted is left out rather than fatal later.
  try {
    predict_seconds(observation, nullptr);
  } catch (const std::invalid_argument& error) {
    throw Unusable{error.what()};
  }
  return observation;
}

bool about_inference(const MeasuredRow& row) {
  return row.kind == "serving_decode" || row.kind == "e2e_decode" || row.kind == "e2e_prefill" ||
         row.kind == "e2e_throughput";
}

}  // namespace

Observations observe(const std::vector<MeasuredRow>& rows, const Library& library) {
  Observations result;
  for (const MeasuredRow& row : rows) {
    if (!about_inference(row)) {
      if (row.kind.starts_with("e2e_")) {
        result.left_out.push_back({row.id, "kind " + row.kind + " is not predicted"});
      }
      continue;
    }
    try {
      result.usable.push_back(observe_row(row, library));
    } catch (const Unusable& unusable) {
      result.left_out.push_back({row.id, unusable.reason});
    }
  }
  return result;
}

std::string engine_group(const Observation& observation) {
  return observation.row.kind + ": " + observation.row.engine;
}

std::string group_of(const Observation& observation) {
  return engine_group(observation) + " on " + observation.row.hardware;
}

}  // namespace roofline::llm
