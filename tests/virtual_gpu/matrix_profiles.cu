// SPDX-License-Identifier: MIT
// Profiles of matrix products: m n k multiply-adds in instructions of 16 x 8 x 16, the loads and
// stores of tensor cores' fragments, and nothing about how they are emulated.
#include <cstdint>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/matrix.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "gpu/profile.hpp"
#include "gpu/tile.hpp"
#include "support/catch.hpp"

namespace {

using vgpu::Access;
using vgpu::Launch;
using vgpu::Site;
using vgpu::Space;

constexpr int kSide = 16;
constexpr int kNumbers = kSide * kSide;
constexpr int kWarps = 2;                            // per block
constexpr double kFlopsOfTile = 2.0 * 16 * 16 * 16;  // m n k multiply-adds
constexpr double kFlopsOfInstruction = 2.0 * 16 * 8 * 16;

template <class Run>
Launch profile(const Run& run, int lanes = 32) {
  vgpu::Geometry geometry;
  geometry.lanes = lanes;
  geometry.multiprocessors = 4;
  geometry.shared_bytes = 228 * 1024;
  geometry.l1_bytes = 256 * 1024;
  geometry.l2_bytes = 1 << 20;
  return gpu::profile(geometry, 0, run).launches.back();
}

double global(const Launch& launch, Access access, double Site::*figure) {
  return launch.total(Space::kGlobal, access, figure);
}

/// Every warp adds up `depth` products of tiles.
__global__ void multiply_tiles(int depth, const __nv_bfloat16* from, float* to) {
  namespace tile = gpu::tile;
  constexpr int kStride = kSide + 8;  // an odd multiple of 16 bytes: eight rows cover all banks
  __shared__ __align__(16) __nv_bfloat16 numbers[kWarps][kSide * kStride];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int i = lane; i < kNumbers; i += 32) {
    numbers[warp][i / kSide * kStride + i % kSide] = from[i];
  }
  __syncthreads();
  tile::Sum<float> sum;
  for (int k = 0; k < depth; ++k) {
    tile::Left left;
    tile::Right right;
    left.load(numbers[warp], kStride);
    right.load_rows(numbers[warp], kStride);
    sum.add(left, right);
  }
  for (int r = 0; r < tile::Sum<float>::rows(); ++r) {
    for (int c = 0; c < tile::Sum<float>::kColumns; ++c) {
      to[warp * kNumbers + tile::Sum<float>::row(r) * kSide + tile::Sum<float>::column(c)] =
          sum.at(r, c);
    }
  }
}

Launch tiles(int depth) {
  const gpu::DeviceBuffer<__nv_bfloat16> from(kNumbers);
  gpu::DeviceBuffer<float> to(kWarps * kNumbers);
  return profile([&] {
    gpu::launch<multiply_tiles>(dim3(1), dim3(32 * kWarps), depth, from.data(), to.data());
  });
}

template <class LayoutA, class LayoutB>
__global__ void multiply_fragments(const __half* a, const __half* b, float* c) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __half, LayoutA> left;
  wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __half, LayoutB> right;
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, kSide);
  wmma::load_matrix_sync(right, b, kSide);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, kSide, wmma::mem_row_major);
}

struct Product {
  Launch launch;
  std::vector<float> result;
};

/// Matrices of small integers, without symmetry.
int left_number(int row, int column) {
  return (3 * row + 5 * column + row * column) % 7 - 3;
}
int right_number(int row, int column) {
  return (2 * row + column * column) % 5 - 2;
}

template <class LayoutA, class LayoutB>
Product fragments(bool a_by_rows, bool b_by_rows, int lanes = 32) {
  std::vector<__half> a(kNumbers), b(kNumbers);
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const auto at = [&](bool by_rows) {
        return static_cast<std::size_t>(by_rows ? row * kSide + column : column * kSide + row);
      };
      a[at(a_by_rows)] = static_cast<float>(left_number(row, column));
      b[at(b_by_rows)] = static_cast<float>(right_number(row, column));
    }
  }
  const auto device_a = gpu::to_device(a);
  const auto device_b = gpu::to_device(b);
  gpu::DeviceBuffer<float> c(kNumbers);
  Product product;
  product.launch = profile(
      [&] {
        gpu::launch<multiply_fragments<LayoutA, LayoutB>>(
            dim3(1), dim3(static_cast<unsigned>(lanes)), device_a.data(), device_b.data(),
            c.data());
      },
      lanes);
  product.result = gpu::to_host(c);
  return product;
}

