// SPDX-License-Identifier: MIT
// Lets a lab take buffers of __half and __nv_bfloat16.
#pragma once

#include "gpu/kernel.hpp"
#include "harness/element.hpp"

namespace harness {

template <>
struct ElementOf<__half> {
  static constexpr Element value = Element::kF16;
};
template <>
struct ElementOf<__nv_bfloat16> {
  static constexpr Element value = Element::kBf16;
};

}  // namespace harness
