// SPDX-License-Identifier: MIT
// Weights and cache in memory.
#include "roofline/llm/memory.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"
#include "roofline/llm/parameters.hpp"

namespace roofline::llm {
namespace {

double per_token(const GroupedAttention& a, const Formats& formats) {
  return static_cast<double>(2 * a.kv_heads * a.head_dim) * formats.kv.bytes_per_element();
}

double per_token(const LatentAttention& a, const Formats& formats) {
  // The indexer's key has 8 bits per number and one FP32 scale.
  const double index = a.index_heads > 0 ? static_cast<double>(a.index_dim) + 4 : 0;
  return static_cast<double>(a.kv_rank) * formats.kv.bytes_per_element() +
         static_cast<double>(a.rope_dim) * bytes_per_element(formats.activations) + index;
}

double per_token(const LinearAttention&, const Formats&) {
  return 0;
}

double bytes_of(const ParameterCount& count, const Formats& formats) {
  return static_cast<double>(count.matrices) * formats.weights.bytes_per_element() +
         static_cast<double>(count.experts) * formats.experts.bytes_per_element() +
         static_cast<double>(count.embedding + count.head) * formats.head.bytes_per_element() +
         static_cast<double>(count.vectors) * bytes_per_element(formats.activations);
}

// Number of distinct experts that the tokens choose; 0 for a layer without experts.
double expert_scale(const LayerGroup& group, double tokens) {
  const auto* experts = std::get_if<ExpertFeedForward>(&group.feed_forward);
  if (!experts) return 0;
  return distinct_experts(static_cast<double>(experts->experts),
                          static_cast<double>(experts->experts_per_token), tokens);
}

bool has_peak(const Machine& machine, Precision precision) {
  return find_peak(machine, precision, Unit::kVector) ||
         find_peak(machine, precision, Unit::kMatrix);
}

/// The precision itself, or the next one that the machine computes in.
Precision computable(const Machine& machine, Precision wanted) {
  for (const Precision precision : {wanted, Precision::kFp16, Precision::kFp32}) {
    if (has_peak(machine, precision)) return precision;
  }
  return wanted;
}

}  // namespace

Formats stored_formats(const Model& model) {
  const Format format = plain_format(model.stored_as);
  return {format, format, format, format, model.stored_as, model.stored_as, model.stored_as};
}

Formats choose_formats(const Model& model, const Machine& machine, const FormatChoice& choice) {
  Formats formats = stored_formats(model);
  if (!choice.weights && !model.unknown_quantization.empty()) {
    throw std::invalid_argument("quantization_config of " + model.name + " is not understood (" +
                                model.unknown_quantization +
                                "); state the format of the weights, such as fp8 or int4/128");
  }
  if (choice.weights) {
    formats.weights = formats.experts = formats.head = *choice.weights;
  } else if (model.quantized) {
    formats.weights = model.quantized->weights;
    formats.experts = model.quantized->experts;
    formats.head = model.quantized->head;
  }
  if (choice.experts) formats.experts = *choice.experts;
  if (choice.head) formats.head = *choice.head;
  if (choice.activations) formats.activations = *choice.activations;
  formats.kv = choice.kv.value_or(plain_format(formats.activations));
  const Precision usual = computable(machine, formats.activations);
  const bool fp8 = formats.weights.name == "fp8" && has_peak(machine, Precision::kFp8);
  formats.arithmetic = choice.arithmetic.value_or(fp8 ? Precision::kFp8 : usual);
  formats.attention_arithmetic = choice.attention_arithmetic.value_or(usual);
  return formats;
}

double weight_bytes(const Model& model, const Formats& formats) {
  return bytes_of(count_parameters(model), formats);
}

double streamed_weight_bytes(const Model& model, const Formats& formats, double tokens) {
  ParameterCount count = count_active_parameters(model);
  count.experts = 0;
  if (!model.tied_embeddings) count.embedding = 0;
  double bytes = bytes_of(count, formats);
  for (const LayerGroup& group : model.layers) {
    const auto* experts = std::get_if<ExpertFeedForward>(&group.feed_forward);
    if (!experts) continue;
    const double layers = static_cast<double>(group.count);
    const double distinct = expert_scale(group, tokens);
    const double matrices = 3.0 * static_cast<double>(model.hidden * experts->width);
    bytes += layers * distinct * matrices * formats.experts.bytes_per_element();
    if (experts->expert_bias) {
      // The biases of k experts are already in the count of vectors.
      bytes += layers * (distinct - static_cast<double>(experts->experts_per_token)) *
               static_cast<double>(2 * experts->width + model.hidden) *
               bytes_per_element(formats.activations);
    }
  }
  return bytes;
}

double kv_bytes_per_token(const AttentionLayer& attention, const Formats& formats) {
  return std::visit([&](const auto& a) { return per_token(a, formats); }, attention);
}

double kv_bytes_per_token(const Model& model, const Formats& formats) {
  double sum = 0;
  for (const LayerGroup& group : model.layers) {
    sum += static_cast<double>(group.count) * kv_bytes_per_token(group.attention, formats);
  }
  return sum;
}

double state_bytes(const AttentionLayer& attention, const Formats& formats) {
  const auto* linear = std::get_if<LinearAttention>(&attention);
  if (!linear) return 0;
  return 4.0 * static_cast<double>(linear->value_width() * linear->key_dim) +
         static_cast<double>(linear->convolved() * (linear->convolution - 1)) *
             bytes_per_element(formats.activations);
}

double kv_bytes(const Model& model, const Formats& formats, double context) {
  require_not_negative(context, "context in tokens");
  double sum = 0;
  for (const LayerGroup& group : model.layers) {
    sum += static_cast<double>(group.count) * state_bytes(group.attention, formats);
  }
  for (const LayerGroup& group : model.layers) {
    const double kept =
        group.window ? std::min(context, static_cast<double>(*group.window)) : context;
    sum += static_cast<double>(group.count) * kept * kv_bytes_per_token(group.attention, formats);
  }
  return sum;
}

std::optional<std::int64_t> largest_batch(const Model& model, const Formats& formats,
                                          double context, double usable_bytes) {
  require_positive(context, "context in tokens");
  const double free = usable_bytes - weight_bytes(model, formats);
  if (free < 0) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(free / kv_bytes(model, formats, context)));
}

double context_where_kv_equals_weights(const Model& model, const Formats& formats, double batch) {
  const bool windowed =
      std::any_of(model.layers.begin(), model.layers.end(),
                  [](const LayerGroup& group) { return group.window.has_value(); });
  if (windowed) {
    throw std::invalid_argument(model.name +
                                " has layers with a window: their cache stops growing, so cache "
                                "and weights need not meet");
  }
  return streamed_weight_bytes(model, formats, batch) /
         (require_positive(batch, "batch") * kv_bytes_per_token(model, formats));
}

double decode_floor_seconds(const Model& model, const Formats& formats, double batch,
                            double context, double bytes_per_second) {
  return (streamed_weight_bytes(model, formats, require_positive(batch, "batch")) +
          batch * kv_bytes(model, formats, context)) /
         require_positive(bytes_per_second, "bandwidth in B/s");
}

}  // namespace roofline::llm
