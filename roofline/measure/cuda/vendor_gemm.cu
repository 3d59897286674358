// SPDX-License-Identifier: MIT
// The matrix product of cuBLASLt: every algorithm that its heuristics offer, with a workspace.
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "memory/walk.hpp"
#include "rates/instruction_list.hpp"
#include "rates/vendor_gemm.hpp"

namespace roofline::measure {
namespace {

constexpr int kChecked = 64;
constexpr int kSmallest = 2048;  // rows of the smallest square tried
constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
constexpr int kAlgorithms = 6;  // from the heuristics' list, best first, tried at every size
// Of both operands in FP8 and FP4; a power of two keeps checks exact.
constexpr float kScale = 0.5f;

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed: " + cublasLtGetStatusString(status));
}

/// One of the library's opaque objects, each of which has its own destroy function.
template <class Object, cublasStatus_t (*destroy)(Object)>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (object_ != nullptr) destroy(object_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Object* slot() { return &object_; }
  Object get() const { return object_; }

 private:
  Object object_ = nullptr;
};

/// Two numbers in E2M1, the first in the low bits: a sign, and one of eight magnitudes.
struct Fp4Pair {
  std::uint8_t bits = 0;
};
constexpr std::size_t kFp4Block = 16;         // numbers that share a scale
constexpr std::uint8_t kFp4ScaleBits = 0x30;  // kScale in E4M3

template <class T>
constexpr std::size_t kNumbersIn = std::is_same_v<T, Fp4Pair> ? 2 : 1;

template <class T>
__device__ double number_at(const T* values, std::size_t index) {
  if constexpr (std::is_same_v<T, Fp4Pair>) {
    constexpr float kMagnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    const unsigned code = values[index / 2].bits >> (index % 2 * 4) & 15u;
    return code < 8 ? kMagnitudes[code] : -kMagnitudes[code - 8];
  } else {
    return static_cast<double>(static_cast<float>(values[index]));
  }
}

template <class T>
__global__ void fill_matrix_kernel(T* values, std::size_t count, std::uint32_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = index_of_this_thread(); i < count; i += step) {
    const std::size_t place = i + (static_cast<std::size_t>(seed) << 32);
    if constexpr (std::is_same_v<T, signed char>) {
      values[i] = static_cast<signed char>(random_bits(place));
    } else if constexpr (std::is_same_v<T, Fp4Pair>) {
      values[i].bits = static_cast<std::uint8_t>(random_bits(place));
    } else {
      values[i] = static_cast<T>(static_cast<float>(operand(i, seed) - 1.0));
    }
  }
}

/// C = A^T B or A B: C has m rows and n columns, and the sums have k terms.
struct Shape {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
};

Shape square(int n) {
  const auto size = static_cast<std::size_t>(n);
  return {size, size, size};
}

// Sums element (row, column) of the product in FP64, one thread each, all matrices column-major.
template <class A, class B, class Result>
__global__ void check_matrix_kernel(unsigned* wrong, const A* a, bool a_is_transposed, const B* b,
                                    const Result* c, Shape shape, double scale, double tolerance) {
  const std::size_t row = static_cast<std::size_t>(threadIdx.x) * 37 % shape.m;
  const std::size_t column = static_cast<std::size_t>(threadIdx.x) * 101 % shape.n;
  double expected = 0;
  for (std::size_t k = 0; k < shape.k; ++k) {
    const double factor = number_at(a, a_is_transposed ? row * shape.k + k : k * shape.m + row);
    expected += scale * factor * number_at(b, column * shape.k + k);
  }
  const double error = fabs(number_at(c, column * shape.m + row) - expected);
  if (!(error <= tolerance * (scale * sqrt(static_cast<double>(shape.k)) + fabs(expected)))) {
    atomicAdd(wrong, 1u);
  }
}

template <class T>
constexpr cudaDataType_t kTypeOf = CUDA_R_32F;
template <>
constexpr cudaDataType_t kTypeOf<double> = CUDA_R_64F;
template <>
constexpr cudaDataType_t kTypeOf<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType_t kTypeOf<__nv_bfloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType_t kTypeOf<signed char> = CUDA_R_8I;
template <>
constexpr cudaDataType_t kTypeOf<int> = CUDA_R_32I;
template <>
constexpr cudaDataType_t kTypeOf<__nv_fp8_e4m3> = CUDA_R_8F_E4M3;
template <>
constexpr cudaDataType_t kTypeOf<__nv_fp8_e5m2> = CUDA_R_8F_E5M2;

