// SPDX-License-Identifier: MIT
// Compile-time features of NVIDIA GPUs.
#pragma once

namespace gpu {

/// What a lab may ask for with `if constexpr` or static_assert.
struct Features {
  static constexpr bool kIsGpu = true;
  static constexpr bool kTensorCores = true;  ///< nvcuda::wmma in <gpu/matrix.hpp>
  static constexpr bool kAsyncCopy = true;    ///< cp.async, from global to shared memory
};

}  // namespace gpu
