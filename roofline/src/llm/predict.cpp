// SPDX-License-Identifier: MIT
// Times from operators and roofs.
#include "roofline/llm/predict.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "roofline/checks.hpp"
#include "roofline/communication.hpp"

namespace roofline::llm {
namespace {

void check(const System& system) {
  require_fraction(system.efficiencies.weights, "efficiency of weight streaming");
  require_fraction(system.efficiencies.kv, "efficiency of KV streaming");
  require_fraction(system.efficiencies.compute, "efficiency of computing");
  require_fraction(system.efficiencies.attention.value_or(1), "efficiency of attention");
  require_fraction(system.efficiencies.elementwise.value_or(1),
                   "efficiency of element-wise operators");
  require_not_negative(system.overheads.per_kernel_seconds, "cost per kernel in seconds");
  require_not_negative(system.overheads.per_step_seconds, "cost per step in seconds");
  require_not_negative(system.overheads.per_layer_seconds, "cost per layer in seconds");
  require_not_negative(system.overheads.per_product_seconds, "start of a product in seconds");
  require_not_negative(system.overheads.per_attention_seconds, "start of attention in seconds");
  require_not_negative(system.overheads.per_elementwise_seconds,
                       "start of an element-wise kernel in seconds");
  require_positive(system.overheads.elementwise_kernels, "kernels of an element-wise operator");
  if (system.ranks > 1 && !system.all_reduce) {
    throw std::invalid_argument(
        "tensor parallelism over several ranks needs the latency and the bandwidth of an "
        "all-reduce");
  }
}

double peak_of(const Operator& op, const Machine& machine) {
  if (op.kind == OperatorKind::kElementwise) {
    const Peak* vector = find_peak(machine, Precision::kFp32, Unit::kVector);
    if (vector) return vector->operations_per_second;
  }
  try {
    return product_rate(machine, op.precision);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) +
                                "; choose another arithmetic for products or for attention");
  }
}

double collective_seconds(const Operator& op, const System& system) {
  const double bytes = collective_bytes(Collective::kAllReduce, op.collective_bytes, system.ranks);
  return require_not_negative(system.all_reduce->latency_seconds, "latency of an all-reduce") +
         bytes / require_positive(system.all_reduce->bytes_per_second,
                                  "bandwidth of an all-reduce in B/s");
}

OperatorTime time_of(const Operator& op, const System& system) {
  OperatorTime result{.op = op};
  if (op.kind == OperatorKind::kCollective) {
    result.seconds = op.calls * collective_seconds(op, system);
    return result;
  }
  const Efficiencies& reached = system.efficiencies;
  const double streamed = streaming_bandwidth(system.machine);
  const bool elementwise = op.kind == OperatorKind::kElementwise;
  const double of_peak =
      op.attention ? reached.attention.value_or(reached.compute) : reached.compute;
  const double compute = op.flops / (peak_of(op, system.machine) * of_peak);
  const double memory = (op.weight_bytes + op.activation_bytes) /
                            (streamed * (elementwise ? reached.elementwise.value_or(reached.weights)
                                                     : reached.weights)) +
                        op.kv_bytes / (streamed * reached.kv);
  result.compute_seconds = op.calls * compute;
  result.memory_seconds = op.calls * memory;
  result.seconds = std::max(result.compute_seconds, result.memory_seconds);
  result.intensity = arithmetic_intensity(op.flops, op.bytes());
  result.bound = compute >= memory ? Bound::kCompute : Bound::kMemory;
  return result;
}

/// The time of all calls of an operator besides its work.
double start_seconds(const Operator& op, const Overheads& overheads) {
  switch (op.kind) {
    case OperatorKind::kProduct:
      return op.calls *
             ((op.attention ? overheads.per_attention_seconds : overheads.per_product_seconds) +
              overheads.per_kernel_seconds);
    case OperatorKind::kElementwise:
      return op.calls * overheads.elementwise_kernels *
             (overheads.per_elementwise_seconds + overheads.per_kernel_seconds);
    case OperatorKind::kCollective:
      return op.calls * overheads.per_kernel_seconds;
  }
  throw std::invalid_argument("not a value of roofline::llm::OperatorKind");
}

