// SPDX-License-Identifier: MIT
// The forward pass of a model over a paged cache.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/model/config.hpp"
#include "engine/operators/labs.hpp"
#include "engine/weights/weights.hpp"

namespace engine {

/// The format of queries, keys and values. BF16 is what the lab attention_paged reads; FP32 uses
/// one of the engine's own kernels and is for comparison.
enum class CacheFormat { kBf16, kFp32 };

/// "bf16", "fp32".
std::string_view name_of(CacheFormat format);

struct DecoderOptions {
  CacheFormat cache = CacheFormat::kBf16;
  std::int32_t pages = 0;         ///< in the cache, kPageTokens tokens each
  int most_tokens = 16;           ///< per step
  std::int32_t most_context = 0;  ///< tokens per sequence, at most
};

/// One token of a step. Tokens of the same sequence may be together in a step, in order.
struct StepToken {
  std::int32_t token = 0;
  std::int32_t position = 0;                         ///< counted from 0
  const std::vector<std::int32_t>* pages = nullptr;  ///< pages of its sequence, with room for it
  bool wants_logits = false;
};

/// Weights, cache and work space of a model on the device.
class Decoder {
 public:
  /// @throws std::runtime_error for a head_dim above 128 with a BF16 cache, which the lab cannot
  ///   read; gpu::Error when memory is short.
  Decoder(const ModelConfig& config, Weights weights, const LabKernels& kernels,
          const DecoderOptions& options);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// Writes the tokens' keys and values into the cache; attention sees what the pages of a sequence
  /// hold up to the token itself. Ids, positions and pages are checked.
  void step(std::span<const StepToken> tokens);
  /// Logits, [vocabulary], of the i-th token of the last step that requested them.
  In<float> logits(std::size_t i) const;
  int logit_rows() const;

  const ModelConfig& config() const;
  /// Bytes that a step with one token per sequence reads: the matrices, once for all sequences
  /// unless they are in FP32 or the kernels take one sequence at a time, and the caches of
  /// `context` tokens as stored, which is wider than the model's heads if a lab requires it.
  double bytes_read(double sequences, double context) const;
  /// Operator calls in the last step, each at least one launch.
  int calls() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace engine
