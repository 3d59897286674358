// SPDX-License-Identifier: MIT
// The stand-in for builds without a vendor library: its functions throw.
#include <stdexcept>

#include "gpu/blas.hpp"

namespace gpu {

void sgemm(std::int64_t, std::int64_t, std::int64_t, float, const float*, std::int64_t,
           const float*, std::int64_t, float, float*, std::int64_t) {
  throw std::runtime_error(
      "this build has no vendor matrix product; install libopenblas-dev (CPU), the CUDA "
      "Toolkit or hipblas-dev, and configure again");
}

std::string_view blas_name() noexcept {
  return {};
}

}  // namespace gpu
