// SPDX-License-Identifier: MIT
// Compile-time features of the CPU.
#pragma once

namespace gpu {

/// What a lab may ask for with `if constexpr` or static_assert.
struct Features {
  static constexpr bool kIsGpu = false;
  static constexpr bool kTensorCores = false;  ///< nvcuda::wmma in <gpu/matrix.hpp> is emulated
  static constexpr bool kAsyncCopy = false;
};

}  // namespace gpu
