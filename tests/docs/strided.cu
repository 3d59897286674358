// SPDX-License-Identifier: MIT
// A warp's strided load.
#include <cstddef>
#include <stdexcept>

#include "gpu/counts.hpp"
#include "gpu/gpu.hpp"
#include "strided.hpp"

namespace {

constexpr int kLanes = 32;

template <class T>
__global__ void load_strided(const T* in, T* out, int stride, int offset) {
  out[threadIdx.x] = in[offset + stride * threadIdx.x];
}

template <class T>
std::uint64_t sectors(int stride, int offset) {
  const gpu::DeviceBuffer<T> in(static_cast<std::size_t>(offset + stride * (kLanes - 1) + 1));
  gpu::DeviceBuffer<T> out(kLanes);
  return gpu::count([&] {
           gpu::launch<load_strided<T>>(1, kLanes, in.data(), out.data(), stride, offset);
         })
      .sectors_loaded;
}

}  // namespace

namespace site_test {

std::uint64_t counted_sectors(int bytes, int stride, int offset) {
  switch (bytes) {
    case 1:
      return sectors<char>(stride, offset);
    case 4:
      return sectors<float>(stride, offset);
    case 8:
      return sectors<double>(stride, offset);
    case 16:
      return sectors<float4>(stride, offset);
    default:
      throw std::invalid_argument("no element has this size");
  }
}

}  // namespace site_test
