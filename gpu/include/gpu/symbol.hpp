// SPDX-License-Identifier: MIT
// Fills __constant__ variables from the host.
#pragma once

#include <cstddef>
#include <type_traits>

#include "gpu/location.hpp"

namespace gpu {
namespace detail {
/// Copies to the device variable that `symbol` denotes.
void copy_to_symbol(const void* symbol, const void* from, std::size_t bytes, SourceLocation where);
}  // namespace detail

/// Sets the __constant__ (or __device__) variable `symbol` to `value`; call it in the .cu file that
/// declares the variable.
template <class T>
void set_constant(T& symbol, const std::type_identity_t<T>& value,
                  SourceLocation where = SourceLocation::current()) {
  detail::copy_to_symbol(&symbol, &value, sizeof(T), where);
}

}  // namespace gpu
