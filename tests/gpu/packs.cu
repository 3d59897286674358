// SPDX-License-Identifier: MIT
// Packs, wide loads and teams of lanes (gpu/pack.hpp, gpu/lanes.hpp) against sequential oracles in
// double precision.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/pack.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "support/catch.hpp"

namespace {

template <class T>
std::vector<T> random_values(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> uniform(T(-3), T(3));
  std::vector<T> values(n);
  for (T& value : values) value = uniform(engine);
  return values;
}

// Equal up to `roundings` roundings of T; NaN is near nothing.
template <class T>
bool is_near(double is, double should, double roundings) {
  return std::abs(is - should) <= roundings * std::numeric_limits<T>::epsilon() * std::abs(should);
}

}  // namespace

//! [axpy]
template <class T>
__global__ void axpy_packs(int packs, T a, const T* x, T* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= packs) return;
  T* own = y + i * gpu::kPackWidth<T>;
  const gpu::Pack<T> factor(a);
  gpu::store_pack(own, gpu::multiply_add(factor, gpu::load_pack(x + i * gpu::kPackWidth<T>),
                                         gpu::load_pack(own)));
}
//! [axpy]

TEST_CASE("a kernel of packs, as the page shows it") {
  constexpr int kPacks = 77;
  const std::vector<float> x = random_values<float>(kPacks * gpu::kPackWidth<float>, 6);
  const std::vector<float> y = random_values<float>(kPacks * gpu::kPackWidth<float>, 7);
  const auto device_x = gpu::to_device(x);
  auto device_y = gpu::to_device(y);
  gpu::launch<axpy_packs<float>>(2, 64, kPacks, 1.5f, device_x.data(), device_y.data());
  const std::vector<float> result = gpu::to_host(device_y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double limit = 2 * double{std::numeric_limits<float>::epsilon()} *
                         (1.5 * std::abs(double{x[i]}) + std::abs(double{y[i]}));
    REQUIRE(std::abs(result[i] - (1.5 * x[i] + y[i])) <= limit);
  }
}

enum class PackWork { kSum, kProduct, kMultiplyAdd, kScalar };

template <class T, PackWork work, bool streaming>
__global__ void pack_kernel(int packs, const T* x, const T* y, T* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= packs) return;
  const gpu::Pack<T> a = gpu::load_pack(x + i * gpu::kPackWidth<T>);
  const gpu::Pack<T> b = gpu::load_pack(y + i * gpu::kPackWidth<T>);
  gpu::Pack<T> result(T(0));
  if constexpr (work == PackWork::kSum) result = a + b;
  if constexpr (work == PackWork::kProduct) result = a * b;
  if constexpr (work == PackWork::kMultiplyAdd) result = gpu::multiply_add(a, b, a);
  if constexpr (work == PackWork::kScalar) {
    result = gpu::Pack<T>(T(2.5)) * a;
    result[1] = b[0];
  }
  if constexpr (streaming) {
    gpu::store_pack_streaming(out + i * gpu::kPackWidth<T>, result);
  } else {
    gpu::store_pack(out + i * gpu::kPackWidth<T>, result);
  }
}

