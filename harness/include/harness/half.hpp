// SPDX-License-Identifier: MIT
// Allows __half and __nv_bfloat16 buffers as parameters of a lab.
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
