// SPDX-License-Identifier: MIT
// Exponentials, reciprocals, roots and conversions, in registers and many independent chains.
#include <bit>
#include <cmath>

#include "gpu/gpu.hpp"
#include "instruction_list.hpp"
#include "launch_shape.hpp"
#include "measure/backend/special.hpp"
#include "memory/walk.hpp"
#include "operations.hpp"
#include "unrolled.hpp"

namespace roofline::measure {
namespace {

constexpr int kFunctionSteps = kContiguousThreads ? 1 << 15 : 1 << 12;
constexpr int kConversionSteps = kContiguousThreads ? 1 << 18 : 1 << 15;
// From anywhere in [0.5, 1) to 0.5 higher, in steps that FP32 holds exactly.
constexpr float kStep = 0.5f / kFunctionSteps;
constexpr int kCheckedFunctions = 16;
// Thousands of values added up in FP32, each accurate to two units in its last place.
constexpr double kFunctionTolerance = 5e-5;

std::vector<LaunchShape> shapes_of_functions(int units) {
  const auto count = static_cast<unsigned>(units);
  if (kContiguousThreads) return {{count, 1}};
  return {{count, 1024}, {count * 2, 1024}, {count * 4, 512}};
}

std::string description_of(const LaunchShape& shape, int chains) {
  return shape.description() + ", " + std::to_string(chains) + " chains";
}

__host__ __device__ inline std::uint32_t seed_of(std::size_t thread, int chain, int lane) {
  return random_bits((thread * 64 + static_cast<std::size_t>(chain)) * 64 +
                     static_cast<std::size_t>(lane));
}

// --- Functions: sums of f(y) while y increases, so that no value repeats. ---

__host__ __device__ inline float function_start(std::size_t thread, int chain, int lane) {
  return 0.5f + static_cast<float>(seed_of(thread, chain, lane) >> 12) * 0x1p-21f;
}

struct Exp2 {
  static constexpr const char* kName = "fp32.exp2";
  static constexpr const char* kNote = kExp2Note;
  static __device__ SpecialLane of(SpecialLane x) { return special_exp2(x); }
  static double exact(double x) { return std::exp2(x); }
};
struct Exp {
  static constexpr const char* kName = "fp32.exp";
  static constexpr const char* kNote = kExpNote;
  static __device__ SpecialLane of(SpecialLane x) { return special_exp(x); }
  static double exact(double x) { return std::exp(x); }
};
struct Reciprocal {
  static constexpr const char* kName = "fp32.reciprocal";
  static constexpr const char* kNote = kReciprocalNote;
  static __device__ SpecialLane of(SpecialLane x) { return special_reciprocal(x); }
  static double exact(double x) { return 1 / x; }
};
struct ReciprocalRoot {
  static constexpr const char* kName = "fp32.reciprocal_root";
  static constexpr const char* kNote = kReciprocalRootNote;
  static __device__ SpecialLane of(SpecialLane x) { return special_reciprocal_root(x); }
  static double exact(double x) { return 1 / std::sqrt(x); }
};

__device__ inline SpecialLane start_lane(std::size_t thread, int chain) {
  alignas(SpecialLane) float values[kSpecialWidth];
  for (int i = 0; i < kSpecialWidth; ++i) values[i] = function_start(thread, chain, i);
  return *reinterpret_cast<const SpecialLane*>(values);
}

template <class F, int chains>
__global__ void function_kernel(float* out) {
  constexpr int repeat = 4;
  const std::size_t thread = index_of_this_thread();
  const SpecialLane step = splat<SpecialLane>(kStep);
  SpecialLane y[chains];
  SpecialLane sum[chains];
  unrolled<chains>([&](int c) {
    y[c] = start_lane(thread, c);
    sum[c] = splat<SpecialLane>(0.0f);
  });
  for (int i = 0; i < kFunctionSteps; i += repeat) {
    unrolled<repeat>([&](int) {
      unrolled<chains>([&](int c) {
        sum[c] = sum[c] + F::of(y[c]);
        y[c] = y[c] + step;
      });
    });
  }
  SpecialLane total = sum[0];
  unrolled<chains - 1>([&](int c) { total = total + sum[c + 1]; });
  reinterpret_cast<SpecialLane*>(out)[thread] = total;
}

template <class F>
class RateOfFunction : public OperationRate {
 public:
  explicit RateOfFunction(int units) {
    for (const LaunchShape& shape : shapes_of_functions(units)) {
      add<4>(shape);
      add<8>(shape);
    }
  }
  std::string name() const override { return F::kName; }
  RoofKind kind() const override { return RoofKind::kOperationRate; }
  std::string note() const override { return F::kNote; }

