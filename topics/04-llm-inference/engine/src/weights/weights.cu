// SPDX-License-Identifier: MIT
// Looks up tensors by name, joins those that one product reads together, and packs them.
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "engine/operators/labs.hpp"
#include "engine/weights/weights.hpp"
#include "gpu/copy.hpp"

namespace engine {
namespace {

constexpr float kLargestHalf = 65504;
constexpr float kLargestByte = 127;
constexpr float kLargestNibble = 7;
constexpr float kLeastScale = 1.0f / 16384;  // the smallest normal half

using Shape = std::initializer_list<std::int64_t>;

/// Tensors of one checkpoint, by names below "model.".
class Loader {
 public:
  Loader(const Checkpoint& checkpoint, WeightFormat format)
      : checkpoint_(checkpoint), format_(format) {}

  gpu::DeviceBuffer<float> vector(const std::string& name, std::int64_t size) const {
    return gpu::to_device(checkpoint_.floats("model." + name, {size}));
  }
  Matrix matrix(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    return pack_matrix(name, rows, columns, checkpoint_.floats(name, {rows, columns}), format_);
  }
  /// The rows of several tensors of a layer, one after the other, so that one product reads them.
  Matrix joined(const std::string& layer, std::initializer_list<const char*> names,
                std::initializer_list<std::int64_t> rows, std::int64_t columns) const {
    std::vector<float> all;
    std::int64_t all_rows = 0;
    const auto* count = rows.begin();
    for (const char* name : names) {
      append(all, "model." + layer + name + ".weight", {*count, columns});
      all_rows += *count++;
    }
    return pack_matrix(layer, all_rows, columns, all, format_);
  }
  gpu::DeviceBuffer<float> joined_bias(const std::string& layer,
                                       std::initializer_list<const char*> names,
                                       std::initializer_list<std::int64_t> rows) const {
    std::vector<float> all;
    const auto* count = rows.begin();
    for (const char* name : names) append(all, "model." + layer + name + ".bias", {*count++});
    return gpu::to_device(all);
  }

 private:
  void append(std::vector<float>& all, const std::string& name, Shape shape) const {
    const std::vector<float> part = checkpoint_.floats(name, shape);
    all.insert(all.end(), part.begin(), part.end());
  }

  const Checkpoint& checkpoint_;
  WeightFormat format_;
};

LayerWeights load_layer(const ModelConfig& config, const Loader& loader, int number) {
  const std::string layer = "layers." + std::to_string(number) + ".";
  const std::string attention = layer + "self_attn.";
  const auto projections = {"q_proj", "k_proj", "v_proj"};
  const std::initializer_list<std::int64_t> widths = {config.query_width(), config.kv_width(),
                                                      config.kv_width()};
  LayerWeights weights;
  weights.attention_norm = loader.vector(layer + "input_layernorm.weight", config.hidden);
  weights.projections = loader.joined(attention, projections, widths, config.hidden);
  if (config.has_input_bias) weights.bias = loader.joined_bias(attention, projections, widths);
  if (config.has_qk_norm) {
    weights.query_norm = loader.vector(attention + "q_norm.weight", config.head_dim);
    weights.key_norm = loader.vector(attention + "k_norm.weight", config.head_dim);
  }
  weights.output =
      loader.matrix("model." + attention + "o_proj.weight", config.hidden, config.query_width());
  weights.inner_norm = loader.vector(layer + "post_attention_layernorm.weight", config.hidden);
  weights.gate_up = loader.joined(layer + "mlp.", {"gate_proj", "up_proj"},
                                  {config.inner, config.inner}, config.hidden);
  weights.down =
      loader.matrix("model." + layer + "mlp.down_proj.weight", config.hidden, config.inner);
  return weights;
}

void pack_halves(const std::string& name, const std::vector<float>& values, Matrix& matrix) {
  std::vector<__half> halves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::fabs(values[i]) > kLargestHalf) {
      throw std::runtime_error(name + " has a weight that FP16 cannot hold: " +
                               std::to_string(values[i]) + "; use --weights fp32");
    }
    halves[i] = __float2half(values[i]);
  }
  matrix.halves = gpu::to_device(halves);
}

