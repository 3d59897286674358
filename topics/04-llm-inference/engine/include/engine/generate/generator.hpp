// SPDX-License-Identifier: MIT
// Prompts in, tokens out: prefill, batched steps, and prefixes that are computed once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/cache/page_pool.hpp"
#include "engine/generate/sampler.hpp"
#include "engine/model/decoder.hpp"
#include "engine/operators/labs.hpp"

namespace engine {

struct Request {
  std::vector<std::int32_t> prompt;  ///< at least one token
  int tokens = 0;                    ///< at most this many are generated
  Sampling sampling = {};
};

/// Why a sequence ended.
enum class Ending { kTokens, kStopToken, kContext };

struct Generated {
  std::vector<std::int32_t> tokens;  ///< without the stop token
  Ending ending = Ending::kTokens;
  int prompt_tokens = 0;
  int reused_tokens = 0;             ///< of the prompt, found in the cache
  double prefill_seconds = 0;        ///< until the prompt's last logits
  std::vector<double> step_seconds;  ///< of each decode step that this sequence took part in
};

struct GeneratorOptions {
  WeightFormat weights = WeightFormat::kFp32;
  CacheFormat cache = CacheFormat::kBf16;
  std::int32_t context =
      0;          ///< tokens of one sequence; 0: what the model was made for, at most 4096
  int batch = 1;  ///< sequences at once; the cache has room for this many full contexts
};

/// A model that is ready to run. Sequences with the same beginning share its pages, even across
/// calls.
class Generator {
 public:
  /// Loads FOLDER/config.json and its weights.
  /// @throws std::runtime_error as read_config(), Checkpoint and load_weights();
  ///   std::invalid_argument for a context that the model was not made for.
  Generator(const std::filesystem::path& folder, const LabKernels& kernels,
            const GeneratorOptions& options);

  /// Called for each token when it is known: number of the request, id.
  using OnToken = std::function<void(std::size_t request, std::int32_t token)>;

  /// Generates for all requests, at most options.batch, in shared steps.
  /// @throws std::invalid_argument for an empty prompt, one that leaves no room in the context, ids
  ///   that are not in the vocabulary, or more requests than the batch has room for.
  std::vector<Generated> generate(std::span<const Request> requests, const OnToken& on_token = {});
  /// The same for one request.
  Generated generate(const Request& request, const OnToken& on_token = {});

  /// Logits after the last token of a prompt, computed without looking for a known prefix.
  std::vector<float> logits(std::span<const std::int32_t> prompt);

  const ModelConfig& config() const { return decoder_.config(); }
  const Decoder& decoder() const { return decoder_; }
  std::int32_t context() const { return context_; }
  const PagePool& pool() const { return pool_; }

 private:
  struct Running;
  void check(std::span<const Request> requests) const;
  void prefill(Sequence& sequence, std::span<const std::int32_t> prompt);
  void step(std::vector<Running*>& running);
  bool accept(Running& running, In<float> logits, const OnToken& on_token);

  LabKernels kernels_;
  std::int32_t context_;
  int batch_;
  Decoder decoder_;
  PagePool pool_;
};

}  // namespace engine
