// SPDX-License-Identifier: MIT
// Structs, vectors and numbers as protocol values, field by field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "harness/element.hpp"
#include "harness/fields.hpp"
#include "harness/value.hpp"

namespace harness {

/// Converts values to C++ and back: numbers, bool, enumerations, text, vectors, and structs of
/// these. The content of a temporary value is moved, not copied.
/// @throws ProtocolError for a value of another shape.
template <class T, class V>
T from_value(V&& value) {
  static_assert(std::is_same_v<std::remove_cvref_t<V>, Value>);
  const auto part = [&](std::size_t index) -> decltype(auto) {
    if constexpr (std::is_same_v<V, Value>) {
      return std::move(value.at(index));
    } else {
      return std::as_const(value).at(index);
    }
  };
  if constexpr (std::is_same_v<T, Value>) {
    return std::forward<V>(value);
  } else if constexpr (std::is_same_v<T, Element>) {
    return element_from_code(value.integer());
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    const std::int64_t number = value.integer();
    if (static_cast<std::int64_t>(static_cast<T>(number)) != number) {
      throw ProtocolError("message holds a number that is too large for its field");
    }
    return static_cast<T>(number);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.number());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.text();
  } else if constexpr (requires(T t) { t.emplace_back(); }) {
    T result;
    const std::size_t count = value.size();
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(from_value<typename T::value_type>(part(i)));
    }
    return result;
  } else {
    T result{};
    std::size_t index = 0;
    for_each_field(result, [&](auto& field) {
      field = from_value<std::remove_reference_t<decltype(field)>>(part(index++));
    });
    return result;
  }
}

template <class T>
Value to_value(const T& data) {
  if constexpr (std::is_same_v<T, Value>) {
    return data;
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
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

}  // namespace harness
