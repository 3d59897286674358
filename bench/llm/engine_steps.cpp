// SPDX-License-Identifier: MIT
// Decode steps of the engine as CSV, with random weights: the data for the write-up's tables of
// tokens per second. The shape is Llama-3.2-1B's on a CPU and Llama-3-8B's on a GPU.
// Usage: bench-engine MACHINE.json
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/decoder.hpp"
#include "engine/operators/labs.hpp"
#include "engine/predict/step_time.hpp"
#include "engine/weights/weights.hpp"
#include "gpu/copy.hpp"
#include "gpu/features.hpp"
#include "gpu/stream.hpp"
#include "roofline/machine.hpp"

namespace {

using engine::WeightFormat;

constexpr bool kIsGpu = gpu::Features::kIsGpu;
constexpr std::int32_t kContext = kIsGpu ? 1024 : 64;
constexpr int kMostBatch = 16;

engine::ModelConfig shape() {
  engine::ModelConfig config;
  config.layers = kIsGpu ? 32 : 16;
  config.hidden = kIsGpu ? 4096 : 2048;
  config.query_heads = 32;
  config.kv_heads = 8;
  config.head_dim = kIsGpu ? 128 : 64;
  config.inner = kIsGpu ? 14336 : 8192;
  config.vocabulary = 128256;
  config.max_positions = kContext;
  config.has_tied_head = !kIsGpu;
  config.rope_theta = 500000;
  config.norm_epsilon = 1e-5;
  return config;
}

template <class T>
gpu::DeviceBuffer<T> copy_of(const gpu::DeviceBuffer<T>& buffer) {
  gpu::DeviceBuffer<T> copy(buffer.size());
  gpu::copy_on_device(copy, buffer);
  return copy;
}

/// Random matrices; those of the same shape are identical, because only their size affects the
/// time.
class Draw {
 public:
  explicit Draw(WeightFormat format) : format_(format) {}

  engine::Matrix matrix(std::int64_t rows, std::int64_t columns) {
    const auto [place, is_new] = drawn_.try_emplace({rows, columns});
    engine::Matrix& first = place->second;
    if (is_new) {
      std::minstd_rand random(7);
      std::vector<float> values(static_cast<std::size_t>(rows * columns));
      for (float& value : values) {
        value = 0.02f * (static_cast<float>(random()) / 1073741824.0f - 1);
      }
      first = engine::pack_matrix("random", rows, columns, values, format_);
    }
    engine::Matrix copy;
    copy.format = first.format;
    copy.rows = rows;
    copy.columns = columns;
    copy.halves = copy_of(first.halves);
    copy.bytes = copy_of(first.bytes);
    copy.scales = copy_of(first.scales);
    copy.packed = copy_of(first.packed);
    copy.group_scales = copy_of(first.group_scales);
    return copy;
  }

 private:
  WeightFormat format_;
  std::map<std::pair<std::int64_t, std::int64_t>, engine::Matrix> drawn_;
};

engine::Weights weights_of(const engine::ModelConfig& config, WeightFormat format) {
  Draw draw(format);
  const auto ones = [&] {
    return gpu::to_device(std::vector<float>(static_cast<std::size_t>(config.hidden), 1.0f));
  };
  engine::Weights weights;
  weights.embedding = draw.matrix(config.vocabulary, config.hidden);
  for (int i = 0; i < config.layers; ++i) {
    engine::LayerWeights layer;
    layer.attention_norm = ones();
    layer.projections = draw.matrix(config.projected_width(), config.hidden);
    layer.output = draw.matrix(config.hidden, config.query_width());
    layer.inner_norm = ones();
    layer.gate_up = draw.matrix(2 * std::int64_t{config.inner}, config.hidden);
    layer.down = draw.matrix(config.hidden, config.inner);
    weights.layers.push_back(std::move(layer));
  }
  weights.last_norm = ones();
  if (!config.has_tied_head) weights.own_head = draw.matrix(config.vocabulary, config.hidden);
  return weights;
}

/// Seconds of steps of a batch up to the last token of the context. The first step, and the second,
/// which is recorded on a GPU, are not timed.
std::vector<double> time_steps(engine::Decoder& decoder, int batch, int steps) {
  std::vector<std::vector<std::int32_t>> pages;
  for (int s = 0; s < batch; ++s) {
    pages.emplace_back();
    for (int p = 0; p < kContext / engine::kPageTokens; ++p) {
      pages.back().push_back(s * kContext / engine::kPageTokens + p);
    }
  }
  std::vector<double> seconds;
  for (int i = -2; i < steps; ++i) {
    std::vector<engine::StepToken> tokens;
    for (int s = 0; s < batch; ++s) {
      tokens.push_back({.token = 37 * (i + 2) + s,
                        .position = kContext - steps + i,
                        .pages = &pages[static_cast<std::size_t>(s)],
                        .wants_logits = true});
    }
    const auto begin = std::chrono::steady_clock::now();
    decoder.step(tokens);
    gpu::synchronize();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (i >= 0) seconds.push_back(taken.count());
  }
  return seconds;
}

void run(const roofline::Machine& machine) {
  const engine::ModelConfig config = shape();
  std::printf("weights,batch,bytes,gb_per_s,predicted_ms,median_ms,least_ms,most_ms,steps\n");
  for (const WeightFormat format :
       {WeightFormat::kFp16, WeightFormat::kInt8, WeightFormat::kInt4}) {
    engine::Decoder decoder(config, weights_of(config, format), engine::linked_kernels(),
                            {.pages = kMostBatch * kContext / engine::kPageTokens,
                             .most_tokens = kMostBatch,
                             .most_context = kContext});
    for (const int batch : {1, kMostBatch}) {
      const int steps = batch == 1 || kIsGpu ? 25 : 5;
      std::vector<double> seconds = time_steps(decoder, batch, steps);
      std::sort(seconds.begin(), seconds.end());
      const engine::StepTime step =
          engine::predict_step(machine, decoder.bytes_read(batch, kContext - steps / 2.0));
      std::printf(
          "%s,%d,%.0f,%.2f,%.3f,%.3f,%.3f,%.3f,%d\n", std::string(engine::name_of(format)).c_str(),
          batch, step.bytes, step.bytes_per_second / 1e9, step.seconds * 1e3,
          seconds[seconds.size() / 2] * 1e3, seconds.front() * 1e3, seconds.back() * 1e3, steps);
      std::fflush(stdout);
      std::fprintf(stderr, "%s, batch %d: %d operators a step\n",
                   std::string(engine::name_of(format)).c_str(), batch, decoder.calls());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench-engine MACHINE.json (what roofline measure wrote)\n", stderr);
    return 2;
  }
  try {
    run(roofline::load_machine(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-engine: %s\n", error.what());
    return 1;
  }
}
