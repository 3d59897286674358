// SPDX-License-Identifier: MIT
// The numbers of a tensor as floats. It is a kernel file, because there every backend can convert
// halves.
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/weights/safetensors.hpp"
#include "gpu/kernel.hpp"

namespace engine {
namespace {

template <class T>
T number_at(const Tensor& tensor, std::int64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + static_cast<std::size_t>(index) * sizeof value,
              sizeof value);
  return value;
}

}  // namespace

void read_floats(const Tensor& tensor, std::int64_t first, std::span<float> to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int64_t index = first + static_cast<std::int64_t>(i);
    switch (tensor.dtype) {
      case Dtype::kF32:
        to[i] = number_at<float>(tensor, index);
        break;
      case Dtype::kF16:
        to[i] = __half2float(number_at<__half>(tensor, index));
        break;
      case Dtype::kBf16:
        to[i] = __bfloat162float(number_at<__nv_bfloat16>(tensor, index));
        break;
      case Dtype::kI8:
        to[i] = static_cast<float>(number_at<std::int8_t>(tensor, index));
        break;
      case Dtype::kU8:
        to[i] = static_cast<float>(number_at<std::uint8_t>(tensor, index));
        break;
    }
  }
}

}  // namespace engine
