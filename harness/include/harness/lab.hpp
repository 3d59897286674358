// SPDX-License-Identifier: MIT
// Turns one function on device memory into a lab program: HARNESS_LAB(saxpy, {...}).
//
// Kept light, because it is compiled with the student's kernel on every save.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/span.hpp"
#include "harness/element.hpp"
#include "harness/entry.hpp"
#include "harness/unsolved.hpp"

namespace harness {

/// The device of this build, implemented over gpu/ in the library rl::lab.
Device& lab_device();

template <class T>
struct ArgumentOf {
  static_assert(std::is_arithmetic_v<T>, "a lab takes numbers and gpu::DeviceSpan only");
  static Parameter parameter() { return {false, false, kElementOf<T>}; }
  static T bind(const BoundArgument& argument) {
    T value;
    std::memcpy(&value, &argument.bits, sizeof value);
    return value;
  }
};

template <class T>
struct ArgumentOf<gpu::DeviceSpan<T>> {
  static Parameter parameter() {
    return {true, !std::is_const_v<T>, kElementOf<std::remove_const_t<T>>};
  }
  static gpu::DeviceSpan<T> bind(const BoundArgument& argument) {
    return gpu::DeviceSpan<T>(static_cast<T*>(argument.data), argument.count);
  }
};

template <auto kFunction, class... Parameters>
LabEntry make_lab_entry(std::string_view name, LabOptions options, void (*)(Parameters...)) {
  LabEntry entry;
  entry.name = name;
  entry.parameters = {ArgumentOf<std::remove_cvref_t<Parameters>>::parameter()...};
  entry.invoke = [](const BoundArgument* arguments) {
    [arguments]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      kFunction(ArgumentOf<std::remove_cvref_t<Parameters>>::bind(arguments[kIndex])...);
    }
    (std::index_sequence_for<Parameters...>{});
  };
  entry.options = options;
  entry.device = &lab_device();
  return entry;
}

}  // namespace harness

/// Makes `function` the entry of this lab program. Its parameters are numbers (by value),
/// gpu::DeviceSpan<const T> (inputs) and gpu::DeviceSpan<T> (outputs, or both). The braces hold
/// harness::LabOptions, for instance {.flops_per_element = 2, .bytes_per_element = 12}.
#define HARNESS_LAB(function, ...)                                    \
  [[maybe_unused]] static const bool harness_lab_##function =         \
      ::harness::register_lab(::harness::make_lab_entry<&(function)>( \
          #function, ::harness::LabOptions __VA_ARGS__, &(function)));
