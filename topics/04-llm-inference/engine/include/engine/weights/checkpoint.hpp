// SPDX-License-Identifier: MIT
// The tensors in a model's folder, in one or several files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/weights/safetensors.hpp"

namespace engine {

/// FOLDER/model.safetensors, or the files that FOLDER/model.safetensors.index.json names.
class Checkpoint {
 public:
  /// @throws std::runtime_error naming the file that is missing, and as Safetensors does.
  explicit Checkpoint(const std::filesystem::path& folder);

  bool has(const std::string& name) const;
  /// Names of all tensors, sorted.
  std::vector<std::string> names() const;
  /// A tensor as stored, of any shape. @throws std::runtime_error as Safetensors::tensor() does.
  const Tensor& stored(const std::string& name) const;
  /// All numbers of a tensor of this shape. A matrix in I8 or U8 was written by save_quantised() in
  /// 8 or 4 bits, and is multiplied by its scales. @throws std::runtime_error as
  /// Safetensors::tensor() does, and for a number that is infinite or NaN.
  std::vector<float> floats(const std::string& name,
                            std::initializer_list<std::int64_t> shape) const;

 private:
  const Safetensors& file_with(const std::string& name) const;
  std::vector<float> stored_floats(const std::string& name,
                                   std::span<const std::int64_t> shape) const;
  std::vector<float> floats_of_nibbles(const std::string& name,
                                       std::span<const std::int64_t> shape) const;

  std::vector<std::unique_ptr<Safetensors>> files_;
  std::map<std::string, std::size_t> file_of_;
};

}  // namespace engine
