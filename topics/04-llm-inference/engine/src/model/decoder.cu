// SPDX-License-Identifier: MIT
// A step, operator by operator; products and attention come from the labs.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/model/decoder.hpp"
#include "gpu/gpu.hpp"
#include "plain_attention.hpp"
#include "step_kernels.hpp"

namespace engine {
namespace {

/// The smallest head size that attention_paged reads and that this head fits in; the rest is padded
/// with zeros, which add nothing to a score or to a result.
int stored_dim(int head_dim, CacheFormat cache) {
  if (cache == CacheFormat::kFp32) return head_dim;
  for (const int dim : {64, 80, 128}) {
    if (head_dim <= dim) return dim;
  }
  throw std::runtime_error("head_dim " + std::to_string(head_dim) +
                           " is above 128, which attention_paged cannot read; use --cache fp32");
}

/// Cosine and sine of each position and pair, [positions][dim / 2][2]; computed in double.
std::vector<float> rotary_angles(const ModelConfig& config, std::int32_t positions) {
  const int dim = config.head_dim;
  std::vector<float> angles;
  angles.reserve(static_cast<std::size_t>(positions) * static_cast<std::size_t>(dim));
  for (std::int32_t p = 0; p < positions; ++p) {
    for (int i = 0; i < dim / 2; ++i) {
      const double angle = p * config.rotary_rate(i);
      angles.push_back(static_cast<float>(std::cos(angle)));
      angles.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  return angles;
}

unsigned team_blocks(std::int64_t rows) {
  return gpu::blocks_for(rows * kRowLanes, std::int64_t{kStepThreads});
}

/// One thread for each number of `rows` rows of `columns`.
gpu::LaunchConfig thread_each(int rows, int columns) {
  return {.grid = dim3(gpu::blocks_for(columns, kStepThreads), static_cast<unsigned>(rows)),
          .block = kStepThreads};
}

/// Keys and values of all layers, [page][kv_head][kPageTokens][stored_dim] each.
template <class T>
struct Cache {
  std::vector<gpu::DeviceBuffer<T>> keys;
  std::vector<gpu::DeviceBuffer<T>> values;
  gpu::DeviceBuffer<T> queries;

  void allocate(int layers, std::size_t layer_size, std::size_t query_size) {
    const auto zeros = [](std::size_t size) {
      gpu::DeviceBuffer<T> buffer(size);
      gpu::fill_bytes(buffer, 0);
      return buffer;
    };
    for (int i = 0; i < layers; ++i) {
      keys.push_back(zeros(layer_size));
      values.push_back(zeros(layer_size));
    }
    queries = zeros(query_size);
  }
};

/// The parameters that the launches of a step depend on.
struct StepShape {
  int table_width = 0;
  std::vector<bool> wants_logits;  // per token

  friend bool operator==(const StepShape&, const StepShape&) = default;
};

/// The launches of a step, recorded once.
struct Recorded {
  StepShape shape;
  gpu::Graph graph;
  int calls;
};

}  // namespace

std::string_view name_of(CacheFormat format) {
  return format == CacheFormat::kBf16 ? "bf16" : "fp32";
}

struct Decoder::Parts {
  ModelConfig config;
  Weights weights;
  LabKernels kernels;
  DecoderOptions options;
  int stored_dim = 0;
  int calls = 0;
  int logit_rows = 0;
  std::optional<Recorded> recorded;
  bool can_record = gpu::Features::kIsGpu;
  StepShape last_shape;

  Cache<__nv_bfloat16> narrow;
  Cache<float> wide;
  gpu::DeviceBuffer<float> angles;
  // Of a step: each token's id, its position, and the pages of its sequence. All in one buffer,
  // which a single copy fills.
  gpu::DeviceBuffer<std::int32_t> numbers;
  gpu::DeviceSpan<const std::int32_t> ids;
  gpu::DeviceSpan<const std::int32_t> positions;
  gpu::DeviceSpan<const std::int32_t> lengths;
  gpu::DeviceSpan<const std::int32_t> table;
  int table_width = 0;
  // Activations, one row per token.
  gpu::DeviceBuffer<float> x;
  gpu::DeviceBuffer<float> added;
  gpu::DeviceBuffer<float> projected;
  gpu::DeviceBuffer<float> mixed;
  gpu::DeviceBuffer<float> gates;
  // The inputs of a product, in the format of its matrix.
  gpu::DeviceBuffer<float> floats;
  gpu::DeviceBuffer<__half> halves;
  gpu::DeviceBuffer<float> logits;

  void allocate();
  void check(std::span<const StepToken> tokens) const;
  void upload(std::span<const StepToken> tokens);
  void look_up_tokens(int tokens);
  template <class Launch>
  void put_inputs(const Matrix& matrix, const Launch& launch_of);
  void norm(int tokens, const float* added_to, const gpu::DeviceBuffer<float>& weight,
            const Matrix& matrix);
  bool shares_weights(WeightFormat format) const;
  void multiply_together(const Matrix& matrix, int tokens, In<__half> inputs, Out<float> to);
  void multiply(const Matrix& matrix, int first, int tokens, Out<float> to);
  void attend(const LayerWeights& layer, int number, int tokens);
  template <class T>
  void split(const LayerWeights& layer, int number, int tokens, Cache<T>& cache);
  void run_head(std::span<const StepToken> tokens);
  void run(std::span<const StepToken> tokens);
  void run_recorded(std::span<const StepToken> tokens);
};

void Decoder::Parts::allocate() {
  const auto most = static_cast<std::size_t>(options.most_tokens);
  const auto size = [&](std::int64_t row) { return most * static_cast<std::size_t>(row); };
  const std::int64_t layer =
      std::int64_t{options.pages} * config.kv_heads * kPageTokens * stored_dim;
  const std::size_t queries = size(std::int64_t{config.query_heads} * stored_dim);
  if (options.cache == CacheFormat::kBf16) {
    narrow.allocate(config.layers, static_cast<std::size_t>(layer), queries);
  } else {
    wide.allocate(config.layers, static_cast<std::size_t>(layer), queries);
  }
  angles = gpu::to_device(rotary_angles(config, options.most_context));
  const std::size_t entries = size((options.most_context + kPageTokens - 1) / kPageTokens);
  numbers = gpu::DeviceBuffer<std::int32_t>(3 * most + entries);
  ids = numbers.span().subspan(0, most);
  positions = numbers.span().subspan(most, most);
  lengths = numbers.span().subspan(2 * most, most);
  table = numbers.span().subspan(3 * most, entries);
  x = gpu::DeviceBuffer<float>(size(config.hidden));
  added = gpu::DeviceBuffer<float>(size(config.hidden));
  projected = gpu::DeviceBuffer<float>(size(config.projected_width()));
  mixed = gpu::DeviceBuffer<float>(queries);
  gates = gpu::DeviceBuffer<float>(size(2 * std::int64_t{config.inner}));
  const std::int64_t longest = std::max({config.hidden, config.query_width(), config.inner});
  if (weights.head().format == WeightFormat::kFp32) {
    floats = gpu::DeviceBuffer<float>(size(longest));
  } else {
    halves = gpu::DeviceBuffer<__half>(size(longest + kInt4Group));
  }
  logits = gpu::DeviceBuffer<float>(size(config.vocabulary));
}

void Decoder::Parts::check(std::span<const StepToken> tokens) const {
  const auto fail = [](const std::string& what) { throw std::invalid_argument(what); };
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(options.most_tokens)) {
    fail("a step takes 1 to " + std::to_string(options.most_tokens) + " tokens, not " +
         std::to_string(tokens.size()));
  }
  for (const StepToken& token : tokens) {
    if (token.token < 0 || token.token >= config.vocabulary) {
      fail("token id " + std::to_string(token.token) + " is not in the vocabulary: 0 to " +
           std::to_string(config.vocabulary - 1));
    }
    if (token.position < 0 || token.position >= options.most_context) {
      fail("position " + std::to_string(token.position) + " is beyond the context of " +
           std::to_string(options.most_context) + " tokens");
    }
    if (token.pages == nullptr ||
        token.pages->size() * kPageTokens <= static_cast<std::size_t>(token.position)) {
      fail("position " + std::to_string(token.position) + " has no page");
    }
    for (const std::int32_t page : *token.pages) {
      if (page < 0 || page >= options.pages) fail("there is no page " + std::to_string(page));
    }
  }
}

void Decoder::Parts::upload(std::span<const StepToken> tokens) {
  const std::size_t count = tokens.size();
  table_width = 0;
  for (const StepToken& token : tokens) {
    table_width = std::max(table_width, token.position / kPageTokens + 1);
  }
  // A power of two, so that the launches of a step rarely change with its length.
  table_width = std::min(static_cast<int>(std::bit_ceil(static_cast<unsigned>(table_width))),
                         (options.most_context + kPageTokens - 1) / kPageTokens);
  const auto most = static_cast<std::size_t>(options.most_tokens);
  std::vector<std::int32_t> all(3 * most + count * static_cast<std::size_t>(table_width), 0);
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t position = tokens[t].position;
    all[t] = tokens[t].token;
    all[most + t] = position;
    all[2 * most + t] = position + 1;
    const auto used = static_cast<std::ptrdiff_t>(position) / kPageTokens + 1;
    std::copy_n(tokens[t].pages->begin(), used,
                all.begin() + static_cast<std::ptrdiff_t>(3 * most) +
                    static_cast<std::ptrdiff_t>(t) * table_width);
  }
  gpu::copy_to_device(numbers.span().subspan(0, all.size()), all);
}

void Decoder::Parts::look_up_tokens(int tokens) {
  const Matrix& e = weights.embedding;
  const unsigned blocks = team_blocks(tokens);
  const float* none = nullptr;
  ++calls;
  switch (e.format) {
    case WeightFormat::kFp32:
      return gpu::launch<look_up<float>>(blocks, kStepThreads, tokens, config.hidden, ids.data(),
                                         e.floats.data(), none, x.data());
    case WeightFormat::kFp16:
      return gpu::launch<look_up<__half>>(blocks, kStepThreads, tokens, config.hidden, ids.data(),
                                          e.halves.data(), none, x.data());
    case WeightFormat::kInt8:
      return gpu::launch<look_up<std::int8_t>>(blocks, kStepThreads, tokens, config.hidden,
                                               ids.data(), e.bytes.data(), e.scales.data(),
                                               x.data());
    case WeightFormat::kInt4:
      return gpu::launch<look_up_int4>(blocks, kStepThreads, tokens, config.hidden,
                                       static_cast<int>(e.stored_columns()), ids.data(),
                                       e.packed.data(), e.group_scales.data(), x.data());
  }
}

/// Calls launch_of(stride, out) for the rows of a product's inputs, `columns` long: one after the
/// other in FP32, otherwise in FP16 with as many columns as the stored matrix.
template <class Launch>
void Decoder::Parts::put_inputs(const Matrix& matrix, const Launch& launch_of) {
  ++calls;
  if (matrix.format == WeightFormat::kFp32) {
    launch_of(static_cast<int>(matrix.columns), floats.data());
  } else {
    launch_of(static_cast<int>(matrix.stored_columns()), halves.data());
  }
}

/// x += added_to; the inputs of `matrix` become the norm of that.
void Decoder::Parts::norm(int tokens, const float* added_to, const gpu::DeviceBuffer<float>& weight,
                          const Matrix& matrix) {
  put_inputs(matrix, [&]<class T>(int stride, T* out) {
    gpu::launch_overlapping<add_and_norm<T>>(
        {.grid = gpu::blocks_for(tokens * kNormLanes, kNormThreads), .block = kNormThreads}, tokens,
        config.hidden, static_cast<float>(config.norm_epsilon), added_to, weight.data(), x.data(),
        stride, out);
  });
}

/// Whether several tokens share each read of a matrix in this format.
bool Decoder::Parts::shares_weights(WeightFormat format) const {
  switch (format) {
    case WeightFormat::kFp32:
      return false;
    case WeightFormat::kFp16:
      return true;
    case WeightFormat::kInt8:
      return kernels.gemv_int8_batch != nullptr;
    default:
      return kernels.gemv_int4_batch != nullptr;
  }
}

/// to = matrix times the inputs of several tokens, which share each read of the matrix.
void Decoder::Parts::multiply_together(const Matrix& matrix, int tokens, In<__half> inputs,
                                       Out<float> to) {
  ++calls;
  if (matrix.format == WeightFormat::kInt8) {
    kernels.gemv_int8_batch(tokens, matrix.bytes, matrix.scales, inputs, to);
  } else if (matrix.format == WeightFormat::kInt4) {
    kernels.gemv_int4_batch(tokens, matrix.packed, matrix.group_scales, inputs, to);
  } else {
    kernels.gemv_batch(tokens, matrix.halves, inputs, to);
  }
}

/// to = matrix times the inputs of `tokens` tokens, starting at `first`.
void Decoder::Parts::multiply(const Matrix& matrix, int first, int tokens, Out<float> to) {
  const auto begin = static_cast<std::size_t>(first);
  const auto count = static_cast<std::size_t>(tokens);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const auto stored = static_cast<std::size_t>(matrix.stored_columns());
  const auto rows = static_cast<std::size_t>(matrix.rows);
  if (tokens > 1 && shares_weights(matrix.format)) {
    return multiply_together(matrix, tokens, halves.span().subspan(begin * stored, count * stored),
                             to.subspan(0, count * rows));
  }
  for (std::size_t t = 0; t < count; ++t) {
    const Out<float> y = to.subspan(t * rows, rows);
    const auto x_half = [&] { return halves.span().subspan((begin + t) * stored, stored); };
    ++calls;
    switch (matrix.format) {
      case WeightFormat::kFp32:
        kernels.gemv(matrix.floats, floats.span().subspan((begin + t) * columns, columns), y);
        break;
      case WeightFormat::kFp16:
        if (!is_done(kernels.gemv_half_one, matrix.halves, x_half(), y)) {
          kernels.gemv_half(matrix.halves, x_half(), y);
        }
        break;
      case WeightFormat::kInt8:
        if (!is_done(kernels.gemv_int8_one, matrix.bytes, matrix.scales, x_half(), y)) {
          kernels.gemv_int8(matrix.bytes, matrix.scales, x_half(), y);
        }
        break;
      case WeightFormat::kInt4:
        kernels.gemv_int4(matrix.packed, matrix.group_scales, x_half(), y);
        break;
    }
  }
}

template <class T>
void Decoder::Parts::split(const LayerWeights& layer, int number, int tokens, Cache<T>& cache) {
  const auto i = static_cast<std::size_t>(number);
  // The lab divides scores by the square root of the stored size, the model by that of its own
  // size.
  const double scale = std::sqrt(static_cast<double>(stored_dim) / config.head_dim);
  const HeadSplit split{.tokens = tokens,
                        .query_heads = config.query_heads,
                        .kv_heads = config.kv_heads,
                        .dim = config.head_dim,
                        .stored_dim = stored_dim,
                        .table_width = table_width,
                        .epsilon = static_cast<float>(config.norm_epsilon),
                        .query_scale = static_cast<float>(scale),
                        .positions = positions.data(),
                        .table = table.data(),
                        .angles = angles.data(),
                        .bias = layer.bias.data(),
                        .query_norm = layer.query_norm.data(),
                        .key_norm = layer.key_norm.data()};
  ++calls;
  const std::int64_t heads = config.query_heads + 2 * config.kv_heads;
  gpu::launch_overlapping<split_heads<T>>(
      {.grid = team_blocks(tokens * heads), .block = kStepThreads}, split, projected.data(),
      cache.queries.data(), cache.keys[i].data(), cache.values[i].data());
}

/// Attention, from the inputs that the norm produced to `added`.
void Decoder::Parts::attend(const LayerWeights& layer, int number, int tokens) {
  const auto i = static_cast<std::size_t>(number);
  const auto count = static_cast<std::size_t>(tokens);
  multiply(layer.projections, 0, tokens, projected);
  const In<std::int32_t> used_lengths = lengths.subspan(0, count);
  const In<std::int32_t> used_table =
      table.subspan(0, count * static_cast<std::size_t>(table_width));
  const std::size_t width = count * static_cast<std::size_t>(config.query_heads * stored_dim);
  const Out<float> out = mixed.span().subspan(0, width);
  ++calls;
  // The heads of a token are already the inputs of the product.
  const bool is_joined = stored_dim == config.head_dim &&
                         layer.output.stored_columns() == config.query_width() &&
                         layer.output.format != WeightFormat::kFp32;
  if (options.cache == CacheFormat::kBf16 && is_joined && kernels.attention_paged_half != nullptr) {
    split(layer, number, tokens, narrow);
    kernels.attention_paged_half(config.query_heads, config.kv_heads, stored_dim, used_lengths,
                                 used_table, narrow.queries.span().subspan(0, width),
                                 narrow.keys[i], narrow.values[i], halves.span().subspan(0, width));
    return multiply(layer.output, 0, tokens, added);
  }
  if (options.cache == CacheFormat::kBf16) {
    split(layer, number, tokens, narrow);
    kernels.attention_paged(config.query_heads, config.kv_heads, stored_dim, used_lengths,
                            used_table, narrow.queries.span().subspan(0, width), narrow.keys[i],
                            narrow.values[i], out);
  } else {
    split(layer, number, tokens, wide);
    plain_attention<float>(config.query_heads, config.kv_heads, stored_dim, used_lengths,
                           used_table, wide.queries.span().subspan(0, width), wide.keys[i],
                           wide.values[i], out);
  }
  put_inputs(layer.output, [&]<class T>(int stride, T* to) {
    gpu::launch_overlapping<join_heads<T>>(thread_each(tokens, stride), stride, config.query_heads,
                                           config.head_dim, stored_dim, mixed.data(), to);
  });
  multiply(layer.output, 0, tokens, added);
}

/// Logits of the tokens that request them, from the last norm.
void Decoder::Parts::run_head(std::span<const StepToken> tokens) {
  const auto vocabulary = static_cast<std::size_t>(config.vocabulary);
  logit_rows = 0;
  const auto wants = [](bool wanted) {
    return [wanted](const StepToken& token) { return token.wants_logits == wanted; };
  };
  auto end = tokens.begin();
  // Adjacent tokens that request them are multiplied together.
  for (auto first = std::find_if(end, tokens.end(), wants(true)); first != tokens.end();
       first = std::find_if(end, tokens.end(), wants(true))) {
    end = std::find_if(first, tokens.end(), wants(false));
    const auto from = static_cast<std::size_t>(first - tokens.begin());
    const auto count = static_cast<std::size_t>(end - first);
    const auto row = static_cast<std::size_t>(logit_rows);
    multiply(weights.head(), static_cast<int>(from), static_cast<int>(count),
             logits.span().subspan(row * vocabulary, count * vocabulary));
    logit_rows += static_cast<int>(count);
  }
}

Decoder::Decoder(const ModelConfig& config, Weights weights, const LabKernels& kernels,
                 const DecoderOptions& options)
    : parts_(std::make_unique<Parts>()) {
  parts_->config = config;
  parts_->weights = std::move(weights);
  parts_->kernels = kernels;
  parts_->options = options;
  parts_->stored_dim = stored_dim(config.head_dim, options.cache);
  parts_->allocate();
}

Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::Parts::run(std::span<const StepToken> tokens) {
  calls = 0;
  const auto count = static_cast<int>(tokens.size());
  look_up_tokens(count);
  const float* before = nullptr;
  for (int i = 0; i < config.layers; ++i) {
    const LayerWeights& layer = weights.layers[static_cast<std::size_t>(i)];
    norm(count, before, layer.attention_norm, layer.projections);
    before = added.data();
    attend(layer, i, count);
    norm(count, before, layer.inner_norm, layer.gate_up);
    multiply(layer.gate_up, 0, count, gates);
    put_inputs(layer.down, [&]<class T>(int stride, T* out) {
      gpu::launch_overlapping<gate<T>>(thread_each(count, stride), stride, config.inner,
                                       gates.data(), out);
    });
    multiply(layer.down, 0, count, added);
  }
  norm(count, before, weights.last_norm, weights.head());
  run_head(tokens);
}

/// Like run(), but a shape that comes up a second time is recorded and replayed from then on: a
/// step of few tokens has hundreds of launches of a few microseconds.
void Decoder::Parts::run_recorded(std::span<const StepToken> tokens) {
  StepShape shape{table_width, {}};
  for (const StepToken& token : tokens) shape.wants_logits.push_back(token.wants_logits);
  const bool has_come_before = shape == last_shape;
  last_shape = shape;
  if (!can_record || !has_come_before) return run(tokens);
  if (!recorded || recorded->shape != shape) {
    recorded.reset();
    try {
      gpu::Graph graph([&](const gpu::Stream& stream) {
        const gpu::CurrentStream current(stream);
        run(tokens);
      });
      recorded.emplace(Recorded{std::move(shape), std::move(graph), calls});
    } catch (const gpu::Error&) {
      can_record = false;  // a student's lab may wait or copy, which a graph cannot record
      return run(tokens);
    }
  }
  recorded->graph.launch();
  calls = recorded->calls;
  logit_rows = static_cast<int>(
      std::count(last_shape.wants_logits.begin(), last_shape.wants_logits.end(), true));
}

void Decoder::step(std::span<const StepToken> tokens) {
  parts_->check(tokens);
  parts_->upload(tokens);
  parts_->run_recorded(tokens);
}

In<float> Decoder::logits(std::size_t i) const {
  const auto vocabulary = static_cast<std::size_t>(parts_->config.vocabulary);
  if (i >= static_cast<std::size_t>(parts_->logit_rows)) {
    throw std::out_of_range("the last step gave " + std::to_string(parts_->logit_rows) +
                            " rows of logits, and number " + std::to_string(i) + " was asked for");
  }
  return std::as_const(parts_->logits).span().subspan(i * vocabulary, vocabulary);
}

int Decoder::logit_rows() const {
  return parts_->logit_rows;
}

const ModelConfig& Decoder::config() const {
  return parts_->config;
}

double Decoder::bytes_read(double sequences, double context) const {
  const double number = parts_->options.cache == CacheFormat::kBf16 ? 2 : 4;
  const double cache =
      2 * number * parts_->config.layers * parts_->config.kv_heads * parts_->stored_dim * context;
  const bool is_shared = parts_->shares_weights(parts_->weights.head().format);
  return (is_shared ? 1 : sequences) * parts_->weights.streamed_bytes() + sequences * cache;
}

int Decoder::calls() const {
  return parts_->calls;
}

}  // namespace engine
