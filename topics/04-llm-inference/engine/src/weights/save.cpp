// SPDX-License-Identifier: MIT
// The converter: writes one safetensors file from another.
#include "engine/weights/save.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "engine/model/config.hpp"
#include "engine/operators/labs.hpp"
#include "engine/weights/weights.hpp"
#include "gpu/copy.hpp"

namespace engine {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Tensors one after the other, and the header with their positions.
class Writer {
 public:
  void add(const std::string& name, Dtype dtype, const std::vector<std::int64_t>& shape,
           const void* bytes, std::size_t count) {
    const std::size_t begin = data_.size();
    data_.append(static_cast<const char*>(bytes), count);
    header_[name] = {
        {"dtype", name_of(dtype)}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  std::string file() const {
    std::string header = header_.dump();
    header.resize((header.size() + 7) / 8 * 8, ' ');  // numbers start at a multiple of 8
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + data_;
  }

 private:
  json header_ = {{"__metadata__", {{"format", "pt"}}}};
  std::string data_;
};

void add_matrix(Writer& writer, const std::string& name, const Tensor& tensor,
                const std::vector<float>& values, WeightFormat format) {
  const std::int64_t rows = tensor.shape[0];
  const Matrix matrix = pack_matrix(name, rows, tensor.shape[1], values, format);
  if (format == WeightFormat::kInt4) {
    const std::vector<std::uint8_t> packed = gpu::to_host(matrix.packed);
    const std::vector<__half> scales = gpu::to_host(matrix.group_scales);
    const std::int64_t columns = matrix.stored_columns();
    writer.add(name, Dtype::kU8, {rows, columns / 2}, packed.data(), packed.size());
    writer.add(name + ".scales", Dtype::kF16, {rows, columns / kInt4Group}, scales.data(),
               scales.size() * sizeof(__half));
    return;
  }
  const std::vector<std::int8_t> bytes = gpu::to_host(matrix.bytes);
  const std::vector<float> scales = gpu::to_host(matrix.scales);
  writer.add(name, Dtype::kI8, tensor.shape, bytes.data(), bytes.size());
  writer.add(name + ".scales", Dtype::kF32, {rows}, scales.data(), scales.size() * sizeof(float));
}

}  // namespace

void save_quantised(const fs::path& from, const fs::path& to, WeightFormat format) {
  if (format != WeightFormat::kInt8 && format != WeightFormat::kInt4) {
    throw std::invalid_argument("a model is saved in int8 or int4");
  }
  read_config(from);
  const Checkpoint checkpoint(from);
  if (fs::exists(to) && !(fs::is_directory(to) && fs::is_empty(to))) {
    throw std::runtime_error(to.string() + " must be an empty folder or absent");
  }
  Writer writer;
  for (const std::string& name : checkpoint.names()) {
    const Tensor& tensor = checkpoint.stored(name);
    if (tensor.dtype == Dtype::kI8 || tensor.dtype == Dtype::kU8) {
      throw std::runtime_error((from / name).string() + " is in " +
                               std::string(name_of(tensor.dtype)) + " already");
    }
    if (tensor.shape.size() == 2) {
      const std::vector<float> values = checkpoint.floats(name, {tensor.shape[0], tensor.shape[1]});
      add_matrix(writer, name, tensor, values, format);
    } else {
      writer.add(name, tensor.dtype, tensor.shape, tensor.bytes.data(), tensor.bytes.size());
    }
  }
  std::error_code error;
  fs::create_directories(to, error);
  if (error) throw std::runtime_error("cannot create " + to.string() + ": " + error.message());
  base::write_file_atomically(to / "model.safetensors", writer.file());
  for (const char* file : {"config.json", "generation_config.json", "tokenizer.json"}) {
    if (fs::exists(from / file)) fs::copy_file(from / file, to / file);
  }
}

}  // namespace engine
