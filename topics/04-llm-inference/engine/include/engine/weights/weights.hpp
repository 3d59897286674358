// SPDX-License-Identifier: MIT
// A model's weights on the device, in the format that the products read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/config.hpp"
#include "engine/weights/checkpoint.hpp"
#include "gpu/buffer.hpp"
#include "gpu/kernel.hpp"

namespace engine {

/// How matrices are kept: each has a lab that multiplies by it (gemv, gemv_half, gemv_int8,
/// gemv_int4).
enum class WeightFormat { kFp32, kFp16, kInt8, kInt4 };

/// "fp32", "fp16", "int8", "int4".
std::string_view name_of(WeightFormat format);

/// A matrix [rows][columns] in one format; the buffers of the others are empty.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  WeightFormat format = WeightFormat::kFp32;
  gpu::DeviceBuffer<float> floats;
  gpu::DeviceBuffer<__half> halves;
  gpu::DeviceBuffer<std::int8_t> bytes;
  gpu::DeviceBuffer<float> scales;         ///< one per row, with kInt8
  gpu::DeviceBuffer<std::uint8_t> packed;  ///< with kInt4, as gemv_int4 reads them
  gpu::DeviceBuffer<__half> group_scales;  ///< one per group of kInt4Group columns, with kInt4

  /// Columns as stored: with kInt4 a whole number of groups, the last padded with zeros.
  std::int64_t stored_columns() const;
  double size_bytes() const;
};

/// Packs numbers, row by row. FP16 rounds to nearest. INT8 has one scale per row, the largest
/// absolute value over 127, and rounds to nearest, ties to even. INT4 has a scale in FP16 for each
/// group of kInt4Group columns of a row, the largest absolute value over 7, at least 2^-14 (the
/// smallest normal one), and rounds in the same way; packing its result again gives the same
/// numbers. Names the tensor in errors.
/// @throws std::runtime_error if a number or scale is too large for FP16.
Matrix pack_matrix(const std::string& name, std::int64_t rows, std::int64_t columns,
                   const std::vector<float>& values, WeightFormat format);

struct LayerWeights {
  gpu::DeviceBuffer<float> attention_norm;  ///< [hidden]
  Matrix projections;                       ///< query, key, value rows; [projected_width][hidden]
  gpu::DeviceBuffer<float> bias;            ///< [projected_width], or empty
  gpu::DeviceBuffer<float> query_norm;      ///< [head_dim], or empty
  gpu::DeviceBuffer<float> key_norm;        ///< [head_dim], or empty
  Matrix output;                            ///< [hidden][query_width]
  gpu::DeviceBuffer<float> inner_norm;      ///< [hidden]
  Matrix gate_up;                           ///< gate rows, then up rows; [2 inner][hidden]
  Matrix down;                              ///< [hidden][inner]
};

struct Weights {
  Matrix embedding;  ///< [vocabulary][hidden]
  std::vector<LayerWeights> layers;
  gpu::DeviceBuffer<float> last_norm;  ///< [hidden]
  std::optional<Matrix> own_head;      ///< [vocabulary][hidden]; none: the embedding

  const Matrix& head() const { return own_head ? *own_head : embedding; }
  /// Bytes of matrices that the pass of one token reads, including scales: all but the embedding,
  /// unless that is also the head.
  double streamed_bytes() const;
};

/// Reads the tensors by their names in Hugging Face's Llama and Qwen models.
/// @throws std::runtime_error as Checkpoint::floats() and pack_matrix() do.
Weights load_weights(const ModelConfig& config, const Checkpoint& checkpoint, WeightFormat format);

}  // namespace engine
