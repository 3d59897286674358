// SPDX-License-Identifier: MIT
// Compile-time features of checked kernels: they take the path that a GPU takes, so that counts and
// checks do not depend on the processor.
#pragma once

namespace gpu {

/// What a lab may ask for with `if constexpr` or static_assert.
struct Features {
  static constexpr bool kIsGpu = true;
  static constexpr bool kTensorCores = false;  ///< nvcuda::wmma in <gpu/matrix.hpp> is emulated
  static constexpr bool kAsyncCopy = false;
};

}  // namespace gpu
