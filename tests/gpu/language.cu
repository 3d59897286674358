// SPDX-License-Identifier: MIT
// Every feature of the kernel language, each kernel against a sequential oracle in double
// precision.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "gpu/gpu.hpp"
#include "support/catch.hpp"

namespace {

// The warp width of the device in use; launches on the CPU may choose another.
int warp_width() {
  return gpu::current_device().warp_width;
}

std::vector<int> iota(int n, int start = 0) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), start);
  return values;
}

}  // namespace

__device__ int linear_thread() {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__global__ void visit(int* visits, int4* places) {
  const int i = linear_thread();
  atomicAdd(&visits[i], 1);
  places[i] = make_int4(threadIdx.x, threadIdx.y, threadIdx.z,
                        blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z);
}

TEST_CASE("grids and blocks in three dimensions run every thread once") {
  const dim3 grid(3, 4, 2), block(5, 3, 7);
  const int threads = 24 * 105;
  gpu::DeviceBuffer<int> visits(threads);
  gpu::DeviceBuffer<int4> places(threads);
  gpu::fill_bytes(visits, 0);
  gpu::launch<visit>(grid, block, visits.data(), places.data());
  REQUIRE(gpu::to_host(visits) == std::vector<int>(threads, 1));
  const auto host = gpu::to_host(places);
  for (int i = 0; i < threads; ++i) {
    const int t = i % 105, b = i / 105;
    REQUIRE(host[i].x == t % 5);
    REQUIRE(host[i].y == t / 5 % 3);
    REQUIRE(host[i].z == t / 15);
    REQUIRE(host[i].w == b % 3 + 10 * (b / 3 % 4) + 100 * (b / 12));
  }
}

__global__ void prefix_sum(int* values) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int from = 0;
  tile[0][t] = values[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int step = 1; step < static_cast<int>(blockDim.x); step *= 2) {
    tile[1 - from][t] = tile[from][t] + (t >= step ? tile[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  values[blockIdx.x * blockDim.x + t] = tile[from][t];
}

TEST_CASE("barriers separate the steps of a prefix sum in each block") {
  for (const int block : {1, 2, 31, 32, 33, 100, 128}) {
    const int blocks = 7;
    const auto input = iota(block * blocks, 3);
    auto device = gpu::to_device(input);
    gpu::launch<prefix_sum>(blocks, block, device.data());
    const auto output = gpu::to_host(device);
    for (int b = 0; b < blocks; ++b) {
      int sum = 0;
      for (int t = 0; t < block; ++t)
        REQUIRE(output[b * block + t] == (sum += input[b * block + t]));
    }
  }
}

__global__ void count_matches(int limit, int* counts) {
  const int t = threadIdx.x;
  const int matching = __syncthreads_count(t < limit);
  const int any = __syncthreads_or(t < limit);
  const int all = __syncthreads_and(t < limit);
  counts[t] = matching * 4 + (any != 0 ? 2 : 0) + (all != 0 ? 1 : 0);
}

TEST_CASE("a barrier can count, or and and") {
  for (const int limit : {0, 1, 50, 95, 96}) {
    gpu::DeviceBuffer<int> counts(96);
    gpu::launch<count_matches>(1, 96, limit, counts.data());
    const int expected = limit * 4 + (limit > 0 ? 2 : 0) + (limit == 96 ? 1 : 0);
    REQUIRE(gpu::to_host(counts) == std::vector<int>(96, expected));
  }
}

__global__ void dynamic_reverse(int n, const double* in, double* out) {
  double* tile = gpu::dynamic_shared<double>();
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}

TEST_CASE("dynamic shared memory has the size that the launch asked for") {
  for (const int n : {1, 33, 1024}) {
    std::vector<double> input(n);
    std::iota(input.begin(), input.end(), 0.5);
    const auto device = gpu::to_device(input);
    gpu::DeviceBuffer<double> output(n);
    gpu::launch<dynamic_reverse>(
        {.grid = 1, .block = static_cast<unsigned>(n), .shared_bytes = n * sizeof(double)}, n,
        device.data(), output.data());
    std::ranges::reverse(input);
    REQUIRE(gpu::to_host(output) == input);
  }
}

// 96 KiB: more than any launch gets without opting in.
__global__ void large_shared(int words, unsigned* sum) {
  unsigned* tile = gpu::dynamic_shared<unsigned>();
  for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = i;
  __syncthreads();
  unsigned own = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) own += tile[words - 1 - i];
  atomicAdd(sum, own);
}

TEST_CASE("a launch can ask for all the shared memory that the device has") {
  const std::size_t bytes =
      std::min<std::size_t>(gpu::current_device().shared_bytes_per_block_optin, 96 * 1024);
  const unsigned words = bytes / sizeof(unsigned);
  auto sum = gpu::to_device(std::vector<unsigned>{0});
  gpu::launch<large_shared>({.grid = 1, .block = 256, .shared_bytes = bytes},
                            static_cast<int>(words), sum.data());
  REQUIRE(gpu::to_host(sum)[0] == static_cast<unsigned>(std::uint64_t{words} * (words - 1) / 2));
}

__global__ void shuffles(const int* in, int* down, int* up, int* xored, int* broadcast, int width) {
  const int t = threadIdx.x;
  const int value = in[t];
  down[t] = __shfl_down_sync(gpu::kFullMask, value, 3, width);
  up[t] = __shfl_up_sync(gpu::kFullMask, value, 2, width);
  xored[t] = __shfl_xor_sync(gpu::kFullMask, value, 1, width);
  broadcast[t] = __shfl_sync(gpu::kFullMask, value, 1, width);
}

TEST_CASE("shuffles move values between the lanes of a segment") {
  for (const int width : {2, 8, 16, warp_width()}) {
    const int n = 2 * warp_width();
    const auto in = iota(n, 100);
    const auto device = gpu::to_device(in);
    gpu::DeviceBuffer<int> down(n), up(n), xored(n), broadcast(n);
    gpu::launch<shuffles>(1, n, device.data(), down.data(), up.data(), xored.data(),
                          broadcast.data(), width);
    const auto host_down = gpu::to_host(down), host_up = gpu::to_host(up),
               host_xor = gpu::to_host(xored), host_broadcast = gpu::to_host(broadcast);
    for (int t = 0; t < n; ++t) {
      CAPTURE(width, t);
      const int place = t % width, first = t - place;
      REQUIRE(host_down[t] == in[place + 3 < width ? t + 3 : t]);
      REQUIRE(host_up[t] == in[place >= 2 ? t - 2 : t]);
      REQUIRE(host_xor[t] == in[t ^ 1]);
      REQUIRE(host_broadcast[t] == in[first + 1]);
    }
  }
}

__global__ void warp_sums(const double* in, double* sums) {
  double value = in[threadIdx.x];
  for (int delta = warpSize / 2; delta > 0; delta /= 2) {
    value += __shfl_down_sync(gpu::kFullMask, value, delta);
  }
  if (threadIdx.x % warpSize == 0) sums[threadIdx.x / warpSize] = value;
}

TEST_CASE("a warp sums with shuffles, whatever its width") {
  const int n = 256;
  std::vector<double> in(n);
  for (int i = 0; i < n; ++i) in[i] = 1.0 / (i + 1);
  const auto device = gpu::to_device(in);
  std::vector<int> widths{0};
  if (!gpu::Features::kIsGpu) widths = {32, 64};
  for (const int chosen : widths) {
    const int width = chosen == 0 ? warp_width() : chosen;
    gpu::DeviceBuffer<double> sums(n / width);
    gpu::launch<warp_sums>({.grid = 1, .block = n, .warp_width = chosen}, device.data(),
                           sums.data());
    const auto host = gpu::to_host(sums);
    for (int w = 0; w < n / width; ++w) {
      REQUIRE(host[w] == Approx(std::accumulate(&in[w * width], &in[w * width] + width, 0.0)));
    }
  }
}

__global__ void votes(int modulus, int* results) {
  const int t = threadIdx.x;
  const bool mine = t % modulus == 0;
  const int count = gpu::lane_count(__ballot_sync(gpu::kFullMask, mine));
  const int any = __any_sync(gpu::kFullMask, mine), all = __all_sync(gpu::kFullMask, mine);
  const int live = gpu::lane_count(__activemask());
  __syncwarp();
  results[t] = count + 100 * (any != 0) + 200 * (all != 0) + 1000 * live;
}

__global__ void sums_of_who_is_left(int n, const int* in, int* sums, int* neighbours) {
  const int t = static_cast<int>(threadIdx.x);
  if (t >= n) return;
  const gpu::LaneMask mask = __activemask();  // before any barrier, and some lanes have left
  int sum = 0;
  for (int first = 0; first < n; ++first) sum += __shfl_sync(mask, in[t], (t + first) % n);
  sums[t] = sum;
  neighbours[t] = 0;
  if (t % 2 == 0) neighbours[t] = gpu::lane_count(__activemask());
}

TEST_CASE("the active mask has the lanes that are left, and in a branch those that took it") {
  for (const int n : {1, 2, 5, 31, 32}) {
    const auto in = gpu::to_device(iota(n, 1));
    gpu::DeviceBuffer<int> sums(n), neighbours(n);
    gpu::launch<sums_of_who_is_left>(1, 32, n, in.data(), sums.data(), neighbours.data());
    REQUIRE(gpu::to_host(sums) == std::vector<int>(n, n * (n + 1) / 2));
    if (gpu::Features::kIsGpu) continue;  // a GPU may run the short branch for all lanes
    const auto host = gpu::to_host(neighbours);
    for (int t = 0; t < n; ++t) REQUIRE(host[t] == (t % 2 == 0 ? (n + 1) / 2 : 0));
  }
}

TEST_CASE("votes count the lanes of a warp") {
  const int width = warp_width();
  for (const int modulus : {1, 2, 5, 1000}) {
    gpu::DeviceBuffer<int> results(2 * width);
    gpu::launch<votes>(1, 2 * width, modulus, results.data());
    const auto host = gpu::to_host(results);
    for (int t = 0; t < 2 * width; ++t) {
      const int first = t / width * width;
      int count = 0;
      for (int lane = first; lane < first + width; ++lane) count += lane % modulus == 0 ? 1 : 0;
      const int expected = count + 100 * (count > 0) + 200 * (count == width) + 1000 * width;
      REQUIRE(host[t] == expected);
    }
  }
}

struct Atomics {
  int sum, low, high, bits, exchanged;
  unsigned count, swapped;
  float float_sum;
  double double_sum;
};

__global__ void atomics(Atomics* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&a->sum, i);
  atomicMin(&a->low, -i);
  atomicMax(&a->high, i);
  atomicOr(&a->bits, 1 << (i % 20));
  atomicAdd(&a->count, 1u);
  atomicAdd(&a->float_sum, 0.5f);
  atomicAdd(&a->double_sum, 0.25);
  if (i == 7) atomicExch(&a->exchanged, 1234);
  atomicCAS(&a->swapped, 0u, static_cast<unsigned>(i + 1));
}

TEST_CASE("atomics lose nothing") {
  auto device = gpu::to_device(std::vector<Atomics>(1, Atomics{}));
  gpu::launch<atomics>(32, 128, device.data());
  const Atomics a = gpu::to_host(device)[0];
  const int n = 32 * 128;
  REQUIRE(a.sum == n * (n - 1) / 2);
  REQUIRE(a.low == -(n - 1));
  REQUIRE(a.high == n - 1);
  REQUIRE(a.bits == (1 << 20) - 1);
  REQUIRE(a.count == static_cast<unsigned>(n));
  REQUIRE(a.float_sum == 0.5f * n);
  REQUIRE(a.double_sum == 0.25 * n);
  REQUIRE(a.exchanged == 1234);
  REQUIRE(a.swapped >= 1);
  REQUIRE(a.swapped <= static_cast<unsigned>(n));
}

__global__ void scale4(int n, const float4* __restrict__ in, float4* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = __ldg(&in[i]);
  v.x *= 2;
  v.y *= 3;
  v.z *= 4;
  v.w *= 5;
  out[i] = v;
}

TEST_CASE("float4 moves four floats at once") {
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12 &&
                alignof(float2) == 8 && alignof(double2) == 16);
  const int n = 1001;
  std::vector<float4> in(n);
  for (int i = 0; i < n; ++i) in[i] = make_float4(i, i + 1, i + 2, i + 3);
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<float4> out(n);
  gpu::launch<scale4>(gpu::blocks_for(n, 128), 128, n, device.data(), out.data());
  const auto host = gpu::to_host(out);
  for (int i = 0; i < n; ++i) {
    REQUIRE(host[i].x == 2.0f * in[i].x);
    REQUIRE(host[i].y == 3.0f * in[i].y);
    REQUIRE(host[i].z == 4.0f * in[i].z);
    REQUIRE(host[i].w == 5.0f * in[i].w);
  }
}

