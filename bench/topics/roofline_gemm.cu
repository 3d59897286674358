// SPDX-License-Identifier: MIT
// bench-roofline-gemm: the four rungs of topic 03's matrix product and the vendor's SGEMM,
// alternating for several rounds: the data of section 3.9 of its write-up for a CPU. Ratios are
// taken within a round, so that other programs on the machine disturb both sides equally.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/blas.hpp"
#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/lab.hpp"
#include "harness/shapes.hpp"

// Each lab in its own namespace: they use the same names for their constants.
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

using In = gpu::DeviceSpan<const float>;
using Out = gpu::DeviceSpan<float>;
using Product = void (*)(int, int, int, In, In, Out);

/// Row by row, as the labs store matrices: C^T = B^T A^T column by column.
void vendor(int m, int n, int k, In a, In b, Out c) {
  gpu::sgemm(n, m, k, 1, b.data(), n, a.data(), k, 0, c.data(), n);
}

struct Rung {
  const char* name;
  Product product;
  std::vector<double> seconds{};
};

double seconds_of(const Rung& rung, int n, In a, In b, Out c) {
  gpu::Timer timer;
  rung.product(n, n, n, a, b, c);
  return timer.seconds();
}

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(
      std::lround(part * static_cast<double>(values.size() - 1)))];
}

gpu::DeviceBuffer<float> matrix(int n, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(seed >> 8) / (1 << 23) - 1;
  }
  return gpu::to_device(values);
}

void run(int n, int rounds) {
  if (gpu::blas_name().empty()) throw std::runtime_error("this build has no BLAS to compare with");
  std::vector<Rung> rungs = {{"gemm_naive", naive_lab::gemm_naive<float>},
                             {"gemm_tiled", tiled_lab::gemm_tiled<float>},
                             {"gemm_registers", registers_lab::gemm_registers<float>},
                             {"gemm_vectorised", vectorised_lab::gemm_vectorised<float>},
                             {"vendor_sgemm", vendor}};
  const gpu::DeviceBuffer<float> a = matrix(n, 1);
  const gpu::DeviceBuffer<float> b = matrix(n, 2);
  gpu::DeviceBuffer<float> c(a.size());
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    for (Rung& rung : rungs) {
      const double seconds = seconds_of(rung, n, a, b, c);
      if (round >= 0) rung.seconds.push_back(seconds);
    }
  }
  const double flops = 2.0 * n * n * n;
  std::printf(
      "program,backend,device,library,n,rounds,gflop_per_s,of_library,of_library_low,"
      "of_library_high\n");
  for (const Rung& rung : rungs) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < rung.seconds.size(); ++i) {
      ratios.push_back(rungs.back().seconds[i] / rung.seconds[i]);
    }
    std::printf("%s,%s,\"%s\",%s,%d,%d,%.4g,%.3f,%.3f,%.3f\n", rung.name,
                std::string(gpu::backend_name()).c_str(), gpu::current_device().name.c_str(),
                std::string(gpu::blas_name()).c_str(), n, rounds,
                flops / percentile(rung.seconds, 0.5) / 1e9, percentile(ratios, 0.5),
                percentile(ratios, 0.25), percentile(ratios, 0.75));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 768;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 11;
  if (argc > 3 || n < 1 || n > 32768 || rounds < 1) {
    std::fprintf(stderr, "usage: bench-roofline-gemm [N, 1 to 32768] [ROUNDS]\n");
    return 2;
  }
  try {
    run(n, rounds);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-roofline-gemm: %s\n", error.what());
    return 1;
  }
}
