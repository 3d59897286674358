// SPDX-License-Identifier: MIT
// What a launch's profile must contain, according to formulas that can be verified by hand.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/profile.hpp"
#include "support/catch.hpp"

namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;

vgpu::Geometry machine(int lanes = 32) {
  vgpu::Geometry geometry;
  geometry.lanes = lanes;
  geometry.multiprocessors = 4;
  geometry.shared_bytes = 228 * 1024;
  geometry.shared_bytes_reserved = 1024;
  geometry.l1_bytes = 256 * 1024;
  geometry.l2_bytes = 1 << 20;
  return geometry;
}

template <class Run>
Launch profile(const Run& run, const vgpu::Geometry& geometry = machine(), int registers = 0) {
  return gpu::profile(geometry, registers, run).launches.back();
}

double global(const Launch& launch, Access access, double Site::*figure) {
  return launch.total(Space::kGlobal, access, figure);
}

double shared(const Launch& launch, Access access, double Site::*figure) {
  return launch.total(Space::kShared, access, figure);
}

__global__ void read_strided(std::int64_t stride, const float* in, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}

Launch strided(std::int64_t stride, const vgpu::Geometry& geometry = machine()) {
  constexpr std::int64_t n = 1024;
  const gpu::DeviceBuffer<float> in(n * stride);
  gpu::DeviceBuffer<float> out(n);
  return profile(
      [&] { gpu::launch<read_strided>(dim3(8), dim3(128), stride, in.data(), out.data()); },
      geometry);
}

}  // namespace

TEST_CASE("sectors of a request grow with the stride until every lane has its own") {
  for (const std::int64_t stride : {1, 2, 4, 8, 16, 64}) {
    const Launch launch = strided(stride);
    CHECK(global(launch, Access::kLoad, &Site::requests) == 1024 / 32);
    CHECK(global(launch, Access::kLoad, &Site::sectors) ==
          32 * std::min<std::int64_t>(32, 4 * stride));
    CHECK(global(launch, Access::kStore, &Site::sectors) == 32 * 4);
  }
}

TEST_CASE("a warp of 64 lanes makes half the requests of twice the sectors") {
  const Launch launch = strided(1, machine(64));
  CHECK(global(launch, Access::kLoad, &Site::requests) == 1024 / 64);
  CHECK(global(launch, Access::kLoad, &Site::sectors) == 16 * 8);
}

namespace {

/// A thread's eight numbers: stored after all have been loaded, each at once, or as their sum.
enum class Stores { kAfter, kAtOnce, kSum };

template <Stores kStores>
__global__ void move_eight(const float* in, float* out) {
  constexpr int kNumbers = 8;
  float numbers[kNumbers];
  float sum = 0;
  for (int k = 0; k < kNumbers; ++k) {
    const float number = in[k * blockDim.x + threadIdx.x];
    numbers[k] = number;
    sum += number;
    if (kStores == Stores::kAtOnce) out[k * blockDim.x + threadIdx.x] = number;
  }
  if (kStores == Stores::kAtOnce) return;
  if (kStores == Stores::kSum) out[threadIdx.x] = sum;
  for (int k = 0; kStores == Stores::kAfter && k < kNumbers; ++k) {
    out[k * blockDim.x + threadIdx.x] = numbers[k];
  }
}

template <Stores kStores>
double held() {
  const gpu::DeviceBuffer<float> in(8 * 64);
  gpu::DeviceBuffer<float> out(8 * 64);
  const Launch launch =
      profile([&] { gpu::launch<move_eight<kStores>>(dim3(1), dim3(64), in.data(), out.data()); });
  double most = 0;
  for (const Site& site : launch.sites) most = std::max(most, site.held);
  return most;
}

}  // namespace

TEST_CASE("loads that are stored only after all of them are held together") {
  CHECK(held<Stores::kAfter>() == 8);
  CHECK(held<Stores::kAtOnce>() == 1);
  CHECK(held<Stores::kSum>() == 0);
}

TEST_CASE("a profile attributes requests to source lines") {
  const Launch launch = strided(4);
  REQUIRE(launch.sites.size() == 2);
  CHECK(launch.sites[0].file == "profiles.cu");
  CHECK(launch.sites[0].line == launch.sites[1].line);
  CHECK(launch.sites[0].sectors_per_request() == 16);
  CHECK(launch.kernel.find("read_strided") != std::string::npos);
  CHECK(launch.blocks() == 8);
  CHECK(launch.blocks_run == 8);
}