__constant__ float coefficients[4] = {0, 0, 0, 0};

__global__ void polynomial(const float* x, float* y) {
  const int i = threadIdx.x;
  float value = 0;
#pragma unroll
  for (int k = 3; k >= 0; --k) value = fmaf(value, x[i], coefficients[k]);
  y[i] = value;
}

__global__ void store_streaming(int n, const float4* in, float4* out, float* single) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  __stcs(out + i, in[i]);
  __stcs(single + i, in[i].y);
}

TEST_CASE("a streaming store stores") {
  constexpr int n = 1000;
  std::vector<float> host(4 * n);
  for (int i = 0; i < 4 * n; ++i) host[i] = static_cast<float>(i);
  const auto in = gpu::to_device(host);
  gpu::DeviceBuffer<float> out(4 * n);
  gpu::DeviceBuffer<float> single(n);
  gpu::launch<store_streaming>(gpu::blocks_for(n, 256), 256, n,
                               reinterpret_cast<const float4*>(in.data()),
                               reinterpret_cast<float4*>(out.data()), single.data());
  REQUIRE(gpu::to_host(out) == host);
  const std::vector<float> ys = gpu::to_host(single);
  for (int i = 0; i < n; ++i) REQUIRE(ys[i] == host[4 * i + 1]);
}

