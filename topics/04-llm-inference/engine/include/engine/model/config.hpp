// SPDX-License-Identifier: MIT
// What the engine needs to know about a model, from its config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace engine {

/// How Llama 3.1 extends the context beyond the one it was trained on (rope_type "llama3"): pairs
/// that turn less than `low_turns` times in `trained_context` positions turn `factor` times more
/// slowly, those that turn more than `high_turns` times turn as before, and the rate is
/// interpolated in between.
struct RotaryScaling {
  double factor = 1;
  double low_turns = 1;
  double high_turns = 4;
  double trained_context = 0;
};

/// Sizes of a Llama- or Qwen-shaped model: RMSNorm, rotary positions, grouped-query attention, a
/// gated feed-forward network with SiLU.
struct ModelConfig {
  int layers = 0;
  int hidden = 0;
  int query_heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int inner = 0;  ///< width of the feed-forward network
  int vocabulary = 0;
  int max_positions = 0;
  bool has_input_bias = false;  ///< of the query, key and value projections (Qwen2)
  bool has_qk_norm = false;     ///< RMSNorm of each query and key head (Qwen3)
  bool has_tied_head = false;   ///< the output head is the embedding table
  double rope_theta = 10000;
  std::optional<RotaryScaling> rope_scaling;
  double norm_epsilon = 1e-6;
  std::vector<std::int32_t> stop_tokens;  ///< eos_token_id, also of generation_config.json

  int query_width() const { return query_heads * head_dim; }
  int kv_width() const { return kv_heads * head_dim; }
  /// Outputs of query, key and value projections together.
  int projected_width() const { return query_width() + 2 * kv_width(); }
  /// Radians by which one position rotates pair number `pair` of a head, of head_dim / 2.
  double rotary_rate(int pair) const;
};

/// Reads FOLDER/config.json: the sizes as `roofline predict` reads them, and the other settings
/// that affect the numbers.
/// @throws std::runtime_error naming file and key: whatever the predictor refuses, a model_type
///   other than llama, qwen2 and qwen3, sliding windows, rotary scaling other than llama3, biases
///   of other projections, an activation other than silu.
ModelConfig read_config(const std::filesystem::path& folder);

}  // namespace engine
