// SPDX-License-Identifier: MIT
// Hopper's warpgroup-wide matrix instruction (wgmma), the only one that reaches the tensor cores'
// full rate. Compiled for sm_90a: the instruction exists on no other target, not even later ones.
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "gpu/gpu.hpp"
#include "memory/walk.hpp"
#include "rates/instruction_list.hpp"
#include "rates/warpgroup_peak.hpp"

namespace roofline::measure {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 256;
constexpr int kDepthBytes = 32;  // per instruction: 16 elements of two bytes or 32 of one
constexpr int kSlices = 4;  // different operands in turn, as in a product with a long inner side
constexpr int kSteps = 1 << 12;
constexpr int kIterations = kSteps / kSlices;
constexpr int kWarpgroup = 128;
constexpr int kSums = kRows * kColumns / kWarpgroup;
constexpr int kWordsA = kRows * kDepthBytes / 2;
constexpr int kWordsB = kColumns * kDepthBytes / 2;
constexpr int kMostWarpgroups = 3;

// Operands are written as 16-bit words, which hold one or two elements.
struct Bf16 {
  static constexpr Precision kPrecision = Precision::kBf16;
  static constexpr int kDepth = 16;
  static constexpr const char* kNote = "wgmma m64n256k16 with FP32 sums";
  using Sum = float;
  static constexpr int kCheckedIterations = kIterations;
  static constexpr std::uint16_t kOne = 0x3F80;
  // Random sign and mantissa, magnitudes from 0.5 to 1.
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>((random_bits(index) & 0x807Fu) | 0x3F00u);
  }
};
struct Fp16 {
  static constexpr Precision kPrecision = Precision::kFp16;
  static constexpr int kDepth = 16;
  static constexpr const char* kNote = "wgmma m64n256k16 with FP32 sums";
  using Sum = float;
  static constexpr int kCheckedIterations = kIterations;
  static constexpr std::uint16_t kOne = 0x3C00;
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>((random_bits(index) & 0x83FFu) | 0x3800u);
  }
};
struct E4m3 {
  static constexpr Precision kPrecision = Precision::kFp8;
  static constexpr int kDepth = 32;
  static constexpr const char* kNote = "wgmma m64n256k32 of E4M3 with FP32 sums";
  using Sum = float;
  // Sums of FP8 products keep about 14 bits on Hopper, whatever the register's type: past 2^13 a
  // product of 1 is lost. So the sums of the check stay below that.
  static constexpr int kCheckedIterations = (1 << 12) / (kDepth * kSlices);
  static constexpr std::uint16_t kOne = 0x3838;
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>((random_bits(index) & 0x8787u) | 0x3030u);
  }
};
struct Int8 {
  static constexpr Precision kPrecision = Precision::kInt8;
  static constexpr int kDepth = 32;
  static constexpr const char* kNote = "wgmma m64n256k32 with INT32 sums";
  using Sum = int;
  static constexpr int kCheckedIterations = kIterations;
  static constexpr std::uint16_t kOne = 0x0101;
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>(random_bits(index));
  }
};

// Shared memory without swizzling: blocks of 8 rows x 16 bytes, 128 bytes each; the next block
// along the depth follows at 128 bytes, the next along the rows at 256.
__device__ inline std::uint64_t descriptor(const std::uint16_t* tile) {
  constexpr std::uint64_t kAlongDepth = 128 >> 4;
  constexpr std::uint64_t kAlongRows = 256 >> 4;
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
  return ((address & 0x3FFFF) >> 4) | (kAlongDepth << 16) | (kAlongRows << 32);
}

