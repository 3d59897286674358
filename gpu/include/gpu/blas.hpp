// SPDX-License-Identifier: MIT
// The vendor's matrix product on device memory: cuBLAS, hipBLAS, or the BLAS of the distribution.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpu {

/// C = alpha A B + beta C in FP32, all matrices stored column by column as in BLAS: A is m x k, B
/// is k x n, C is m x n, and the leading dimensions are at least m, k and m. On a GPU the call is
/// queued in the default stream. If a size is zero, nothing happens.
/// @throws std::runtime_error when this build has no such library, or the call fails.
void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
           std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc);

/// "cuBLAS", "hipBLAS", "BLAS", or empty when this build has none.
std::string_view blas_name() noexcept;

}  // namespace gpu
