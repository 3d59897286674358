// SPDX-License-Identifier: MIT
// The matrix product of cuBLAS in the precisions of cublasGemmEx.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "instruction_list.hpp"
#include "vendor_gemm.hpp"
#include "walk.hpp"

namespace roofline::measure {
namespace {

constexpr int kChecked = 64;

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed: " + cublasGetStatusString(status));
}

class Handle {
 public:
  Handle() { check(cublasCreate(&handle_), "cublasCreate"); }
  ~Handle() { cublasDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

template <class T>
__global__ void fill_kernel(T* values, std::size_t count, std::uint32_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = index_of_this_thread(); i < count; i += step) {
    if constexpr (std::is_same_v<T, signed char>) {
      values[i] = static_cast<signed char>(random_bits(i + (static_cast<std::size_t>(seed) << 32)));
    } else {
      values[i] = static_cast<T>(static_cast<float>(operand(i, seed) - 1.0));
    }
  }
}

// Element (row, column) of A^T B summed in FP64, one thread each, all matrices column-major.
template <class T, class Sum>
__global__ void check_kernel(unsigned* wrong, const T* a, const T* b, const Sum* c, int n,
                             double tolerance) {
  const std::size_t size = static_cast<std::size_t>(n);
  const std::size_t row = static_cast<std::size_t>(threadIdx.x) * 37 % size;
  const std::size_t column = static_cast<std::size_t>(threadIdx.x) * 101 % size;
  double expected = 0;
  for (std::size_t k = 0; k < size; ++k) {
    expected += static_cast<double>(static_cast<float>(a[row * size + k])) *
                static_cast<double>(static_cast<float>(b[column * size + k]));
  }
  const double error =
      fabs(static_cast<double>(static_cast<float>(c[column * size + row])) - expected);
  if (!(error <= tolerance * (sqrt(static_cast<double>(n)) + fabs(expected)))) atomicAdd(wrong, 1u);
}

/// What cublasGemmEx has to be told, besides the types.
struct Kind {
  Precision precision;
  Unit unit;
  cudaDataType_t element;
  cudaDataType_t sum;
  cublasComputeType_t compute;
  double tolerance;
  int largest;
};

template <class T, class Sum, class Scalar>
class Cublas : public VendorGemm {
 public:
  explicit Cublas(const Kind& kind) : kind_(kind) {
    sizes_ = {kind.largest / 2, kind.largest * 3 / 4, kind.largest};
    const auto n = static_cast<std::size_t>(sizes_.back());
    a_ = gpu::DeviceBuffer<T>(n * n);
    b_ = gpu::DeviceBuffer<T>(n * n);
    c_ = gpu::DeviceBuffer<Sum>(n * n);
    gpu::launch<fill_kernel<T>>(1024, 256, a_.data(), n * n, 5u);
    gpu::launch<fill_kernel<T>>(1024, 256, b_.data(), n * n, 6u);
    gpu::synchronize();
  }
  std::string name() const override { return std::string(to_string(kind_.precision)) + ".gemm"; }
  Precision precision() const override { return kind_.precision; }
  Unit unit() const override { return kind_.unit; }
  std::string library() const override { return "cuBLAS " + std::to_string(CUBLAS_VERSION); }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (const int n : sizes_) {
      all.push_back({"n = " + std::to_string(n), 2.0 * n * n * n, [this, n] { multiply(n); }});
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const int n = sizes_.at(candidate);
    gpu::fill_bytes(c_, 0xff);
    multiply(n);
    gpu::DeviceBuffer<unsigned> wrong(1);
    gpu::fill_bytes(wrong, 0);
    gpu::launch<check_kernel<T, Sum>>(1, kChecked, wrong.data(), a_.data(), b_.data(), c_.data(), n,
                                      kind_.tolerance);
    return static_cast<long>(gpu::to_host(wrong).front());
  }

 private:
  // A is transposed: the only layout that INT8 has, and as fast as any other.
  void multiply(int n) {
    const Scalar one = static_cast<Scalar>(1);
    const Scalar zero = static_cast<Scalar>(0);
    check(cublasGemmEx(handle_.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a_.data(),
                       kind_.element, n, b_.data(), kind_.element, n, &zero, c_.data(), kind_.sum,
                       n, kind_.compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  }

  Kind kind_;
  Handle handle_;
  std::vector<int> sizes_;
  gpu::DeviceBuffer<T> a_, b_;
  gpu::DeviceBuffer<Sum> c_;
};

}  // namespace

std::vector<std::unique_ptr<VendorGemm>> vendor_gemms() {
  std::vector<std::unique_ptr<VendorGemm>> all;
  all.push_back(std::make_unique<Cublas<double, double, double>>(Kind{
      Precision::kFp64, Unit::kMatrix, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 1e-4, 8192}));
  all.push_back(std::make_unique<Cublas<float, float, float>>(Kind{
      Precision::kFp32, Unit::kVector, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 1e-4, 8192}));
  all.push_back(std::make_unique<Cublas<float, float, float>>(
      Kind{Precision::kTf32, Unit::kMatrix, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32,
           1e-2, 8192}));
  all.push_back(std::make_unique<Cublas<__half, __half, float>>(Kind{
      Precision::kFp16, Unit::kMatrix, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 1e-2, 8192}));
  all.push_back(std::make_unique<Cublas<__nv_bfloat16, __nv_bfloat16, float>>(Kind{
      Precision::kBf16, Unit::kMatrix, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 3e-2, 8192}));
  all.push_back(std::make_unique<Cublas<signed char, int, int>>(Kind{
      Precision::kInt8, Unit::kMatrix, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 1e-6, 8192}));
  return all;
}

}  // namespace roofline::measure
