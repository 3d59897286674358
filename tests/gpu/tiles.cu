// SPDX-License-Identifier: MIT
// Products in tiles (gpu/tile.hpp) and copies to shared memory (gpu/async_copy.hpp), with small
// integers, for which every result is exact.
#include <vector>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/tile.hpp"
#include "support/catch.hpp"

namespace {

namespace tile = gpu::tile;
constexpr int kSide = tile::kSide;
constexpr int kNumbers = kSide * kSide;
constexpr int kStride = kSide + 8;

/// Numbers from -2 to 2 without symmetry, both as stored and as values.
struct Matrix {
  std::vector<__nv_bfloat16> stored;
  std::vector<int> exact;

  explicit Matrix(int factor) {
    for (int i = 0; i < kNumbers; ++i) {
      exact.push_back((i * factor + i / kSide) % 5 - 2);
      stored.push_back(__float2bfloat16(static_cast<float>(exact.back())));
    }
  }
  int at(int row, int column) const { return exact[row * kSide + column]; }
};

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* by_rows,
                         float* by_columns, float* chained, float* sums) {
  auto* const left_rows = gpu::dynamic_shared<__nv_bfloat16>();
  __nv_bfloat16* const right_rows = left_rows + kSide * kStride;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kNumbers / 8; i += tile::kLanes) {
    const int row = i / 2;
    const int column = i % 2 * 8;
    gpu::copy_async(left_rows + row * kStride + column, a + row * kSide + column, true);
    gpu::copy_async(right_rows + row * kStride + column, b + row * kSide + column, true);
  }
  gpu::commit_copies();
  gpu::wait_copies<0>();
  __syncthreads();
  tile::Left left;
  tile::Right right;
  left.load(left_rows, kStride);
  tile::Sum<float> sum;
  right.load_columns(right_rows, kStride);
  sum.add(left, right);
  for (int r = 0; r < tile::Sum<float>::rows(); ++r) {
    for (int c = 0; c < tile::Sum<float>::kColumns; ++c) {
      by_columns[tile::Sum<float>::row(r) * kSide + tile::Sum<float>::column(c)] = sum.at(r, c);
    }
  }
  tile::Sum<float> plain;
  right.load_rows(right_rows, kStride);
  plain.add(left, right);
  tile::Sum<float> next;
  next.add(plain.rounded(), right);
  for (int r = 0; r < tile::Sum<float>::kRows; ++r) {
    float own = 0;
    for (int c = 0; c < tile::Sum<float>::kColumns; ++c) own += plain.at(r, c);
    const float total = tile::over_row(own, [](float x, float y) { return x + y; });
    if (r >= tile::Sum<float>::rows()) continue;
    for (int c = 0; c < tile::Sum<float>::kColumns; ++c) {
      const int at = tile::Sum<float>::row(r) * kSide + tile::Sum<float>::column(c);
      by_rows[at] = plain.at(r, c);
      chained[at] = next.at(r, c);
      sums[at] = total;
    }
  }
}

__global__ void copy_part(int there, const __nv_bfloat16* from, __nv_bfloat16* to) {
  auto* const shared = gpu::dynamic_shared<__nv_bfloat16>();
  const int thread = static_cast<int>(threadIdx.x);
  gpu::copy_async(shared + 8 * thread, from + (thread < there ? 8 * thread : 0), thread < there);
  gpu::commit_copies();
  gpu::wait_copies<0>();
  __syncthreads();
  const int other = static_cast<int>(blockDim.x) - 1 - thread;
  for (int i = 0; i < 8; ++i) to[8 * other + i] = shared[8 * other + i];
}

}  // namespace

TEST_CASE("products of tiles: by rows, by columns, chained, and the sums of rows") {
  const Matrix a(3), b(7);
  const auto device_a = gpu::to_device(a.stored);
  const auto device_b = gpu::to_device(b.stored);
  const std::vector<float> unwritten(kNumbers, -1e9F);
  auto by_rows = gpu::to_device(unwritten);
  auto by_columns = gpu::to_device(unwritten);
  auto chained = gpu::to_device(unwritten);
  auto sums = gpu::to_device(unwritten);
  gpu::launch<multiply>({.grid = 1,
                         .block = tile::kLanes,
                         .shared_bytes = 2 * kSide * kStride * sizeof(__nv_bfloat16)},
                        device_a.data(), device_b.data(), by_rows.data(), by_columns.data(),
                        chained.data(), sums.data());
  const auto rows = gpu::to_host(by_rows), columns = gpu::to_host(by_columns);
  const auto twice = gpu::to_host(chained), totals = gpu::to_host(sums);
  for (int r = 0; r < kSide; ++r) {
    std::vector<int> product(kSide);
    int total = 0;
    for (int c = 0; c < kSide; ++c) {
      int transposed = 0;
      for (int k = 0; k < kSide; ++k) {
        product[c] += a.at(r, k) * b.at(k, c);
        transposed += a.at(r, k) * b.at(c, k);
      }
      total += product[c];
      CAPTURE(r, c);
      REQUIRE(rows[r * kSide + c] == static_cast<float>(product[c]));
      REQUIRE(columns[r * kSide + c] == static_cast<float>(transposed));
    }
    for (int c = 0; c < kSide; ++c) {
      int next = 0;
      for (int k = 0; k < kSide; ++k) next += product[k] * b.at(k, c);
      CAPTURE(r, c);
      REQUIRE(twice[r * kSide + c] == static_cast<float>(next));
      REQUIRE(totals[r * kSide + c] == static_cast<float>(total));
    }
  }
}

TEST_CASE("missing elements are copied as zeros") {
  const Matrix a(3);
  const auto from = gpu::to_device(a.stored);
  constexpr int kThreads = kNumbers / 8;
  for (const int there : {0, 1, 17, kThreads}) {
    auto to = gpu::to_device(Matrix(2).stored);
    gpu::launch<copy_part>(
        {.grid = 1, .block = kThreads, .shared_bytes = kNumbers * sizeof(__nv_bfloat16)}, there,
        from.data(), to.data());
    const auto copied = gpu::to_host(to);
    for (int i = 0; i < kNumbers; ++i) {
      CAPTURE(there, i);
      REQUIRE(__bfloat162float(copied[i]) == static_cast<float>(i < 8 * there ? a.exact[i] : 0));
    }
  }
}
