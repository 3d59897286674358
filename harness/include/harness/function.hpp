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

#include "harness/fields.hpp"
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

/// Values to C++ and back: numbers, bool, enumerations, text, vectors, and structs of these.
template <class T>
T from_value(const Value& value) {
  if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return static_cast<T>(value.integer());
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.number());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.text();
  } else if constexpr (requires(T t) { t.emplace_back(); }) {
    T result;
    for (const Value& item : value.list()) {
      result.push_back(from_value<typename T::value_type>(item));
    }
    return result;
  } else {
    T result{};
    std::size_t index = 0;
    for_each_field(result, [&](auto& field) {
      field = from_value<std::remove_reference_t<decltype(field)>>(value.at(index++));
    });
    return result;
  }
}

template <class T>
Value to_value(const T& data) {
  if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return Value(static_cast<std::int64_t>(data));
  } else if constexpr (std::is_floating_point_v<T>) {
    return Value(static_cast<double>(data));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return Value(std::string_view(data));
  } else if constexpr (requires { data.begin(); }) {
    Value::List items;
    for (const auto& item : data) items.push_back(to_value(item));
    return items;
  } else {
    Value::List items;
    T copy = data;
    for_each_field(copy, [&](auto& field) { items.push_back(to_value(field)); });
    return items;
  }
}

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
