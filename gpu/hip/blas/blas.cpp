// SPDX-License-Identifier: MIT
// sgemm of hipBLAS.
#include "gpu/blas.hpp"

#include <hipblas.h>

#include <stdexcept>
#include <string>

#include "blas_size.hpp"

namespace gpu {
namespace {

void check(hipblasStatus_t status, const char* call) {
  if (status == HIPBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed: " + hipblasStatusToString(status));
}

/// Making one takes far longer than a product, so there is one for the whole program.
hipblasHandle_t handle() {
  static const hipblasHandle_t created = [] {
    hipblasHandle_t made = nullptr;
    check(hipblasCreate(&made), "hipblasCreate");
    return made;
  }();
  return created;
}

}  // namespace

void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
           std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  check(hipblasSgemm(handle(), HIPBLAS_OP_N, HIPBLAS_OP_N, narrow(m), narrow(n), narrow(k), &alpha,
                     a, narrow(lda), b, narrow(ldb), &beta, c, narrow(ldc)),
        "hipblasSgemm");
}

std::string_view blas_name() noexcept {
  return "hipBLAS";
}

}  // namespace gpu
