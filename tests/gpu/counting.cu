// SPDX-License-Identifier: MIT
// Counts of kernels whose FLOPs, bytes and sectors are known on paper.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gpu/counting.hpp"
#include "gpu/gpu.hpp"
#include "support/catch.hpp"

template <class T>
__global__ void saxpy(std::int64_t n, T a, const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

template <class T>
__global__ void saxpy_fused(int n, T a, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

template <class T>
__global__ void strided_copy(int stride, const T* in, T* out) {
  out[threadIdx.x] = in[stride * threadIdx.x];
}

template <class T>
__global__ void scale_vectors(int n, const gpu::Vector<T, 4>* in, gpu::Vector<T, 4>* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  gpu::Vector<T, 4> v = in[i];
  v.x *= 2;
  v.y *= 2;
  v.z *= 2;
  v.w *= 2;
  out[i] = v;
}

template <class T>
__global__ void chain(int n, int steps, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T value = x[i];
  for (int step = 0; step < steps; ++step) value = value * x[0] + x[0];
  y[i] = value;
}

__global__ void chain_of_pairs(int pairs, int steps, __half2 factor, __half2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  __half2 value = y[i];
  for (int step = 0; step < steps; ++step) value = __hfma2(value, factor, factor);
  y[i] = value;
}

constexpr int kTile = 8;

template <class T>
__global__ void tiled_product(int n, const T* a, const T* b, T* c) {
  __shared__ T tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum = fmaf(tile_a[threadIdx.y][i], tile_b[i][threadIdx.x], sum);
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <class T>
__global__ void special(const T* x, T* sum) {
  const T value = x[threadIdx.x];
  atomicAdd(sum, sqrtf(value) / (1 + expf(-value)) - fmaxf(value, T(0)));
}

using Number = gpu::Counting<float>;

TEST_CASE("saxpy: two FLOPs, two loads and a store per element, fully coalesced") {
  static_assert(sizeof(Number) == sizeof(float) && alignof(Number) == alignof(float));
  for (const std::int64_t n : {1, 31, 32, 1000, 4096}) {
    CAPTURE(n);
    const auto x = gpu::to_device(std::vector<float>(n, 2.0f));
    auto y = gpu::to_device(std::vector<float>(n, 1.0f));
    const auto run = [&] {
      gpu::launch<saxpy<Number>>(gpu::blocks_for(n, 256), 256, n, 3.0f, gpu::counted(x),
                                 gpu::counted(y));
    };
    const gpu::Counts counts = gpu::count(run);
    REQUIRE(gpu::to_host(y) == std::vector<float>(n, 7.0f));
    const auto elements = static_cast<std::uint64_t>(n);
    REQUIRE(counts.additions == elements);
    REQUIRE(counts.multiplications == elements);
    REQUIRE(counts.fused_multiply_adds == 0);
    REQUIRE(counts.flops() == 2 * elements);
    REQUIRE(counts.loads == 2 * elements);
    REQUIRE(counts.stores == elements);
    REQUIRE(counts.bytes_loaded == 8 * elements);
    REQUIRE(counts.bytes_stored == 4 * elements);
    REQUIRE(counts.compulsory_bytes() == 12 * elements);
    REQUIRE(counts.flops_per_byte() == Approx(1.0 / 6));
    REQUIRE(counts.warp_stores == (elements + 31) / 32);
    REQUIRE(counts.warp_loads == 2 * counts.warp_stores);
    REQUIRE(counts.sectors_stored == (elements + 7) / 8);
    REQUIRE(counts.sectors_loaded == 2 * counts.sectors_stored);
    REQUIRE(gpu::count(run) == counts);  // repeatable
  }
}

TEST_CASE("a fused multiply-add is two FLOPs") {
  const auto x = gpu::to_device(std::vector<float>(100, 2.0f));
  auto y = gpu::to_device(std::vector<float>(100, 1.0f));
  //! [count]
  const auto counts = gpu::count([&] {
    gpu::launch<saxpy_fused<Number>>(1, 128, 100, 3.0f, gpu::counted(x), gpu::counted(y));
  });
  //! [count]
  REQUIRE(counts.fused_multiply_adds == 100);
  REQUIRE(counts.additions + counts.multiplications == 0);
  REQUIRE(counts.flops() == 200);
}

TEST_CASE("FLOPs of plain numbers are counted from machine code, over all launches") {
  constexpr int kSize = 70, kSteps = 5;
  const std::uint64_t flops = 2 * kSize * kSteps;
  const gpu::DeviceBuffer<float> x = gpu::to_device(std::vector<float>(kSize, 0.5f));
  gpu::DeviceBuffer<float> y(kSize);
  const gpu::DeviceBuffer<__half> halves = gpu::to_device(std::vector<__half>(kSize, 0.5f));
  gpu::DeviceBuffer<__half> results(kSize);
  gpu::DeviceBuffer<__half2> pairs =
      gpu::to_device(std::vector<__half2>(kSize / 2, __floats2half2_rn(0.5f, 0.5f)));
  const auto in_single = [&] {
    gpu::launch<chain<float>>(gpu::blocks_for(kSize, 32), 32, kSize, kSteps, x.data(), y.data());
  };
  const auto in_half = [&] {
    gpu::launch<chain<__half>>(gpu::blocks_for(kSize, 32), 32, kSize, kSteps, halves.data(),
                               results.data());
  };
  const auto in_pairs = [&] {
    gpu::launch<chain_of_pairs>(gpu::blocks_for(kSize / 2, 32), 32, kSize / 2, kSteps,
                                __floats2half2_rn(0.5f, 0.5f), pairs.data());
  };
  CHECK(gpu::count(in_single).executed_flops == flops);
  CHECK(gpu::count(in_half).executed_flops == flops);
  CHECK(gpu::count(in_pairs).executed_flops == flops);
  const gpu::Counts all = gpu::count([&] {
    in_single();
    in_half();
    in_single();
  });
  CHECK(all.executed_flops == 3 * flops);
  CHECK(all.flops() == 0);
}

TEST_CASE("sectors show the stride of a warp's accesses") {
  const auto in = gpu::to_device(std::vector<float>(32 * 32, 1.0f));
  gpu::DeviceBuffer<float> out(64);
  for (const int stride : {1, 2, 4, 8, 16, 32}) {
    CAPTURE(stride);
    const auto counts = gpu::count([&] {
      gpu::launch<strided_copy<Number>>(1, 32, stride, gpu::counted(in), gpu::counted(out));
    });
    REQUIRE(counts.warp_loads == 1);
    REQUIRE(static_cast<int>(counts.sectors_loaded) == std::min(32, 4 * stride));
    REQUIRE(counts.sectors_stored == 4);
    REQUIRE(counts.distinct_bytes_loaded == 128);
  }
  const auto wide = gpu::count([&] {
    gpu::launch<strided_copy<Number>>({.grid = 1, .block = 64, .warp_width = 64}, 1,
                                      gpu::counted(in), gpu::counted(out));
  });
  REQUIRE(wide.warp_loads == 1);
  REQUIRE(wide.sectors_loaded == 8);
}

TEST_CASE("a vector is loaded and stored as one access of 16 bytes") {
  constexpr std::uint64_t n = 64;
  std::vector<float> host(4 * n);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const auto in = gpu::to_device(host);
  gpu::DeviceBuffer<float> out(4 * n);
  using Vector = gpu::Vector<Number, 4>;
  const auto counts = gpu::count([&] {
    gpu::launch<scale_vectors<Number>>(1, n, static_cast<int>(n),
                                       reinterpret_cast<const Vector*>(in.data()),
                                       reinterpret_cast<Vector*>(out.data()));
  });
  for (auto& value : host) value *= 2;
  REQUIRE(gpu::to_host(out) == host);
  REQUIRE(counts.loads == n);
  REQUIRE(counts.stores == n);
  REQUIRE(counts.bytes_loaded == 16 * n);
  REQUIRE(counts.flops() == 4 * n);
  REQUIRE(counts.sectors_loaded == 2 * 16);
  REQUIRE(counts.coalescing() == Approx(1.0));
}

TEST_CASE("a tiled product loads each element once per tile row") {
  constexpr int n = 32, tiles = n / kTile;
  constexpr std::uint64_t elements = n * n;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i) host[i] = static_cast<float>(i % 7 - 3);
  const auto a = gpu::to_device(host), b = gpu::to_device(host);
  gpu::DeviceBuffer<float> c(n * n);
  const auto counts = gpu::count([&] {
    gpu::launch<tiled_product<Number>>(dim3(tiles, tiles), dim3(kTile, kTile), n, gpu::counted(a),
                                       gpu::counted(b), gpu::counted(c));
  });
  const std::uint64_t cube = std::uint64_t{n} * n * n;
  REQUIRE(counts.flops() == 2 * cube);
  REQUIRE(counts.loads == 2 * cube / kTile);
  REQUIRE(counts.stores == elements);
  REQUIRE(counts.shared_stores == 2 * cube / kTile);
  REQUIRE(counts.shared_loads == 2 * cube);
  REQUIRE(counts.compulsory_bytes() == 3 * elements * 4);
  const auto product = gpu::to_host(c);
  double expected = 0;
  for (int k = 0; k < n; ++k) expected += host[5 * n + k] * host[k * n + 9];
  REQUIRE(product[5 * n + 9] == expected);
}

template <class T>
__global__ void warp_sum(const T* x, T* sum) {
  T value = x[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(gpu::kFullMask, value, offset);
  }
  value = __shfl_sync(gpu::kFullMask, value, 0);
  value = __shfl_xor_sync(gpu::kFullMask, value, 1);
  value = __shfl_up_sync(gpu::kFullMask, value, 1);
  if (threadIdx.x == 0) sum[0] = value;
}

TEST_CASE("numbers that count are exchanged between lanes, at no cost in memory") {
  const auto x = gpu::to_device(std::vector<float>(32, 2.0f));
  auto sum = gpu::to_device(std::vector<float>(1, 0.0f));
  const auto counts = gpu::count([&] {
    gpu::launch<warp_sum<Number>>({.grid = 1, .block = 32, .warp_width = 32}, gpu::counted(x),
                                  gpu::counted(sum));
  });
  REQUIRE(gpu::to_host(sum)[0] == 64);
  REQUIRE(counts.additions == 5 * 32);
  REQUIRE(counts.loads == 32);
  REQUIRE(counts.stores == 1);
  REQUIRE(counts.shared_loads == 0);
}

TEST_CASE("divisions, special functions and comparisons are kept apart") {
  const auto x = gpu::to_device(std::vector<float>(10, 0.5f));
  auto sum = gpu::to_device(std::vector<float>(1, 0.0f));
  const auto counts =
      gpu::count([&] { gpu::launch<special<Number>>(1, 10, gpu::counted(x), gpu::counted(sum)); });
  REQUIRE(counts.divisions == 10);
  REQUIRE(counts.special_functions == 20);
  REQUIRE(counts.comparisons == 10);
  REQUIRE(counts.additions == 30);
  REQUIRE(counts.loads == 20);
  REQUIRE(counts.stores == 10);
  REQUIRE(counts.distinct_bytes_stored == 4);
  REQUIRE(gpu::to_host(sum)[0] == Approx(10 * (std::sqrt(0.5) / (1 + std::exp(-0.5)) - 0.5)));
}

TEST_CASE("the same source runs on plain numbers, and nothing is counted outside count()") {
  const std::int64_t n = 500;
  const auto x = gpu::to_device(std::vector<float>(n, 2.0f));
  auto y = gpu::to_device(std::vector<float>(n, 1.0f));
  gpu::launch<saxpy<float>>(2, 256, n, 3.0f, x.data(), y.data());
  gpu::launch<saxpy<Number>>(2, 256, n, 3.0f, gpu::counted(x), gpu::counted(y));
  REQUIRE(gpu::to_host(y) == std::vector<float>(n, 13.0f));
  REQUIRE(gpu::count([] {}) == gpu::Counts{});
}

__device__ inline float first_of(float4 vector) {
  return vector.x;
}
__device__ inline float value_of(__half number) {
  return __half2float(number);
}
template <class T>
__device__ T twice(const T& x) {
  return x + x;
}

__global__ void all_types(const __half* halves, const std::uint8_t* packed, const float4* vectors,
                          const std::int64_t* table, float* out) {
  const auto i = threadIdx.x;
  float sum = value_of(halves[i]);
  sum += static_cast<float>((packed[i] & 15) + (packed[i] >> 4));  // one load: still in a register
  sum += first_of(vectors[table[i]]);
  out[i] = sum;
}

TEST_CASE("loads of every type are counted, also of what is handed on by value") {
  constexpr int n = 32;
  const auto halves = gpu::to_device(std::vector<__half>(n, __half(1.0f)));
  const auto packed = gpu::to_device(std::vector<std::uint8_t>(n, 0x21));
  const auto vectors = gpu::to_device(std::vector<float4>(n, make_float4(5, 6, 7, 8)));
  const auto table = gpu::to_device(std::vector<std::int64_t>(n, 3));
  gpu::DeviceBuffer<float> out(n);
  const auto counts = gpu::count([&] {
    gpu::launch<all_types>(1, n, halves.data(), packed.data(), vectors.data(), table.data(),
                           out.data());
  });
  REQUIRE(gpu::to_host(out) == std::vector<float>(n, 9.0f));
  REQUIRE(counts.loads == 4 * n);
  REQUIRE(counts.bytes_loaded == (2 + 1 + 16 + 8) * n);
  // Halves 64 bytes, packed numbers 32, the table 256; all lanes request one vector.
  REQUIRE(counts.sectors_loaded == 2 + 1 + 8 + 1);
  REQUIRE(counts.bytes_stored == 4 * n);
  REQUIRE(counts.launches == 1);
}

template <class T>
__global__ void reads_again(int again, const T* x, T* y) {
  const T first = twice(x[0]);  // by reference, used twice: one load
  T sum = first;
  for (int i = 1; i <= again; ++i) sum += x[i];
  sum += x[0];
  y[0] = sum;
  y[1] = x[0];
}

TEST_CASE("an element read again is a load unless the thread still has it in a register") {
  constexpr int kRegisters = gpu::Counts::kRegisters;
  const auto x = gpu::to_device(std::vector<float>(2 * kRegisters, 1.0f));
  gpu::DeviceBuffer<float> y(2);
  const auto loads = [&](int again) {
    const auto counts = gpu::count(
        [&] { gpu::launch<reads_again<Number>>(1, 1, again, gpu::counted(x), gpu::counted(y)); });
    return static_cast<int>(counts.loads) - again;
  };
  // Once at first, and once more after the store.
  CHECK(loads(kRegisters - 1) == 2);
  // Too many others in between: loaded a third time.
  CHECK(loads(kRegisters) == 3);
}

template <class T>
__global__ void rows_in_turn(const T* x, T* y) {
  y[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x] + x[0];
}

TEST_CASE("what one block had in registers, the next has not") {
  const auto x = gpu::to_device(std::vector<float>(3, 2.0f));
  gpu::DeviceBuffer<float> y(3);
  const auto counts = gpu::count(
      [&] { gpu::launch<rows_in_turn<Number>>(3, 1, gpu::counted(x), gpu::counted(y)); });
  CHECK(counts.loads == 1 + 2 + 2);
}

// What a correct kernel may contain, whatever T is.
template <class T>
__global__ void ordinary(const T* x, T* y, double* totals) {
  constexpr T kHalf = 0.5F;
  __shared__ T shared[2];
  volatile T* seen = shared;
  const int i = static_cast<int>(threadIdx.x);
  float single = 1;
  double sum = 0;
  sum += x[0];                    // 1 addition
  single *= x[0];                 // 1 multiplication
  sum += x[0] * 2 + x[1] * 0.25;  // 2 multiplications, 2 additions
  seen[i] = x[1];
  seen[i] = seen[i] + seen[i];  // 1 addition
  T v = seen[i];
  ++v;                                                // 1 addition
  v = __fadd_rn(v, __fmul_rn(v, 2.0F));               // 1 addition, 1 multiplication
  v = std::fma(v, kHalf, 1.0F) + __fmaf_rn(v, v, v);  // 2 fused, 1 addition
  y[0] = v;
  y[1] = std::sqrt(x[0]) + std::exp(x[0]) + log2f(x[0]) + exp10f(x[0]);  // 4 special, 3 additions
  y[2] = max(x[0], 3.0F) - std::abs(min(x[0], x[1]));                    // 2 compared, 1 addition
  y[3] = __fdividef(1.0F, x[0]) * __frcp_rn(x[1]);  // 2 divisions, 1 multiplication
  y[4] = isinf(x[0]) || std::isnan(x[0]) || !isfinite(x[0]) || x[0] == INFINITY ? x[0] : 7;
  y[5] = std::numeric_limits<T>::lowest();
  if (x[0] && x[1] > 0.5) y[6] = i < 1 ? x[1] : 0.0;
  atomicExch(&y[7], x[1]);
  totals[0] = sum;
  totals[1] = single;
  atomicAdd(&totals[0], x[0]);  // 1 addition
}

TEST_CASE("what ordinary kernels do with a number counts, and gives what a float would") {
  const auto x = gpu::to_device(std::vector<float>{2, 4});
  gpu::DeviceBuffer<float> counting_y(8);
  gpu::DeviceBuffer<float> plain_y(8);
  gpu::DeviceBuffer<double> totals(2);
  const auto counts = gpu::count([&] {
    gpu::launch<ordinary<Number>>(1, 1, gpu::counted(x), gpu::counted(counting_y), totals.data());
  });
  REQUIRE(gpu::to_host(totals) == std::vector<double>{9, 2});
  gpu::launch<ordinary<float>>(1, 1, x.data(), plain_y.data(), totals.data());
  REQUIRE(gpu::to_host(totals) == std::vector<double>{9, 2});
  REQUIRE(gpu::to_host(counting_y) == gpu::to_host(plain_y));
  CHECK(counts.additions == 12);
  CHECK(counts.multiplications == 5);
  CHECK(counts.fused_multiply_adds == 2);
  CHECK(counts.divisions == 2);
  CHECK(counts.special_functions == 4);
  CHECK(counts.comparisons == 2);
}

template <class T>
__global__ void made_plain(const T* x, float* out) {
  const auto first = static_cast<float>(x[0]);
  out[0] = first * first + static_cast<float>(x[1]);
}

TEST_CASE("a number made plain counts its load and is noted: nothing is counted from there on") {
  const auto x = gpu::to_device(std::vector<float>{2, 4});
  gpu::DeviceBuffer<float> out(1);
  const auto counts =
      gpu::count([&] { gpu::launch<made_plain<Number>>(1, 1, gpu::counted(x), out.data()); });
  REQUIRE(gpu::to_host(out)[0] == 8);
  CHECK(counts.loads == 2);
  CHECK(counts.flops() == 0);
  CHECK(counts.conversions == 2);
}
