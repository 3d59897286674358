// SPDX-License-Identifier: MIT
// sgemm of cuBLAS or hipBLAS.
#include "gpu/blas.hpp"

#include <stdexcept>
#include <string>

#include "blas_api.hpp"
#include "blas_size.hpp"

namespace gpu {
namespace {

void check(blas_api::Status status, const char* call) {
  if (status == blas_api::kSuccess) return;
  throw std::runtime_error(std::string(call) + " failed: " + blas_api::message(status));
}

/// Creating a handle takes far longer than a product, so the whole program shares one.
blas_api::Handle handle() {
  static const blas_api::Handle created = [] {
    blas_api::Handle made = nullptr;
    check(GPU_BLAS(Create)(&made), GPU_BLAS_NAME "Create");
    return made;
  }();
  return created;
}

}  // namespace

void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
           std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  check(GPU_BLAS(Sgemm)(handle(), blas_api::kAsStored, blas_api::kAsStored, narrow(m), narrow(n),
                        narrow(k), &alpha, a, narrow(lda), b, narrow(ldb), &beta, c, narrow(ldc)),
        GPU_BLAS_NAME "Sgemm");
}

std::string_view blas_name() noexcept {
  return blas_api::kName;
}

}  // namespace gpu