TEST_CASE("constant memory is filled from the host") {
  const float values[4] = {1, -2, 0.5f, 3};
  gpu::set_constant(coefficients, values);
  const std::vector<float> x{-1, 0, 0.5f, 2};
  const auto device = gpu::to_device(x);
  gpu::DeviceBuffer<float> y(4);
  gpu::launch<polynomial>(1, 4, device.data(), y.data());
  const auto host = gpu::to_host(y);
  for (int i = 0; i < 4; ++i) {
    const double t = x[i];
    REQUIRE(host[i] == Approx(1 - 2 * t + 0.5 * t * t + 3 * t * t * t));
  }
}

__global__ void round_to_half(int n, const float* in, unsigned short* bits, float* back,
                              float* products) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half value = __low2half(__float2half2_rn(in[i]));
  // Not memcpy: nvcc 13.0 has been seen to change the low byte when copying a __half that way.
  bits[i] = __half_as_ushort(value);
  back[i] = __half2float(value);
  products[i] = __half2float(__hfma(value, value, __float2half(1.0f)));
}

__global__ void round_to_bfloat16(int n, const float* in, float* back, float* products) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 value = __float2bfloat16(in[i]);
  back[i] = __bfloat162float(value);
  products[i] = __bfloat162float(value * value + value);
}

