// SPDX-License-Identifier: MIT
// Turns driver error codes into gpu::Error.
#pragma once

#include "gpu/backend/api.hpp"
#include "gpu/error.hpp"

namespace gpu::detail {

/// Throws Error with the driver's message, and with the kernels that may be to blame, unless `code`
/// is success.
void check(api::ErrorCode code, const char* expression, SourceLocation where);

/// All kernels launched so far have finished without a fault: none of them can be to blame later.
void forget_launches() noexcept;

}  // namespace gpu::detail

#define GPU_CHECK(where, ...) ::gpu::detail::check(__VA_ARGS__, #__VA_ARGS__, where)
