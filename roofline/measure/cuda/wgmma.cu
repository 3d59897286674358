// SPDX-License-Identifier: MIT
// Hopper's warpgroup-wide matrix instruction (wgmma), which alone reaches the tensor cores' full
// rate. Compiled for sm_90a: the instruction exists on no other target, not even later ones.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "instruction_list.hpp"
#include "walk.hpp"
#include "warpgroup_peak.hpp"

namespace roofline::measure {
namespace {

constexpr int kRows = 64;
constexpr int kColumns = 256;
constexpr int kDepth = 16;
constexpr int kSlices = 4;  // different operands in turn, as in a product with a long inner side
constexpr int kSteps = 1 << 12;
constexpr int kWarpgroup = 128;
constexpr int kSums = kRows * kColumns / kWarpgroup;
constexpr int kElementsA = kRows * kDepth;
constexpr int kElementsB = kColumns * kDepth;
constexpr int kMostWarpgroups = 3;

struct Bf16 {
  static constexpr Precision kPrecision = Precision::kBf16;
  static constexpr std::uint16_t kOne = 0x3F80;
  // Random sign and mantissa, sizes from 0.5 to 1.
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>((random_bits(index) & 0x807Fu) | 0x3F00u);
  }
};
struct Fp16 {
  static constexpr Precision kPrecision = Precision::kFp16;
  static constexpr std::uint16_t kOne = 0x3C00;
  static __device__ std::uint16_t random(std::size_t index) {
    return static_cast<std::uint16_t>((random_bits(index) & 0x83FFu) | 0x3800u);
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
__device__ inline void multiply_add(float* d, std::uint64_t a, std::uint64_t b) {
// The two instructions differ in one word of their name.
#define RL_WGMMA(type)                                                                             \
  asm volatile(                                                                                    \
      "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %130, 0;\n"                              \
      "wgmma.mma_async.sync.aligned.m64n256k16.f32." type "." type                                 \
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
      "}, %128, %129, accumulate, 1, 1, 0, 0;\n}\n"                                                \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),        \
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),    \
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), \
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), \
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), \
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), \
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), \
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), \
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), \
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), \
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), \
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), \
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), \
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),          \
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),        \
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),        \
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),        \
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])         \
      : "l"(a), "l"(b), "r"(1))
  if constexpr (Element::kPrecision == Precision::kBf16) {
    RL_WGMMA("bf16");
  } else {
    RL_WGMMA("f16");
  }
#undef RL_WGMMA
}

// Every warpgroup multiplies its own A with the block's B, over and over.
template <class Element>
__global__ void __launch_bounds__(kMostWarpgroups* kWarpgroup)
    wgmma_kernel(double* out, int iterations, bool exact) {
  std::uint16_t* shared = gpu::dynamic_shared<std::uint16_t>();
  const int warpgroups = static_cast<int>(blockDim.x) / kWarpgroup;
  const int elements = kSlices * (kElementsB + warpgroups * kElementsA);
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += static_cast<int>(blockDim.x)) {
    const std::size_t index = static_cast<std::size_t>(blockIdx.x) * elements + i;
    shared[i] = exact ? Element::kOne : Element::random(index);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
  const std::uint16_t* b = shared;
  const std::uint16_t* a = shared + kSlices * (kElementsB + group * kElementsA);
  float d[kSums];
  for (int i = 0; i < kSums; ++i) d[i] = 0;
  for (int i = 0; i < iterations; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
      multiply_add<Element>(d, descriptor(a + s * kElementsA), descriptor(b + s * kElementsB));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  double sum = 0;
  for (int i = 0; i < kSums; ++i) sum += static_cast<double>(d[i]);
  out[index_of_this_thread()] = sum;
}

template <class Element>
class WarpgroupPeak : public PackedPeak {
 public:
  explicit WarpgroupPeak(int units)
      : out_(static_cast<std::size_t>(units) * kMostWarpgroups * kWarpgroup), units_(units) {}
  std::string name() const override {
    return std::string(to_string(precision())) + ".matrix.wgmma";
  }
  Precision precision() const override { return Element::kPrecision; }
  Unit unit() const override { return Unit::kMatrix; }
  std::string note() const override {
    return "wgmma m64n256k16 with FP32 sums, operands in shared memory";
  }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (int warpgroups = 1; warpgroups <= kMostWarpgroups; ++warpgroups) {
      all.push_back(
          {std::to_string(units_) + " blocks of " + std::to_string(warpgroups) + " warpgroups",
           2.0 * kRows * kColumns * kDepth * kSteps * warpgroups * units_,
           [this, warpgroups] { start(warpgroups, false); }});
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const int warpgroups = static_cast<int>(candidate) + 1;
    gpu::fill_bytes(out_, 0xff);
    start(warpgroups, true);
    const std::vector<double> results = gpu::to_host(out_);
    const double expected = static_cast<double>(kSums) * kDepth * kSteps;
    long wrong = 0;
    for (int i = 0; i < units_ * warpgroups * kWarpgroup; ++i) {
      if (!(results[static_cast<std::size_t>(i)] == expected)) ++wrong;
    }
    return wrong;
  }

 private:
  void start(int warpgroups, bool exact) {
    gpu::LaunchConfig config;
    config.grid = dim3(static_cast<unsigned>(units_));
    config.block = dim3(static_cast<unsigned>(warpgroups * kWarpgroup));
    config.shared_bytes = sizeof(std::uint16_t) * kSlices *
                          (kElementsB + static_cast<std::size_t>(warpgroups) * kElementsA);
    gpu::launch<wgmma_kernel<Element>>(config, out_.data(), kSteps / kSlices, exact);
  }

  gpu::DeviceBuffer<double> out_;
  int units_;
};

}  // namespace

std::vector<std::unique_ptr<PackedPeak>> warpgroup_peaks(const std::string& architecture,
                                                         int units) {
  std::vector<std::unique_ptr<PackedPeak>> all;
  if (architecture != "sm_90") return all;
  all.push_back(std::make_unique<WarpgroupPeak<Fp16>>(units));
  all.push_back(std::make_unique<WarpgroupPeak<Bf16>>(units));
  return all;
}

}  // namespace roofline::measure
