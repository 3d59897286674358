// SPDX-License-Identifier: MIT
// Compares kernels on the CPU backend with plain C++ loops and prints the ratios. The two sides of
// each pair alternate, so that other work on the machine affects both equally.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#include "gpu/copy.hpp"
#include "gpu/device.hpp"
#include "kernels.hpp"
#include "native_loops.hpp"

namespace {

using Work = std::function<void()>;

// Sleeps first: OpenMP's threads spin for a while after a loop and would take cores from the next
// one.
double seconds(const Work& work) {
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto start = std::chrono::steady_clock::now();
  work();
  gpu::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Processor seconds of all cores combined: a rate per core that is not lowered by other programs.
double core_seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

struct Spread {
  double low, median, high;
};

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[values.size() / 4], values[values.size() / 2], values[values.size() * 3 / 4]};
}

struct Comparison {
  Spread rate, native_rate, ratio;  // ratio of kernel rate to native rate, round by round
};

Comparison compare(int rounds, double work_units, const Work& kernel, const Work& native) {
  std::vector<double> rates, native_rates, ratios;
  kernel();
  native();
  for (int round = 0; round < rounds; ++round) {
    const double native_seconds = seconds(native), kernel_seconds = seconds(kernel);
    rates.push_back(work_units / kernel_seconds);
    native_rates.push_back(work_units / native_seconds);
    ratios.push_back(native_seconds / kernel_seconds);
  }
  return {spread_of(rates), spread_of(native_rates), spread_of(ratios)};
}

void print(const char* name, const char* unit, double scale, const Comparison& result,
           double promise) {
  std::printf(
      "%-16s %8.1f %-9s native %8.1f   ratio %.3f (quartiles %.3f to %.3f)  promise %.2f  %s\n",
      name, result.rate.median / scale, unit, result.native_rate.median / scale,
      result.ratio.median, result.ratio.low, result.ratio.high, promise,
      result.ratio.median >= promise ? "kept" : "MISSED");
}

void print_rate(const char* name, const char* unit, double scale, const std::vector<double>& rates,
                double promise) {
  const Spread rate = spread_of(rates);
  std::printf("%-16s %8.1f %-9s (quartiles %.1f to %.1f)  promise %.1f  %s\n", name,
              rate.median / scale, unit, rate.low / scale, rate.high / scale, promise / scale,
              rate.median >= promise ? "kept" : "MISSED");
}

void bench_streams(int rounds) {
  constexpr std::int64_t kElements = std::int64_t{1} << 26;
  constexpr double kStreamPromise = 0.85;
  const std::vector<float> ones(kElements, 1.0f);
  auto a = gpu::to_device(ones), b = gpu::to_device(ones), c = gpu::to_device(ones);
  gpu::DeviceBuffer<float> partial(kElements / bench::kSumPerThread);
  const double bytes = 4.0 * kElements;
  print("saxpy", "GB/s", 1e9,
        compare(
            rounds, 3 * bytes, [&] { bench::launch_saxpy(0.5f, b, a); },
            [&] { bench::native_saxpy(kElements, 0.5f, b.data(), a.data()); }),
        kStreamPromise);
  print("triad", "GB/s", 1e9,
        compare(
            rounds, 3 * bytes, [&] { bench::launch_triad(a, b, 0.5f, c); },
            [&] { bench::native_triad(kElements, a.data(), b.data(), 0.5f, c.data()); }),
        kStreamPromise);
  volatile float sink = 0;
  print("read-only sum", "GB/s", 1e9,
        compare(
            rounds, bytes, [&] { bench::launch_sum(b, partial); },
            [&] { sink = bench::native_sum(kElements, b.data()); }),
        kStreamPromise);
}

void bench_fma(int rounds) {
  constexpr int kThreads = 32, kSteps = 100000;  // one block: one core
  gpu::DeviceBuffer<float> out(kThreads);
  volatile float sink = 0;
  const double flops = 2.0 * bench::kFmaChains * kSteps * kThreads;
  print("fma, one core", "GFLOP/s", 1e9,
        compare(
            rounds, flops, [&] { bench::launch_fma(kThreads, kSteps, out); },
            [&] {
              for (int t = 0; t < kThreads; ++t) {
                sink = bench::native_fma(kSteps, static_cast<float>(t));
              }
            }),
        0.90);
}

void bench_barriers(int rounds) {
  constexpr double kPromise = 20e6;
  constexpr int kN = 512;
  const std::vector<float> matrix(kN * kN, 1.0f);
  auto a = gpu::to_device(matrix), b = gpu::to_device(matrix), c = gpu::to_device(matrix);
  gpu::DeviceBuffer<float> sums(kN * kN / 256);
  std::vector<double> tiled, tree;
  for (int round = 0; round < rounds; ++round) {
    const double product_seconds = core_seconds([&] { bench::launch_tiled_product(kN, a, b, c); });
    tiled.push_back(double{kN} * kN * (2.0 * kN / 16) / product_seconds);
    const double tree_seconds = core_seconds([&] { bench::launch_tree_sum(a, sums); });
    tree.push_back(double{kN} * kN * bench::kTreeBarriers / tree_seconds);
  }
  print_rate("tiled product", "M thread-barriers per core second", 1e6, tiled, kPromise);
  print_rate("block reduction", "M thread-barriers per core second", 1e6, tree, kPromise);
}

void bench_empty(int rounds) {
  constexpr int kLaunches = 200;
  for (const unsigned blocks : {1u, 64u}) {
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
      times.push_back(seconds([&] {
                        for (int i = 0; i < kLaunches; ++i) bench::launch_empty(blocks);
                      }) /
                      kLaunches);
    }
    const Spread time = spread_of(times);
    std::printf("empty, %2u blocks %8.2f us (quartiles %.2f to %.2f)\n", blocks, time.median * 1e6,
                time.low * 1e6, time.high * 1e6);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  if (argc > 2 || rounds < 1) {
    std::fprintf(stderr, "usage: bench-gpu [ROUNDS]\n");
    return 2;
  }
  const auto device = gpu::current_device();
  std::printf("%s, %d cores, %s; medians of %d interleaved rounds\n", device.name.c_str(),
              device.multiprocessors, device.architecture.c_str(), rounds);
  bench_streams(rounds);
  bench_fma(rounds);
  bench_barriers(rounds);
  bench_empty(rounds);
}