namespace {

template <int row>
__global__ void read_columns(float* out) {
  __shared__ float tile[32 * row];
  for (int y = 0; y < 32; ++y) tile[y * row + threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * row];
}

template <int row>
Launch columns() {
  gpu::DeviceBuffer<float> out(32);
  return profile([&] { gpu::launch<read_columns<row>>(dim3(1), dim3(32), out.data()); });
}

}  // namespace

TEST_CASE("a column of a 32 x 32 tile lies in one bank, and a padded one in all") {
  const Launch plain = columns<32>();
  CHECK(shared(plain, Access::kLoad, &Site::wavefronts) == 32);
  CHECK(shared(plain, Access::kLoad, &Site::ideal_wavefronts) == 1);
  CHECK(shared(plain, Access::kStore, &Site::wavefronts) == 32);
  CHECK(shared(plain, Access::kStore, &Site::ideal_wavefronts) == 32);
  CHECK(plain.shared_bytes == 32 * 32 * 4);
  const Launch padded = columns<33>();
  CHECK(shared(padded, Access::kLoad, &Site::wavefronts) == 1);
  CHECK(padded.shared_bytes == (32 * 33 - 1) * 4);  // the last row's padding is never touched
  CHECK(plain.barriers == 1);
}

namespace {

/// Blocks of 128 threads; the first of them touches less shared memory than the others.
__global__ void less_at_first(float* out) {
  __shared__ float values[4096];
  const int count = blockIdx.x == 0 ? 128 : 4096;
  for (int i = threadIdx.x; i < count; i += 128) values[i] = 1;
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = values[threadIdx.x];
}

}  // namespace

TEST_CASE("the block with most shared memory decides on the occupancy") {
  constexpr int kBlocks = 256;
  gpu::DeviceBuffer<float> out(std::int64_t{kBlocks} * 128);
  const Launch launch =
      profile([&] { gpu::launch<less_at_first>(dim3(kBlocks), dim3(128), out.data()); });
  CHECK(launch.shared_bytes == 4096 * 4);
  CHECK(launch.occupancy.blocks == 13);  // 228 KiB / (16 + 1) KiB
  CHECK(launch.occupancy.limiter == vgpu::Limiter::kShared);
}

