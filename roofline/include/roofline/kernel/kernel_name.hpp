// SPDX-License-Identifier: MIT
// Names of kernels as profilers print them, made short enough to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace roofline {

/// The name without return type, parameters and namespaces; a lambda is called after the function
/// it stands in: "void at::native::vectorized_elementwise_kernel<(int)4,
/// at::native::CUDAFunctor_add<float>>(int, T2)" becomes "vectorized_elementwise_kernel<4,
/// CUDAFunctor_add<float>>". Where that is longer than `width` characters, inner template arguments
/// become "...", from the innermost outwards; what is still too long loses its middle.
std::string short_kernel_name(std::string_view name, std::size_t width = 76);

}  // namespace roofline