/// True for sums in FP32 or better, or in the precision itself.
bool sums_exactly_enough(const Peak& peak) {
  return is_integer(peak.precision) || peak.accumulator.empty() || peak.accumulator == "fp32" ||
         peak.accumulator == "fp64";
}

}  // namespace

double streaming_bandwidth(const Machine& machine) {
  const auto read = machine.streams.find("read");
  return machine.measured && read != machine.streams.end() ? read->second : bandwidth(machine);
}

double product_rate(const Machine& machine, Precision precision) {
  const auto measured = machine.products.find(precision);
  if (measured != machine.products.end()) return measured->second;
  double rate = 0;
  for (const Peak& peak : machine.peaks) {
    if (peak.precision == precision && !peak.sparse && sums_exactly_enough(peak)) {
      rate = std::max(rate, peak.operations_per_second);
    }
  }
  return rate > 0 ? rate : best_peak(machine, precision).operations_per_second;
}

PassTime predict_pass(const Model& model, const Formats& formats, const Pass& pass,
                      const System& system) {
  check(system);
  PassTime result;
  double compute = 0;
  double memory = 0;
  double starts = 0;
  const bool collectives = system.ranks > 1;
  for (const Operator& op :
       pass_operators(shard(model, system.ranks), formats, pass, collectives)) {
    const OperatorTime timed = time_of(op, system);
    (op.kind == OperatorKind::kCollective ? result.collective_seconds : result.operator_seconds) +=
        timed.seconds;
    compute += timed.compute_seconds;
    memory += timed.memory_seconds;
    starts += start_seconds(op, system.overheads);
    result.operators.push_back(timed);
  }
  result.max_of_sums_seconds = std::max(compute, memory);
  result.overhead_seconds =
      system.overheads.per_step_seconds + starts +
      static_cast<double>(model.layer_count()) * system.overheads.per_layer_seconds;
  return result;
}

RequestTime predict_request(const Model& model, const Formats& formats, const Request& request,
                            const System& system) {
  require_positive(request.batch, "batch");
  require_positive(request.prompt, "prompt in tokens");
  require_positive(request.output, "output in tokens");
  RequestTime result;
  const double prompts = request.continuous ? 1 : request.batch;
  result.prefill = predict_pass(model, formats, prefill_pass(prompts, request.prompt), system);
  const double middle = request.prompt + request.output / 2;
  result.decode = predict_pass(model, formats, decode_pass(request.batch, middle), system);
  if (request.continuous) {
    result.interference_seconds = (request.batch - 1) / request.output * result.prefill.seconds();
  }
  result.time_to_first_token = result.prefill.seconds();
  result.time_per_output_token = result.decode.seconds() + result.interference_seconds;
  result.tokens_per_second = request.batch / result.time_per_output_token;
  result.request_seconds =
      result.time_to_first_token + (request.output - 1) * result.time_per_output_token;
  return result;
}

MemoryUse predict_memory(const Model& model, const Formats& formats, double batch, double context,
                         const System& system, double fraction) {
  const MemoryLevel& dram = memory_level(system.machine, "DRAM");
  if (!dram.capacity_bytes) {
    throw std::invalid_argument("the DRAM capacity of " + system.machine.name + " is not known");
  }
  const Model part = shard(model, system.ranks);
  MemoryUse use;
  use.weight_bytes = weight_bytes(part, formats);
  use.kv_bytes = require_positive(batch, "batch") * kv_bytes(part, formats, context);
  use.usable_bytes = *dram.capacity_bytes * require_fraction(fraction, "fraction of the memory");
  use.largest_batch = largest_batch(part, formats, context, use.usable_bytes);
  return use;
}

}  // namespace roofline::llm