namespace {

__global__ void wide_shared(float4* out) {
  __shared__ float4 values[64];
  values[threadIdx.x] = float4{1, 2, 3, 4};
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

__global__ void same_word(float* out) {
  __shared__ float value;
  if (threadIdx.x == 0) value = 3;
  __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void count_lanes(int* counter) {
  __shared__ int own;
  if (threadIdx.x == 0) own = 0;
  __syncthreads();
  atomicAdd(&own, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counter, own);
}

}  // namespace

TEST_CASE("16 bytes per lane take four passes, a word for all takes one, updates of it one each") {
  gpu::DeviceBuffer<float4> wide(32);
  const Launch four = profile([&] { gpu::launch<wide_shared>(dim3(1), dim3(32), wide.data()); });
  CHECK(shared(four, Access::kLoad, &Site::requests) == 1);
  CHECK(shared(four, Access::kLoad, &Site::wavefronts) == 4);
  CHECK(shared(four, Access::kLoad, &Site::ideal_wavefronts) == 4);
  gpu::DeviceBuffer<float> out(32);
  const Launch one = profile([&] { gpu::launch<same_word>(dim3(1), dim3(32), out.data()); });
  CHECK(shared(one, Access::kLoad, &Site::wavefronts) == 1);
  gpu::DeviceBuffer<int> counter(1);
  const Launch updates =
      profile([&] { gpu::launch<count_lanes>(dim3(1), dim3(32), counter.data()); });
  CHECK(shared(updates, Access::kAtomic, &Site::wavefronts) == 32);
  CHECK(global(updates, Access::kAtomic, &Site::lanes) == 1);
}

namespace {

/// Lane k loops k + 1 times, and then all store.
__global__ void uneven_loops(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i <= threadIdx.x; ++i) sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void two_branches(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = in[threadIdx.x];
  } else {
    out[threadIdx.x] = in[threadIdx.x + 32];
  }
}

}  // namespace

TEST_CASE("lanes that leave a loop rejoin the others behind it") {
  const gpu::DeviceBuffer<float> in(32 * 32);
  gpu::DeviceBuffer<float> out(32);
  const Launch launch =
      profile([&] { gpu::launch<uneven_loops>(dim3(1), dim3(32), in.data(), out.data()); });
  CHECK(global(launch, Access::kLoad, &Site::requests) == 32);
  CHECK(global(launch, Access::kLoad, &Site::lanes) == 32 * 33 / 2);
  CHECK(global(launch, Access::kStore, &Site::requests) == 1);
  CHECK(global(launch, Access::kStore, &Site::lanes) == 32);
}

TEST_CASE("two branches are two requests of half a warp") {
  const gpu::DeviceBuffer<float> in(64);
  gpu::DeviceBuffer<float> out(32);
  const Launch launch =
      profile([&] { gpu::launch<two_branches>(dim3(1), dim3(32), in.data(), out.data()); });
  CHECK(global(launch, Access::kLoad, &Site::requests) == 2);
  CHECK(global(launch, Access::kStore, &Site::requests) == 2);
  CHECK(global(launch, Access::kStore, &Site::lanes) == 32);
  CHECK(launch.lane_use(machine().lanes) < 1);
}

namespace {

/// With a type of its own for the number, a copy of it is a function.
template <class T>
struct Scale {
  T by;
  __device__ T operator()(const T& x) const { return by * x; }
};

struct Number {
  Number(float number) : value(number) {}
  Number(const Number& other) : value(other.value) {}
  float value;
};
Number operator*(const Number& a, const Number& b) {
  return {a.value * b.value};
}

template <class Operation>
__global__ void apply(Operation operation, const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = operation(in[i]).value;
}

}  // namespace

TEST_CASE("copies of a kernel's arguments are no code") {
  const gpu::DeviceBuffer<float> in(64);
  gpu::DeviceBuffer<float> out(64);
  const Launch launch = profile([&] {
    gpu::launch<apply<Scale<Number>>>(dim3(1), dim3(64), Scale<Number>{2.0f}, in.data(),
                                      out.data());
  });
  CHECK(launch.lane_use(machine().lanes) == 1);
}

namespace {

__global__ void compute(const float* x, const double* y, float* out, double* wide) {
  const int i = threadIdx.x;
  const float a = x[i];
  const double b = y[i];
  out[i] = fmaf(a, a, 1.0f) + a * 1.5f - expf(a) / 3.0f;
  wide[i] = b * b + 1.0;
}

}  // namespace

TEST_CASE("arithmetic is counted by format, from the instructions that ran") {
  const gpu::DeviceBuffer<float> x(32);
  const gpu::DeviceBuffer<double> y(32);
  gpu::DeviceBuffer<float> out(32);
  gpu::DeviceBuffer<double> wide(32);
  const Launch launch = profile([&] {
    gpu::launch<compute>(dim3(1), dim3(32), x.data(), y.data(), out.data(), wide.data());
  });
  const vgpu::Arithmetic& single = launch.arithmetic.at("fp32");
  // A compiler may fuse a * 1.5f with the addition before it.
  CHECK(single.fma + single.multiply == 2 * 32);
  CHECK(single.flops() == 5 * 32);
  CHECK(single.divide == 32);
  CHECK(single.special == 32);
  const vgpu::Arithmetic& wide_work = launch.arithmetic.at("fp64");
  CHECK(wide_work.add + wide_work.fma == 32);
  CHECK(wide_work.flops() == 2 * 32);
  CHECK(launch.flops() == 5 * 32 + 2 * 32);
}

namespace {

__device__ float variable_divisor = 2;

__global__ void divide(const float* x, const double* y, float divisor, float* out, double* wide) {
  const int i = threadIdx.x;
  out[i] = x[i] / 16 - x[i] / -0.25f + x[i] / 12 + x[i] / divisor + x[i] / variable_divisor;
  wide[i] = y[i] / 8;
}

}  // namespace

TEST_CASE("a division by a constant power of two is a multiplication, and no other is") {
  const gpu::DeviceBuffer<float> x(32);
  const gpu::DeviceBuffer<double> y(32);
  gpu::DeviceBuffer<float> out(32);
  gpu::DeviceBuffer<double> wide(32);
  const Launch launch = profile([&] {
    gpu::launch<divide>(dim3(1), dim3(32), x.data(), y.data(), 2.0f, out.data(), wide.data());
  });
  const vgpu::Arithmetic& single = launch.arithmetic.at("fp32");
  CHECK(single.multiply == 2 * 32);
  CHECK(single.divide == 3 * 32);
  CHECK(single.flops() == (2 + 4) * 32);
  CHECK(launch.arithmetic.at("fp64").multiply == 32);
  CHECK(launch.arithmetic.at("fp64").divide == 0);
}

namespace {

/// Without AVX-512, an x86 processor converts an unsigned number with branches that are not in the
/// source.
__global__ void scale_counts(const std::uint64_t* counts, const __half* halves, float* out) {
  const int i = threadIdx.x;
  out[i] = (static_cast<float>(counts[i]) * 1.5f - 1.0f) * 0.5f + __half2float(halves[i]);
}

}  // namespace

TEST_CASE("arithmetic after a conversion is counted, the conversion, and nothing of its own") {
  gpu::DeviceBuffer<std::uint64_t> counts(32);
  gpu::DeviceBuffer<__half> halves(32);
  gpu::DeviceBuffer<float> out(32);
  gpu::copy_to_device(counts, std::vector<std::uint64_t>(32, 3));
  gpu::copy_to_device(halves,
                      std::vector<__half>(32, 1e-6f));  // below 2^-14: conversion takes arithmetic
  const Launch launch = profile([&] {
    gpu::launch<scale_counts>(dim3(1), dim3(32), counts.data(), halves.data(), out.data());
  });
  REQUIRE(launch.arithmetic.size() == 2);
  CHECK(launch.arithmetic.at("fp32").multiply == 2 * 32);
  CHECK(launch.arithmetic.at("fp32").flops() == 4 * 32);
  CHECK(launch.arithmetic.at("fp32").convert == 32);
  CHECK(launch.arithmetic.at("fp16").convert == 32);
  CHECK(launch.arithmetic.at("fp16").flops() == 0);
}

namespace {

/// On halves: a packed multiply-add, a packed sum, and one on a single number; and on bfloat16.
__global__ void half_arithmetic(const __half2* pairs, __half2* out, __nv_bfloat16* other) {
  const int i = threadIdx.x;
  const __half2 pair = pairs[i];
  __half2 result = __hfma2(__hadd2(pair, pair), pair, pair);
  result.x = result.x * pair.y;
  out[i] = result;
  other[i] = __hfma(other[i], other[i], other[i]);
}

__global__ void convert_pairs(const float2* in, __half2* out, float* sums) {
  const int i = threadIdx.x;
  const float2 pair = in[i];
  const __half2 rounded = __floats2half2_rn(pair.x, pair.y);
  out[i] = rounded;
  const float2 back = __half22float2(rounded);
  sums[i] = back.x + static_cast<float>(i);
}

}  // namespace

TEST_CASE("packed FP16 is two numbers and one instruction") {
  const gpu::DeviceBuffer<__half2> pairs(32);
  gpu::DeviceBuffer<__half2> out(32);
  gpu::DeviceBuffer<__nv_bfloat16> other(32);
  const Launch launch = profile([&] {
    gpu::launch<half_arithmetic>(dim3(1), dim3(32), pairs.data(), out.data(), other.data());
  });
  REQUIRE(launch.arithmetic.size() == 2);
  const vgpu::Arithmetic& halves = launch.arithmetic.at("fp16");
  CHECK(halves.fma == 2 * 32);
  CHECK(halves.add == 2 * 32);
  CHECK(halves.multiply == 32);
  CHECK(halves.packed == 2 * 32);  // instructions, of three kinds
  CHECK(halves.convert == 0);
  CHECK(halves.flops() == (2 * 2 + 2 + 1) * 32);
  CHECK(launch.arithmetic.at("bf16").fma == 32);
  CHECK(launch.arithmetic.at("bf16").packed == 0);
}

TEST_CASE("a pair is rounded by one instruction, and widened by two") {
  const gpu::DeviceBuffer<float2> in(32);
  gpu::DeviceBuffer<__half2> out(32);
  gpu::DeviceBuffer<float> sums(32);
  const Launch launch = profile(
      [&] { gpu::launch<convert_pairs>(dim3(1), dim3(32), in.data(), out.data(), sums.data()); });
  CHECK(launch.arithmetic.at("fp32").convert == 2 * 32);  // the pair, and the index
  CHECK(launch.arithmetic.at("fp16").convert == 2 * 32);
  CHECK(launch.flops() == 32);
}

namespace {

__global__ void read_much(std::int64_t each, const float* in, float* out) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  float sum = 0;
  for (std::int64_t i = 0; i < each; ++i) sum += in[(i * threads + thread) % 100000];
  out[thread] = sum;
}

}  // namespace

