// SPDX-License-Identifier: MIT
// A forward pass as a list of operators with their FLOPs and bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/llm/memory.hpp"
#include "roofline/llm/model.hpp"
#include "roofline/precision.hpp"

namespace roofline::llm {

/// The work of one forward pass. All sequences are alike.
struct Pass {
  double sequences = 1;
  double new_tokens = 1;            ///< per sequence
  double context = 1;               ///< tokens that the last new token attends to, including itself
  double outputs_per_sequence = 1;  ///< positions whose logits are needed

  double tokens() const { return sequences * new_tokens; }
};

/// One new token per sequence.
Pass decode_pass(double batch, double context);

/// A prompt from nothing; logits of its last token only.
Pass prefill_pass(double batch, double prompt);

/// `tokens` new tokens per sequence, all with logits: verifies a draft.
Pass verify_pass(double batch, double context, double tokens);

/// Which unit computes an operator.
enum class OperatorKind {
  kProduct,      ///< the fastest unit of its precision
  kElementwise,  ///< the vector unit, in FP32
  kCollective,   ///< the network between ranks
};

/// Identical kernels, e.g. one per layer. Amounts are per call.
struct Operator {
  std::string name;
  OperatorKind kind = OperatorKind::kProduct;
  bool attention = false;  ///< a product over the cache or a state, not with weights
  double calls = 1;
  double flops = 0;
  double weight_bytes = 0;
  double kv_bytes = 0;
  double activation_bytes = 0;
  double collective_bytes = 0;  ///< the buffer that is summed over the ranks; kCollective only
  Precision precision = Precision::kBf16;

  double bytes() const { return weight_bytes + kv_bytes + activation_bytes; }
};

/// The part of a model that each of `ranks` holds under tensor parallelism: heads, feed-forward
/// widths and the vocabulary are divided; key-value heads are replicated if there are fewer of them
/// than ranks; latents and norms are on every rank. With one rank it is the model itself. Throws
/// std::invalid_argument if a size is not divisible.
Model shard(const Model& model, int ranks);

/// The operators of a pass on one rank, in order of execution; identical layers share an entry.
/// `collectives` adds the two all-reduces of each layer and one for the embedding.
///
/// Traffic is compulsory: weights, cache and activations once for every kernel that uses them.
/// Fused: residual addition with the norm after it; rotation, q/k norms and cache write; gate with
/// up; attention (scores stay on chip). FLOPs of attention are 4 H_q d per pair, without softmax,
/// and only pairs inside causal mask and window count. A latent cache is read as it is (absorbed
/// up-projections), except in a prefill without context, where keys and values are expanded. Layers
/// of linear attention read and write the state of a sequence once per pass.
std::vector<Operator> pass_operators(const Model& model, const Formats& formats, const Pass& pass,
                                     bool collectives = false);

/// The first one of this name. Throws std::invalid_argument if there is none.
const Operator& operator_named(const std::vector<Operator>& operators, std::string_view name);

/// Pairs of tokens over one head and sequence: sum over the new tokens of what each attends to.
double attention_pairs(const Pass& pass, std::optional<std::int64_t> window);

}  // namespace roofline::llm
