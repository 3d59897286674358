// SPDX-License-Identifier: MIT
// The loop around the model.
#include "engine/generate/generator.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include "gpu/copy.hpp"
#include "gpu/stream.hpp"

namespace engine {
namespace {

constexpr int kPrefillTokens = 16;  // of a prompt, per step
constexpr std::int32_t kMostContext = 4096;

std::int32_t context_of(const ModelConfig& config, const GeneratorOptions& options) {
  if (options.context == 0) return std::min(config.max_positions, kMostContext);
  if (options.context < 1 || options.context > config.max_positions) {
    throw std::invalid_argument("the context must be 1 to " + std::to_string(config.max_positions) +
                                " tokens, the longest that the model supports");
  }
  return options.context;
}

std::int32_t pages_for(std::int32_t context, int batch) {
  if (batch < 1) throw std::invalid_argument("the batch must be 1 or more");
  return (context + kPageTokens - 1) / kPageTokens * batch;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  gpu::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Decoder load_decoder(const std::filesystem::path& folder, const LabKernels& kernels,
                     const GeneratorOptions& options) {
  const ModelConfig config = read_config(folder);
  const Checkpoint checkpoint(folder);
  const std::int32_t context = context_of(config, options);
  return Decoder(config, load_weights(config, checkpoint, options.weights), kernels,
                 {.cache = options.cache,
                  .pages = pages_for(context, options.batch),
                  .most_tokens = std::max(kPrefillTokens, options.batch),
                  .most_context = context});
}

/// Returns a sequence's pages, whatever happens.
class Owner {
 public:
  Owner(PagePool& pool, Sequence sequence) : pool_(&pool), sequence_(std::move(sequence)) {}
  Owner(Owner&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), sequence_(std::move(other.sequence_)) {}
  Owner& operator=(Owner&&) = delete;
  ~Owner() {
    if (pool_ != nullptr) pool_->end(sequence_);
  }
  Sequence& operator*() { return sequence_; }
  Sequence* operator->() { return &sequence_; }

 private:
  PagePool* pool_;
  Sequence sequence_;
};

}  // namespace

struct Generator::Running {
  std::size_t number;
  const Request* request;
  Sampler sampler;
  Owner sequence;
  Generated* result;
  std::int32_t next = 0;  ///< chosen, but not in the cache yet
};

Generator::Generator(const std::filesystem::path& folder, const LabKernels& kernels,
                     const GeneratorOptions& options)
    : kernels_(kernels),
      context_(context_of(read_config(folder), options)),
      batch_(options.batch),
      decoder_(load_decoder(folder, kernels, options)),
      pool_(pages_for(context_, options.batch)) {}

void Generator::check(std::span<const Request> requests) const {
  if (requests.size() > static_cast<std::size_t>(batch_)) {
    throw std::invalid_argument(std::to_string(requests.size()) + " requests are more than the " +
                                std::to_string(batch_) + " that the cache has room for");
  }
  for (const Request& request : requests) {
    if (request.prompt.empty()) throw std::invalid_argument("the prompt has no token");
    if (request.prompt.size() > static_cast<std::size_t>(context_)) {
      throw std::invalid_argument("the prompt has " + std::to_string(request.prompt.size()) +
                                  " tokens, and the context has room for " +
                                  std::to_string(context_));
    }
    for (const std::int32_t id : request.prompt) {
      if (id >= 0 && id < config().vocabulary) continue;
      throw std::invalid_argument("token id " + std::to_string(id) +
                                  " is not in the vocabulary: 0 to " +
                                  std::to_string(config().vocabulary - 1));
    }
  }
}

/// Computes the part of the prompt that is not in the sequence yet; logits of its last token.
void Generator::prefill(Sequence& sequence, std::span<const std::int32_t> prompt) {
  while (sequence.tokens.size() < prompt.size()) {
    const std::size_t first = sequence.tokens.size();
    const std::size_t count = std::min<std::size_t>(kPrefillTokens, prompt.size() - first);
    for (std::size_t i = 0; i < count; ++i) pool_.append(sequence, prompt[first + i]);
    std::vector<StepToken> tokens;
    for (std::size_t i = 0; i < count; ++i) {
      tokens.push_back({.token = prompt[first + i],
                        .position = static_cast<std::int32_t>(first + i),
                        .pages = &sequence.pages,
                        .wants_logits = first + i + 1 == prompt.size()});
    }
    decoder_.step(tokens);
  }
}

/// Chooses a token from logits; false when the sequence has ended.
bool Generator::accept(Running& running, In<float> logits, const OnToken& on_token) {
  Generated& result = *running.result;
  running.next = running.sampler.next(logits, kernels_);
  const auto& stops = config().stop_tokens;
  if (std::find(stops.begin(), stops.end(), running.next) != stops.end()) {
    result.ending = Ending::kStopToken;
    return false;
  }
  result.tokens.push_back(running.next);
  if (on_token) on_token(running.number, running.next);
  if (result.tokens.size() >= static_cast<std::size_t>(running.request->tokens)) return false;
  if (running.sequence->tokens.size() >= static_cast<std::size_t>(context_)) {
    result.ending = Ending::kContext;
    return false;
  }
  return true;
}

/// One token of each sequence through the model.
void Generator::step(std::vector<Running*>& running) {
  std::vector<StepToken> tokens;
  for (Running* one : running) {
    pool_.append(*one->sequence, one->next);
    tokens.push_back({.token = one->next,
                      .position = static_cast<std::int32_t>(one->sequence->tokens.size()) - 1,
                      .pages = &one->sequence->pages,
                      .wants_logits = true});
  }
  decoder_.step(tokens);
}

std::vector<Generated> Generator::generate(std::span<const Request> requests,
                                           const OnToken& on_token) {
  check(requests);
  std::vector<Generated> results(requests.size());
  std::vector<Running> all;
  all.reserve(requests.size());
  std::vector<Running*> running;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    Generated& result = results[i];
    result.prompt_tokens = static_cast<int>(request.prompt.size());
    all.push_back({i, &request, Sampler(request.sampling),
                   Owner(pool_, pool_.begin(request.prompt)), &result});
    Running& own = all.back();
    result.reused_tokens = static_cast<int>(own.sequence->tokens.size());
    if (request.tokens <= 0) continue;
    const auto begin = std::chrono::steady_clock::now();
    prefill(*own.sequence, request.prompt);
    result.prefill_seconds = seconds_since(begin);
    pool_.publish(*own.sequence);
    if (accept(own, decoder_.logits(0), on_token)) running.push_back(&own);
  }
  while (!running.empty()) {
    const auto begin = std::chrono::steady_clock::now();
    step(running);
    std::vector<Running*> still;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (accept(*running[i], decoder_.logits(i), on_token)) still.push_back(running[i]);
    }
    const double seconds = seconds_since(begin);
    for (Running* one : running) {
      one->result->step_seconds.push_back(seconds);
      pool_.publish(*one->sequence);
    }
    running = std::move(still);
  }
  return results;
}

Generated Generator::generate(const Request& request, const OnToken& on_token) {
  return generate(std::span(&request, 1), on_token).front();
}

std::vector<float> Generator::logits(std::span<const std::int32_t> prompt) {
  const Request request{{prompt.begin(), prompt.end()}, 1};
  check(std::span(&request, 1));
  Owner sequence(pool_, Sequence{});
  prefill(*sequence, prompt);
  const In<float> last = decoder_.logits(0);
  return gpu::to_host(last);
}

}  // namespace engine