TEST_CASE("a sample of whole waves gives the same figures as all of them") {
  // 4 multiprocessors with 8 blocks each: 512 blocks are 16 waves. Each thread reads `each`
  // numbers.
  const std::int64_t each = 40;
  const auto run = [&](double most_accesses) {
    const gpu::DeviceBuffer<float> in(100000);
    gpu::DeviceBuffer<float> out(512 * 256);
    const auto launches = [&] {
      gpu::launch<read_much>(dim3(512), dim3(256), each, in.data(), out.data());
    };
    return gpu::profile(machine(), 0, launches, most_accesses).launches.back();
  };
  const Launch all = run(gpu::kMostAccesses);
  CHECK(all.blocks_run == 512);
  CHECK(all.sample_error == 0);
  const Launch sample = run(512 * 256 * each / 3);
  CHECK(sample.blocks_run < 512);
  CHECK(sample.blocks_run % 32 == 0);
  CHECK(sample.sample_error < 0.02);
  CHECK(all.l1_load_sectors == Approx(512 * 8 * each * 4).epsilon(0.001));
  CHECK(sample.l1_load_sectors == Approx(all.l1_load_sectors).epsilon(0.001));
  CHECK(sample.l2_read_sectors == Approx(all.l2_read_sectors).epsilon(0.05));
  for (const Launch* launch : {&all, &sample}) {
    CHECK(global(*launch, Access::kLoad, &Site::requests) == 512 * 8 * each);
  }
}

