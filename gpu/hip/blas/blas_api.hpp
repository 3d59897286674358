// SPDX-License-Identifier: MIT
// hipBLAS under the names that the source shared with cuBLAS uses.
#pragma once

#include <hipblas.h>

#define GPU_BLAS(name) hipblas##name
#define GPU_BLAS_NAME "hipblas"

namespace gpu::blas_api {
using Handle = hipblasHandle_t;
using Status = hipblasStatus_t;

inline constexpr auto kSuccess = HIPBLAS_STATUS_SUCCESS;
inline constexpr auto kAsStored = HIPBLAS_OP_N;
inline constexpr auto kName = "hipBLAS";

inline const char* message(Status status) {
  return hipblasStatusToString(status);
}
}  // namespace gpu::blas_api
