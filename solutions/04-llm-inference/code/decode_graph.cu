// SPDX-License-Identifier: MIT
// Decode steps of a small transformer: the launches of one step, recorded once and replayed as a
// graph.
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/lab.hpp"

constexpr int kHeadDim = 64;

/// Sizes of the model; every matrix is [outputs][inputs] in FP32.
struct Sizes {
  int layers = 0;
  int hidden = 0;
  int capacity = 0;  ///< tokens that the caches have room for

  int query_heads() const { return hidden / kHeadDim; }
  int kv_heads() const { return query_heads() >= 4 ? query_heads() / 4 : 1; }
  int kv_width() const { return kv_heads() * kHeadDim; }
  int inner() const { return 3 * hidden; }
  /// Numbers in one layer: query, key and value matrix, output, gate, up, down.
  std::int64_t layer_weights() const {
    return std::int64_t{hidden} * (2 * hidden + 2 * kv_width() + 3 * inner());
  }
  std::int64_t layer_cache() const { return std::int64_t{capacity} * kv_width(); }
};

constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 4 : 64;
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 4;
constexpr int kBlock = gpu::Features::kIsGpu ? 256 : 1;
constexpr int kOwn = kHeadDim / kLanes;  // numbers of a head's result that each thread keeps
constexpr float kEpsilon = 1e-5f;

/// Sum of a row of w times x; every lane of the row's team gets it. columns is a multiple of 64.
__device__ __forceinline__ float row_times(const float* row, const float* x, int columns) {
  gpu::DotSum<kPart> products;
#pragma unroll 4
  for (int c = static_cast<int>(threadIdx.x) % kLanes * kPart; c < columns; c += kLanes * kPart) {
    float weights[kPart];
    float inputs[kPart];
    gpu::load_floats(row + c, weights);
    gpu::load_floats(x + c, inputs);
    products.add(weights, inputs);
  }
  return gpu::team_sum<kLanes>(products.total());
}

__device__ __forceinline__ int row_of_team() {
  return static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kLanes);
}

/// out = x / sqrt(mean of x^2 + epsilon), one block.
__global__ void rms_norm(int n, const float* __restrict__ x, float* __restrict__ out) {
  __shared__ float part[kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int i = thread; i < n; i += kBlock) sum = fmaf(x[i], x[i], sum);
  if constexpr (kBlock > 1) {
    part[thread] = sum;
    for (int width = kBlock / 2; width > 0; width /= 2) {
      __syncthreads();
      if (thread < width) part[thread] += part[thread + width];
    }
    __syncthreads();
    sum = part[0];
  }
  const float factor = rsqrtf(sum / static_cast<float>(n) + kEpsilon);
  for (int i = thread; i < n; i += kBlock) out[i] = x[i] * factor;
}

/// Multiplies by the rows of the query, key and value matrices; keys and values go to the caches at
/// the current position.
__global__ void project(int rows, int columns, int kv_width, const float* __restrict__ w,
                        const float* __restrict__ x, const std::int32_t* __restrict__ position,
                        float* __restrict__ query, float* __restrict__ keys,
                        float* __restrict__ values) {
  const int row = row_of_team();
  if (row >= rows) return;
  const float sum = row_times(w + std::int64_t{row} * columns, x, columns);
  if (threadIdx.x % kLanes != 0) return;
  const std::int64_t at = std::int64_t{*position} * kv_width + row - columns;
  if (row < columns) {
    query[row] = sum;
  } else if (row < columns + kv_width) {
    keys[at] = sum;
  } else {
    values[at - kv_width] = sum;
  }
}

