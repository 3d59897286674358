// SPDX-License-Identifier: MIT
// Small random models in temporary folders, for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "engine/weights/safetensors.hpp"

namespace engine::test {

/// A tensor as stored in a file.
struct NamedTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};
using Tensors = std::map<std::string, NamedTensor>;

/// The bytes of a safetensors file with this header and these numbers.
std::string safetensors_bytes(const nlohmann::json& header, const std::string& data);
/// The same for tensors, all of one dtype; BF16 truncates the lower bits.
std::string safetensors_bytes(const Tensors& tensors, Dtype dtype);

/// A model with random weights: a folder with config.json and model.safetensors in FP32.
class TinyModel {
 public:
  /// `type` is llama, qwen2 or qwen3; the same seed gives the same weights.
  TinyModel(const std::string& type, unsigned seed);

  /// Changes a key of the config and of its file.
  void set(const std::string& key, const nlohmann::json& value);
  /// Rounds every matrix of tensors() to 4 bits, in double: groups of 128 columns of a row, with a
  /// step of a seventh of the largest number, itself rounded to eleven bits like FP16. The file is
  /// unchanged.
  void round_to_four_bits();

  const std::filesystem::path& folder() const { return folder_.path(); }
  const nlohmann::json& config() const { return config_; }
  const Tensors& tensors() const { return tensors_; }

 private:
  base::TemporaryFolder folder_;
  nlohmann::json config_;
  Tensors tensors_;
};

}  // namespace engine::test