#ifndef __HIP_PLATFORM_AMD__  // HIP 5.2 has no pairs of bfloat16
__global__ void take_pairs_apart(const float* in, float* out) {
  const __nv_bfloat162 pair = __halves2bfloat162(__float2bfloat16(in[0]), __float2bfloat16(in[1]));
  out[0] = __low2float(pair);
  out[1] = __high2float(pair);
  out[2] = __bfloat162float(__low2bfloat16(pair));
  out[3] = __bfloat162float(__high2bfloat16(pair));
  const __nv_bfloat162 sums =
      __hadd2(__float2bfloat162_rn(in[0]), __bfloat162bfloat162(__float2bfloat16(in[1])));
  out[4] = __low2float(sums);
  out[5] = __bfloat1622float2(sums).y;
  const __half2 halves = __floats2half2_rn(in[0], in[1]);
  out[6] = __low2float(halves);
  out[7] = __high2float(halves);
}
#endif

namespace {

// Rounds to `digits` binary digits, ties to even, with smallest normal exponent `lowest`.
double round_to(double x, int digits, int lowest) {
  if (x == 0) return x;
  const int exponent = std::max(std::ilogb(x), lowest);
  const double step = std::ldexp(1.0, exponent - digits + 1);
  return std::nearbyint(x / step) * step;
}

std::vector<float> awkward_floats() {
  std::vector<float> values{0.0f,     -0.0f,    1.0f,     65504.0f, -65504.0f,
                            0x1p-14f, 0x1p-24f, 0x1p-25f, 1e-7f,    3.0f};
  for (int i = 0; i < 5000; ++i) values.push_back(std::ldexp(1.0f + i * 0.00019f, i % 30 - 17));
  for (int i = 0; i < 2048; ++i) values.push_back(1.0f + (i + 0.5f) * 0x1p-10f * 0.5f);  // ties
  return values;
}

}  // namespace