template <class T, PackWork work, bool streaming>
void check_packs() {
  constexpr int kPacks = 1001;
  constexpr int kWidth = gpu::kPackWidth<T>;
  const std::vector<T> x = random_values<T>(kPacks * kWidth, 1);
  const std::vector<T> y = random_values<T>(kPacks * kWidth, 2);
  const auto device_x = gpu::to_device(x);
  const auto device_y = gpu::to_device(y);
  gpu::DeviceBuffer<T> out(x.size());
  gpu::fill_bytes(out, 0xff);  // NaN
  gpu::launch<pack_kernel<T, work, streaming>>(gpu::blocks_for(kPacks, 128), 128, kPacks,
                                               device_x.data(), device_y.data(), out.data());
  const std::vector<T> result = gpu::to_host(out);
  for (int i = 0; i < kPacks * kWidth; ++i) {
    const double a = x[i];
    const double b = y[i];
    if (work == PackWork::kSum) REQUIRE(result[i] == x[i] + y[i]);
    if (work == PackWork::kProduct) REQUIRE(is_near<T>(result[i], a * b, 1));
    // Fused or not: two roundings of the largest intermediate value.
    if (work == PackWork::kMultiplyAdd) {
      const double largest = std::abs(a * b) + std::abs(a);
      REQUIRE(std::abs(result[i] - (a * b + a)) <= 2 * std::numeric_limits<T>::epsilon() * largest);
    }
    if (work == PackWork::kScalar) {
      const bool is_set = i % kWidth == 1;
      REQUIRE(is_near<T>(result[i], is_set ? double{y[i - 1]} : 2.5 * a, is_set ? 0 : 1));
    }
  }
}

TEST_CASE("packs compute number by number") {
  check_packs<float, PackWork::kSum, false>();
  check_packs<double, PackWork::kSum, false>();
  check_packs<float, PackWork::kProduct, false>();
  check_packs<double, PackWork::kProduct, false>();
  check_packs<float, PackWork::kMultiplyAdd, false>();
  check_packs<double, PackWork::kMultiplyAdd, false>();
  check_packs<float, PackWork::kScalar, false>();
  check_packs<double, PackWork::kScalar, false>();
}

enum class PackFunction { kDifference, kMaximum, kExp, kExp2, kSum };

template <PackFunction function>
__global__ void pack_function_kernel(int packs, const float* x, const float* y, float* out) {
  for (int i = static_cast<int>(threadIdx.x); i < packs; i += static_cast<int>(blockDim.x)) {
    const int at = i * gpu::kPackWidth<float>;
    const gpu::Pack<float> a = gpu::load_pack(x + at);
    const gpu::Pack<float> b = gpu::load_pack(y + at);
    gpu::Pack<float> result = a;
    if constexpr (function == PackFunction::kDifference) result = a - b;
    if constexpr (function == PackFunction::kMaximum) result = fmaxf(a, b);
    if constexpr (function == PackFunction::kExp) result = expf(a);
    if constexpr (function == PackFunction::kExp2) result = exp2f(a);
    if constexpr (function == PackFunction::kSum) result = gpu::Pack<float>(gpu::sum_of(a));
    gpu::store_pack(out + at, result);
  }
}

/// Applies the function to packs of x and y, which are padded with zeros.
template <PackFunction function>
std::vector<float> through(std::vector<float> x, std::vector<float> y = {}) {
  const std::size_t count = x.size();
  const int packs = static_cast<int>(count) / gpu::kPackWidth<float> + 1;
  x.resize(packs * gpu::kPackWidth<float>);
  y.resize(x.size());
  const auto device_x = gpu::to_device(x);
  const auto device_y = gpu::to_device(y);
  gpu::DeviceBuffer<float> out(x.size());
  gpu::launch<pack_function_kernel<function>>(1, 32, packs, device_x.data(), device_y.data(),
                                              out.data());
  std::vector<float> result = gpu::to_host(out);
  result.resize(count);
  return result;
}

TEST_CASE("packs subtract, compare and add up") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{1, -2, 3.5f, nan, 5, 0, -7, 8}, y{2, -3, 3.5f, 4, nan, -1, -6, 0};
  const std::vector<float> difference = through<PackFunction::kDifference>(x, y);
  const std::vector<float> maximum = through<PackFunction::kMaximum>(x, y);
  CHECK(std::vector<float>(difference.begin(), difference.begin() + 3) ==
        std::vector<float>{-1, 1, 0});
  CHECK(std::isnan(difference[3]));
  CHECK(maximum == std::vector<float>{2, -2, 3.5f, 4, 5, 0, -6, 8});  // NaN counts as missing

  std::vector<float> whole(gpu::kPackWidth<float>);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<float>(1 << i);
  const auto total = static_cast<float>((1 << whole.size()) - 1);
  CHECK(through<PackFunction::kSum>(whole) == std::vector<float>(whole.size(), total));
}

