// SPDX-License-Identifier: MIT
// What a model keeps in memory and what a decode step must stream: weights and key-value cache.
#pragma once

#include <cstdint>
#include <optional>

#include "roofline/llm/format.hpp"
#include "roofline/llm/model.hpp"
#include "roofline/machine.hpp"

namespace roofline::llm {

/// The formats in which a model is stored and computed.
struct Formats {
  Format weights;  ///< matrices
  Format experts;  ///< matrices of routed experts
  Format head;     ///< embedding table and output head
  Format kv;       ///< keys and values, or the latent
  /// Activations; also norms, biases, and the rotary part of a latent cache.
  Precision activations = Precision::kBf16;
  Precision arithmetic = Precision::kBf16;            ///< of products with weights
  Precision attention_arithmetic = Precision::kBf16;  ///< of scores and of their sums of values
};

/// Everything in the precision of torch_dtype, whatever quantization_config says.
Formats stored_formats(const Model& model);

/// Stated formats; those left empty follow from the model and the machine.
struct FormatChoice {
  std::optional<Format> weights = {};
  std::optional<Format> experts = {};  ///< as weights
  std::optional<Format> head = {};     ///< as weights
  std::optional<Format> kv = {};       ///< as activations
  std::optional<Precision> activations = {};
  std::optional<Precision> arithmetic = {};
  std::optional<Precision> attention_arithmetic = {};
};

/// The formats of a run, by the same rule for every command. Weights: as stated, else as in
/// quantization_config, else as in torch_dtype. Products: in FP8 if the weights are FP8 and the
/// machine supports it, else in the precision of the activations; if the machine lacks that, in
/// FP16, else in FP32. Attention as products, but never in FP8. A stated precision is kept. Throws
/// std::invalid_argument if quantization_config is not understood and the formats of weights and
/// experts are not stated.
Formats choose_formats(const Model& model, const Machine& machine, const FormatChoice& choice);

/// Bytes of all weights.
double weight_bytes(const Model& model, const Formats& formats);

/// Bytes of weights that one step over `tokens` tokens streams: all except the embedding table, and
/// of the routed experts the expected number of distinct ones.
double streamed_weight_bytes(const Model& model, const Formats& formats, double tokens);

/// Cache bytes that one token adds to one layer: 2 H_kv d s, or for a latent cache the latent and
/// the rotary key.
double kv_bytes_per_token(const AttentionLayer& attention, const Formats& formats);

/// Cache bytes that one token adds over all layers, ignoring windows.
double kv_bytes_per_token(const Model& model, const Formats& formats);

/// Bytes that a layer of linear attention keeps per sequence, however long; 0 for other layers.
double state_bytes(const AttentionLayer& attention, const Formats& formats);

/// Cache bytes of one sequence of `context` tokens, including states; a layer with a window keeps
/// at most that many.
double kv_bytes(const Model& model, const Formats& formats, double context);

/// Largest number of sequences of `context` tokens whose cache fits in `usable_bytes` with the
/// weights; empty if the weights alone do not fit.
std::optional<std::int64_t> largest_batch(const Model& model, const Formats& formats,
                                          double context, double usable_bytes);

/// Context at which `batch` sequences have as many cache bytes as the weights that the step
/// streams. Only for models without windows, whose cache grows in proportion; otherwise throws
/// std::invalid_argument.
double context_where_kv_equals_weights(const Model& model, const Formats& formats, double batch);

/// Least time of a decode step: streamed weights and cache divided by the bandwidth, nothing else.
double decode_floor_seconds(const Model& model, const Formats& formats, double batch,
                            double context, double bytes_per_second);

}  // namespace roofline::llm
