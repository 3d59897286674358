// SPDX-License-Identifier: MIT
// Registers a student's function (topics/NN/formulas.cpp) by its signature.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/struct_value.hpp"
#include "harness/value.hpp"

namespace harness {

/// A registered function: takes and returns protocol values.
struct FunctionEntry {
  std::string name;
  std::size_t parameters = 0;
  Value (*invoke)(const Value::List& arguments) = nullptr;
};

/// Called by HARNESS_FUNCTION. @throws std::logic_error when the name is taken.
bool register_function(FunctionEntry entry);

template <auto kFunction, class Result, class... Parameters>
FunctionEntry make_function_entry(std::string_view name, Result (*)(Parameters...)) {
  return {std::string(name), sizeof...(Parameters), [](const Value::List& arguments) {
            return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
              return to_value(
                  kFunction(from_value<std::remove_cvref_t<Parameters>>(arguments.at(kIndex))...));
            }
            (std::index_sequence_for<Parameters...>{});
          }};
}

}  // namespace harness

/// Makes `function` callable by the grader: HARNESS_FUNCTION(attainable_flops).
#define HARNESS_FUNCTION(function)                                                               \
  [[maybe_unused]] static const bool harness_function_##function = ::harness::register_function( \
      ::harness::make_function_entry<&(function)>(#function, &(function)));
