// SPDX-License-Identifier: MIT
// A transformer's architecture, reduced to what determines its parameters, FLOPs and traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "roofline/llm/format.hpp"
#include "roofline/precision.hpp"

namespace roofline::llm {

/// Attention with one key and one value head per group of query heads: MHA when the two counts are
/// equal, MQA when there is one key-value head, GQA in between.
struct GroupedAttention {
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool input_bias = false;   ///< of the query, key and value projections
  bool output_bias = false;  ///< of the output projection
  bool qk_norm = false;      ///< RMSNorm over head_dim, one weight vector each for q and k
  bool sinks = false;        ///< one learned softmax logit per query head
  bool output_gate = false;  ///< the query projection also produces a gate for the output

  friend bool operator==(const GroupedAttention&, const GroupedAttention&) = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): the cache holds, per token, one
/// latent of kv_rank numbers and one rotary key of rope_dim numbers, shared by all heads.
struct LatentAttention {
  std::int64_t heads = 0;
  std::int64_t query_rank = 0;  ///< 0: queries are projected directly
  std::int64_t kv_rank = 0;
  std::int64_t nope_dim = 0;  ///< part of a query and key head without rotary position
  std::int64_t rope_dim = 0;
  std::int64_t value_dim = 0;
  bool bias = false;  ///< of the down-projections and the output projection
  /// Sparse attention (DeepSeek-V3.2): an indexer with its own small heads, and one key of
  /// index_dim numbers per token in an 8-bit cache, scores all tokens; attention reads the best
  /// index_tokens of them. 0 heads: attention to all tokens.
  std::int64_t index_heads = 0;
  std::int64_t index_dim = 0;
  std::int64_t index_tokens = 0;

  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// Linear attention or a state space (gated delta rule, Mamba-2): a state of heads x key_dim x
/// value_dim numbers in FP32 per sequence, however long it is, after a short convolution.
struct LinearAttention {
  std::int64_t heads = 0;      ///< of values
  std::int64_t key_heads = 0;  ///< of keys and queries; groups of a state space
  std::int64_t key_dim = 0;    ///< the state size of a state space
  std::int64_t value_dim = 0;
  bool gate = true;              ///< the input projection also produces a gate for the output
  std::int64_t scalars = 0;      ///< numbers per head that the input projection produces
  std::int64_t convolution = 0;  ///< taps, over keys, queries and values
  bool convolution_bias = false;
  std::int64_t head_vectors = 0;  ///< learned numbers per head besides the projections
  std::int64_t output_norm = 0;   ///< numbers of the norm before the output projection

  std::int64_t value_width() const { return heads * value_dim; }
  std::int64_t convolved() const { return 2 * key_heads * key_dim + value_width(); }
  std::int64_t projected() const {
    return convolved() + (gate ? value_width() : 0) + scalars * heads;
  }

  friend bool operator==(const LinearAttention&, const LinearAttention&) = default;
};

using AttentionLayer = std::variant<GroupedAttention, LatentAttention, LinearAttention>;

/// Feed-forward: gate and up [hidden, width], or only up without a gate; down [width, hidden].
struct DenseFeedForward {
  std::int64_t width = 0;
  bool bias = false;
  bool gated = true;

  friend bool operator==(const DenseFeedForward&, const DenseFeedForward&) = default;
};

/// A router that sends each token to some of many gated experts, and optional experts for all
/// tokens.
struct ExpertFeedForward {
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t width = 0;         ///< per expert
  std::int64_t shared_width = 0;  ///< of all shared experts together; 0: none
  bool shared_gate = false;       ///< of the shared experts, one number per token
  bool expert_bias = false;
  bool router_bias = false;  ///< one number per expert, in the router or added to its scores

  friend bool operator==(const ExpertFeedForward&, const ExpertFeedForward&) = default;
};

using FeedForward = std::variant<DenseFeedForward, ExpertFeedForward>;

/// Layers of one kind.
struct LayerGroup {
  std::int64_t count = 0;
  AttentionLayer attention;
  std::optional<std::int64_t> window;  ///< tokens that a token attends to at most, including itself
  FeedForward feed_forward;
  std::int64_t norms = 2;  ///< RMSNorms over the hidden dimension in one layer
};

/// How published weights are stored.
struct StoredWeights {
  Format weights;  ///< of matrices
  Format experts;  ///< of routed experts
  Format head;     ///< of embedding and output head
};

struct Model {
  std::string name;
  std::string architecture;  ///< model_type of the configuration
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  std::int64_t max_positions = 0;
  bool tied_embeddings = false;   ///< the output head is the embedding table
  bool norm_bias = false;         ///< norms have a bias in addition to their weight
  std::int64_t later_tokens = 0;  ///< layers that predict further tokens; not counted
  Precision stored_as = Precision::kBf16;
  std::optional<StoredWeights> quantized;  ///< from quantization_config; empty: as stored_as
  std::string unknown_quantization;        ///< the part of quantization_config not understood
  std::vector<LayerGroup> layers;
  std::vector<std::string> notes;  ///< what was derived or left out when the file was read

  std::int64_t layer_count() const;
};

}  // namespace roofline::llm
