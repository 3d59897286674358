// SPDX-License-Identifier: MIT
// Prints the counts of the reference kernels of all counted exercises as CSV: reference_counts.csv.
// Built by counts_everywhere.sh with every available compiler; the table must be the same each
// time.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/pack.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "gpu/tile.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"
#include "harness/shapes.hpp"

// Called from here, not by a grader.
#undef HARNESS_LAB
#undef HARNESS_COUNTED_LAB
#define HARNESS_LAB(...)
#define HARNESS_COUNTED_LAB(...)

// Each lab in its own namespace: they use the same names for their constants.
namespace stencil5_lab {
#include "solutions/01-ai-basics/code/stencil5.cu"
}
namespace stencil5_tiled_lab {
#include "solutions/01-ai-basics/code/stencil5_tiled.cu"
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
namespace stream_lab {
#include "solutions/02-peaks/code/stream.cu"
}
namespace sweep_lab {
#include "solutions/03-roofline-modeling/code/sweep.cu"
}
namespace chain_lab {
#include "solutions/03-roofline-modeling/code/fused_chain.cu"
}
namespace gemm_lab {
#include "solutions/03-roofline-modeling/code/gemm_tiled.cu"
}
namespace softmax_lab {
#include "solutions/04-llm-inference/code/softmax_online.cu"
}
namespace gemv_batch_lab {
#include "solutions/04-llm-inference/code/gemv_batch.cu"
}
namespace attention_int8_lab {
#include "solutions/04-llm-inference/code/attention_int8.cu"
}
namespace attention_prefill_lab {
#include "solutions/04-llm-inference/code/attention_prefill.cu"
}
namespace moe_product_lab {
#include "solutions/04-llm-inference/code/moe_product.cu"
}
namespace gemv_mxfp4_lab {
#include "solutions/04-llm-inference/code/gemv_mxfp4.cu"
}

namespace {

using Float = gpu::Counting<float>;
using Double = gpu::Counting<double>;

/// Device memory filled with ones: the counts of a kernel must not depend on the numbers.
template <class T>
class Ones {
 public:
  explicit Ones(std::int64_t size)
      : buffer_(gpu::to_device(std::vector<T>(static_cast<std::size_t>(size), T(1)))) {}
  gpu::DeviceSpan<gpu::Counting<T>> out() { return {gpu::counted(buffer_), buffer_.size()}; }
  gpu::DeviceSpan<const gpu::Counting<T>> in() { return out(); }

