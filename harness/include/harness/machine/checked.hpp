// SPDX-License-Identifier: MIT
// The machine of roofline.cu (ROOFLINE_MACHINE) where its kernels are checked, counted or profiled:
// a GPU's geometry, and launches in the course's kernel language. ROOFLINE_NUMBER is the type of
// the numbers. If a program has several such files, each of them forgets the macros at its end, and
// gets them again: only the rest is guarded.
#undef BODY
#undef UNROLL
#define BODY inline
#define UNROLL

#ifndef HARNESS_CHECKED_MACHINE
#define HARNESS_CHECKED_MACHINE
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "gpu/gpu.hpp"

#ifndef ROOFLINE_NUMBER
#define ROOFLINE_NUMBER float
#endif

/// What a thread loads in one instruction: 16 bytes. It can do what packs can on a GPU, and what
/// the compiler's vectors can on a CPU.
struct alignas(16) Pack {
  ROOFLINE_NUMBER v[4];

  ROOFLINE_NUMBER& operator[](int k) { return v[k]; }
  const ROOFLINE_NUMBER& operator[](int k) const { return v[k]; }
};
BODY Pack splat(float value) {
  return {{value, value, value, value}};
}
BODY Pack operator+(const Pack& a, const Pack& b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
BODY Pack operator-(const Pack& a, const Pack& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
BODY Pack operator*(const Pack& a, const Pack& b) {
  return {{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
BODY Pack operator*(float a, const Pack& b) {
  return splat(a) * b;
}
/// a*x + b in every element.
BODY Pack multiply_add(const Pack& a, const Pack& x, const Pack& b) {
  using std::fma;
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
  if (groups == 0) return;
  gpu::launch<run_group<Body>>(gpu::blocks_for(groups, kThreads), kThreads, groups, body);
}

// The rest of the interface that roofline.cu expects from a machine. Its functions that are judged
// do not use it.
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
  return "checked kernels";
}
#endif  // HARNESS_CHECKED_MACHINE
