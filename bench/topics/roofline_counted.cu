// SPDX-License-Identifier: MIT
// bench-roofline-counted: runs each reference kernel of topic 03 once on counting numbers, and
// prints what it did: the table data/measured/roofline_counted.csv, shown in section 3.11. With a
// file as argument, compares: bench-roofline-counted data/measured/roofline_counted.csv
#include <algorithm>  // headers of the labs below come before their namespaces, used here or not
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/function.hpp"
#include "harness/main.hpp"
#include "harness/shapes.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"

// Each lab in its own namespace: they use the same names for their constants.
namespace roofline_lab {
#define ROOFLINE_MACHINE "counting_machine.hpp"
#include "solutions/03-roofline-modeling/code/roofline.cu"
}  // namespace roofline_lab
namespace sweep_lab {
#include "solutions/03-roofline-modeling/code/sweep.cu"
}
namespace chain_lab {
#include "solutions/03-roofline-modeling/code/fused_chain.cu"
}
namespace norm_lab {
#include "solutions/03-roofline-modeling/code/fused_norm.cu"
}
namespace naive_lab {
#include "solutions/03-roofline-modeling/code/gemm_naive.cu"
}
namespace tiled_lab {
#include "solutions/03-roofline-modeling/code/gemm_tiled.cu"
}
namespace registers_lab {
#include "solutions/03-roofline-modeling/code/gemm_registers.cu"
}
namespace vectorised_lab {
#include "solutions/03-roofline-modeling/code/gemm_vectorised.cu"
}

namespace {

using Number = gpu::Counting<float>;
using In = gpu::DeviceSpan<const Number>;
using Out = gpu::DeviceSpan<Number>;

constexpr std::int64_t kElements = 24576;  // 6 rows of 4096; whole blocks of every kernel
constexpr std::int64_t kColumns = 4096;
// C = A B with complete tiles on every rung.
constexpr int kM = 256;
constexpr int kN = 256;
constexpr int kK = 128;
constexpr int kIterations = 1024;

/// Counted intensity and formula may differ by this fraction before the text must explain why.
constexpr double kMostDifference = 0.10;
constexpr double kNormDifference = 0.40;  ///< the trees over the threads of a row

/// Device memory filled with ones.
class Array {
 public:
  explicit Array(std::int64_t size)
      : buffer_(gpu::to_device(std::vector<float>(static_cast<std::size_t>(size), 1.0F))) {}
  Out out() { return {gpu::counted(buffer_), buffer_.size()}; }
  In in() { return out(); }
  gpu::DeviceSpan<float> plain() { return buffer_.span(); }

 private:
  gpu::DeviceBuffer<float> buffer_;
};

/// A kernel, its size, the counts of one run, and the intensity according to the formula.
struct Row {
  std::string kernel;
  std::string size;
  gpu::Counts counts;
  double formula = 0;  ///< FLOP/B
  double most_difference = kMostDifference;
};

Row streaming(const char* kernel, double flops_per_element, double values_per_element,
              const std::function<void()>& run, double most_difference = kMostDifference) {
  return {kernel, std::to_string(kElements), gpu::count(run),
          roofline::arithmetic_intensity(flops_per_element, values_per_element * sizeof(float)),
          most_difference};
}

using Product = void (*)(int, int, int, In, In, Out);

Row product(const char* kernel, Product run) {
  Array a(kM * kK);
  Array b(kK * kN);
  Array c(kM * kN);
  return {kernel, std::to_string(kM) + "x" + std::to_string(kN) + "x" + std::to_string(kK),
          gpu::count([&] { run(kM, kN, kK, a.in(), b.in(), c.out()); }),
          roofline::gemm(kM, kN, kK, roofline::Precision::kFp32).intensity()};
}

std::vector<Row> count_all() {
  Array x(kElements);
  Array y(kElements);
  Array z(kElements);
  Array weight(kColumns);
  return {
      product("gemm_naive", naive_lab::gemm_naive<Number>),
      product("gemm_tiled", tiled_lab::gemm_tiled<Number>),
      product("gemm_registers", registers_lab::gemm_registers<Number>),
      product("gemm_vectorised", vectorised_lab::gemm_vectorised<Number>),
      streaming("fused_chain", 3, 4,
                [&] { chain_lab::fused_chain<Number>(2, x.in(), y.in(), z.out()); }),
      streaming(
          "fused_norm", 5, 4,
          [&] { norm_lab::fused_norm<Number>(1e-5F, weight.in(), x.out(), y.out()); },
          kNormDifference),
      streaming("sweep_1", 2, 2, [&] { sweep_lab::sweep_1<Number>(0.5F, 1, x.out()); }),
      streaming("sweep_1000", 2000, 2, [&] { sweep_lab::sweep_1000<Number>(0.5F, 1, x.out()); }),
      streaming("roofline_saxpy", 2, 3, [&] { roofline_lab::saxpy(0.5F, x.plain(), y.plain()); }),
      streaming("roofline_fma", 2 * kIterations, 2,
                [&] { roofline_lab::fma_chain(kIterations, 0.5F, 1, x.plain()); })};
}

/// The table as CSV. @throws std::runtime_error if counted and formula differ by more than the text
/// allows.
std::string table(const std::vector<Row>& rows) {
  std::ostringstream text;
  text << "kernel,size,flops,bytes_loaded,bytes_stored,compulsory_bytes\n";
  for (const Row& row : rows) {
    const gpu::Counts& counts = row.counts;
    if (!(std::abs(counts.flops_per_byte() / row.formula - 1) <= row.most_difference)) {
      throw std::runtime_error(row.kernel + ": counted " + std::to_string(counts.flops_per_byte()) +
                               " FLOP/B, the formula says " + std::to_string(row.formula) +
                               "; section 3.11 explains no such difference");
    }
    text << row.kernel << ',' << row.size << ',' << counts.flops() << ',' << counts.bytes_loaded
         << ',' << counts.bytes_stored << ',' << counts.compulsory_bytes() << '\n';
  }
  return text.str();
}

int compare(const std::string& table, const char* file) {
  std::ifstream in(file);
  std::istringstream counted(table);
  int differing = 0;
  for (std::string is, should; std::getline(counted, should);) {
    if (std::getline(in, is) && is == should) continue;
    std::fprintf(stderr, "%s says '%s', and counted was '%s'\n", file, is.c_str(), should.c_str());
    ++differing;
  }
  std::string rest;
  if (differing == 0 && !std::getline(in, rest)) return 0;
  std::fprintf(stderr, "write the file again: bench-roofline-counted > %s\n", file);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::fprintf(stderr, "usage: bench-roofline-counted [TABLE.csv]\n");
    return 2;
  }
  if (argc == 2 && !std::ifstream(argv[1])) {
    std::fprintf(stderr, "bench-roofline-counted: cannot read %s\n", argv[1]);
    return 1;
  }
  try {
    const std::string counted = table(count_all());
    if (argc == 2) return compare(counted, argv[1]);
    std::fputs(counted.c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-roofline-counted: %s\n", error.what());
    return 1;
  }
}