  std::vector<Candidate> candidates() override {
    if (out_.empty()) {
      std::size_t most = 0;
      for (const Way& way : ways_) most = std::max(most, way.shape.threads());
      out_ = gpu::DeviceBuffer<float>(most * kSpecialWidth);
    }
    std::vector<Candidate> all;
    for (const Way& way : ways_) {
      Candidate candidate;
      candidate.description = description_of(way.shape, way.chains);
      candidate.amount =
          static_cast<double>(way.shape.threads()) * way.chains * kFunctionSteps * kSpecialWidth;
      candidate.launch = [way, out = out_.data()] { way.launch(way.shape, out); };
      all.push_back(std::move(candidate));
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const Way& way = ways_.at(candidate);
    gpu::fill_bytes(out_, 0xff);
    way.launch(way.shape, out_.data());
    const std::vector<float> results = gpu::to_host(out_);
    long wrong = 0;
    const std::size_t threads = std::min<std::size_t>(way.shape.threads(), kCheckedFunctions);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      for (int lane = 0; lane < kSpecialWidth; ++lane) {
        const double expected = expected_sum(thread, way.chains, lane);
        const double got = results[thread * kSpecialWidth + static_cast<std::size_t>(lane)];
        if (!(std::fabs(got - expected) <= kFunctionTolerance * std::fabs(expected))) ++wrong;
      }
    }
    return wrong;
  }

 private:
  struct Way {
    LaunchShape shape;
    int chains;
    void (*launch)(const LaunchShape& shape, float* out);
  };

  template <int chains>
  void add(const LaunchShape& shape) {
    ways_.push_back({shape, chains, [](const LaunchShape& with, float* out) {
                       gpu::launch<function_kernel<F, chains>>(with.grid, with.block, out);
                     }});
  }

  static double expected_sum(std::size_t thread, int chains, int lane) {
    double sum = 0;
    for (int c = 0; c < chains; ++c) {
      double y = function_start(thread, c, lane);
      for (int i = 0; i < kFunctionSteps; ++i, y += kStep) sum += F::exact(y);
    }
    return sum;
  }

  std::vector<Way> ways_;
  gpu::DeviceBuffer<float> out_;
};

// --- Conversions: the bits of one result are the next operand. ---

struct IntegerToFloat {
  static constexpr const char* kName = "convert.int32_fp32";
  static constexpr const char* kNote = "a 32-bit integer to FP32";
  static constexpr int kConversions = 1;
  // A value whose bits, read as an integer, give the same exponent again.
  static __host__ __device__ std::uint32_t start(std::uint32_t random) {
    return 0x4E000000u | random >> 9;
  }
  static __device__ Bits of(const Bits& x) { return integer_to_float(x); }
  static std::uint32_t exact(std::uint32_t x) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(x)));
  }
};
#if defined(ROOFLINE_PACKED_CONVERSIONS)

// 2^-12: 0x0C00 in FP16 and 0x3980 in BF16.
constexpr std::uint32_t kLowOperand = 0x39800000u;

/// The bits of the number in a 16-bit format that is nearest to a given one, ties to even; for
/// numbers in its range.
std::uint32_t rounded_to(std::uint32_t float_bits, int mantissa_bits, int exponent_bias) {
  const double value = std::bit_cast<float>(float_bits);
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  // nearbyint() rounds ties to even, and a fraction that becomes 1 carries into the exponent.
  const auto mantissa =
      static_cast<std::int64_t>(std::nearbyint(std::ldexp(fraction, mantissa_bits + 1)));
  const std::int64_t bits =
      (static_cast<std::int64_t>(exponent - 2 + exponent_bias) << mantissa_bits) + mantissa;
  return static_cast<std::uint32_t>(bits) | (value < 0 ? 0x8000u : 0u);
}

// Both halves of a result, read together as FP32, must again be a number in FP16's range: 0x4000,
// which is 2 in FP16, is also the start of a number just above 2 in FP32, and 0x0C00 after it adds
// less than half a step.
struct FloatToHalf {
  static constexpr const char* kName = "convert.fp32_fp16";
  static constexpr const char* kNote = kPackedHalfNote;
  static constexpr int kConversions = 2;
  static __host__ __device__ std::uint32_t start(std::uint32_t random) {
    return 0x40000000u | random >> 20;
  }
  static __device__ Bits of(const Bits& x) { return packed_half(x, kLowOperand); }
  static std::uint32_t exact(std::uint32_t x) {
    return rounded_to(x, 10, 15) << 16 | rounded_to(kLowOperand, 10, 15);
  }
};
struct FloatToBfloat {
  static constexpr const char* kName = "convert.fp32_bf16";
  static constexpr const char* kNote = kPackedBfloatNote;
  static constexpr int kConversions = 2;
  static __host__ __device__ std::uint32_t start(std::uint32_t random) {
    return 0x3F800000u | random >> 9;
  }
  static __device__ Bits of(const Bits& x) { return packed_bfloat(x, kLowOperand); }
  static std::uint32_t exact(std::uint32_t x) {
    return rounded_to(x, 7, 127) << 16 | rounded_to(kLowOperand, 7, 127);
  }
};
#endif