TEST_CASE("__half rounds to nearest even, subnormals included") {
  const auto in = awkward_floats();
  const int n = static_cast<int>(in.size());
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<unsigned short> bits(n);
  gpu::DeviceBuffer<float> back(n), products(n);
  gpu::launch<round_to_half>(gpu::blocks_for(n, 256), 256, n, device.data(), bits.data(),
                             back.data(), products.data());
  const auto host = gpu::to_host(back), host_products = gpu::to_host(products);
  REQUIRE(gpu::to_host(bits)[2] == 0x3c00);
  for (int i = 0; i < n; ++i) {
    CAPTURE(in[i]);
    const double value = round_to(in[i], 11, -14);
    REQUIRE(host[i] == value);
    const double product = round_to(value * value + 1, 11, -14);
    if (std::fabs(product) < 65520) REQUIRE(host_products[i] == product);
  }
}

TEST_CASE("__nv_bfloat16 keeps eight digits") {
  const auto in = awkward_floats();
  const int n = static_cast<int>(in.size());
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<float> back(n), products(n);
  gpu::launch<round_to_bfloat16>(gpu::blocks_for(n, 256), 256, n, device.data(), back.data(),
                                 products.data());
  const auto host = gpu::to_host(back), host_products = gpu::to_host(products);
  for (int i = 0; i < n; ++i) {
    CAPTURE(in[i]);
    const double value = round_to(in[i], 8, -126);
    REQUIRE(host[i] == value);
    // One backend may fuse the product and the sum.
    REQUIRE(host_products[i] == Approx(value * value + value).epsilon(0x1p-7).margin(1e-30));
  }
}

#ifndef __HIP_PLATFORM_AMD__
TEST_CASE("pairs of 16 bits are put together and taken apart") {
  const auto in = gpu::to_device(std::vector<float>{1.5F, -3});
  gpu::DeviceBuffer<float> out(8);
  gpu::launch<take_pairs_apart>(1, 1, in.data(), out.data());
  REQUIRE(gpu::to_host(out) == std::vector<float>{1.5F, -3, 1.5F, -3, -1.5F, -1.5F, 1.5F, -3});
}
#endif

__global__ void __launch_bounds__(128) maths(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float* row = out + 12 * i;
  row[0] = sqrtf(x);
  row[1] = rsqrtf(x);
  row[2] = expf(-x);
  row[3] = __expf(-x);
  row[4] = logf(x);
  row[5] = tanhf(x);
  row[6] = sinf(x) * cosf(x);
  row[7] = fmaxf(x, 2.0f) + fminf(x, 1.0f);
  row[8] = powf(x, 1.5f);
  row[9] = fabsf(x - 3.0f);
  row[10] = erff(x);
  row[11] = static_cast<float>(__popc(i) + __clz(i + 1) + __ffs(i) + min(i, 3) + max(i, 5));
}

TEST_CASE("maths and intrinsics agree with double precision") {
  const int n = 300;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[i] = 0.01f + 0.02f * i;
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<float> out(12 * n);
  gpu::launch<maths>(gpu::blocks_for(n, 128), 128, n, device.data(), out.data());
  const auto host = gpu::to_host(out);
  for (int i = 0; i < n; ++i) {
    const double x = in[i];
    const double expected[11] = {std::sqrt(x),
                                 1 / std::sqrt(x),
                                 std::exp(-x),
                                 std::exp(-x),
                                 std::log(x),
                                 std::tanh(x),
                                 std::sin(x) * std::cos(x),
                                 std::max(x, 2.0) + std::min(x, 1.0),
                                 std::pow(x, 1.5),
                                 std::fabs(x - 3),
                                 std::erf(x)};
    for (int k = 0; k < 11; ++k) {
      CAPTURE(i, k);
      REQUIRE(host[12 * i + k] == Approx(expected[k]).epsilon(1e-5).margin(1e-6));
    }
    int bits = 0, leading = 0, first = 0;
    for (int b = 0; b < 32; ++b) bits += i >> b & 1;
    while (leading < 32 && ((static_cast<unsigned>(i + 1) >> (31 - leading)) & 1u) == 0) ++leading;
    for (int b = 0; b < 32 && first == 0; ++b) first = (i >> b & 1) != 0 ? b + 1 : 0;
    REQUIRE(host[12 * i + 11] ==
            static_cast<float>(bits + leading + first + std::min(i, 3) + std::max(i, 5)));
  }
}

__global__ void store_parameter(int parameter, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = parameter;
}

TEST_CASE("a first parameter may be any number") {
  const int n = 2048;
  for (const int value : {-2147483647 - 1, -1, 0, 1, 1023, 1024, 1025, 2047, 2048, 2147483647}) {
    gpu::DeviceBuffer<int> out(n);
    gpu::launch<store_parameter>(n / 256, 256, value, out.data());
    REQUIRE(gpu::to_host(out) == std::vector<int>(n, value));
  }
}