template <class Element>
__device__ inline void multiply_add(typename Element::Sum* d, std::uint64_t a, std::uint64_t b) {
// The instructions differ in their name, in the type of register that holds a sum, and in how they
// may modify an operand (here not at all: no sign, no transposition).
#define RL_SUMS_8(kind, i)                                                                    \
  kind(d[i]), kind(d[i + 1]), kind(d[i + 2]), kind(d[i + 3]), kind(d[i + 4]), kind(d[i + 5]), \
      kind(d[i + 6]), kind(d[i + 7])
#define RL_SUMS_32(kind, i) \
  RL_SUMS_8(kind, i), RL_SUMS_8(kind, i + 8), RL_SUMS_8(kind, i + 16), RL_SUMS_8(kind, i + 24)
#define RL_WGMMA(name, kind, modifiers)                                                            \
  asm volatile(                                                                                    \
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %130, 0;\n"                              \
      "wgmma.mma_async.sync.aligned." name                                                         \
      " {"                                                                                         \
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                     \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "           \
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "           \
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "           \
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "           \
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "           \
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "     \
      "%111, "                                                                                     \
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, " \
      "%127"                                                                                       \
      "}, %128, %129, accumulate" modifiers ";\n}\n"                                               \
      : RL_SUMS_32(kind, 0), RL_SUMS_32(kind, 32), RL_SUMS_32(kind, 64), RL_SUMS_32(kind, 96)      \
      : "l"(a), "l"(b), "r"(1))
  if constexpr (Element::kPrecision == Precision::kBf16) {
    RL_WGMMA("m64n256k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
  } else if constexpr (Element::kPrecision == Precision::kFp16) {
    RL_WGMMA("m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
  } else if constexpr (Element::kPrecision == Precision::kFp8) {
    RL_WGMMA("m64n256k32.f32.e4m3.e4m3", "+f", ", 1, 1");
  } else {
    RL_WGMMA("m64n256k32.s32.s8.s8", "+r", "");
  }
#undef RL_WGMMA
#undef RL_SUMS_32
#undef RL_SUMS_8
}

// Every warpgroup multiplies its own A by the block's B, over and over.
template <class Element>
__global__ void __launch_bounds__(kMostWarpgroups* kWarpgroup)
    wgmma_kernel(double* out, long long* cycles, int iterations, bool exact) {
  std::uint16_t* shared = gpu::dynamic_shared<std::uint16_t>();
  const int warpgroups = static_cast<int>(blockDim.x) / kWarpgroup;
  const int words = kSlices * (kWordsB + warpgroups * kWordsA);
  for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
    const std::size_t index = static_cast<std::size_t>(blockIdx.x) * words + i;
    shared[i] = exact ? Element::kOne : Element::random(index);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
  const std::uint16_t* b = shared;
  const std::uint16_t* a = shared + kSlices * (kWordsB + group * kWordsA);
  typename Element::Sum d[kSums];
  for (int i = 0; i < kSums; ++i) d[i] = 0;
  const long long start = clock64();
  for (int i = 0; i < iterations; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
      multiply_add<Element>(d, descriptor(a + s * kWordsA), descriptor(b + s * kWordsB));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
  double sum = 0;
  for (int i = 0; i < kSums; ++i) sum += static_cast<double>(d[i]);
  out[index_of_this_thread()] = sum;
}

template <class Element>
class WarpgroupPeak : public PackedPeak {
 public:
  explicit WarpgroupPeak(int units)
      : out_(static_cast<std::size_t>(units) * kMostWarpgroups * kWarpgroup),
        cycles_(static_cast<std::size_t>(units)),
        units_(units) {}
  std::string name() const override {
    return std::string(to_string(precision())) + ".matrix.wgmma";
  }
  Precision precision() const override { return Element::kPrecision; }
  Unit unit() const override { return Unit::kMatrix; }
  std::string note() const override {
    const std::vector<long long> cycles = gpu::to_host(cycles_);
    const double longest = static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
    char text[160];
    std::snprintf(text, sizeof text,
                  "%s, operands in shared memory; %.0f operations a cycle and multiprocessor",
                  Element::kNote, operations(warpgroups_) / longest);
    return text;
  }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (int warpgroups = 1; warpgroups <= kMostWarpgroups; ++warpgroups) {
      all.push_back(
          {std::to_string(units_) + " blocks of " + std::to_string(warpgroups) + " warpgroups",
           operations(warpgroups) * units_, [this, warpgroups] { start(warpgroups, false); }});
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const int warpgroups = static_cast<int>(candidate) + 1;
    gpu::fill_bytes(out_, 0xff);
    start(warpgroups, true);
    const std::vector<double> results = gpu::to_host(out_);
    const double expected =
        static_cast<double>(kSums) * Element::kDepth * kSlices * Element::kCheckedIterations;
    long wrong = 0;
    for (int i = 0; i < units_ * warpgroups * kWarpgroup; ++i) {
      if (!(results[static_cast<std::size_t>(i)] == expected)) ++wrong;
    }
    return wrong;
  }

 private:
  /// Operations of one multiprocessor in one launch.
  static double operations(int warpgroups) {
    return 2.0 * kRows * kColumns * Element::kDepth * kSteps * warpgroups;
  }

  void start(int warpgroups, bool exact) {
    warpgroups_ = warpgroups;
    gpu::LaunchConfig config;
    config.grid = dim3(static_cast<unsigned>(units_));
    config.block = dim3(static_cast<unsigned>(warpgroups * kWarpgroup));
    config.shared_bytes = sizeof(std::uint16_t) * kSlices *
                          (kWordsB + static_cast<std::size_t>(warpgroups) * kWordsA);
    gpu::launch<wgmma_kernel<Element>>(config, out_.data(), cycles_.data(),
                                       exact ? Element::kCheckedIterations : kIterations, exact);
  }

  gpu::DeviceBuffer<double> out_;
  gpu::DeviceBuffer<long long> cycles_;
  int units_;
  int warpgroups_ = 1;  ///< of the last launch
};

}  // namespace

std::vector<std::unique_ptr<PackedPeak>> warpgroup_peaks(const std::string& architecture,
                                                         int units) {
  std::vector<std::unique_ptr<PackedPeak>> all;
  if (architecture != "sm_90") return all;
  all.push_back(std::make_unique<WarpgroupPeak<Fp16>>(units));
  all.push_back(std::make_unique<WarpgroupPeak<Bf16>>(units));
  all.push_back(std::make_unique<WarpgroupPeak<E4m3>>(units));
  all.push_back(std::make_unique<WarpgroupPeak<Int8>>(units));
  return all;
}

}  // namespace roofline::measure
