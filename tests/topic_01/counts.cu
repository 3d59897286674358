// SPDX-License-Identifier: MIT
// The reference kernels of topic 01, run and counted, against the library's formulas.
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"
#include "roofline/blas.hpp"
#include "roofline/elementwise.hpp"
#include "support/catch.hpp"

// Each lab in a namespace of its own: they use the same names for their constants.
namespace stencil5_lab {
#include "solutions/01-ai-basics/code/stencil5.cu"
}
namespace stencil5_tiled_lab {
#include "solutions/01-ai-basics/code/stencil5_tiled.cu"
}
namespace stencil5_fast_lab {
#include "solutions/01-ai-basics/code/stencil5_fast.cu"
}
namespace stencil7_lab {
#include "solutions/01-ai-basics/code/stencil7.cu"
}
namespace sum_lab {
#include "solutions/01-ai-basics/code/sum.cu"
}
namespace dot_lab {
#include "solutions/01-ai-basics/code/dot.cu"
}
namespace matmul_lab {
#include "solutions/01-ai-basics/code/matmul.cu"
}
namespace matmul_tiled_lab {
#include "solutions/01-ai-basics/code/matmul_tiled.cu"
}

namespace {

using roofline::Operation;
using Number = gpu::Counting<float>;
constexpr auto kFp32 = roofline::Precision::kFp32;

/// Device memory filled with ones of the counting type.
class Array {
 public:
  explicit Array(std::int64_t size)
      : buffer_(gpu::to_device(std::vector<float>(static_cast<std::size_t>(size), 1.0F))) {}
  gpu::DeviceSpan<Number> out() { return {gpu::counted(buffer_), buffer_.size()}; }
  gpu::DeviceSpan<const Number> in() { return out(); }

 private:
  gpu::DeviceBuffer<float> buffer_;
};

constexpr std::int64_t kRows = 37;
constexpr std::int64_t kColumns = 64;
constexpr double kInnerPoints = (kRows - 2) * (kColumns - 2);
constexpr double kBorderPoints = kRows * kColumns - kInnerPoints;

using Sweep = void (*)(std::int64_t, std::int64_t, gpu::DeviceSpan<const Number>,
                       gpu::DeviceSpan<Number>);

gpu::Counts counts_of(Sweep sweep) {
  Array in(kRows * kColumns);
  Array out(kRows * kColumns);
  return gpu::count([&] { sweep(kRows, kColumns, in.in(), out.out()); });
}

}  // namespace

TEST_CASE("5-point stencils do the formula's work, and load what they should") {
  const Operation inner = roofline::stencil(kInnerPoints, 5, kFp32);
  const double compulsory = inner.bytes() + 8 * kBorderPoints;
  for (const Sweep sweep :
       {Sweep{stencil5_lab::stencil5<Number>}, Sweep{stencil5_tiled_lab::stencil5_tiled<Number>},
        Sweep{stencil5_fast_lab::stencil5_fast<Number>}}) {
    const gpu::Counts counts = counts_of(sweep);
    // The fast kernel computes the two ends of a row before it copies them.
    CHECK(static_cast<double>(counts.flops()) >= inner.flops);
    CHECK(static_cast<double>(counts.flops()) <= inner.flops + 4 * 2 * kRows);
    CHECK(static_cast<double>(counts.compulsory_bytes()) == compulsory);
    // It also stores a row's last vector over the one before where they overlap; a vector is as
    // wide as the machine's.
    CHECK(static_cast<double>(counts.bytes_stored) >= compulsory / 2);
    CHECK(static_cast<double>(counts.bytes_stored) <= compulsory / 2 + 4 * 16 * kRows);
  }
  const Operation uncached =
      roofline::stencil(kInnerPoints, 5, kFp32, roofline::StencilReuse::kNone);
  const gpu::Counts naive = counts_of(stencil5_lab::stencil5<Number>);
  CHECK(static_cast<double>(naive.flops()) == inner.flops);
  CHECK(static_cast<double>(naive.bytes_loaded) == uncached.bytes_read + 4 * kBorderPoints);
  const gpu::Counts tiled = counts_of(stencil5_tiled_lab::stencil5_tiled<Number>);
  CHECK(static_cast<double>(tiled.flops()) == inner.flops);
  CHECK(static_cast<double>(tiled.bytes_loaded) < 1.25 * compulsory / 2);
}

