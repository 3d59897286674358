// SPDX-License-Identifier: MIT
// Compile-time features of AMD GPUs.
#pragma once

namespace gpu {

/// What a lab may ask for with `if constexpr` or static_assert.
struct Features {
  static constexpr bool kIsGpu = true;
  static constexpr bool kTensorCores = true;  ///< nvcuda::wmma in <gpu/matrix.hpp>, over MFMA
  static constexpr bool kAsyncCopy = false;
};

}  // namespace gpu
