// SPDX-License-Identifier: MIT
// The header of a safetensors file and the numbers after it.
#include "engine/weights/safetensors.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/descriptor.hpp"

namespace engine {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
/// The limit of the format's own library: a longer header is an attack or an accident.
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr std::int64_t kMostElements = std::int64_t{1} << 48;

/// Bytes per number of each dtype that the format defines; 0 for an unknown name.
std::size_t bytes_of_name(std::string_view name) {
  static const std::map<std::string_view, std::size_t> kSizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
      {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8}};
  const auto found = kSizes.find(name);
  return found == kSizes.end() ? 0 : found->second;
}

std::optional<Dtype> dtype_named(std::string_view name) {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF16, Dtype::kBf16, Dtype::kI8, Dtype::kU8}) {
    if (name_of(dtype) == name) return dtype;
  }
  return {};
}

/// Product of a shape; -1 if a dimension is negative or the product is too large for a file.
std::int64_t product(std::span<const std::int64_t> shape) {
  std::int64_t all = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || (size > 0 && all > kMostElements / size)) return -1;
    all *= size;
  }
  return all;
}

}  // namespace

std::size_t bytes_of(Dtype dtype) {
  return bytes_of_name(name_of(dtype));
}

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32:
      return "F32";
    case Dtype::kF16:
      return "F16";
    case Dtype::kBf16:
      return "BF16";
    case Dtype::kI8:
      return "I8";
    default:
      return "U8";
  }
}

std::int64_t Tensor::elements() const {
  return product(shape);
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

MappedFile::MappedFile(const std::filesystem::path& file) {
  const base::Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!descriptor || fstat(descriptor.get(), &status) != 0) {
    throw std::runtime_error(file.string() + " cannot be read: " + std::strerror(errno));
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;  // nothing can be mapped
  void* const memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (memory == MAP_FAILED) {
    throw std::runtime_error(file.string() + " cannot be mapped: " + std::strerror(errno));
  }
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

Safetensors::Safetensors(const std::filesystem::path& file) : path_(file), mapped_(file) {
  read_header();
}

void Safetensors::fail(const std::string& what) const {
  throw std::runtime_error(path_.string() + ": " + what);
}

void Safetensors::read_header() {
  static_assert(std::endian::native == std::endian::little);
  const std::span<const std::byte> all = mapped_.bytes();
  std::uint64_t length = 0;
  if (all.size() < kLengthBytes) {
    fail(
        "is truncated: a safetensors file begins with 8 bytes for the length of its header, and "
        "this one has " +
        std::to_string(all.size()));
  }
  std::memcpy(&length, all.data(), kLengthBytes);
  if (length > kLongestHeader) fail("is not a safetensors file: its header would be too long");
  if (length > all.size() - kLengthBytes) {
    fail("is truncated: the header has " + std::to_string(length) + " bytes, and " +
         std::to_string(all.size() - kLengthBytes) + " are there");
  }
  const auto* text = reinterpret_cast<const char*>(all.data() + kLengthBytes);
  const json header = json::parse(text, text + length, nullptr, false);
  if (!header.is_object()) fail("is not a safetensors file: its header is not a JSON object");
  const std::span<const std::byte> data = all.subspan(kLengthBytes + length);
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") read_entry(name, value, data);
  }
  check_extents(data);
}

/// One entry of the header: a tensor's dtype, shape, and the position of its numbers.
void Safetensors::read_entry(const std::string& name, const json& value,
                             std::span<const std::byte> data) {
  const std::string what = "tensor " + name + " ";
  Entry entry;
  std::string dtype;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  try {
    dtype = value.at("dtype").get<std::string>();
    entry.tensor.shape = value.at("shape").get<std::vector<std::int64_t>>();
    const json& offsets = value.at("data_offsets");
    if (offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      fail(what + "has data_offsets that are not two numbers");
    }
    begin = offsets[0].get<std::uint64_t>();
    end = offsets[1].get<std::uint64_t>();
  } catch (const json::exception&) {
    fail(what + "lacks dtype, shape or data_offsets, or has one of another type");
  }
  const std::size_t bytes = bytes_of_name(dtype);
  if (bytes == 0) fail(what + "has the unknown dtype " + dtype);
  if (const auto known = dtype_named(dtype)) {
    entry.tensor.dtype = *known;
  } else {
    entry.unread_dtype = dtype;
  }
  if (begin > end || end > data.size()) {
    fail(what + "is outside the file: bytes " + std::to_string(begin) + " to " +
         std::to_string(end) + " of " + std::to_string(data.size()) +
         "; was it copied completely?");
  }
  const std::int64_t elements = product(entry.tensor.shape);
  if (elements < 0 || static_cast<std::uint64_t>(elements) * bytes != end - begin) {
    fail(what + "has shape " + shape_text(entry.tensor.shape) + " in " + dtype + ", but " +
         std::to_string(end - begin) + " bytes");
  }
  entry.tensor.bytes = data.subspan(begin, end - begin);
  tensors_.emplace(name, std::move(entry));
}

/// The format leaves no gaps: bytes that no tensor claims were written by something else.
void Safetensors::check_extents(std::span<const std::byte> data) const {
  struct Extent {
    std::size_t begin;
    std::size_t end;
    const std::string* name;
  };
  std::vector<Extent> extents;
  for (const auto& [name, entry] : tensors_) {
    const auto begin = static_cast<std::size_t>(entry.tensor.bytes.data() - data.data());
    extents.push_back({begin, begin + entry.tensor.bytes.size(), &name});
  }
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  const auto require_none = [&](std::size_t begin, std::size_t end) {
    if (begin == end) return;
    fail("bytes " + std::to_string(begin) + " to " + std::to_string(end) + " belong to no tensor");
  };
  std::size_t at = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].begin < at) {
      fail("tensors " + *extents[i - 1].name + " and " + *extents[i].name + " overlap at byte " +
           std::to_string(extents[i].begin));
    }
    require_none(at, extents[i].begin);
    at = extents[i].end;
  }
  require_none(at, data.size());
}

const Tensor& Safetensors::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    throw std::runtime_error(path_.string() + ": tensor " + name +
                             " is missing; is it of this config.json's model?");
  }
  const auto& [tensor, unread_dtype] = found->second;
  if (!unread_dtype.empty()) {
    throw std::runtime_error(path_.string() + ": tensor " + name + " has dtype " + unread_dtype +
                             "; F32, F16, BF16, I8 and U8 are read");
  }
  return tensor;
}

const Tensor& Safetensors::tensor(const std::string& name,
                                  std::span<const std::int64_t> shape) const {
  const Tensor& tensor = this->tensor(name);
  if (!std::equal(shape.begin(), shape.end(), tensor.shape.begin(), tensor.shape.end())) {
    throw std::runtime_error(path_.string() + ": tensor " + name + " has shape " +
                             shape_text(tensor.shape) + ", and config.json says " +
                             shape_text(shape));
  }
  return tensor;
}

std::vector<std::string> Safetensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : tensors_) names.push_back(name);
  return names;
}

}  // namespace engine