#if CUDART_VERSION >= 12080
template <>
constexpr cudaDataType_t kTypeOf<Fp4Pair> = CUDA_R_4F_E2M1;
#endif

template <class T>
constexpr bool kIsFp8 = std::is_same_v<T, __nv_fp8_e4m3> || std::is_same_v<T, __nv_fp8_e5m2>;

/// What the library needs to know besides the types.
struct Kind {
  Precision precision;
  Unit unit;
  const char* suffix;  ///< of the roof's name, if a precision has several products
  const char* sums;    ///< for the note
  cublasComputeType_t compute;
  double tolerance;
  /// Of A. INT8, FP8 and FP4 only have A^T B, which is as fast as A B except in FP32.
  std::vector<cublasOperation_t> operations{CUBLAS_OP_T};
};

/// C = A^T B or A B, where A and B have their own types. There are several copies of A if one would
/// stay in a cache between launches.
template <class A, class B, class Result, class Scalar>
class CublasLt : public VendorGemm {
 public:
  CublasLt(const Kind& kind, const std::vector<Shape>& shapes, std::size_t copies)
      : kind_(kind), copies_(copies) {
    check(cublasLtCreate(handle_.slot()), "cublasLtCreate");
    check(cublasLtMatmulDescCreate(product_.slot(), kind.compute, kTypeOf<Scalar>),
          "cublasLtMatmulDescCreate");
    if constexpr (kIsFp8<A>) {
      set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
      scale_ = gpu::to_device(std::vector<float>{kScale});
      set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<const float*>(scale_.data()));
      set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, static_cast<const float*>(scale_.data()));
    }
    const auto most = [&](std::size_t Shape::*one, std::size_t Shape::*other) {
      std::size_t elements = 0;
      for (const Shape& shape : shapes) elements = std::max(elements, shape.*one * shape.*other);
      return elements;
    };
    if constexpr (std::is_same_v<A, Fp4Pair>) {
      scale_blocks(std::max(most(&Shape::m, &Shape::k), most(&Shape::n, &Shape::k)) / kFp4Block);
    }
    a_elements_ = most(&Shape::m, &Shape::k) / kNumbersIn<A>;
    a_ = gpu::DeviceBuffer<A>(a_elements_ * copies);
    b_ = gpu::DeviceBuffer<B>(most(&Shape::n, &Shape::k) / kNumbersIn<B>);
    c_ = gpu::DeviceBuffer<Result>(most(&Shape::m, &Shape::n));
    workspace_ = gpu::DeviceBuffer<char>(kWorkspaceBytes);
    gpu::launch<fill_matrix_kernel<A>>(1024, 256, a_.data(), a_.size(), 5u);
    gpu::launch<fill_matrix_kernel<B>>(1024, 256, b_.data(), b_.size(), 6u);
    gpu::synchronize();
    for (const Shape& shape : shapes) {
      for (const cublasOperation_t operation : kind.operations) add_ways(shape, operation);
    }
    if (ways_.empty()) throw std::runtime_error("cuBLASLt has no algorithm for " + name());
  }
  std::string name() const override {
    return std::string(to_string(kind_.precision)) + ".gemm" + kind_.suffix;
  }
  Precision precision() const override { return kind_.precision; }
  Unit unit() const override { return kind_.unit; }
  std::string library() const override {
    return "cuBLASLt " + std::to_string(cublasLtGetVersion()) + ", " + kind_.sums;
  }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (const Way& way : ways_) {
      const Shape& shape = way.shape;
      const std::string layout = way.operation == CUBLAS_OP_N ? ", A not transposed" : "";
      all.push_back({"n = " + std::to_string(shape.n) + ", algorithm " + std::to_string(way.rank) +
                         " of the heuristics" + layout,
                     2 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                         static_cast<double>(shape.k),
                     [this, &way] { multiply(way); }});
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const Way& way = ways_.at(candidate);
    gpu::fill_bytes(c_, 0xff);
    turn_ = 0;
    multiply(way);
    gpu::DeviceBuffer<unsigned> wrong(1);
    gpu::fill_bytes(wrong, 0);
    const bool is_scaled = kIsFp8<A> || std::is_same_v<A, Fp4Pair>;
    const double scale = is_scaled ? static_cast<double>(kScale) * kScale : 1.0;
    gpu::launch<check_matrix_kernel<A, B, Result>>(1, kChecked, wrong.data(), a_.data(),
                                                   way.operation == CUBLAS_OP_T, b_.data(),
                                                   c_.data(), way.shape, scale, kind_.tolerance);
    return static_cast<long>(gpu::to_host(wrong).front());
  }

  void clear_operands() override {
    gpu::fill_bytes(a_, 0);
    gpu::fill_bytes(b_, 0);
  }

 private:
  /// One shape with one of the library's algorithms for it.
  struct Way {
    Shape shape;
    cublasOperation_t operation = CUBLAS_OP_T;
    int rank = 0;  ///< in the heuristics' order, from 1
    cublasLtMatmulAlgo_t algorithm{};
  };

  using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    check(cublasLtMatmulDescSetAttribute(product_.get(), attribute, &value, sizeof value),
          "cublasLtMatmulDescSetAttribute");
  }

  /// NVFP4: a scale in E4M3 for every 16 numbers along k. All are alike, so their order does not
  /// matter.
  void scale_blocks([[maybe_unused]] std::size_t count) {
#if CUDART_VERSION >= 12080
    block_scales_ = gpu::DeviceBuffer<std::uint8_t>(count);
    gpu::fill_bytes(block_scales_, kFp4ScaleBits);
    const std::int32_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode);
    const void* scales = block_scales_.data();
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales);
#endif
  }

  struct Layouts {
    Layouts(const Shape& shape, cublasOperation_t operation) {
      const bool is_transposed = operation == CUBLAS_OP_T;
      make(a, kTypeOf<A>, is_transposed ? shape.k : shape.m, is_transposed ? shape.m : shape.k);
      make(b, kTypeOf<B>, shape.k, shape.n);
      make(c, kTypeOf<Result>, shape.m, shape.n);
    }
    static void make(Layout& layout, cudaDataType_t type, std::size_t rows, std::size_t columns) {
      check(cublasLtMatrixLayoutCreate(layout.slot(), type, rows, columns,
                                       static_cast<std::int64_t>(rows)),
            "cublasLtMatrixLayoutCreate");
    }
    Layout a, b, c;
  };

  void add_ways(const Shape& shape, cublasOperation_t operation) {
    set(CUBLASLT_MATMUL_DESC_TRANSA, operation);
    Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference;
    check(cublasLtMatmulPreferenceCreate(preference.slot()), "cublasLtMatmulPreferenceCreate");
    check(cublasLtMatmulPreferenceSetAttribute(preference.get(),
                                               CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &kWorkspaceBytes, sizeof kWorkspaceBytes),
          "cublasLtMatmulPreferenceSetAttribute");
    const Layouts matrices(shape, operation);
    cublasLtMatmulHeuristicResult_t found[kAlgorithms];
    int count = 0;
    // If this GPU lacks a product, that is not an error: the roof is left out with a reason.
    if (cublasLtMatmulAlgoGetHeuristic(handle_.get(), product_.get(), matrices.a.get(),
                                       matrices.b.get(), matrices.c.get(), matrices.c.get(),
                                       preference.get(), kAlgorithms, found,
                                       &count) != CUBLAS_STATUS_SUCCESS) {
      return;
    }
    for (int i = 0; i < count; ++i) ways_.push_back({shape, operation, i + 1, found[i].algo});
  }

  void multiply(const Way& way) {
    const Scalar one = static_cast<Scalar>(1);
    const Scalar zero = static_cast<Scalar>(0);
    set(CUBLASLT_MATMUL_DESC_TRANSA, way.operation);
    const Layouts matrices(way.shape, way.operation);
    const A* a = a_.data() + turn_ * a_elements_;
    turn_ = (turn_ + 1) % copies_;
    check(cublasLtMatmul(handle_.get(), product_.get(), &one, a, matrices.a.get(), b_.data(),
                         matrices.b.get(), &zero, c_.data(), matrices.c.get(), c_.data(),
                         matrices.c.get(), &way.algorithm, workspace_.data(), kWorkspaceBytes,
                         nullptr),
          "cublasLtMatmul");
  }

  Kind kind_;
  std::size_t copies_;
  std::size_t turn_ = 0;  ///< the copy of A that the next launch reads
  std::size_t a_elements_ = 0;
  Owned<cublasLtHandle_t, cublasLtDestroy> handle_;
  Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> product_;
  std::vector<Way> ways_;
  gpu::DeviceBuffer<A> a_;
  gpu::DeviceBuffer<B> b_;
  gpu::DeviceBuffer<Result> c_;
  gpu::DeviceBuffer<float> scale_;
  gpu::DeviceBuffer<std::uint8_t> block_scales_;
  gpu::DeviceBuffer<char> workspace_;
};

