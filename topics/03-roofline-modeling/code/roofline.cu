// SPDX-License-Identifier: MIT
// roofline.cu: two kernels and the roofline that they measure. One file for three compilers:
// clang-format off
//
//   nvcc -O3 -std=c++17 -arch=sm_90 topics/03-roofline-modeling/code/roofline.cu -o roofline
//   hipcc -O3 -std=c++17 --offload-arch=gfx942 topics/03-roofline-modeling/code/roofline.cu -o roofline
//   g++ -O3 -std=c++17 -march=native -fopenmp -x c++ topics/03-roofline-modeling/code/roofline.cu -o roofline
//
//   ./roofline [N] [iters] [repeats] [points.csv]        defaults: 67108864 1024 5, and no file
// clang-format on
//
// SAXPY (y = a*x + y) is limited by memory. A chain of fused multiply-adds on values that stay in
// registers is limited by the arithmetic units. The file includes nothing from the course, unless
// the course's build asks for it (ROOFLINE_LABS): then the functions at its end are graded.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef ROOFLINE_LABS
#include "harness/function.hpp"
#include "harness/lab.hpp"
#include "harness/main.hpp"
#endif

// ---- The machine: an NVIDIA GPU, an AMD GPU, or this CPU. The rest is the same for all three.
// ----

#if defined(ROOFLINE_MACHINE)  // the course counts FLOPs and bytes on a machine of its own
#include ROOFLINE_MACHINE
#elif defined(__CUDACC__) || defined(__HIP__) || defined(__HIPCC__)

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#else
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#endif
#define BODY __host__ __device__ inline
#define UNROLL _Pragma("unroll")
#define CHECK(call) check(GPU(call), #call)

inline void check(GPU(Error_t) error, const char* call) {
  if (error == GPU(Success)) return;
  throw std::runtime_error(std::string(call) + ": " + GPU(GetErrorString)(error));
}

/// What a thread loads in one instruction: 16 bytes.
struct alignas(16) Pack {
  float v[4];
};
BODY Pack splat(float value) {
  return {{value, value, value, value}};
}
/// a*x + b in every element.
BODY Pack multiply_add(const Pack& a, const Pack& x, const Pack& b) {
  return {{fmaf(a.v[0], x.v[0], b.v[0]), fmaf(a.v[1], x.v[1], b.v[1]), fmaf(a.v[2], x.v[2], b.v[2]),
           fmaf(a.v[3], x.v[3], b.v[3])}};
}

constexpr int kThreads = 256;  // per block; adjacent threads take adjacent packs
constexpr int kSaxpyPacks = 1;
constexpr int kFmaPacks = 4;
constexpr int kFmaSteps = 16;

template <class Body>
__global__ void __launch_bounds__(kThreads) run_group(std::int64_t groups, Body body) {
  const std::int64_t group = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (group < groups) body(group);
}

/// Calls body(group) for every group in [0, groups), in parallel. Does not wait.
template <class Body>
void for_each_group(std::int64_t groups, const Body& body) {
  if (groups == 0) return;
  const auto blocks = static_cast<unsigned>((groups + kThreads - 1) / kThreads);
  run_group<<<blocks, kThreads>>>(groups, body);
  CHECK(GetLastError());
}

/// Seconds that work() takes on the device.
template <class Work>
double seconds_of(const Work& work) {
  GPU(Event_t) start, stop;
  CHECK(EventCreate(&start));
  CHECK(EventCreate(&stop));
  CHECK(EventRecord(start, nullptr));
  work();
  CHECK(EventRecord(stop, nullptr));
  CHECK(EventSynchronize(stop));
  float milliseconds = 0;
  CHECK(EventElapsedTime(&milliseconds, start, stop));
  CHECK(EventDestroy(start));
  CHECK(EventDestroy(stop));
  return 1e-3 * milliseconds;
}

/// n floats on the device.
class Array {
 public:
  explicit Array(std::int64_t n) {
    CHECK(Malloc(&data_, static_cast<std::size_t>(n) * sizeof(float)));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { static_cast<void>(GPU(Free)(data_)); }
  float* data() const { return static_cast<float*>(data_); }

 private:
  void* data_ = nullptr;
};

void copy_from_device(float* host, const float* device, std::int64_t n) {
  CHECK(Memcpy(host, device, static_cast<std::size_t>(n) * sizeof(float), GPU(MemcpyDeviceToHost)));
}

double free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  CHECK(MemGetInfo(&free, &total));
  return static_cast<double>(free);
}

