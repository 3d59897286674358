// SPDX-License-Identifier: MIT
// Measured rows as questions to the predictor.
#include <optional>
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
  Formats formats = stored_formats(model);
  formats.weights = find_format(names, "weights_precision", row.weights);
  formats.experts = formats.head = formats.weights;
  formats.kv = find_format(names, "kv_precision", row.kv);
  if (formats.weights.name == "fp8" && find_peak(machine, Precision::kFp8, Unit::kMatrix)) {
    formats.arithmetic = Precision::kFp8;
  }
  return formats;
}

void set_request(Observation& observation) {
  const MeasuredRow& row = observation.row;
  observation.prefill = row.kind == "e2e_prefill";
  Request& request = observation.request;
  request.batch = stated_number(row.batch, "the batch");
  request.prompt = stated_number(row.context, "the context");
  request.continuous = row.kind == "serving_decode";
  if (request.continuous) request.output = stated_number(row.output, "the output length");
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
  observation.system.ranks = static_cast<int>(stated_number(row.ranks, "the number of GPUs"));
  if (observation.system.ranks > 1 && row.notes.find("layer split") != std::string::npos) {
    throw Unusable{"split by layers, which is not tensor parallelism"};
  }
  set_request(observation);
  // A first call here, so that what cannot be predicted is left out and not fatal later.
  try {
    predict_seconds(observation, nullptr);
  } catch (const std::invalid_argument& error) {
    throw Unusable{error.what()};
  }
  return observation;
}

bool about_inference(const MeasuredRow& row) {
  return row.kind == "serving_decode" || row.kind == "e2e_decode" || row.kind == "e2e_prefill";
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

std::string group_of(const Observation& observation) {
  return observation.row.kind + ": " + observation.row.engine;
}

}  // namespace roofline::llm