template <class A, class B, class Result, class Scalar>
VendorRoof roof(const Kind& kind, int largest) {
  return {std::string(to_string(kind.precision)) + ".gemm" + kind.suffix, [kind, largest] {
            std::vector<Shape> squares;
            for (int n = largest; n >= kSmallest; n /= 2) squares.push_back(square(n));
            return std::make_unique<CublasLt<A, B, Result, Scalar>>(kind, squares, 1);
          }};
}

const Kind kBf16Product = {Precision::kBf16, Unit::kMatrix,      "",
                           "FP32 sums",      CUBLAS_COMPUTE_32F, 3e-2};

// Llama-3-8B (Dubey et al., "The Llama 3 Herd of Models", 2024, table 3): width 4096, feed-forward
// 14336, 32 heads of 128 and 8 key-value heads. Gate and up are one product, as in engines.
struct Weights {
  const char* name;
  int inputs;
  int outputs;
};
constexpr Weights kLayer[] = {{"qkv", 4096, (32 + 2 * 8) * 128},
                              {"output", 4096, 4096},
                              {"gate + up", 4096, 2 * 14336},
                              {"down", 14336, 4096}};
constexpr int kMostRows = 8192;
constexpr std::size_t kBytesBeyondCaches = std::size_t{512} << 20;

}  // namespace