std::string device_name() {
  int device = 0;
  CHECK(GetDevice(&device));
#if defined(__CUDACC__)
  cudaDeviceProp properties;
#else
  hipDeviceProp_t properties;
#endif
  CHECK(GetDeviceProperties(&properties, device));
  return properties.name;
}

#else

#include <unistd.h>

#include <fstream>

#define BODY inline
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 32")  // at least kFmaPacks, or they live in memory
#endif

#if defined(__AVX512F__)
constexpr int kPackBytes = 64;
constexpr int kFmaPacks = 24;
#elif defined(__AVX__)
constexpr int kPackBytes = 32;
constexpr int kFmaPacks = 12;
#else
constexpr int kPackBytes = 16;
constexpr int kFmaPacks = 12;
#endif

/// One vector register, which may be loaded from the address of any float.
typedef float Pack __attribute__((vector_size(kPackBytes), aligned(4), may_alias));
BODY Pack splat(float value) {
  return value - Pack{};  // x - 0 is x, also for x = -0
}
/// a*x + b in every element.
BODY Pack multiply_add(const Pack& a, const Pack& x, const Pack& b) {
  return a * x + b;
}

constexpr int kThreads = 1;  // a group is contiguous
constexpr int kSaxpyPacks = 8;
constexpr int kFmaSteps = 2;

/// Calls body(group) for every group in [0, groups), on all cores.
template <class Body>
void for_each_group(std::int64_t groups, const Body& body) {
#pragma omp parallel for schedule(static)
  for (std::int64_t group = 0; group < groups; ++group) body(group);
}

/// Seconds that work() takes.
template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// n floats. The thread that first writes them decides which memory they are in, so fill() writes
/// in parallel.
class Array {
 public:
  explicit Array(std::int64_t n)
      : data_(static_cast<float*>(std::malloc(static_cast<std::size_t>(n) * sizeof(float)))) {
    if (data_ == nullptr) throw std::runtime_error("out of memory");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { std::free(data_); }
  float* data() const { return data_; }

 private:
  float* data_;
};

void copy_from_device(float* host, const float* device, std::int64_t n) {
  std::copy_n(device, n, host);
}

// Memory that programs may use: on Linux including what currently only caches files; elsewhere all
// there is.
double free_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) return 1024 * std::stod(line.substr(13));
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string device_name() {
  return "this CPU";
}

#endif

// ---- Starters say what is missing.
// ---------------------------------------------------------------

#ifdef ROOFLINE_LABS
using harness::unsolved;  // NOLINT(misc-unused-using-decls): starters call it
#else
[[noreturn]] inline void unsolved(const char* exercise, const char* section) {
  throw std::runtime_error(std::string("unsolved: ") + exercise + ", see " + section);
}
#endif

// ---- Groups of packs
// -----------------------------------------------------------------------------

constexpr int kPackWidth = static_cast<int>(sizeof(Pack) / sizeof(float));

/// Index of pack number `pack` of group `group`, where each group owns `packs` of them. The groups
/// of a block interleave, so that at every step adjacent threads touch adjacent memory.
BODY std::int64_t pack_index(std::int64_t group, int packs, int pack) {
  const std::int64_t tile = group / kThreads;
  return (tile * packs + pack) * kThreads + group % kThreads;
}

/// Groups that cover n elements, including the last n % kPackWidth of them (see last_element()).
inline std::int64_t groups_for(std::int64_t n, int packs) {
  const std::int64_t tile = std::int64_t{kThreads} * packs;
  const std::int64_t tiles = (n / kPackWidth + tile - 1) / tile;
  return std::max(tiles * kThreads, n % kPackWidth);
}

/// The element that `group` takes from those that do not fill a pack; -1 if there is none for it.
BODY std::int64_t last_element(std::int64_t n, std::int64_t group) {
  return group < n % kPackWidth ? n - 1 - group : -1;
}

// ---- The two kernels
// -----------------------------------------------------------------------------

/// y = a*x + y for n elements.
struct Saxpy {
  std::int64_t n;
  float a;
  const float* x;
  float* y;

