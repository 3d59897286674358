// SPDX-License-Identifier: MIT
// Which file holds which tensor.
#include "engine/weights/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/files.hpp"
#include "engine/operators/labs.hpp"

namespace engine {

Checkpoint::Checkpoint(const std::filesystem::path& folder) {
  const std::filesystem::path single = folder / "model.safetensors";
  const std::filesystem::path index = folder / "model.safetensors.index.json";
  if (std::filesystem::exists(single) || !std::filesystem::exists(index)) {
    files_.push_back(std::make_unique<Safetensors>(single));
    for (const std::string& name : files_[0]->names()) file_of_[name] = 0;
    return;
  }
  const auto keys = nlohmann::json::parse(base::read_file(index), nullptr, false);
  const auto map = keys.is_object() ? keys.find("weight_map") : keys.end();
  if (map == keys.end() || !map->is_object()) {
    throw std::runtime_error(index.string() + ": weight_map is missing");
  }
  std::map<std::string, std::size_t> opened;
  for (const auto& [name, file] : map->items()) {
    if (!file.is_string()) throw std::runtime_error(index.string() + ": " + name + " has no file");
    // Only the file name: an index must not lead to another folder.
    const std::string base = std::filesystem::path(file.get<std::string>()).filename();
    const auto [at, is_new] = opened.try_emplace(base, files_.size());
    if (is_new) files_.push_back(std::make_unique<Safetensors>(folder / base));
    file_of_[name] = at->second;
  }
}

bool Checkpoint::has(const std::string& name) const {
  return file_of_.contains(name);
}

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : file_of_) names.push_back(name);
  return names;
}

/// If no file has the tensor, the first file's error says what is wrong.
const Safetensors& Checkpoint::file_with(const std::string& name) const {
  const auto found = file_of_.find(name);
  return *files_.at(found == file_of_.end() ? 0 : found->second);
}

const Tensor& Checkpoint::stored(const std::string& name) const {
  return file_with(name).tensor(name);
}

std::vector<float> Checkpoint::stored_floats(const std::string& name,
                                             std::span<const std::int64_t> shape) const {
  const Tensor& tensor = file_with(name).tensor(name, shape);
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  read_floats(tensor, 0, values);
  return values;
}

/// Two columns per byte, the first in the low bits; rows are padded to whole groups.
std::vector<float> Checkpoint::floats_of_nibbles(const std::string& name,
                                                 std::span<const std::int64_t> shape) const {
  const std::int64_t groups = (shape[1] + kInt4Group - 1) / kInt4Group;
  const std::array<std::int64_t, 2> packed_shape = {shape[0], groups * kInt4Group / 2};
  const std::vector<float> packed = stored_floats(name, packed_shape);
  const std::vector<float> scales = floats(name + ".scales", {shape[0], groups});
  std::vector<float> values;
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const std::int64_t at = r * groups * kInt4Group + c;
      const auto byte = static_cast<int>(packed[static_cast<std::size_t>(at / 2)]);
      const int code = c % 2 == 0 ? byte % 16 : byte / 16;
      values.push_back(scales[static_cast<std::size_t>(at / kInt4Group)] *
                       static_cast<float>(code - kInt4Zero));
    }
  }
  return values;
}

std::vector<float> Checkpoint::floats(const std::string& name,
                                      std::initializer_list<std::int64_t> shape) const {
  const Safetensors& file = file_with(name);
  const Dtype dtype = file.tensor(name).dtype;
  const bool is_packed = dtype == Dtype::kU8 && shape.size() == 2;
  std::vector<float> values =
      is_packed ? floats_of_nibbles(name, shape) : stored_floats(name, shape);
  if (dtype == Dtype::kI8) {
    const std::int64_t rows = *shape.begin();
    const std::vector<float> scales = floats(name + ".scales", {rows});
    const std::size_t columns = values.size() / std::max<std::size_t>(1, scales.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= scales[i / columns];
  }
  for (const float value : values) {
    if (!std::isfinite(value)) {
      throw std::runtime_error(file.file().string() + ": tensor " + name +
                               " holds a number that is infinite or NaN");
    }
  }
  return values;
}

}  // namespace engine
