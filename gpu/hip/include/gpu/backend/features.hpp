// SPDX-License-Identifier: MIT
// Compile-time features of AMD GPUs.
#pragma once

namespace gpu {

/// What a lab may ask for with `if constexpr` or static_assert.
struct Features {
  static constexpr bool kIsGpu = true;
  static constexpr bool kTensorCores = false;  ///< MFMA is there, <mma.h> is not
  static constexpr bool kAsyncCopy = false;
};

}  // namespace gpu
