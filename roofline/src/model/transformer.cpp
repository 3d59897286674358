// SPDX-License-Identifier: MIT
// FLOPs and bytes of transformer operations.
#include "roofline/transformer.hpp"

#include <stdexcept>

#include "roofline/checks.hpp"
#include "roofline/elementwise.hpp"

namespace roofline {
namespace {

constexpr double kBitsPerByte = 8;
constexpr double kSoftmaxFlops = 5;
constexpr double kFfnFactor = 4;

void check(const Attention& shape) {
  require_positive(shape.batch, "batch size");
  require_positive(shape.query_heads, "query heads");
  require_positive(shape.kv_heads, "key-value heads");
  require_positive(shape.sequence, "sequence length");
  require_positive(shape.head_dim, "head dimension");
}

double pairs(const Attention& shape) {
  return shape.causal ? shape.sequence * (shape.sequence + 1) / 2 : shape.sequence * shape.sequence;
}

}  // namespace

double bits_per_weight(const WeightFormat& format) {
  const double bits = storage_bits(format.element);
  if (require_not_negative(format.group, "weights per scale") == 0) return bits;
  return bits + (storage_bits(format.scale) +
                 require_not_negative(format.zero_point_bits, "bits of a zero point")) /
                    format.group;
}

Operation linear(double batch, double in_features, double out_features, const WeightFormat& weights,
                 Precision activations) {
  const double count = require_positive(in_features, "input features") *
                       require_positive(out_features, "output features");
  const double bytes = bytes_per_element(activations);
  return {"linear",
          2 * require_positive(batch, "batch size") * count,
          count * bits_per_weight(weights) / kBitsPerByte + batch * in_features * bytes,
          batch * out_features * bytes,
          {}};
}

Operation fused_attention(const Attention& shape, Precision precision) {
  check(shape);
  const double bytes = bytes_per_element(precision) * shape.batch * shape.sequence * shape.head_dim;
  return {"fused attention",
          shape.batch * shape.query_heads * pairs(shape) * (4 * shape.head_dim + kSoftmaxFlops),
          bytes * (shape.query_heads + 2 * shape.kv_heads),
          bytes * shape.query_heads,
          {}};
}

Operation unfused_attention(const Attention& shape, Precision precision, int score_passes) {
  if (score_passes != 2 && score_passes != 4) {
    throw std::invalid_argument("scores pass through memory 2 or 4 times, not " +
                                std::to_string(score_passes));
  }
  Operation result = fused_attention(shape, precision);
  result.name = "unfused attention";
  const double pass = bytes_per_element(precision) * shape.batch * shape.query_heads *
                      shape.sequence * shape.sequence;
  result.bytes_read += pass * score_passes / 2;
  result.bytes_written += pass * score_passes / 2;
  return result;
}

Operation decode_attention(double batch, double query_heads, double kv_heads, double head_dim,
                           double context, Precision cache) {
  const double tokens = require_positive(batch, "batch size") *
                        require_positive(context, "context length") *
                        require_positive(head_dim, "head dimension");
  return {"decode attention",
          4 * require_positive(query_heads, "query heads") * tokens,
          2 * bytes_per_element(cache) * require_positive(kv_heads, "key-value heads") * tokens,
          0,
          {}};
}

Operation mla_decode_attention(double batch, double heads, double latent_dim, double rope_dim,
                               double context, Precision cache) {
  require_positive(latent_dim, "latent dimension");
  require_not_negative(rope_dim, "rope dimension");
  const double tokens =
      require_positive(batch, "batch size") * require_positive(context, "context length");
  return {"mla decode attention",
          2 * require_positive(heads, "heads") * (2 * latent_dim + rope_dim) * tokens,
          bytes_per_element(cache) * (latent_dim + rope_dim) * tokens,
          0,
          {}};
}

std::vector<Operation> transformer_block(double batch, double sequence, double hidden,
                                         Precision precision, BlockTraffic traffic) {
  const double tokens =
      require_positive(batch, "batch size") * require_positive(sequence, "sequence length");
  const WeightFormat weights{precision, 0, precision, 0};
  const auto layer = [&](const char* name, double in, double out) {
    Operation operation = linear(tokens, in, out, weights, precision);
    operation.name = name;
    return operation;
  };
  const double bytes = bytes_per_element(precision);
  const double wide = kFfnFactor * require_positive(hidden, "hidden size");
  const Operation attention{"attention",
                            4 * tokens * sequence * hidden,
                            3 * tokens * hidden * bytes,
                            tokens * hidden * bytes,
                            {}};
  const Operation up = layer("ffn up", hidden, wide);
  const Operation down = layer("ffn down", wide, hidden);
  const Operation first_norm = layer_norm(tokens, hidden, precision);
  const bool as_run = traffic == BlockTraffic::kAsRun;
  const Operation ffn =
      as_run ? total("ffn", {up, down}) : fused("ffn", up, down, tokens * wide * bytes, true);
  const Operation addition = residual_add(tokens * hidden, precision);
  const Operation additions = as_run ? total("residual additions", {addition, addition})
                                     : elementwise("add", tokens * wide, 1, 1, precision);
  const Operation activations =
      total("gelu, dropout, add",
            {elementwise("gelu and dropout", tokens * wide, 14, 1, precision), additions});
  return {layer("qkv", hidden, 3 * hidden),
          attention,
          layer("output projection", hidden, hidden),
          first_norm,
          ffn,
          first_norm,
          activations};
}

}  // namespace roofline