/// One block per query head: attention over the tokens up to and including the position.
__global__ void attend_cached(int ratio, int kv_width, const float* __restrict__ query,
                              const float* __restrict__ keys, const float* __restrict__ values,
                              const std::int32_t* __restrict__ position, float* __restrict__ out) {
  __shared__ float scores[kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const int head = static_cast<int>(blockIdx.x);
  const std::int64_t column = std::int64_t{head / ratio} * kHeadDim;
  const float* q = query + std::int64_t{head} * kHeadDim;
  const int tokens = *position + 1;
  float highest = -FLT_MAX;
  float total = 0;
  float sum[kOwn] = {};
  for (int first = 0; first < tokens; first += kBlock) {
    const int count = min(tokens - first, kBlock);
    if (thread < count) {
      const float* key = keys + std::int64_t{first + thread} * kv_width + column;
      float part[kHeadDim];
      float q_part[kHeadDim];
      gpu::load_floats(key, part);
      gpu::load_floats(q, q_part);
      scores[thread] = gpu::dot(part, q_part) * rsqrtf(static_cast<float>(kHeadDim));
    }
    __syncthreads();
    float higher = highest;
    for (int t = 0; t < count; ++t) higher = fmaxf(higher, scores[t]);
    const float factor = expf(highest - higher);
    highest = higher;
    __syncthreads();  // all threads have read the scores before they become weights
    if (thread < count) scores[thread] = expf(scores[thread] - highest);
    __syncthreads();
    total *= factor;
    for (float& value : sum) value *= factor;
    if (thread * kOwn < kHeadDim) {
      const float* value = values + std::int64_t{first} * kv_width + column + thread * kOwn;
#pragma unroll 8
      for (int t = 0; t < count; ++t) {
        total += scores[t];
        for (int i = 0; i < kOwn; ++i) sum[i] = fmaf(scores[t], value[t * kv_width + i], sum[i]);
      }
    }
    __syncthreads();
  }
  if (thread * kOwn >= kHeadDim) return;
  for (int i = 0; i < kOwn; ++i) out[head * kHeadDim + thread * kOwn + i] = sum[i] / total;
}

/// out += w x.
__global__ void add_product(int rows, int columns, const float* __restrict__ w,
                            const float* __restrict__ x, float* __restrict__ out) {
  const int row = row_of_team();
  if (row >= rows) return;
  const float sum = row_times(w + std::int64_t{row} * columns, x, columns);
  if (threadIdx.x % kLanes == 0) out[row] += sum;
}

/// out = silu(gate x) * (up x); the matrices are stored one after the other.
__global__ void gate_up(int rows, int columns, const float* __restrict__ w,
                        const float* __restrict__ x, float* __restrict__ out) {
  const int row = row_of_team();
  if (row >= rows) return;
  const float gate = row_times(w + std::int64_t{row} * columns, x, columns);
  const float up = row_times(w + (std::int64_t{rows} + row) * columns, x, columns);
  if (threadIdx.x % kLanes == 0) out[row] = gate / (1 + expf(-gate)) * up;
}

__global__ void advance(std::int32_t* position) {
  if (threadIdx.x == 0) ++*position;
}

/// What a step works on; all on the device. Temporaries belong to the caller too, because a graph
/// keeps their addresses.
struct Buffers {
  const float* weights;
  float* keys;
  float* values;
  std::int32_t* position;
  float* x;
  float* normed;
  float* query;
  float* mixed;
  float* inner;
};

unsigned teams(int rows) {
  return gpu::blocks_for(rows * kLanes, kThreads);
}

/// Queues the launches of one decode step in a stream: seven per layer, and one that advances the
/// position.
void enqueue_step(const Sizes& m, const Buffers& b, const gpu::Stream& stream) {
  const auto on = [&](unsigned blocks, int threads) {
    return gpu::LaunchConfig{
        .grid = blocks, .block = static_cast<unsigned>(threads), .stream = stream};
  };
  const int kv = m.kv_width();
  for (int layer = 0; layer < m.layers; ++layer) {
    const float* qkv = b.weights + layer * m.layer_weights();
    const float* output = qkv + std::int64_t{m.hidden} * (m.hidden + 2 * kv);
    const float* gates = output + std::int64_t{m.hidden} * m.hidden;
    const float* down = gates + 2 * std::int64_t{m.hidden} * m.inner();
    float* keys = b.keys + layer * m.layer_cache();
    float* values = b.values + layer * m.layer_cache();
    gpu::launch<rms_norm>(on(1, kBlock), m.hidden, b.x, b.normed);
    gpu::launch<project>(on(teams(m.hidden + 2 * kv), kThreads), m.hidden + 2 * kv, m.hidden, kv,
                         qkv, b.normed, b.position, b.query, keys, values);
    gpu::launch<attend_cached>(on(static_cast<unsigned>(m.query_heads()), kBlock),
                               m.query_heads() / m.kv_heads(), kv, b.query, keys, values,
                               b.position, b.mixed);
    gpu::launch<add_product>(on(teams(m.hidden), kThreads), m.hidden, m.hidden, output, b.mixed,
                             b.x);
    gpu::launch<rms_norm>(on(1, kBlock), m.hidden, b.x, b.normed);
    gpu::launch<gate_up>(on(teams(m.inner()), kThreads), m.inner(), m.hidden, gates, b.normed,
                         b.inner);
    gpu::launch<add_product>(on(teams(m.hidden), kThreads), m.hidden, m.inner(), down, b.inner,
                             b.x);
  }
  gpu::launch<advance>(on(1, 1), b.position);
}

/// A model on the device, and the scratch memory that a step uses between its launches.
struct Model {
  Sizes sizes;
  gpu::DeviceBuffer<float> scratch;
  gpu::DeviceBuffer<std::int32_t> position{1};
  Buffers buffers;

  Model(int layers, int capacity, int tokens, gpu::DeviceSpan<const float> weights,
        gpu::DeviceSpan<float> keys, gpu::DeviceSpan<float> values, gpu::DeviceSpan<float> x)
      : sizes{layers, static_cast<int>(x.size()), capacity},
        scratch(static_cast<std::size_t>(3 * sizes.hidden + sizes.inner())) {
    const std::vector<std::int32_t> start{tokens};
    gpu::copy_to_device(position.span(), std::span<const std::int32_t>(start));
    float* const normed = scratch.data();
    buffers = {weights.data(),
               keys.data(),
               values.data(),
               position.data(),
               x.data(),
               normed,
               normed + sizes.hidden,
               normed + 2 * sizes.hidden,
               normed + 3 * sizes.hidden};
  }
};

/// `steps` decode steps of a transformer, each on the output of the previous one, on the device:
/// every step queues all its launches again.
/// @param capacity tokens that the caches have room for, enough for all steps
/// @param tokens that the caches hold before the first step
/// @param weights of each layer: query, key, value, output, gate, up and down matrix
/// @param keys, values [layers][capacity][kv_heads * kHeadDim]; each step fills the next row
/// @param x [hidden], a multiple of 64: the vector of the token, changed in place
void decode_loop(int steps, int layers, int capacity, int tokens,
                 gpu::DeviceSpan<const float> weights, gpu::DeviceSpan<float> keys,
                 gpu::DeviceSpan<float> values, gpu::DeviceSpan<float> x) {
  const Model model(layers, capacity, tokens, weights, keys, values, x);
  const gpu::Stream stream;
  for (int step = 0; step < steps; ++step) enqueue_step(model.sizes, model.buffers, stream);
  stream.synchronize();  // before the scratch memory is freed
}

/// The same steps, with the launches of one step recorded once and replayed.
void decode_graph(int steps, int layers, int capacity, int tokens,
                  gpu::DeviceSpan<const float> weights, gpu::DeviceSpan<float> keys,
                  gpu::DeviceSpan<float> values, gpu::DeviceSpan<float> x) {
  const Model model(layers, capacity, tokens, weights, keys, values, x);
  const gpu::Stream stream;
  //@solve 04.graph.kernel: record enqueue_step() once, and replay the graph for every step.
  const gpu::Graph graph(
      [&](const gpu::Stream& recording) { enqueue_step(model.sizes, model.buffers, recording); });
  for (int step = 0; step < steps; ++step) graph.launch(stream);
  stream.synchronize();  // before the graph and the scratch memory are freed
  //@stub
  //| harness::unsolved("04.graph.kernel", "topics/04-llm-inference/README.md#graphs");
  //@end
}

constexpr int kLayers = 4;
constexpr int kCapacity = 64;
constexpr int kSteps = 32;

constexpr harness::LabOptions kOptions{
    .work = [](std::int64_t n) -> harness::Work {
      const Sizes sizes{kLayers, static_cast<int>(n), kCapacity};
      const double weights = 1.0 * kSteps * kLayers * static_cast<double>(sizes.layer_weights());
      return {2 * weights, 4 * weights};
    },
    .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
      const Sizes sizes{kLayers, static_cast<int>(n), kCapacity};
      if (buffer == 0) return kLayers * sizes.layer_weights();
      return buffer == 3 ? n : kLayers * sizes.layer_cache();
    },
    .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
      const std::int64_t values[] = {kSteps, kLayers, kCapacity, kCapacity - kSteps};
      return values[scalar];
    },
    .default_n = 1024};

HARNESS_LAB(decode_graph, (kOptions))
HARNESS_LAB(decode_loop, (kOptions))
