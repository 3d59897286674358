// SPDX-License-Identifier: MIT
// cuBLAS under the names that the source shared with hipBLAS uses.
#pragma once

#include <cublas_v2.h>

#define GPU_BLAS(name) cublas##name
#define GPU_BLAS_NAME "cublas"

namespace gpu::blas_api {
using Handle = cublasHandle_t;
using Status = cublasStatus_t;

inline constexpr auto kSuccess = CUBLAS_STATUS_SUCCESS;
inline constexpr auto kAsStored = CUBLAS_OP_N;
inline constexpr auto kName = "cuBLAS";

inline const char* message(Status status) {
  return cublasGetStatusString(status);
}
}  // namespace gpu::blas_api
