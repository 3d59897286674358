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
  require_not_negative(system.overheads.per_kernel_seconds, "cost per kernel in seconds");
  require_not_negative(system.overheads.per_step_seconds, "cost per step in seconds");
  require_not_negative(system.overheads.per_layer_seconds, "cost per layer in seconds");
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
    return best_peak(machine, op.precision).operations_per_second;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) +
                                "; choose another arithmetic for products or for attention");
  }
}

double exchange_seconds(const Operator& op, const System& system) {
  const double bytes = collective_bytes(Collective::kAllReduce, op.exchange_bytes, system.ranks);
  return require_not_negative(system.all_reduce->latency_seconds, "latency of an all-reduce") +
         bytes / require_positive(system.all_reduce->bytes_per_second,
                                  "bandwidth of an all-reduce in B/s");
}

OperatorTime time_of(const Operator& op, const System& system) {
  OperatorTime result{.op = op};
  if (op.kind == OperatorKind::kExchange) {
    result.seconds = op.calls * exchange_seconds(op, system);
    return result;
  }
  const Efficiencies& reached = system.efficiencies;
  const double streamed = bandwidth(system.machine);
  const double compute = op.flops / (peak_of(op, system.machine) * reached.compute);
  const double memory = (op.weight_bytes + op.activation_bytes) / (streamed * reached.weights) +
                        op.kv_bytes / (streamed * reached.kv);
  result.compute_seconds = op.calls * compute;
  result.memory_seconds = op.calls * memory;
  result.seconds = std::max(result.compute_seconds, result.memory_seconds);
  result.intensity = arithmetic_intensity(op.flops, op.bytes());
  result.bound = compute >= memory ? Bound::kCompute : Bound::kMemory;
  return result;
}

}  // namespace

PassTime predict_pass(const Model& model, const Formats& formats, const Pass& pass,
                      const System& system) {
  check(system);
  PassTime result;
  double compute = 0;
  double memory = 0;
  double kernels = 0;
  const bool exchanges = system.ranks > 1;
  for (const Operator& op : pass_operators(shard(model, system.ranks), formats, pass, exchanges)) {
    const OperatorTime timed = time_of(op, system);
    (op.kind == OperatorKind::kExchange ? result.exchange_seconds : result.operator_seconds) +=
        timed.seconds;
    compute += timed.compute_seconds;
    memory += timed.memory_seconds;
    kernels += op.calls;
    result.operators.push_back(timed);
  }
  result.max_of_sums_seconds = std::max(compute, memory);
  result.overhead_seconds =
      system.overheads.per_step_seconds + kernels * system.overheads.per_kernel_seconds +
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
