// SPDX-License-Identifier: MIT
// Names of kernels as profilers print them, shortened to be readable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace roofline {

/// The name without return type, parameters and namespaces; a lambda is named after the function
/// that contains it: "void at::native::vectorized_elementwise_kernel<(int)4,
/// at::native::CUDAFunctor_add<float>>(int, T2)" becomes "vectorized_elementwise_kernel<4,
/// CUDAFunctor_add<float>>". If that is longer than `width` characters, inner template arguments
/// become "...", from the innermost outwards; if it is still too long, the middle is cut out.
std::string short_kernel_name(std::string_view name, std::size_t width = 76);

}  // namespace roofline
