// SPDX-License-Identifier: MIT
// Makes a function template an entry twice: on plain numbers, and on numbers that count what is
// done with them (on the CPU backend, which has such a type).
#pragma once

#include "harness/lab.hpp"

#if __has_include("gpu/counting.hpp")
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

/// The counts under the names that exercises.toml uses in `counters`.
inline CountedWork named_counts(const gpu::Counts& counts) {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  return {{"flops", number(counts.flops())},
          {"divisions", number(counts.divisions)},
          {"special_functions", number(counts.special_functions)},
          {"loads", number(counts.loads)},
          {"stores", number(counts.stores)},
          {"bytes_loaded", number(counts.bytes_loaded)},
          {"bytes_stored", number(counts.bytes_stored)},
          {"compulsory_bytes", number(counts.compulsory_bytes())},
          {"sectors_loaded", number(counts.sectors_loaded)},
          {"sectors_stored", number(counts.sectors_stored)},
          {"shared_loads", number(counts.shared_loads)},
          {"shared_stores", number(counts.shared_stores)}};
}

template <auto kFunction, class... Parameters>
LabEntry make_counted_entry(std::string_view name, void (*function)(Parameters...)) {
  LabEntry entry = make_lab_entry<kFunction>(std::string(name) + ".counted", {}, function);
  entry.count = [](const BoundArgument* arguments) {
    return named_counts(gpu::count([arguments] {
      [arguments]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        kFunction(ArgumentOf<std::remove_cvref_t<Parameters>>::bind(arguments[kIndex])...);
      }
      (std::index_sequence_for<Parameters...>{});
    }));
  };
  return entry;
}

}  // namespace harness

#define HARNESS_COUNTED_ENTRY(function, number)                                                  \
  [[maybe_unused]] static const bool harness_counted_##function =                                \
      ::harness::register_lab(::harness::make_counted_entry<&function<::gpu::Counting<number>>>( \
          #function, &function<::gpu::Counting<number>>));
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