  /// Updates the packs of one group, and its one of the last n % kPackWidth elements, if it has
  /// one.
  BODY void operator()(std::int64_t group) const {
    // TODO(03.roofline.saxpy): y = a*x + y. All loads of a group before its first store.
    // pack_index(group, kSaxpyPacks, p) is the p-th of this group's kSaxpyPacks packs.
    // END TODO(03.roofline.saxpy)
  }
};

/// x = a*x + b, `iterations` times, for n elements: each is read once and written once.
struct FmaChain {
  std::int64_t n;
  int iterations;
  float a;
  float b;
  float* x;

  BODY void operator()(std::int64_t group) const {
    // TODO(03.roofline.fma): load kFmaPacks packs, iterate on all of them, store them.
    // The packs of a group are its independent chains: keep all of them in registers.
    // END TODO(03.roofline.fma)
  }
};

void run_saxpy(std::int64_t n, float a, const float* x, float* y) {
  // TODO(03.roofline.saxpy): run the kernel over all groups.
  unsolved("03.roofline.saxpy", "topics/03-roofline-modeling/README.md#program");
  // END TODO(03.roofline.saxpy)
}

void run_fma(std::int64_t n, int iterations, float a, float b, float* x) {
  // TODO(03.roofline.fma): run the kernel over all groups.
  unsolved("03.roofline.fma", "topics/03-roofline-modeling/README.md#program");
  // END TODO(03.roofline.fma)
}

// ---- The model
// -----------------------------------------------------------------------------------

/// The cost of a kernel: FLOPs, two for each fused multiply-add, and bytes of compulsory traffic.
struct Cost {
  double flops = 0;
  double bytes = 0;
};

Cost saxpy_cost(std::int64_t n) {
  // TODO(03.roofline.saxpy-cost): FLOPs and bytes of y = a*x + y for n floats.
  unsolved("03.roofline.saxpy-cost", "topics/03-roofline-modeling/README.md#program");
  // END TODO(03.roofline.saxpy-cost)
}

Cost fma_cost(std::int64_t n, int iterations) {
  // TODO(03.roofline.fma-cost): the same for `iterations` steps of x = a*x + b on n floats.
  unsolved("03.roofline.fma-cost", "topics/03-roofline-modeling/README.md#program");
  // END TODO(03.roofline.fma-cost)
}

/// One row of the predicted table.
struct Prediction {
  double intensity = 0;         ///< FLOP/B
  double flops_per_second = 0;  ///< attainable
  bool memory_bound = false;    ///< otherwise compute-bound; exactly at the ridge compute-bound
};

/// The predicted table of a machine of `peak` FLOP/s and `bandwidth` B/s: rows for the intensities
/// 0.125, 0.25, 0.5 ... 32.
std::vector<Prediction> predicted_table(double peak, double bandwidth) {
  // TODO(03.roofline.table): one row per intensity, each twice the previous one.
  unsolved("03.roofline.table", "topics/03-roofline-modeling/README.md#program");
  // END TODO(03.roofline.table)
}

// ---- Measuring
// -----------------------------------------------------------------------------------

struct Arguments {
  std::int64_t n = std::int64_t{1} << 26;
  int iterations = 1024;
  int repeats = 5;
  std::string csv_file;
};

/// A measured kernel: its cost and the median of its times.
struct Point {
  std::string name;
  Cost cost;
  double seconds = 0;

  double intensity() const { return cost.flops / cost.bytes; }
  double flops_per_second() const { return cost.flops / seconds; }
  double bytes_per_second() const { return cost.bytes / seconds; }
};

constexpr float kSaxpyFactor = 0.001F;
// Slightly less than one in magnitude, and negative: values keep changing in sign and bits without
// growing.
constexpr float kFmaFactor = -0.99999F;
constexpr float kFmaSummand = 0.7F;
constexpr int kCheckedElements = 100;

/// Operands that differ from element to element: zeros need less power and may run faster.
BODY float operand(std::int64_t i) {
  const auto mixed = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ULL;
  return static_cast<float>(mixed >> 40) * (1.0F / (1 << 23)) - 1.0F;
}