std::vector<VendorRoof> vendor_gemms() {
  constexpr Unit kMatrix = Unit::kMatrix;
  constexpr Unit kVector = Unit::kVector;
  return {
    roof<double, double, double, double>(
        {Precision::kFp64, kMatrix, "", "FP64 sums", CUBLAS_COMPUTE_64F, 1e-4}, 8192),
        roof<float, float, float, float>({Precision::kFp32,
                                          kVector,
                                          "",
                                          "FP32 sums",
                                          CUBLAS_COMPUTE_32F,
                                          1e-4,
                                          {CUBLAS_OP_T, CUBLAS_OP_N}},
                                         8192),
        roof<float, float, float, float>({Precision::kTf32,
                                          kMatrix,
                                          "",
                                          "FP32 sums",
                                          CUBLAS_COMPUTE_32F_FAST_TF32,
                                          1e-2,
                                          {CUBLAS_OP_T, CUBLAS_OP_N}},
                                         16384),
        roof<__half, __half, __half, float>(
            {Precision::kFp16, kMatrix, "", "FP32 sums", CUBLAS_COMPUTE_32F, 1e-2}, 16384),
        roof<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>(kBf16Product, 16384),
        roof<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, float>(
            {Precision::kFp8, kMatrix, "", "E4M3 x E4M3 with scales, fast sums, BF16 results",
             CUBLAS_COMPUTE_32F, 3e-2},
            16384),
        roof<__nv_fp8_e5m2, __nv_fp8_e4m3, __nv_bfloat16, float>(
            {Precision::kFp8, kMatrix, ".e5m2", "E5M2 x E4M3 with scales, fast sums, BF16 results",
             CUBLAS_COMPUTE_32F, 3e-2},
            16384),
#if CUDART_VERSION >= 12080
        roof<Fp4Pair, Fp4Pair, __nv_bfloat16, float>(
            {Precision::kFp4, kMatrix, "", "E2M1 x E2M1 with a scale per 16, BF16 results",
             CUBLAS_COMPUTE_32F, 3e-2},
            16384),
#endif
        roof<signed char, signed char, int, int>(
            {Precision::kInt8, kMatrix, "", "INT32 sums", CUBLAS_COMPUTE_32I, 1e-6}, 16384),
  };
}

std::vector<VendorProduct> layer_products() {
  using Product = CublasLt<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>;
  std::vector<VendorProduct> all;
  for (const Weights& weights : kLayer) {
    for (int rows = 1; rows <= kMostRows; rows *= 2) {
      const Shape shape{static_cast<std::size_t>(weights.outputs), static_cast<std::size_t>(rows),
                        static_cast<std::size_t>(weights.inputs)};
      const std::size_t bytes = shape.m * shape.k * sizeof(__nv_bfloat16);
      const std::size_t copies = (kBytesBeyondCaches + bytes - 1) / bytes;
      all.push_back(
          {{weights.name, Precision::kBf16, rows, weights.outputs, weights.inputs, {}, {}},
           [shape, copies] {
             return std::make_unique<Product>(kBf16Product, std::vector{shape}, copies);
           }});
    }
  }
  return all;
}

}  // namespace roofline::measure
