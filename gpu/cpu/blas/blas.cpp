// SPDX-License-Identifier: MIT
// sgemm of the BLAS that this machine has, such as OpenBLAS.
#include "gpu/blas.hpp"

#include "blas_size.hpp"
#include "gpu/cpu/observer.hpp"

extern "C" void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda,
                       const float* b, const int* ldb, const float* beta, float* c, const int* ldc);

namespace gpu {

void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
           std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  const int rows = narrow(m), columns = narrow(n), depth = narrow(k);
  // BLAS requires leading dimensions of at least 1, even for an empty matrix.
  const int stride_a = narrow(lda > 0 ? lda : 1);
  const int stride_b = narrow(ldb > 0 ? ldb : 1);
  const int stride_c = narrow(ldc);
  const cpu::DeviceMemoryAccess access;
  sgemm_("N", "N", &rows, &columns, &depth, &alpha, a, &stride_a, b, &stride_b, &beta, c,
         &stride_c);
}

std::string_view blas_name() noexcept {
  return "BLAS";
}

}  // namespace gpu
