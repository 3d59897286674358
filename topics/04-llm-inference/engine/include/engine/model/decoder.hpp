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

/// How queries, keys and values are kept. BF16 is what the lab attention_paged reads; FP32 goes
/// through a kernel of the engine's own and is for comparing.
enum class CacheFormat { kBf16, kFp32 };

/// "bf16", "fp32".
std::string_view name_of(CacheFormat format);

struct DecoderOptions {
  CacheFormat cache = CacheFormat::kBf16;
  std::int32_t pages = 0;         ///< of the cache, kPageTokens tokens each
  int most_tokens = 16;           ///< of one step
  std::int32_t most_context = 0;  ///< tokens of one sequence, at most
};

/// One token of a step. Tokens of the same sequence may be together in a step, in order.
struct StepToken {
  std::int32_t token = 0;
  std::int32_t position = 0;                         ///< counted from 0
  const std::vector<std::int32_t>* pages = nullptr;  ///< of its sequence, with room for it
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

  /// Keys and values of the tokens go into the cache; what attention sees of a sequence is what its
  /// pages hold up to the token itself. Ids, positions and pages are checked.
  void step(std::span<const StepToken> tokens);
  /// Logits, [vocabulary], of the i-th token of the last step that wanted them.
  In<float> logits(std::size_t i) const;
  int logit_rows() const;

  const ModelConfig& config() const;
  /// Bytes that a step of one token of each sequence reads: matrices, once for all of them unless
  /// they are in FP32 or the kernels take one sequence at a time, and the caches of `context`
  /// tokens as they are stored, which is wider than the model's heads where a lab asks for it.
  double bytes_read(double sequences, double context) const;
  /// Calls of operators in the last step, each one launch or more.
  int calls() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace engine