struct Fill {
  std::int64_t n;
  std::int64_t offset;
  float* x;
  BODY void operator()(std::int64_t group) const {
    for (int k = 0; k < kPackWidth; ++k) {
      const std::int64_t i = group * kPackWidth + k;
      if (i < n) x[i] = operand(i + offset);
    }
  }
};

void fill(std::int64_t n, std::int64_t offset, float* x) {
  for_each_group((n + kPackWidth - 1) / kPackWidth, Fill{n, offset, x});
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
}

template <class Run>
double median_seconds(int repeats, const Run& run) {
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(seconds_of(run));
  return median(samples);
}

/// Checks elements spread over the array: a kernel that does nothing is very fast.
template <class Expected>
void check_results(const char* kernel, std::int64_t n, const float* device, double tolerance,
                   Expected expected) {
  const std::int64_t step = std::max<std::int64_t>(1, n / kCheckedElements);
  for (std::int64_t i = n - 1; i >= 0; i -= step) {
    float is = 0;
    copy_from_device(&is, device + i, 1);
    const double should = expected(i);
    if (std::fabs(is - should) <= tolerance * (1 + std::fabs(should))) continue;
    throw std::runtime_error(std::string(kernel) + " is wrong: element " + std::to_string(i) +
                             " is " + std::to_string(is) + ", should be " + std::to_string(should));
  }
}

Point measure_saxpy(const Arguments& arguments, const float* x, float* y) {
  const std::int64_t n = arguments.n;
  const auto run = [&] { run_saxpy(n, kSaxpyFactor, x, y); };
  fill(n, n, y);
  run();  // warms up; this is the run whose results are known
  check_results("SAXPY", n, y, 1e-6,
                [&](std::int64_t i) { return double{kSaxpyFactor} * operand(i) + operand(i + n); });
  return {"saxpy", saxpy_cost(n), median_seconds(arguments.repeats, run)};
}

Point measure_fma(const Arguments& arguments, int iterations, float* x) {
  const std::int64_t n = arguments.n;
  const auto run = [&] { run_fma(n, iterations, kFmaFactor, kFmaSummand, x); };
  fill(n, 0, x);
  run();
  // Rounding errors of the steps add up, until the factor has made the oldest ones negligible.
  const double tolerance = 1e-7 * std::min(1e5, 10.0 + iterations);
  check_results("FMA", n, x, tolerance, [&](std::int64_t i) {
    double value = operand(i);
    for (int k = 0; k < iterations; ++k) value = value * kFmaFactor + kFmaSummand;
    return value;
  });
  return {"fma " + std::to_string(iterations), fma_cost(n, iterations),
          median_seconds(arguments.repeats, run)};
}

// ---- The program
// ---------------------------------------------------------------------------------

constexpr double kGiga = 1e9;

void print_table(double peak, double bandwidth) {
  std::printf("Predicted roofline: peak %.1f GFLOP/s, bandwidth %.1f GB/s, ridge %.2f FLOP/B\n",
              peak / kGiga, bandwidth / kGiga, peak / bandwidth);
  std::printf("  %10s %12s  bound\n", "AI", "GFLOP/s");
  for (const Prediction& row : predicted_table(peak, bandwidth)) {
    std::printf("  %10.3f %12.1f  %s\n", row.intensity, row.flops_per_second / kGiga,
                row.memory_bound ? "memory" : "compute");
  }
}

void print_sweep(const std::vector<Point>& points, double peak, double bandwidth) {
  std::printf("Sweep: FMAs per element, measured against this roof\n");
  std::printf("  %10s %12s %12s %8s\n", "AI", "GFLOP/s", "roof", "of roof");
  for (const Point& point : points) {
    const double roof = std::min(peak, bandwidth * point.intensity());
    std::printf("  %10.4g %12.1f %12.1f %6.0f %%\n", point.intensity(),
                point.flops_per_second() / kGiga, roof / kGiga,
                100 * point.flops_per_second() / roof);
  }
}

void write_csv(const std::string& file, const std::vector<Point>& points) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("cannot write " + file);
  std::fprintf(out, "name,flop_per_byte,gflop_per_s,gb_per_s,seconds\n");
  for (const Point& point : points) {
    std::fprintf(out, "%s,%.6g,%.6g,%.6g,%.6g\n", point.name.c_str(), point.intensity(),
                 point.flops_per_second() / kGiga, point.bytes_per_second() / kGiga, point.seconds);
  }
  if (std::fclose(out) != 0) throw std::runtime_error("cannot write " + file);
}

