// SPDX-License-Identifier: MIT
// The operations of transformers: linear layers, quantised weights, attention in its variants.
#pragma once

#include <vector>

#include "roofline/operation.hpp"

namespace roofline {

/// How weights are stored: groups of elements that share a scale (and perhaps a zero point).
struct WeightFormat {
  Precision element = Precision::kFp16;
  double group = 0;  ///< elements that share one scale; 0 if there are no scales
  Precision scale = Precision::kFp16;
  double zero_point_bits = 0;  ///< per group
};

/// Bits per weight including its share of scales and zero points: 4.125 for int4 in groups of 128
/// with FP16 scales, 4.5 for groups of 32 (Q4_0).
double bits_per_weight(const WeightFormat& format);

/// y[B, out] = x[B, in] W: 2 B in out FLOP, without dequantisation; x and W read, y written.
Operation linear(double batch, double in_features, double out_features,
                 const WeightFormat& weights = {}, Precision activations = Precision::kFp16);

/// Attention of `batch` sequences with `query_heads` heads over as many new tokens as the context
/// has (prefill). K and V have kv_heads heads.
struct Attention {
  double batch = 1;
  double query_heads = 1;
  double kv_heads = 1;
  double sequence = 1;
  double head_dim = 128;
  bool causal = false;  ///< only S(S+1)/2 of the S^2 pairs are needed
};

/// FLOPs are 4 d per pair for the two products and 5 for softmax. Fused (one kernel, scores never
/// leave the chip): Q, K, V are read and the output is written, once each.
Operation fused_attention(const Attention& shape, Precision precision);

/// As fused_attention(), but the S x S scores of every head pass through DRAM `score_passes` times:
/// 4 for separate kernels (scores written, read by softmax, probabilities written, read), 2 if
/// softmax is merged into one of the products. Half of the passes are writes. The whole square
/// moves even if causal, because a masked product writes it.
Operation unfused_attention(const Attention& shape, Precision precision, int score_passes = 4);

/// One new token per sequence attends to `context` cached tokens. FLOPs 4 H_q d T, without softmax;
/// bytes 2 s H_kv d T, the cache alone: query and output are T times smaller. kv_heads =
/// query_heads is MHA, 1 is MQA, in between is GQA.
Operation decode_attention(double batch, double query_heads, double kv_heads, double head_dim,
                           double context, Precision cache);

/// Multi-head latent attention with absorbed projections: every head reads the same latent of
/// latent_dim + rope_dim elements per token. FLOPs 2 H (2 latent + rope) T; bytes s (latent + rope)
/// T.
Operation mla_decode_attention(double batch, double heads, double latent_dim, double rope_dim,
                               double context, Precision cache);

/// Which part of a block's traffic is counted.
enum class BlockTraffic {
  kPrinted,  ///< as in published tables: see transformer_block()
  kAsRun,    ///< the intermediate is read back, and two residual additions over `hidden` are made
};

/// One encoder block of batch x sequence tokens as separate operations: QKV, attention (products
/// only, fused traffic), output projection, two LayerNorms, the two FFN layers as one operation
/// whose intermediate of 4 x hidden is counted once, and the element-wise work on it: GELU, dropout
/// and one addition (15 FLOP) in four passes. As run, the second FFN layer reads the intermediate
/// that the first has written, GELU and dropout make two passes over it, and each of the two
/// residual additions reads two arrays of `hidden` and writes one.
std::vector<Operation> transformer_block(double batch, double sequence, double hidden,
                                         Precision precision,
                                         BlockTraffic traffic = BlockTraffic::kPrinted);

}  // namespace roofline