template <class C>
__device__ inline Bits start_bits(std::size_t thread, int chain) {
  std::uint32_t values[kBitsWidth];
  for (int i = 0; i < kBitsWidth; ++i) values[i] = C::start(seed_of(thread, chain, i));
  return *reinterpret_cast<const Bits*>(values);
}

template <class C, int chains>
__global__ void conversion_kernel(std::uint32_t* out, int steps) {
  constexpr int repeat = 8;
  const std::size_t thread = index_of_this_thread();
  Bits x[chains];
  unrolled<chains>([&](int c) { x[c] = start_bits<C>(thread, c); });
  for (int i = 0; i < steps; i += repeat) {
    unrolled<repeat>([&](int) { unrolled<chains>([&](int c) { x[c] = C::of(x[c]); }); });
  }
  Bits all = x[0];
  unrolled<chains - 1>([&](int c) { all = all ^ x[c + 1]; });
  reinterpret_cast<Bits*>(out)[thread] = all;
}

template <class C>
class RateOfConversion : public OperationRate {
 public:
  explicit RateOfConversion(int units) : shapes_(shapes_of_functions(units)) {}
  std::string name() const override { return C::kName; }
  RoofKind kind() const override { return RoofKind::kOperationRate; }
  std::string note() const override { return C::kNote; }

  std::vector<Candidate> candidates() override {
    std::size_t most = 0;
    for (const LaunchShape& shape : shapes_) most = std::max(most, shape.threads());
    if (out_.empty()) out_ = gpu::DeviceBuffer<std::uint32_t>(most * kBitsWidth);
    std::vector<Candidate> all;
    for (const LaunchShape& shape : shapes_) {
      Candidate candidate;
      candidate.description = description_of(shape, kChains);
      candidate.amount = static_cast<double>(shape.threads()) * kChains * kConversionSteps *
                         C::kConversions * kBitsWidth;
      candidate.launch = [shape, out = out_.data()] {
        gpu::launch<conversion_kernel<C, kChains>>(shape.grid, shape.block, out, kConversionSteps);
      };
      all.push_back(std::move(candidate));
    }
    return all;
  }

  // All bits, both after all steps and after the first eight, while values still change.
  long wrong_results(std::size_t candidate) override {
    const LaunchShape& shape = shapes_.at(candidate);
    long wrong = 0;
    for (const int steps : {8, kConversionSteps}) {
      gpu::fill_bytes(out_, 0xff);
      gpu::launch<conversion_kernel<C, kChains>>(shape.grid, shape.block, out_.data(), steps);
      const std::vector<std::uint32_t> results = gpu::to_host(out_);
      const std::size_t threads = std::min<std::size_t>(shape.threads(), kCheckedFunctions);
      for (std::size_t i = 0; i < threads * kBitsWidth; ++i) {
        std::uint32_t expected = 0;
        for (int c = 0; c < kChains; ++c) {
          std::uint32_t x = C::start(seed_of(i / kBitsWidth, c, static_cast<int>(i % kBitsWidth)));
          for (int step = 0; step < steps; ++step) x = C::exact(x);
          expected ^= x;
        }
        if (results[i] != expected) ++wrong;
      }
    }
    return wrong;
  }

 private:
  static constexpr int kChains = 9;  // odd, so that equal results do not cancel out

  std::vector<LaunchShape> shapes_;
  gpu::DeviceBuffer<std::uint32_t> out_;
};

}  // namespace

std::vector<std::unique_ptr<OperationRate>> special_operations(int units) {
  std::vector<std::unique_ptr<OperationRate>> all;
  all.push_back(std::make_unique<RateOfFunction<Exp2>>(units));
  all.push_back(std::make_unique<RateOfFunction<Exp>>(units));
  all.push_back(std::make_unique<RateOfFunction<Reciprocal>>(units));
  all.push_back(std::make_unique<RateOfFunction<ReciprocalRoot>>(units));
  all.push_back(std::make_unique<RateOfConversion<IntegerToFloat>>(units));
#if defined(ROOFLINE_PACKED_CONVERSIONS)
  all.push_back(std::make_unique<RateOfConversion<FloatToHalf>>(units));
  all.push_back(std::make_unique<RateOfConversion<FloatToBfloat>>(units));
#endif
  return all;
}

}  // namespace roofline::measure
