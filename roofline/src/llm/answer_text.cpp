// SPDX-License-Identifier: MIT
// Answers as JSON and CSV.
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/llm/question.hpp"

namespace roofline::llm {
namespace {

using nlohmann::json;

const char* bound_text(const OperatorTime& timed) {
  return timed.op.kind == OperatorKind::kCollective ? "network" : to_string(timed.bound);
}

json operator_json(const OperatorTime& timed) {
  const Operator& op = timed.op;
  json value = {{"name", op.name},
                {"calls", op.calls},
                {"flops", op.calls * op.flops},
                {"weight_bytes", op.calls * op.weight_bytes},
                {"kv_bytes", op.calls * op.kv_bytes},
                {"activation_bytes", op.calls * op.activation_bytes},
                {"collective_bytes", op.calls * op.collective_bytes},
                {"bound", bound_text(timed)},
                {"compute_seconds", timed.compute_seconds},
                {"memory_seconds", timed.memory_seconds},
                {"seconds", timed.seconds}};
  if (op.bytes() > 0) value["flops_per_byte"] = timed.intensity;
  return value;
}

json pass_json(const PassTime& pass) {
  json operators = json::array();
  for (const OperatorTime& timed : pass.operators) operators.push_back(operator_json(timed));
  return {{"seconds", pass.seconds()},
          {"operator_seconds", pass.operator_seconds},
          {"collective_seconds", pass.collective_seconds},
          {"overhead_seconds", pass.overhead_seconds},
          {"max_of_sums_seconds", pass.max_of_sums_seconds},
          {"operators", std::move(operators)}};
}

json formats_json(const Formats& formats) {
  return {{"weights", formats.weights.name},
          {"experts", formats.experts.name},
          {"head", formats.head.name},
          {"kv", formats.kv.name},
          {"activations", to_string(formats.activations)},
          {"arithmetic", to_string(formats.arithmetic)},
          {"attention_arithmetic", to_string(formats.attention_arithmetic)}};
}

json system_json(const System& system) {
  json value = {
      {"machine", system.machine.id},
      {"ranks", system.ranks},
      {"weight_efficiency", system.efficiencies.weights},
      {"kv_efficiency", system.efficiencies.kv},
      {"compute_efficiency", system.efficiencies.compute},
      {"attention_efficiency", system.efficiencies.attention.value_or(system.efficiencies.compute)},
      {"elementwise_efficiency",
       system.efficiencies.elementwise.value_or(system.efficiencies.weights)},
      {"per_kernel_seconds", system.overheads.per_kernel_seconds},
      {"per_step_seconds", system.overheads.per_step_seconds},
      {"per_layer_seconds", system.overheads.per_layer_seconds},
      {"per_product_seconds", system.overheads.per_product_seconds},
      {"per_attention_seconds", system.overheads.per_attention_seconds},
      {"per_elementwise_seconds", system.overheads.per_elementwise_seconds},
      {"elementwise_kernels", system.overheads.elementwise_kernels}};
  if (system.all_reduce) {
    value["all_reduce"] = {{"latency_seconds", system.all_reduce->latency_seconds},
                           {"bytes_per_second", system.all_reduce->bytes_per_second}};
  }
  return value;
}

json memory_json(const MemoryUse& memory) {
  json value = {{"weight_bytes", memory.weight_bytes},
                {"kv_bytes", memory.kv_bytes},
                {"usable_bytes", memory.usable_bytes}};
  value["largest_batch"] = memory.largest_batch ? json(*memory.largest_batch) : json(nullptr);
  return value;
}

json joules_json(const Joules& joules) {
  return {{"joules", joules.middle}, {"low", joules.low}, {"high", joules.high}};
}

/// Empty without energy costs.
json energy_json(const Question& question, const Times& times) {
  json value = json::object();
  if (const auto token = joules(question, times.token)) {
    value["output_token"] = joules_json(*token);
    value["output_tokens_per_joule"] = 1 / token->middle;
    if (times.request) value["request"] = joules_json(*joules(question, *times.request));
  }
  return value;
}

json range_json(double seconds, const Band& band) {
  return {{"seconds", seconds}, {"low", seconds * band.low}, {"high", seconds * band.high}};
}

json expected_json(const Question& question, const Times& times) {
  const ExpectedSystem& on = *question.expected;
  json value = {{"engine", on.engine},
                {"remarks", on.remarks},
                {"system", system_json(on.system)},
                {"decode", pass_json(times.decode)},
                {"time_per_output_token", range_json(times.time_per_output_token, on.decode)},
                {"tokens_per_second", times.tokens_per_second}};
  if (times.time_to_first_token) {
    value["time_to_first_token"] = range_json(*times.time_to_first_token, on.prefill);
    value["prefill"] = pass_json(*times.prefill);
  }
  if (times.request_seconds) value["request_seconds"] = *times.request_seconds;
  if (json energy = energy_json(question, times); !energy.empty()) value["energy"] = energy;
  return value;
}

void add_operators(std::ostringstream& csv, const char* phase, const PassTime& pass) {
  for (const OperatorTime& timed : pass.operators) {
    const Operator& op = timed.op;
    csv << phase << ",\"" << op.name << "\"," << op.calls << ',' << op.calls * op.flops << ','
        << op.calls * op.weight_bytes << ',' << op.calls * op.kv_bytes << ','
        << op.calls * op.activation_bytes << ',' << op.calls * op.collective_bytes << ',';
    if (op.bytes() > 0) csv << timed.intensity;
    csv << ',' << bound_text(timed) << ',' << timed.compute_seconds << ',' << timed.memory_seconds
        << ',' << timed.seconds << '\n';
  }
}

}  // namespace

std::string answer_json(const Question& question, const Answer& answer) {
  json value = {{"schema", "roofline.prediction"},
                {"version", 2},
                {"model", question.model.name},
                {"architecture", question.model.architecture},
                {"notes", question.model.notes},
                {"remarks", answer.remarks},
                {"formats", formats_json(question.formats)},
                {"system", system_json(question.system)},
                {"batch", question.batch},
                {"context", answer.context},
                {"continuous", question.continuous},
                {"decode", pass_json(answer.decode)},
                {"interference_seconds", answer.interference_seconds},
                {"time_per_output_token_seconds", answer.time_per_output_token},
                {"tokens_per_second", answer.tokens_per_second}};
  if (question.prompt) value["prompt"] = *question.prompt;
  if (question.output > 0) value["output"] = question.output;
  if (answer.prefill) {
    value["prefill"] = pass_json(*answer.prefill);
    value["time_to_first_token_seconds"] = *answer.time_to_first_token;
  }
  value["fits"] = fits(question, answer);
  if (json energy = energy_json(question, answer); !energy.empty()) value["energy"] = energy;
  if (answer.expected) value["expected"] = expected_json(question, *answer.expected);
  if (answer.request_seconds) value["request_seconds"] = *answer.request_seconds;
  if (answer.memory) value["memory_of_a_rank"] = memory_json(*answer.memory);
  if (answer.speculation) {
    const Speculation& s = *answer.speculation;
    value["speculation"] = {{"draft_model", question.draft->model.name},
                            {"draft_prefill_seconds", s.draft_prefill_seconds},
                            {"draft_seconds", s.draft_seconds},
                            {"check_seconds", s.check_seconds},
                            {"expected_tokens", s.expected_tokens},
                            {"speedup", s.speedup}};
  }
  return value.dump(2) + "\n";
}

std::string answer_csv(const Answer& answer) {
  constexpr int kDigits = 12;
  std::ostringstream csv;
  csv.precision(kDigits);
  csv << "phase,operator,calls,flops,weight_bytes,kv_bytes,activation_bytes,collective_bytes,"
         "flops_per_byte,bound,compute_seconds,memory_seconds,seconds\n";
  if (answer.prefill) add_operators(csv, "prefill", *answer.prefill);
  add_operators(csv, "decode", answer.decode);
  return csv.str();
}

}  // namespace roofline::llm
