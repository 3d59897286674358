// SPDX-License-Identifier: MIT
// A fourth machine for roofline.cu (ROOFLINE_MACHINE): a GPU's geometry, with numbers that count
// the operations done on them. Included in the namespace of the code that counts; see
// roofline_counted.cu.
#pragma once

#define BODY inline
#define UNROLL

/// What a thread loads in one instruction: 16 bytes.
struct Pack {
  gpu::Counting<float> v[4];
};
BODY Pack splat(float value) {
  return {{value, value, value, value}};
}
/// a*x + b in every element.
BODY Pack multiply_add(const Pack& a, const Pack& x, const Pack& b) {
  return {{fma(a.v[0], x.v[0], b.v[0]), fma(a.v[1], x.v[1], b.v[1]), fma(a.v[2], x.v[2], b.v[2]),
           fma(a.v[3], x.v[3], b.v[3])}};
}

constexpr int kThreads = 256;
constexpr int kSaxpyPacks = 1;
constexpr int kFmaPacks = 4;
constexpr int kFmaSteps = 16;

template <class Body>
__global__ void run_group(std::int64_t groups, Body body) {
  const std::int64_t group = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (group < groups) body(group);
}
template <class Body>
void for_each_group(std::int64_t groups, const Body& body) {
  gpu::launch<run_group<Body>>(gpu::blocks_for(groups, kThreads), kThreads, groups, body);
}

// The rest of the interface that roofline.cu expects from a machine. Counting does not run it.
template <class Work>
double seconds_of(const Work& work) {
  work();
  return 0;
}
class Array {
 public:
  explicit Array(std::int64_t n) : buffer_(static_cast<std::size_t>(n)), data_(buffer_.data()) {}
  float* data() const { return data_; }

 private:
  gpu::DeviceBuffer<float> buffer_;
  float* data_;
};
inline void copy_from_device(float* host, const float* device, std::int64_t n) {
  std::copy_n(device, n, host);
}
inline double free_bytes() {
  return 0;
}
inline std::string device_name() {
  return "numbers that count";
}
