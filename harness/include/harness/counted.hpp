// SPDX-License-Identifier: MIT
// Registers a function template as two entries: with plain numbers and, in a checked build, with
// numbers that count their arithmetic. HARNESS_PLAIN_NUMBERS_ONLY leaves out the second one,
// because a right kernel need not compile with counting numbers to be checked.
#pragma once

#include "harness/lab.hpp"

#if __has_include("gpu/counting.hpp") && !defined(HARNESS_PLAIN_NUMBERS_ONLY)
#include "gpu/counting.hpp"

namespace harness {

template <class T>
struct ElementOf<gpu::Counting<T>> : ElementOf<T> {};

template <class T>
struct ArgumentOf<gpu::Counting<T>> {
  static Parameter parameter() { return ArgumentOf<T>::parameter(); }
  static gpu::Counting<T> bind(const BoundArgument& argument) {
    return ArgumentOf<T>::bind(argument);
  }
};

}  // namespace harness

#define HARNESS_COUNTED_ENTRY(function, number)                                              \
  [[maybe_unused]] static const bool harness_counted_##function =                            \
      ::harness::register_lab(::harness::make_lab_entry<&function<::gpu::Counting<number>>>( \
          #function ".counted", {}, &function<::gpu::Counting<number>>));
#else
#define HARNESS_COUNTED_ENTRY(function, number)
#endif

/// Like HARNESS_LAB for a function template over the number type:
/// HARNESS_COUNTED_LAB(stencil, float, {.flops_per_element = 4, .bytes_per_element = 8}).
#define HARNESS_COUNTED_LAB(function, number, ...)                           \
  [[maybe_unused]] static const bool harness_lab_##function =                \
      ::harness::register_lab(::harness::make_lab_entry<&function<number>>(  \
          #function, ::harness::LabOptions __VA_ARGS__, &function<number>)); \
  HARNESS_COUNTED_ENTRY(function, number)