TEST_CASE("5-point stencils ask for the sectors that warps along the rows need") {
  // Each row begins at a sector.
  constexpr std::uint64_t kWarpsOfRow = kColumns / 32;
  constexpr std::uint64_t kRowSectors = kColumns * 4 / 32;
  constexpr std::uint64_t kInnerRows = kRows - 2;
  constexpr std::uint64_t kAllSectors = kRows * kRowSectors;
  // A kernel that loads or stores the two border points of an inner row in another branch accesses
  // them separately.
  constexpr std::uint64_t kBorderSectors = 2 * kInnerRows;
  // Centre, north and south; west and east reach into a sector of the next warp.
  constexpr std::uint64_t kLoads =
      kInnerRows * (5 * kRowSectors + 2 * (kWarpsOfRow - 1)) + 2 * kRowSectors;
  const gpu::Counts naive = counts_of(stencil5_lab::stencil5<Number>);
  CHECK(naive.sectors_loaded >= kLoads);
  CHECK(naive.sectors_loaded <= kLoads + kBorderSectors);
  // Tiles of 32 x 16 points: each point once, and the halo on the sides where there is a grid.
  constexpr std::uint64_t kTilesDown = (kRows + 15) / 16;
  const gpu::Counts tiled = counts_of(stencil5_tiled_lab::stencil5_tiled<Number>);
  CHECK(tiled.sectors_loaded ==
        kAllSectors + 2 * kRows * (kWarpsOfRow - 1) + 2 * kRowSectors * (kTilesDown - 1));
  for (const gpu::Counts& counts : {naive, tiled}) {
    CHECK(counts.sectors_stored >= kAllSectors);
    CHECK(counts.sectors_stored <= kAllSectors + kBorderSectors);
  }
}

TEST_CASE("the 7-point stencil does the formula's work") {
  constexpr std::int64_t kSide = 10;
  constexpr double kInside = 8 * 8 * 8;
  constexpr double kFaces = kSide * kSide * kSide - kInside;
  Array in(kSide * kSide * kSide);
  Array out(kSide * kSide * kSide);
  const gpu::Counts counts =
      gpu::count([&] { stencil7_lab::stencil7<Number>(kSide, kSide, kSide, in.in(), out.out()); });
  const Operation cached = roofline::stencil(kInside, 7, kFp32);
  const Operation uncached = roofline::stencil(kInside, 7, kFp32, roofline::StencilReuse::kNone);
  CHECK(static_cast<double>(counts.flops()) == cached.flops);
  CHECK(static_cast<double>(counts.compulsory_bytes()) == cached.bytes() + 8 * kFaces);
  CHECK(static_cast<double>(counts.bytes_loaded) == uncached.bytes_read + 4 * kFaces);
}

TEST_CASE("reductions do the formula's work and a small tree") {
  // Each of the few blocks ends with a tree over its 256 threads' sums.
  constexpr double kWithTrees = 1.2;
  constexpr std::int64_t kSize = 100003;
  Array x(kSize);
  Array y(kSize);
  Array result(1);
  const gpu::Counts sum = gpu::count([&] { sum_lab::sum<Number>(x.in(), result.out()); });
  const Operation sum_model = roofline::sum(kSize, kFp32);
  CHECK(static_cast<double>(sum.distinct_bytes_loaded) == sum_model.bytes_read + 4);
  CHECK(static_cast<double>(sum.flops()) >= sum_model.flops);
  CHECK(static_cast<double>(sum.flops()) <= kWithTrees * sum_model.flops);
  const gpu::Counts dot = gpu::count([&] { dot_lab::dot<Number>(x.in(), y.in(), result.out()); });
  const Operation dot_model = roofline::dot(kSize, kFp32);
  CHECK(static_cast<double>(dot.distinct_bytes_loaded) == dot_model.bytes_read + 4);
  CHECK(static_cast<double>(dot.flops()) >= dot_model.flops);
  CHECK(static_cast<double>(dot.flops()) <= kWithTrees * dot_model.flops);
}

TEST_CASE("matrix products do the formula's work, and load by their tiles") {
  constexpr std::int64_t kM = 32;
  constexpr std::int64_t kN = 48;
  constexpr std::int64_t kK = 64;
  Array a(kM * kK);
  Array b(kK * kN);
  Array c(kM * kN);
  const gpu::Counts naive =
      gpu::count([&] { matmul_lab::matmul<Number>(kM, kN, kK, a.in(), b.in(), c.out()); });
  const gpu::Counts tiled = gpu::count(
      [&] { matmul_tiled_lab::matmul_tiled<Number>(kM, kN, kK, a.in(), b.in(), c.out()); });
  const Operation naive_model = roofline::naive_gemm(kM, kN, kK, kFp32);
  const Operation tiled_model = roofline::tiled_gemm(kM, kN, kK, 16, kFp32);
  for (const gpu::Counts& counts : {naive, tiled}) {
    CHECK(static_cast<double>(counts.flops()) == naive_model.flops);
    CHECK(static_cast<double>(counts.compulsory_bytes()) == naive_model.bytes());
    CHECK(static_cast<double>(counts.bytes_stored) == naive_model.bytes_written);
  }
  CHECK(static_cast<double>(naive.bytes_loaded) == naive_model.inner.front().bytes);
  CHECK(static_cast<double>(tiled.bytes_loaded + tiled.bytes_stored) ==
        tiled_model.inner.front().bytes);
  // Rows of A, B and C begin at sectors, so that a tile of 16 moves no byte that it does not use.
  CHECK(32 * tiled.sectors_loaded == tiled.bytes_loaded);
  CHECK(32 * tiled.sectors_stored == tiled.bytes_stored);
  // For each term a warp of the naive product asks for one sector of A and 32 elements of B; the
  // last warp of a row of 48 columns has 16 of them.
  CHECK(naive.sectors_loaded == static_cast<std::uint64_t>(kM * kK * (2 + kN * 4 / 32)));
  CHECK(32 * naive.sectors_stored == naive.bytes_stored);
}