void check_product(const Product& product) {
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      int sum = 0;
      for (int k = 0; k < kSide; ++k) sum += left_number(row, k) * right_number(k, column);
      CAPTURE(row, column);
      CHECK(product.result[static_cast<std::size_t>(row * kSide + column)] ==
            static_cast<float>(sum));
    }
  }
}

__global__ void dot_pairs(const uint4* from, float* to) {
  const uint4 x = from[threadIdx.x];
  gpu::PairDot dot;
  dot = dot.plus({x.x, x.y}, {x.z, x.w}, {x.x, x.y});
  to[threadIdx.x] = dot.first();
}

__global__ void half_a_warp(float* to) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> a{};
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major> b{};
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum{};
  nvcuda::wmma::mma_sync(sum, a, b, sum);
  to[threadIdx.x] = 1;
}

}  // namespace

TEST_CASE("products of tiles are matrix instructions, and no arithmetic of lanes") {
  for (const int depth : {1, 5}) {
    const Launch launch = tiles(depth);
    REQUIRE(launch.matrix.size() == 1);
    const vgpu::MatrixWork& work = launch.matrix.at("bf16");
    CHECK(work.flops == kWarps * depth * kFlopsOfTile);
    CHECK(work.instructions == kWarps * depth * kFlopsOfTile / kFlopsOfInstruction);
    CHECK(launch.arithmetic.empty());
    CHECK(launch.flops() == 0);
    CHECK(launch.matrix_flops() == work.flops);
  }
}

TEST_CASE("operands of tiles are loaded by one request of 16 bytes per lane, as ldmatrix does") {
  const Launch launch = tiles(5);
  const auto loads = [&](double Site::*figure) {
    return launch.total(Space::kShared, Access::kLoad, figure);
  };
  CHECK(loads(&Site::requests) == kWarps * 5 * 2);
  CHECK(loads(&Site::lanes) == kWarps * 5 * 2 * 32);
  CHECK(loads(&Site::wavefronts) == kWarps * 5 * 2 * 4);  // eight rows of 16 bytes each
  // Every lane stores its eight sums; a request touches eight rows.
  CHECK(global(launch, Access::kStore, &Site::requests) == kWarps * 8);
  CHECK(global(launch, Access::kStore, &Site::sectors) == kWarps * 8 * 8);
}

TEST_CASE("the FLOPs of a product belong to the line that asks for it") {
  const Launch launch = tiles(1);
  double flops = 0;
  for (const vgpu::LineWork& line : launch.lines) {
    CHECK(line.file == "matrix_profiles.cu");
    flops += line.flops;
  }
  CHECK(flops == kWarps * kFlopsOfTile);
}

TEST_CASE("nvcuda::wmma loads fragments by words and is right in every layout") {
  using nvcuda::wmma::col_major;
  using nvcuda::wmma::row_major;
  const Product plain = fragments<row_major, row_major>(true, true);
  check_product(plain);
  check_product(fragments<row_major, col_major>(true, false));
  check_product(fragments<col_major, row_major>(false, true));
  const Product wide = fragments<col_major, col_major>(false, false, 64);
  check_product(wide);
  // tests/virtual_gpu/h100_labs.csv, "matrix": four requests per fragment, of eight sectors each.
  CHECK(global(plain.launch, Access::kLoad, &Site::requests) == 2 * 4);
  CHECK(global(plain.launch, Access::kLoad, &Site::sectors) == 2 * 4 * 8);
  CHECK(global(plain.launch, Access::kStore, &Site::requests) == 4);
  CHECK(global(plain.launch, Access::kStore, &Site::sectors) == 4 * 8);
  CHECK(plain.launch.matrix.at("fp16").instructions == 2);
  CHECK(plain.launch.matrix.at("fp16").flops == kFlopsOfTile);
  // An instruction of 64 lanes does twice as much.
  CHECK(wide.launch.matrix.at("fp16").instructions == 1);
  CHECK(wide.launch.matrix.at("fp16").flops == kFlopsOfTile);
}

TEST_CASE("dot products of packed halves are one matrix instruction of a warp") {
  const gpu::DeviceBuffer<uint4> from(32);
  gpu::DeviceBuffer<float> to(32);
  const Launch launch =
      profile([&] { gpu::launch<dot_pairs>(dim3(1), dim3(32), from.data(), to.data()); });
  CHECK(launch.matrix.at("fp16").instructions == 1);
  CHECK(launch.matrix.at("fp16").flops == kFlopsOfInstruction);
}

TEST_CASE("a matrix instruction of half a warp is stopped") {
  gpu::DeviceBuffer<float> to(16);
  CHECK_THROWS_WITH(gpu::launch<half_a_warp>(dim3(1), dim3(16), to.data()),
                    Catch::Contains("matrix instruction of a part of a warp"));
}