 private:
  gpu::DeviceBuffer<T> buffer_;
};
using Floats = Ones<float>;

void print_row(const char* exercise, std::int64_t n, const std::function<void()>& run) {
  const gpu::Counts counts = gpu::count(run);
  std::printf("%s,%lld", exercise, static_cast<long long>(n));
  for (const std::uint64_t count :
       {counts.flops(), counts.divisions, counts.special_functions, counts.comparisons,
        counts.loads, counts.stores, counts.bytes_loaded, counts.bytes_stored,
        counts.compulsory_bytes(), counts.warp_loads, counts.warp_stores, counts.sectors_loaded,
        counts.sectors_stored, counts.shared_loads, counts.shared_stores}) {
    std::printf(",%llu", static_cast<unsigned long long>(count));
  }
  std::printf("\n");
}

using Sizes = std::initializer_list<std::int64_t>;

// Shapes are those of the exercises: their oracles define what n means. Sizes are theirs or
// smaller.

template <class Sweep>
void stencil(const char* exercise, Sizes sizes, const Sweep& sweep) {
  for (const std::int64_t n : sizes) {
    const std::int64_t columns = n + n / 2;
    Floats in(n * columns);
    Floats out(n * columns);
    print_row(exercise, n, [&] { sweep(n, columns, in.in(), out.out()); });
  }
}

template <class Product>
void product(const char* exercise, Sizes sizes, const Product& multiply) {
  for (const std::int64_t n : sizes) {
    Floats a(n * 3 * n);
    Floats b(3 * n * 2 * n);
    Floats c(n * 2 * n);
    print_row(exercise, n, [&] { multiply(n, 2 * n, 3 * n, a.in(), b.in(), c.out()); });
  }
}

void count_topic_01() {
  stencil("01.stencil5.counted", {3, 16, 33, 61}, stencil5_lab::stencil5<Float>);
  stencil("01.stencil5_tiled.counted", {33, 61, 96}, stencil5_tiled_lab::stencil5_tiled<Float>);
  for (const std::int64_t n : {3, 9, 18}) {
    Floats in(n * (n + 1) * (n + 2));
    Floats out(n * (n + 1) * (n + 2));
    print_row("01.stencil7.counted", n,
              [&] { stencil7_lab::stencil7<Float>(n, n + 1, n + 2, in.in(), out.out()); });
  }
  for (const std::int64_t n : {1025, 100003}) {
    Floats x(n);
    Floats y(n);
    Floats result(1);
    print_row("01.sum.counted", n, [&] { sum_lab::sum<Float>(x.in(), result.out()); });
    print_row("01.dot.counted", n, [&] { dot_lab::dot<Float>(x.in(), y.in(), result.out()); });
  }
  product("01.matmul.counted", {5, 16, 24}, matmul_lab::matmul<Float>);
  product("01.matmul_tiled.counted", {10, 16, 33}, matmul_tiled_lab::matmul_tiled<Float>);
}

void count_other_topics() {
  for (const std::int64_t n : {2, 256, 1026, 4096}) {
    Ones<double> x(n);
    Ones<double> y(n);
    Ones<double> out(n);
    print_row("02.triad.counted", n,
              [&] { stream_lab::triad<Double>(2, x.in(), y.in(), out.out()); });
  }
  for (const std::int64_t n : {4096, 4099}) {
    Floats x(n);
    const int iterations = static_cast<int>(n % 41);
    print_row("03.sweep.counted", n,
              [&] { sweep_lab::sweep<Float>(iterations, 0.5F, 1, x.out()); });
  }
  for (const std::int64_t n : {1, 257, 1024, 4100}) {
    Floats b(n);
    Floats g(n);
    Floats x(n);
    print_row("03.fusion.chain-counted", n,
              [&] { chain_lab::fused_chain<Float>(2, b.in(), g.in(), x.out()); });
  }
  for (const int n : {33, 64}) {
    const bool is_square = n % 64 == 0;
    const int columns = is_square ? n : n + 3;
    const int inner = is_square ? n : n + 1;
    Floats a(n * inner);
    Floats b(inner * columns);
    Floats c(n * columns);
    print_row("03.gemm.tiled-counted", n,
              [&] { gemm_lab::gemm_tiled<Float>(n, columns, inner, a.in(), b.in(), c.out()); });
  }
  for (const std::int64_t n : {1, 33, 1000, 4099}) {
    constexpr int kRows = 3;
    Floats x(kRows * n);
    Floats y(kRows * n);
    print_row("04.softmax.passes", n,
              [&] { softmax_lab::softmax_online<Float>(n, x.in(), y.out()); });
  }
}

/// Device memory filled with ones of another type.
template <class T>
gpu::DeviceBuffer<T> ones(std::int64_t count) {
  return gpu::to_device(std::vector<T>(static_cast<std::size_t>(count), T(1)));
}

void count_products_of_topic_04() {
  for (const std::int64_t n : {1, 33, 256}) {
    constexpr std::int64_t kBlock = 32;
    const std::int64_t columns = n % kBlock == 0 ? n : kBlock * (1 + n % 5);
    const auto packed = ones<std::uint8_t>(n * columns / 2);
    const auto scales = ones<std::uint8_t>(n * columns / kBlock);
    Floats x(columns);
    Floats y(n);
    print_row("04.gemv_mxfp4.passes", n,
              [&] { gemv_mxfp4_lab::gemv_mxfp4<Float>(packed, scales, x.in(), y.out()); });
  }
  for (const std::int64_t n : {4, 7, 34}) {
    const std::int64_t rows = n % 3 == 0 ? 83 : 64 + n % 5;
    const std::int64_t columns = n % 2 == 0 ? 512 : 37 + n % 7;
    const auto w = ones<__half>(rows * columns);
    const auto x = ones<__half>(n * columns);
    Floats y(n * rows);
    print_row("04.gemv_batch.passes", n,
              [&] { gemv_batch_lab::gemv_batch<Float>(n, w, x, y.out()); });
  }
  for (const std::int64_t n : {5, 66}) {
    constexpr std::int32_t kExperts = 5;
    const int in = n % 2 == 0 ? 128 : 72;
    const int out = n % 5 < 2 ? 64 : 83;
    const auto all = static_cast<std::int32_t>(n);
    const auto offsets =
        gpu::to_device(std::vector<std::int32_t>{0, 1, all - 2, all - 2, all - 1, all});
    const auto x = ones<__nv_bfloat16>(n * in);
    const auto w = ones<__nv_bfloat16>(std::int64_t{kExperts} * in * out);
    Floats y(n * out);
    print_row("04.moe_product.passes", n,
              [&] { moe_product_lab::moe_product<Float>(in, out, offsets, x, w, y.out()); });
  }
}

void count_attention() {
  struct Heads {
    int queries, pairs, size;
  };
  for (const auto& size : {std::pair<std::int64_t, Heads>{36, {8, 2, 128}},
                           std::pair<std::int64_t, Heads>{61, {3, 3, 64}},
                           std::pair<std::int64_t, Heads>{98, {8, 1, 80}}}) {
    const std::int64_t n = size.first;
    const Heads heads = size.second;
    const auto q = ones<__nv_bfloat16>(heads.queries * heads.size);
    const auto cache = ones<std::int8_t>(heads.pairs * n * heads.size);
    const auto scales = ones<__half>(heads.pairs * n);
    Floats out(heads.queries * heads.size);
    print_row("04.attention_int8.passes", n, [&] {
      attention_int8_lab::attention_int8<Float>(heads.queries, heads.pairs, heads.size, n, q, cache,
                                                scales, cache, scales, out.out());
    });
  }
  for (const std::int64_t n : {1, 65, 127}) {
    const Heads heads{4, 2, n % 3 == 1 ? 64 : 128};
    const std::int64_t context = n + (n % 4 == 1 ? 37 : 64);
    const auto q = ones<__nv_bfloat16>(heads.queries * n * heads.size);
    const auto cache = ones<__nv_bfloat16>(heads.pairs * context * heads.size);
    Floats out(heads.queries * n * heads.size);
    print_row("04.attention_prefill.passes", n, [&] {
      attention_prefill_lab::attention_prefill<Float>(heads.queries, heads.pairs, heads.size,
                                                      context, q, cache, cache, out.out());
    });
  }
}

}  // namespace

int main() {
  std::printf(
      "exercise,n,flops,divisions,special_functions,comparisons,loads,stores,bytes_loaded,"
      "bytes_stored,compulsory_bytes,warp_loads,warp_stores,sectors_loaded,sectors_stored,"
      "shared_loads,shared_stores\n");
  count_topic_01();
  count_other_topics();
  count_products_of_topic_04();
  count_attention();
}