TEST_CASE("packs of exponentials are as good as the library's") {
  std::vector<float> x;
  for (float value = -86; value < 88; value += 0.0371f) x.push_back(value);
  const std::vector<float> natural = through<PackFunction::kExp>(x);
  const std::vector<float> binary = through<PackFunction::kExp2>(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO("x = " << x[i]);
    // Two units in the last place, plus the loss from products that are not fused.
    REQUIRE(is_near<float>(natural[i], std::exp(double{x[i]}), 4 + std::abs(x[i]) / 2));
    REQUIRE(is_near<float>(binary[i], std::exp2(double{x[i]}), 4));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> ends{-kInfinity, std::numeric_limits<float>::lowest(), -150, 150,
                                kInfinity};
  const std::vector<float> limits{0, 0, 0, kInfinity, kInfinity};
  CHECK(through<PackFunction::kExp>(ends) == limits);
  CHECK(through<PackFunction::kExp2>(ends) == limits);
  const std::vector<float> nan{std::numeric_limits<float>::quiet_NaN()};
  CHECK(std::isnan(through<PackFunction::kExp>(nan)[0]));
  CHECK(std::isnan(through<PackFunction::kExp2>(nan)[0]));
  CHECK(through<PackFunction::kExp>({0})[0] == 1);
}

TEST_CASE("packs stored past the caches arrive") {
  check_packs<float, PackWork::kSum, true>();
  check_packs<double, PackWork::kMultiplyAdd, true>();
}

TEST_CASE("device memory is aligned for packs, and the number after its first is not") {
  const gpu::DeviceBuffer<float> floats(64);
  const gpu::DeviceBuffer<double> doubles(64);
  CHECK(gpu::is_pack_aligned(floats.data()));
  CHECK(gpu::is_pack_aligned(doubles.data()));
  CHECK(gpu::is_pack_aligned(floats.data() + gpu::kPackWidth<float>));
  CHECK_FALSE(gpu::is_pack_aligned(floats.data() + 1));
}

template <class T>
__global__ void widen_kernel(const T* from, float* to) {
  constexpr int kCount = 16;
  const int first = static_cast<int>(threadIdx.x) * kCount;
  float values[kCount];
  gpu::load_floats<kCount>(from + first, values);
  for (int i = 0; i < kCount; ++i) to[first + i] = values[i];
  const gpu::Packed<kCount, T> missing(from + first, false);
  missing.to_floats(values);
  for (int i = 0; i < kCount; ++i) to[first + i] += values[i];
}

// 16-bit and 8-bit numbers are sent to the device as their bits.
template <class T, class Bits>
std::vector<float> widened(const std::vector<Bits>& bits) {
  static_assert(sizeof(T) == sizeof(Bits));
  const auto from = gpu::to_device(bits);
  gpu::DeviceBuffer<float> to(bits.size());
  gpu::launch<widen_kernel<T>>(1, static_cast<unsigned>(bits.size() / 16),
                               reinterpret_cast<const T*>(from.data()), to.data());
  return gpu::to_host(to);
}

TEST_CASE("wide loads bring floats, halves, bfloat16 and bytes") {
  const std::vector<float> floats = random_values<float>(256, 3);
  REQUIRE(widened<float>(floats) == floats);

  std::vector<std::int8_t> bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<std::int8_t>(i - 128);
  const std::vector<float> from_bytes = widened<std::int8_t>(bytes);
  for (int i = 0; i < 256; ++i) REQUIRE(from_bytes[i] == static_cast<float>(i - 128));

  // Every finite positive half and bfloat16 has the value given by its fields.
  std::vector<std::uint16_t> halves;
  for (unsigned bits = 0x0001; bits < 0x7c00; bits += 7) halves.push_back(bits);
  halves.resize(halves.size() / 256 * 256);
  std::vector<std::uint16_t> part;
  for (std::size_t i = 0; i < halves.size(); i += 256) {
    part.assign(halves.begin() + i, halves.begin() + i + 256);
    const std::vector<float> values = widened<__half>(part);
    for (int k = 0; k < 256; ++k) {
      const int exponent = part[k] >> 10;
      const int fraction = part[k] & 0x3ff;
      const double should =
          exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      REQUIRE(values[k] == should);
    }
  }
  part.clear();
  for (unsigned i = 0; i < 256; ++i) part.push_back(0x0080 + 127 * i);
  const std::vector<float> brains = widened<__nv_bfloat16>(part);
  for (int k = 0; k < 256; ++k) {
    REQUIRE(brains[k] == std::ldexp(128 + (part[k] & 0x7f), (part[k] >> 7) - 134));
  }
}

template <int kCount>
__global__ void dot_kernel(const float* a, const float* b, float* out) {
  float x[kCount];
  float y[kCount];
  for (int i = 0; i < kCount; ++i) {
    x[i] = a[i];
    y[i] = b[i];
  }
  *out = gpu::dot(x, y, 0.5f);
}

template <int kCount>
void check_dot() {
  const std::vector<float> a = random_values<float>(kCount, 4);
  const std::vector<float> b = random_values<float>(kCount, 5);
  const auto device_a = gpu::to_device(a);
  const auto device_b = gpu::to_device(b);
  gpu::DeviceBuffer<float> out(1);
  gpu::launch<dot_kernel<kCount>>(1, 1, device_a.data(), device_b.data(), out.data());
  double sum = 0.5;
  double size = 0.5;
  for (int i = 0; i < kCount; ++i) {
    sum += double{a[i]} * b[i];
    size += std::abs(double{a[i]} * b[i]);
  }
  const double limit = kCount * double{std::numeric_limits<float>::epsilon()} * size;
  REQUIRE(std::abs(gpu::to_host(out)[0] - sum) <= limit);
}

TEST_CASE("products are summed, in one chain or in many") {
  check_dot<1>();
  check_dot<5>();
  check_dot<16>();
  check_dot<64>();
}

constexpr int kTeamRows = 4;

/// Counts how often each row belongs to a team; own[t] are the rows of team t, -1 for missing ones.
__global__ void team_rows_kernel(int teams, int rows, int* counts, std::int64_t* own) {
  const int team = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (team >= teams) return;
  const gpu::TeamRows<kTeamRows> mine(team, rows);
  for (int i = 0; i < kTeamRows; ++i) {
    own[team * kTeamRows + i] = mine.has(i) ? mine[i] : -1;
    if (mine.has(i)) atomicAdd(&counts[mine[i]], 1);
  }
}

/// The rows of each team of a matrix, after checking that each row belongs to one team.
std::vector<std::int64_t> rows_of_teams(int rows) {
  const auto teams = static_cast<int>(gpu::TeamRows<kTeamRows>::teams(rows));
  constexpr int kMore = 70;  // teams without rows, as in the last block of a grid
  auto counts = gpu::to_device(std::vector<int>(rows, 0));
  gpu::DeviceBuffer<std::int64_t> own((teams + kMore) * kTeamRows);
  gpu::launch<team_rows_kernel>(gpu::blocks_for(teams + kMore, 64), 64, teams + kMore, rows,
                                counts.data(), own.data());
  CHECK(gpu::to_host(counts) == std::vector<int>(rows, 1));
  const std::vector<std::int64_t> all = gpu::to_host(own);
  for (int i = 0; i < kMore * kTeamRows; ++i) CHECK(all[teams * kTeamRows + i] == -1);
  return all;
}

TEST_CASE("teams share the rows of a matrix") {
  for (const int rows : {1, 2, 3, 4, 5, 255, 256, 257, 259, 688, 3072}) {
    CAPTURE(rows);
    rows_of_teams(rows);
  }
}

TEST_CASE("a team's rows are far apart on a CPU and adjacent on a GPU") {
  const std::vector<std::int64_t> own = rows_of_teams(1000);
  const bool is_gpu = gpu::Features::kIsGpu;
  for (int i = 1; i < kTeamRows; ++i) CHECK(own[i] - own[i - 1] == (is_gpu ? 1 : 64));
  // Each of a core's streams continues from one team to the next.
  for (int i = 0; i < kTeamRows; ++i) {
    CHECK(own[kTeamRows + i] - own[i] == (is_gpu ? kTeamRows : 1));
  }
}

constexpr int kPartCount = 40;

/// out[0] = 0.5 + a b of both parts; then 3 a + b, and 2^a, of the first part.
__global__ void part_kernel(const float* a, const float* b, float* out) {
  gpu::DotSum<kPartCount> products(0.5f);
  float x[kPartCount];
  float y[kPartCount];
  for (int part = 1; part >= 0; --part) {
    for (int i = 0; i < kPartCount; ++i) {
      x[i] = a[part * kPartCount + i];
      y[i] = b[part * kPartCount + i];
    }
    products.add(x, y);
  }
  out[0] = products.total();
  gpu::add_scaled(y, 3.0f, x);
  gpu::exp2_each(x);
  for (int i = 0; i < kPartCount; ++i) {
    out[1 + i] = y[i];
    out[1 + kPartCount + i] = x[i];
  }
}

TEST_CASE("a lane's part of a row is multiplied, scaled and raised") {
  const std::vector<float> a = random_values<float>(2 * kPartCount, 8);
  const std::vector<float> b = random_values<float>(2 * kPartCount, 9);
  const auto device_a = gpu::to_device(a);
  const auto device_b = gpu::to_device(b);
  gpu::DeviceBuffer<float> out(1 + 2 * kPartCount);
  gpu::launch<part_kernel>(1, 1, device_a.data(), device_b.data(), out.data());
  const std::vector<float> result = gpu::to_host(out);
  double sum = 0.5;
  double size = 0.5;
  for (int i = 0; i < 2 * kPartCount; ++i) {
    sum += double{a[i]} * b[i];
    size += std::abs(double{a[i]} * b[i]);
  }
  REQUIRE(std::abs(result[0] - sum) <=
          2 * kPartCount * double{std::numeric_limits<float>::epsilon()} * size);
  for (int i = 0; i < kPartCount; ++i) {
    const double largest = 3 * std::abs(double{a[i]}) + std::abs(double{b[i]});
    REQUIRE(std::abs(result[1 + i] - (3.0 * a[i] + b[i])) <=
            2 * double{std::numeric_limits<float>::epsilon()} * largest);
    REQUIRE(is_near<float>(result[1 + kPartCount + i], std::exp2(double{a[i]}), 4));
  }
}

__global__ void nibble_kernel(const std::uint8_t* from, float* low, float* high) {
  constexpr int kCount = 64;
  float l[kCount];
  float h[kCount];
  gpu::load_nibbles(from + threadIdx.x * kCount, l, h);
  for (int i = 0; i < kCount; ++i) {
    low[threadIdx.x * kCount + i] = l[i];
    high[threadIdx.x * kCount + i] = h[i];
  }
}

TEST_CASE("bytes are split into halves of four bits") {
  std::vector<std::uint8_t> bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const auto from = gpu::to_device(bytes);
  gpu::DeviceBuffer<float> low(256);
  gpu::DeviceBuffer<float> high(256);
  gpu::launch<nibble_kernel>(1, 4, from.data(), low.data(), high.data());
  for (int i = 0; i < 256; ++i) {
    REQUIRE(gpu::to_host(low)[i] == static_cast<float>(i % 16));
    REQUIRE(gpu::to_host(high)[i] == static_cast<float>(i / 16));
  }
}

template <int kLanes>
__global__ void team_sum_kernel(const float* in, float* out) {
  out[threadIdx.x] = gpu::team_sum<kLanes>(in[threadIdx.x]);
}

template <int kLanes, int kCount>
__global__ void team_sums_kernel(const float* in, float* out) {
  float values[kCount];
  for (int i = 0; i < kCount; ++i) values[i] = in[threadIdx.x * kCount + i];
  gpu::team_sums<kLanes>(values);
  constexpr int kOwn = kCount > kLanes ? kCount / kLanes : 1;
  for (int i = 0; i < kOwn; ++i) out[threadIdx.x * kOwn + i] = values[i];
}

// Small integers: their sums are exact in any order.
std::vector<float> whole_numbers(int n) {
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>((i * 37 + 11) % 101 - 50);
  return values;
}

template <int kLanes>
void check_team_sum() {
  constexpr int kThreads = 128;
  const std::vector<float> in = whole_numbers(kThreads);
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<float> out(kThreads);
  gpu::launch<team_sum_kernel<kLanes>>(1, kThreads, device.data(), out.data());
  const std::vector<float> sums = gpu::to_host(out);
  for (int thread = 0; thread < kThreads; ++thread) {
    float sum = 0;
    const int first = thread / kLanes * kLanes;
    for (int lane = 0; lane < kLanes; ++lane) sum += in[first + lane];
    REQUIRE(sums[thread] == sum);
  }
}

template <int kLanes, int kCount>
void check_team_sums() {
  constexpr int kThreads = 64;
  constexpr int kOwn = kCount > kLanes ? kCount / kLanes : 1;
  const std::vector<float> in = whole_numbers(kThreads * kCount);
  const auto device = gpu::to_device(in);
  gpu::DeviceBuffer<float> out(kThreads * kOwn);
  gpu::launch<team_sums_kernel<kLanes, kCount>>(1, kThreads, device.data(), out.data());
  const std::vector<float> sums = gpu::to_host(out);
  for (int thread = 0; thread < kThreads; ++thread) {
    const int lane = thread % kLanes;
    const int first_thread = thread - lane;
    for (int i = 0; i < kOwn; ++i) {
      // With fewer numbers than lanes, kLanes / kCount adjacent lanes hold the same one.
      const int number = lane * kCount / kLanes + i;
      float sum = 0;
      for (int other = 0; other < kLanes; ++other) {
        sum += in[(first_thread + other) * kCount + number];
      }
      REQUIRE(sums[thread * kOwn + i] == sum);
    }
  }
}

TEST_CASE("teams of lanes sum one number each, and several") {
  check_team_sum<1>();
  check_team_sum<8>();
  check_team_sum<32>();
  check_team_sums<8, 8>();
  check_team_sums<8, 4>();
  check_team_sums<32, 64>();
  check_team_sums<1, 4>();
}

namespace {

constexpr int kDotThreads = 64;
constexpr int kDotTurns = 5;
constexpr float kFirstScale = 3.0f, kSecondScale = -0.5f;

}  // namespace

/// Per thread and turn, four halves of either row (`rows`, first row first) and four inputs; a load
/// covers two turns. out[2 * thread]: the first row's sum over the quad, then the second's.
__global__ void pair_dot_kernel(const uint4* rows, const uint4* x, float* out) {
  const int thread = static_cast<int>(threadIdx.x);
  gpu::PairDot dot;
  for (int turn = 0; turn < kDotTurns; ++turn) {
    const uint4 row = gpu::load_once_now(rows + turn * kDotThreads + thread);
    const uint4 inputs = gpu::load_now(x + turn / 2 * kDotThreads + thread);
    const unsigned first[] = {row.x, row.y};
    const unsigned second[] = {row.z, row.w};
    const unsigned pair[] = {turn % 2 == 0 ? inputs.x : inputs.z,
                             turn % 2 == 0 ? inputs.y : inputs.w};
    dot = dot.plus(first, second, pair);
  }
  gpu::PairDot scaled = dot;
  scaled.add_scaled(dot, kFirstScale - 1, kSecondScale - 1);
  out[2 * thread] = gpu::team_sum<4>(gpu::PairDot::counts() ? scaled.first() : 0.0f);
  out[2 * thread + 1] = gpu::team_sum<4>(gpu::PairDot::counts() ? scaled.second() : 0.0f);
}

/// In each turn lane l of a warp passes in eight halves of row l / 4, of row l / 4 + 8 and of input
/// l / 4: those given by its position in the quad. rows are [16][kBatchColumns], inputs
/// [8][kBatchColumns], out [8][16].
constexpr int kBatchColumns = 3 * 32;
__global__ void batch_dot_kernel(const __half* rows, const __half* x, float* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  gpu::BatchDot<float> dot;
  const auto eight = [&](const __half* from, int line, int turn) {
    return gpu::load_now(
        reinterpret_cast<const uint4*>(from + line * kBatchColumns + turn * 32 + lane % 4 * 8));
  };
  for (int turn = 0; turn < kBatchColumns / 32; ++turn) {
    dot.add(eight(rows, lane / 4, turn), eight(rows, lane / 4 + 8, turn), eight(x, lane / 4, turn));
  }
  float held[gpu::BatchDot<float>::kHeld];
  dot.totals(held);
  for (int i = 0; i < gpu::BatchDot<float>::kHeld; ++i) {
    out[gpu::BatchDot<float>::input(i) * 16 + gpu::BatchDot<float>::row(i)] = held[i];
  }
}

/// The halves 0 to 15 times 2^-24, of either row, multiplied by one.
__global__ void subnormal_dot_kernel(float* out) {
  const int thread = static_cast<int>(threadIdx.x);
  const auto bits = static_cast<unsigned>(thread % 16);
  constexpr unsigned kOne = 0x3c00;
  const unsigned first[] = {bits, 0}, second[] = {0, bits << 16}, ones[] = {kOne, kOne << 16};
  const gpu::PairDot dot = gpu::PairDot().plus(first, second, ones);
  out[2 * thread] = gpu::team_sum<4>(gpu::PairDot::counts() ? dot.first() : 0.0f);
  out[2 * thread + 1] = gpu::team_sum<4>(gpu::PairDot::counts() ? dot.second() : 0.0f);
}

namespace {

std::vector<__half> random_halves(int n, unsigned seed) {
  std::vector<__half> halves;
  for (const float value : random_values<float>(n, seed)) halves.push_back(__float2half(value));
  return halves;
}
std::vector<uint4> as_words(const std::vector<__half>& halves) {
  std::vector<uint4> words(halves.size() * sizeof(__half) / sizeof(uint4));
  std::memcpy(words.data(), halves.data(), words.size() * sizeof(uint4));
  return words;
}

}  // namespace

TEST_CASE("a pair of rows is multiplied with its inputs, quad by quad") {
  const std::vector<__half> rows = random_halves(kDotTurns * kDotThreads * 8, 21);
  const std::vector<__half> x = random_halves((kDotTurns + 1) / 2 * kDotThreads * 8, 22);
  const auto device_rows = gpu::to_device(as_words(rows));
  const auto device_x = gpu::to_device(as_words(x));
  gpu::DeviceBuffer<float> out(2 * kDotThreads);
  gpu::launch<pair_dot_kernel>(1, kDotThreads, device_rows.data(), device_x.data(), out.data());
  const std::vector<float> sums = gpu::to_host(out);
  for (int thread = 0; thread < kDotThreads; ++thread) {
    for (int row = 0; row < 2; ++row) {
      double should = 0;
      double magnitude = 0;
      for (int lane = thread / 4 * 4; lane < thread / 4 * 4 + 4; ++lane) {
        for (int turn = 0; turn < kDotTurns; ++turn) {
          for (int i = 0; i < 4; ++i) {
            const double weight = __half2float(rows[(turn * kDotThreads + lane) * 8 + row * 4 + i]);
            const double input =
                __half2float(x[(turn / 2 * kDotThreads + lane) * 8 + turn % 2 * 4 + i]);
            should += (row == 0 ? kFirstScale : kSecondScale) * weight * input;
            magnitude += std::abs(weight * input);
          }
        }
      }
      INFO("thread " << thread << ", row " << row);
      REQUIRE(std::abs(sums[2 * thread + row] - should) <= 3e-6 * magnitude);
    }
  }
}

TEST_CASE("sixteen rows are multiplied with eight inputs, lane by lane") {
  const std::vector<__half> rows = random_halves(16 * kBatchColumns, 23);
  const std::vector<__half> x = random_halves(8 * kBatchColumns, 24);
  const auto device_rows = gpu::to_device(rows);
  const auto device_x = gpu::to_device(x);
  gpu::DeviceBuffer<float> out(16 * 8);
  gpu::launch<batch_dot_kernel>(1, 32, device_rows.data(), device_x.data(), out.data());
  const std::vector<float> sums = gpu::to_host(out);
  for (int input = 0; input < 8; ++input) {
    for (int row = 0; row < 16; ++row) {
      double should = 0;
      double magnitude = 0;
      for (int c = 0; c < kBatchColumns; ++c) {
        const double product = double{__half2float(rows[row * kBatchColumns + c])} *
                               __half2float(x[input * kBatchColumns + c]);
        should += product;
        magnitude += std::abs(product);
      }
      INFO("row " << row << ", input " << input);
      REQUIRE(std::abs(sums[input * 16 + row] - should) <= 3e-6 * magnitude);
    }
  }
}

TEST_CASE("halves below 2^-14 are multiplied like others, where that is promised") {
  if (!gpu::PairDot::kKeepsSubnormals) {
    SUCCEED("this backend does not promise it");
    return;
  }
  gpu::DeviceBuffer<float> out(2 * kDotThreads);
  gpu::launch<subnormal_dot_kernel>(1, kDotThreads, out.data());
  const std::vector<float> sums = gpu::to_host(out);
  for (int thread = 0; thread < kDotThreads; ++thread) {
    const int first_of_quad = thread / 4 * 4 % 16;
    const double should = std::ldexp(4 * first_of_quad + 0 + 1 + 2 + 3, -24);
    INFO("thread " << thread);
    REQUIRE(sums[2 * thread] == should);
    REQUIRE(sums[2 * thread + 1] == should);
  }
}

__global__ void bits_kernel(const __half* half, const unsigned* words, unsigned* out) {
  out[0] = gpu::and_or(words[0], words[1], words[2]);
  out[1] = gpu::word_of(gpu::half2_of(words[0]));
  out[2] = __half_as_ushort(gpu::load_now(half + 1));
}

TEST_CASE("bits are moved to their places") {
  const std::vector<unsigned> words{0xdeadbeefu, 0x00f000f0u, 0x64006400u};
  const std::vector<__half> halves{__float2half(1.0f), __float2half(-2.5f)};
  const auto device_words = gpu::to_device(words);
  const auto device_halves = gpu::to_device(halves);
  gpu::DeviceBuffer<unsigned> out(3);
  gpu::launch<bits_kernel>(1, 1, device_halves.data(), device_words.data(), out.data());
  REQUIRE(gpu::to_host(out) ==
          std::vector<unsigned>{(words[0] & words[1]) | words[2], words[0], 0xc100u});
}
