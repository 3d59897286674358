// SPDX-License-Identifier: MIT
// Reads a safetensors file: named tensors, mapped into memory and checked before use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// How the numbers of a tensor are stored, little-endian.
enum class Dtype { kF32, kF16, kBf16, kI8, kU8 };

/// Bytes of one number.
std::size_t bytes_of(Dtype dtype);
/// Its name in the file format: "F32", "F16", "BF16", "I8", "U8".
std::string_view name_of(Dtype dtype);

/// One tensor of a file, row by row. The bytes belong to the file.
struct Tensor {
  Dtype dtype = Dtype::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;

  std::int64_t elements() const;
};

/// A read-only file in memory.
class MappedFile {
 public:
  /// @throws std::runtime_error naming a file that cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& file);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The tensors of one file: eight bytes with the length of a JSON header, the header, the numbers.
class Safetensors {
 public:
  /// Maps the file and checks its whole header.
  /// @throws std::runtime_error naming file and tensor: a file that ends too early, a malformed
  ///   header, offsets outside the file, bytes claimed by two tensors or by none, a shape whose
  ///   product does not match the bytes. An unsupported dtype is refused only when its tensor is
  ///   requested.
  explicit Safetensors(const std::filesystem::path& file);

  /// A tensor of this shape. @throws std::runtime_error naming file, tensor, and its actual shape.
  const Tensor& tensor(const std::string& name, std::span<const std::int64_t> shape) const;
  /// The same for any shape.
  const Tensor& tensor(const std::string& name) const;
  /// Names of all tensors, sorted.
  std::vector<std::string> names() const;
  const std::filesystem::path& file() const { return path_; }

 private:
  /// The header's entry for a tensor; `unread_dtype` is the name of an unsupported dtype.
  struct Entry {
    Tensor tensor;
    std::string unread_dtype;
  };
  [[noreturn]] void fail(const std::string& what) const;
  void read_header();
  void read_entry(const std::string& name, const nlohmann::json& value,
                  std::span<const std::byte> data);
  void check_extents(std::span<const std::byte> data) const;

  std::filesystem::path path_;
  MappedFile mapped_;
  std::map<std::string, Entry> tensors_;
};

/// The numbers of a tensor, starting at element `first`, as floats; the conversion is exact.
void read_floats(const Tensor& tensor, std::int64_t first, std::span<float> to);

/// "[2, 3]".
std::string shape_text(std::span<const std::int64_t> shape);

}  // namespace engine