TEST_CASE("a profile is the same each time, and survives being written") {
  const Launch once = strided(4);
  const Launch again = strided(4);
  const std::string text = vgpu::to_json(vgpu::Profile{machine(), {once}});
  CHECK(text == vgpu::to_json(vgpu::Profile{machine(), {again}}));
  CHECK(vgpu::to_json(vgpu::profile_from_json(text)) == text);
  CHECK_THROWS_WITH(vgpu::profile_from_json("{}"), Catch::Contains("not a profile"));
  CHECK_THROWS_WITH(vgpu::profile_from_json("what"), Catch::Contains("not a profile"));
}

TEST_CASE("a kernel that leaves its buffer is stopped, as when it is checked") {
  gpu::DeviceBuffer<float> out(32);
  const gpu::DeviceBuffer<float> in(8);
  CHECK_THROWS_WITH(profile([&] {
                      gpu::launch<read_strided>(dim3(1), dim3(32), std::int64_t{1}, in.data(),
                                                out.data());
                    }),
                    Catch::Contains("access outside of a buffer"));
}

TEST_CASE("a kernel that is profiled asks the virtual GPU how large it is") {
  const int here = gpu::current_device().multiprocessors;
  gpu::DeviceBuffer<float> out(1024);
  const gpu::DeviceBuffer<float> in(1024);
  const Launch launch = profile([&] {
    gpu::launch<read_strided>(dim3(2 * gpu::current_device().multiprocessors), dim3(128),
                              std::int64_t{1}, in.data(), out.data());
  });
  CHECK(launch.blocks() == 2 * 4);
  CHECK(gpu::current_device().multiprocessors == here);
}

TEST_CASE("the host does none of the work that is profiled") {
  constexpr std::size_t kMost = 1024;  // floats in 4096 bytes
  gpu::DeviceBuffer<float> out(32);
  const gpu::DeviceBuffer<float> in(kMost + 1);
  std::vector<float> host(in.size(), 1);
  const auto copying = [&](std::size_t count) {
    return profile([&] {
      gpu::launch<read_strided>(dim3(1), dim3(32), std::int64_t{1}, in.data(), out.data());
      gpu::copy_to_host(std::span(host).first(count), in.span().subspan(0, count));
    });
  };
  CHECK_NOTHROW(copying(kMost));
  CHECK_NOTHROW(copying(kMost));  // of each profile
  CHECK_THROWS_WITH(copying(kMost + 1), Catch::Contains("the kernel has to do the work"));
  CHECK(host.back() == 1);  // nothing was copied
}

__constant__ float most_constants[8192], more_constants[8193];

__global__ void read_constants(bool more, float* out) {
  out[threadIdx.x] = more ? more_constants[threadIdx.x] : most_constants[threadIdx.x];
}

TEST_CASE("__constant__ variables are not device memory as far as a GPU has space for them") {
  static const float some[8192] = {}, many[8193] = {};
  for (int twice = 0; twice < 2; ++twice) gpu::set_constant(most_constants, some);
  gpu::set_constant(more_constants, many);
  gpu::DeviceBuffer<float> out(32);
  for (const bool more : {false, true}) {
    const Launch launch =
        profile([&] { gpu::launch<read_constants>(dim3(1), dim3(32), more, out.data()); });
    CHECK(global(launch, Access::kLoad, &Site::requests) == (more ? 1 : 0));
  }
}
