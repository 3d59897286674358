// SPDX-License-Identifier: MIT
// The matrix product of the BLAS that this machine has, such as OpenBLAS.
#include "rates/vendor_gemm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "memory/walk.hpp"

extern "C" {
void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const float* alpha, const float* a, const int* lda, const float* b,
            const int* ldb, const float* beta, float* c, const int* ldc);
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc);
}

namespace roofline::measure {
namespace {

constexpr int kChecked = 16;

template <class T>
void product(int n, const T* a, const T* b, T* c) {
  const T one = 1;
  const T zero = 0;
  if constexpr (std::is_same_v<T, float>) {
    sgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
  } else {
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
  }
}

template <class T>
class Blas : public VendorGemm {
 public:
  Blas() : sizes_({1024, 2048}) {
    const auto elements = static_cast<std::size_t>(sizes_.back()) * sizes_.back();
    for (std::size_t i = 0; i < elements; ++i) {
      a_.push_back(static_cast<T>(operand(i, 5) - 1));
      b_.push_back(static_cast<T>(operand(i, 6) - 1));
    }
    c_.resize(elements);
  }
  std::string name() const override { return std::string(to_string(precision())) + ".gemm"; }
  Precision precision() const override {
    return std::is_same_v<T, float> ? Precision::kFp32 : Precision::kFp64;
  }
  Unit unit() const override { return Unit::kVector; }
  std::string library() const override { return "BLAS"; }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (const int n : sizes_) {
      all.push_back({"n = " + std::to_string(n), 2.0 * n * n * n,
                     [this, n] { product<T>(n, a_.data(), b_.data(), c_.data()); }});
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const auto n = static_cast<std::size_t>(sizes_.at(candidate));
    std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN());
    candidates().at(candidate).launch();
    long wrong = 0;
    for (std::size_t check = 0; check < kChecked; ++check) {
      const std::size_t row = check * 37 % n;
      const std::size_t column = check * 101 % n;
      double expected = 0;
      for (std::size_t k = 0; k < n; ++k) {
        expected += static_cast<double>(a_[k * n + row]) * static_cast<double>(b_[column * n + k]);
      }
      const double error = std::fabs(static_cast<double>(c_[column * n + row]) - expected);
      if (!(error <= 1e-4 * std::sqrt(static_cast<double>(n)))) ++wrong;
    }
    return wrong;
  }

  void clear_operands() override {
    std::fill(a_.begin(), a_.end(), T{0});
    std::fill(b_.begin(), b_.end(), T{0});
  }

 private:
  std::vector<int> sizes_;
  std::vector<T> a_, b_, c_;
};

}  // namespace

std::vector<VendorRoof> vendor_gemms() {
  return {{"fp32.gemm", [] { return std::make_unique<Blas<float>>(); }},
          {"fp64.gemm", [] { return std::make_unique<Blas<double>>(); }}};
}

std::vector<VendorProduct> layer_products() {
  return {};
}

}  // namespace roofline::measure
