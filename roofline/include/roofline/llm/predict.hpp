// SPDX-License-Identifier: MIT
// Times of a forward pass and of a request, from operators and a machine's roofs.
#pragma once

#include <optional>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/machine.hpp"

namespace roofline::llm {

/// The fraction of a roof that real kernels reach: 1 gives the bound itself.
struct Efficiencies {
  double weights = 1;                    ///< of the bandwidth, for weights and activations
  double kv = 1;                         ///< of the bandwidth, for keys and values
  double compute = 1;                    ///< of the peak
  std::optional<double> attention = {};  ///< of the peak, in attention; default: compute
  std::optional<double> elementwise =
      {};  ///< of the bandwidth, in norms and gates; default: weights
};

/// One all-reduce takes latency + 2 (N-1)/N bytes / bandwidth. The latency is that of the whole
/// call: 2 (N-1) messages in a ring, two steps if every rank writes to every other.
struct AllReduce {
  double latency_seconds = 0;
  double bytes_per_second = 0;
};

/// Time that no roof explains.
struct Overheads {
  double per_kernel_seconds = 0;  ///< per operator call, if launched one by one
  double per_step_seconds = 0;    ///< once per pass: a graph, sampling, scheduling
  double per_layer_seconds = 0;   ///< per layer, as found by a calibration
  /// The time of a kernel besides its work: filling the machine, draining it, the gap before the
  /// next.
  double per_product_seconds = 0;
  double per_attention_seconds = 0;
  double per_elementwise_seconds = 0;
  double elementwise_kernels = 1;  ///< kernels that make up one element-wise operator
};

struct System {
  Machine machine;  ///< one of `ranks` identical ones
  int ranks = 1;
  std::optional<AllReduce> all_reduce = {};  ///< required for more than one rank
  Efficiencies efficiencies = {};
  Overheads overheads = {};
};

/// An operator's time, for all calls together; intensity and bound are per call.
struct OperatorTime {
  Operator op;
  double seconds = 0;          ///< max(compute, memory), or the collective, times calls
  double compute_seconds = 0;  ///< at the peak, times calls
  double memory_seconds = 0;   ///< at the bandwidth, times calls
  double intensity = 0;
  Bound bound = Bound::kMemory;
};

struct PassTime {
  std::vector<OperatorTime> operators;
  double operator_seconds = 0;  ///< SUM over operators of max(compute, memory)
  double collective_seconds = 0;
  double overhead_seconds = 0;

  double seconds() const { return operator_seconds + collective_seconds + overhead_seconds; }
  double max_of_sums_seconds = 0;  ///< max(sum of compute, sum of memory): the wrong, lower bound
};

/// Bandwidth at which weights and cache stream, in B/s: for a measured machine its read stream,
/// because inference hardly writes; for a data sheet the bandwidth of the DRAM. Throws
/// std::invalid_argument if none is known.
double streaming_bandwidth(const Machine& machine);

/// Rate of products in a precision, in FLOP/s: for a measured machine the best rate of its vendor's
/// matrix product, if that was measured (an expectation takes what it sustains); for a data sheet
/// the highest dense peak that sums in FP32 (or in the precision itself), because that is how
/// inference engines multiply. Throws std::invalid_argument listing the precisions that the machine
/// has.
double product_rate(const Machine& machine, Precision precision);

/// Time of one pass. Throws std::invalid_argument if the machine lacks the peak of a precision or a
/// bandwidth, if the model cannot be divided, or if the all-reduce cost is missing for several
/// ranks.
PassTime predict_pass(const Model& model, const Formats& formats, const Pass& pass,
                      const System& system);

/// Requests that are served together.
struct Request {
  double batch = 1;
  double prompt = 1;
  double output = 1;        ///< tokens generated per sequence
  bool continuous = false;  ///< a finished sequence is immediately replaced by a new prompt
};

struct RequestTime {
  PassTime prefill;  ///< of the whole batch; of one prompt if continuous
  PassTime decode;   ///< at the middle of the output: context prompt + output / 2
  double time_to_first_token = 0;
  double time_per_output_token = 0;
  double tokens_per_second = 0;     ///< output tokens of the whole batch, in steady decode
  double request_seconds = 0;       ///< first token and the output - 1 that follow
  double interference_seconds = 0;  ///< share of other prompts' prefill in the time per token
};

/// Time to first token, time per output token and throughput. With continuous batching a sequence
/// that generates `output` tokens meanwhile sees the prefill of each of the batch - 1 others once:
/// the time per token grows by (batch - 1) / output prefills of one prompt.
RequestTime predict_request(const Model& model, const Formats& formats, const Request& request,
                            const System& system);

/// Memory of one rank.
struct MemoryUse {
  double weight_bytes = 0;
  double kv_bytes = 0;
  double usable_bytes = 0;
  std::optional<std::int64_t> largest_batch;  ///< empty: the weights alone do not fit
};

/// Weights and cache of `batch` sequences of `context` tokens on one rank, and how many such
/// sequences fit in `fraction` of its DRAM. Activations and workspace are not counted.
MemoryUse predict_memory(const Model& model, const Formats& formats, double batch, double context,
                         const System& system, double fraction);

}  // namespace roofline::llm
