// SPDX-License-Identifier: MIT
// sgemm of cuBLAS.
#include "gpu/blas.hpp"

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "blas_size.hpp"

namespace gpu {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed: " + cublasGetStatusString(status));
}

/// Making one takes far longer than a product, so there is one for the whole program.
cublasHandle_t handle() {
  static const cublasHandle_t created = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  return created;
}

}  // namespace

void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
           std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  check(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, narrow(m), narrow(n), narrow(k), &alpha, a,
                    narrow(lda), b, narrow(ldb), &beta, c, narrow(ldc)),
        "cublasSgemm");
}

std::string_view blas_name() noexcept {
  return "cuBLAS";
}

}  // namespace gpu