void require_memory(std::int64_t n) {
  const double needed = 2.0 * sizeof(float) * static_cast<double>(n);
  const double available = 0.9 * free_bytes();
  if (needed <= available) return;
  throw std::runtime_error(
      "N = " + std::to_string(n) + " needs " +
      std::to_string(static_cast<std::int64_t>(needed / 1e6)) + " MB, and there are " +
      std::to_string(static_cast<std::int64_t>(available / 1e6)) + " MB to take; try a smaller N");
}

void run(const Arguments& arguments) {
  require_memory(arguments.n);
  const Array x(arguments.n);
  const Array y(arguments.n);
  std::printf("Roofline of %s\n", device_name().c_str());
  std::printf("Elements: %lld, iterations: %d, repeats: %d (medians)\n",
              static_cast<long long>(arguments.n), arguments.iterations, arguments.repeats);
  fill(arguments.n, 0, x.data());
  const Point saxpy = measure_saxpy(arguments, x.data(), y.data());
  std::printf("SAXPY: %.6f s, %.1f GB/s, %.1f GFLOP/s, AI %.4f\n", saxpy.seconds,
              saxpy.bytes_per_second() / kGiga, saxpy.flops_per_second() / kGiga,
              saxpy.intensity());
  const Point fma = measure_fma(arguments, arguments.iterations, x.data());
  std::printf("FMA:   %.6f s, %.1f GFLOP/s, AI %.4g\n", fma.seconds, fma.flops_per_second() / kGiga,
              fma.intensity());
  const double peak = fma.flops_per_second();
  const double bandwidth = saxpy.bytes_per_second();
  print_table(peak, bandwidth);
  std::vector<Point> sweep;
  for (const int iterations : {1, 10, 100, 1000}) {
    sweep.push_back(measure_fma(arguments, iterations, x.data()));
  }
  print_sweep(sweep, peak, bandwidth);
  if (arguments.csv_file.empty()) return;
  sweep.insert(sweep.begin(), {saxpy, fma});
  write_csv(arguments.csv_file, sweep);
}

std::int64_t parse_count(const char* name, const char* text, std::int64_t most) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value < 1 || value > most) {
    throw std::invalid_argument(std::string(name) + " must be a whole number from 1 to " +
                                std::to_string(most) + ", not '" + text + "'");
  }
  return value;
}

Arguments parse_arguments(int argc, char** argv) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 38;
  constexpr std::int64_t kMostIterations = 1000000;
  constexpr std::int64_t kMostRepeats = 10000;
  if (argc > 5) {
    throw std::invalid_argument("too many arguments: roofline [N] [iters] [repeats] [points.csv]");
  }
  Arguments arguments;
  if (argc > 1) arguments.n = parse_count("N", argv[1], kMostElements);
  if (argc > 2) {
    arguments.iterations = static_cast<int>(parse_count("iters", argv[2], kMostIterations));
  }
  if (argc > 3) arguments.repeats = static_cast<int>(parse_count("repeats", argv[3], kMostRepeats));
  if (argc > 4) arguments.csv_file = argv[4];
  return arguments;
}

int roofline_main(int argc, char** argv) {
  try {
    run(parse_arguments(argc, argv));
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "roofline: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roofline: %s\n", error.what());
    return 1;
  }
}

// ---- How it starts: on its own, or called by the grader
// -------------------------------------------

#ifdef ROOFLINE_LABS
void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  run_saxpy(static_cast<std::int64_t>(y.size()), a, x.data(), y.data());
}
void fma_chain(int iterations, float a, float b, gpu::DeviceSpan<float> x) {
  run_fma(static_cast<std::int64_t>(x.size()), iterations, a, b, x.data());
}
HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
HARNESS_LAB(fma_chain, {.bytes_per_element = 8})
HARNESS_FUNCTION(saxpy_cost)
HARNESS_FUNCTION(fma_cost)
HARNESS_FUNCTION(predicted_table)
HARNESS_MAIN(roofline_main)
#else
int main(int argc, char** argv) {
  return roofline_main(argc, argv);
}
#endif