void pack_bytes(const std::vector<float>& values, Matrix& matrix) {
  std::vector<std::int8_t> bytes(values.size());
  std::vector<float> scales(static_cast<std::size_t>(matrix.rows));
  const auto columns = static_cast<std::size_t>(matrix.columns);
  for (std::size_t r = 0; r < scales.size(); ++r) {
    float largest = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      largest = std::max(largest, std::fabs(values[r * columns + c]));
    }
    scales[r] = largest / kLargestByte;
    for (std::size_t c = 0; c < columns && largest > 0; ++c) {
      const std::size_t i = r * columns + c;
      bytes[i] = static_cast<std::int8_t>(std::nearbyint(values[i] / largest * kLargestByte));
    }
  }
  matrix.bytes = gpu::to_device(bytes);
  matrix.scales = gpu::to_device(scales);
}

void pack_nibbles(const std::string& name, const std::vector<float>& values, Matrix& matrix) {
  constexpr auto kGroup = static_cast<std::size_t>(kInt4Group);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const auto stored = static_cast<std::size_t>(matrix.stored_columns());
  const auto rows = static_cast<std::size_t>(matrix.rows);
  constexpr auto kZeros = static_cast<std::uint8_t>(kInt4Zero | kInt4Zero << 4);
  std::vector<std::uint8_t> packed(rows * stored / 2, kZeros);
  std::vector<__half> scales(rows * stored / kGroup);
  for (std::size_t g = 0; g < scales.size(); ++g) {
    const std::size_t row = g / (stored / kGroup);
    const std::size_t first = g % (stored / kGroup) * kGroup;
    const std::span<const float> group(values.data() + row * columns + first,
                                       std::min(kGroup, columns - first));
    float largest = 0;
    for (const float value : group) largest = std::max(largest, std::fabs(value));
    if (largest / kLargestNibble > kLargestHalf) {
      throw std::runtime_error(name + " has a weight whose scale FP16 cannot hold: " +
                               std::to_string(largest) + "; use --weights fp32");
    }
    scales[g] = __float2half(std::max(largest / kLargestNibble, kLeastScale));
    const float scale = __half2float(scales[g]);
    for (std::size_t c = 0; c < group.size(); ++c) {
      const auto code = static_cast<unsigned>(kInt4Zero + std::nearbyint(group[c] / scale));
      std::uint8_t& byte = packed[(row * stored + first + c) / 2];
      const unsigned shift = c % 2 == 0 ? 0 : 4;
      byte = static_cast<std::uint8_t>((byte & ~(15u << shift)) | code << shift);
    }
  }
  matrix.packed = gpu::to_device(packed);
  matrix.group_scales = gpu::to_device(scales);
}

}  // namespace

std::string_view name_of(WeightFormat format) {
  switch (format) {
    case WeightFormat::kFp32:
      return "fp32";
    case WeightFormat::kFp16:
      return "fp16";
    case WeightFormat::kInt8:
      return "int8";
    default:
      return "int4";
  }
}

std::int64_t Matrix::stored_columns() const {
  if (format != WeightFormat::kInt4) return columns;
  return (columns + kInt4Group - 1) / kInt4Group * kInt4Group;
}

double Matrix::size_bytes() const {
  return static_cast<double>(floats.size_bytes() + halves.size_bytes() + bytes.size_bytes() +
                             scales.size_bytes() + packed.size_bytes() + group_scales.size_bytes());
}

Matrix pack_matrix(const std::string& name, std::int64_t rows, std::int64_t columns,
                   const std::vector<float>& values, WeightFormat format) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.format = format;
  switch (format) {
    case WeightFormat::kFp32:
      matrix.floats = gpu::to_device(values);
      break;
    case WeightFormat::kFp16:
      pack_halves(name, values, matrix);
      break;
    case WeightFormat::kInt8:
      pack_bytes(values, matrix);
      break;
    case WeightFormat::kInt4:
      pack_nibbles(name, values, matrix);
      break;
  }
  return matrix;
}

double Weights::streamed_bytes() const {
  double bytes = head().size_bytes();
  for (const LayerWeights& layer : layers) {
    for (const Matrix* matrix : {&layer.projections, &layer.output, &layer.gate_up, &layer.down}) {
      bytes += matrix->size_bytes();
    }
  }
  return bytes;
}

Weights load_weights(const ModelConfig& config, const Checkpoint& checkpoint, WeightFormat format) {
  const Loader loader(checkpoint, format);
  Weights weights;
  weights.embedding = loader.matrix("model.embed_tokens.weight", config.vocabulary, config.hidden);
  for (int i = 0; i < config.layers; ++i) weights.layers.push_back(load_layer(config, loader, i));
  weights.last_norm = loader.vector("norm.weight", config.hidden);
  if (!config.has_tied_head) {
    weights.own_head = loader.matrix("lm_head.weight", config.vocabulary, config.hidden);
  }
  return weights;
}

}  // namespace engine
