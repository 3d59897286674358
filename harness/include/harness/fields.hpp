// SPDX-License-Identifier: MIT
// Visits the fields of a plain struct, in order, without listing them a second time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace harness {
namespace detail {

struct AnyField {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... kIndex>
constexpr bool takes_fields(std::index_sequence<kIndex...>) {
  return requires {
    T{(static_cast<void>(kIndex), AnyField{})...};
  };
}

template <class T, std::size_t kCount = 12>
constexpr std::size_t field_count() {
  if constexpr (takes_fields<T>(std::make_index_sequence<kCount>{})) {
    return kCount;
  } else {
    return field_count<T, kCount - 1>();
  }
}

}  // namespace detail

/// Calls visit(field) for every field of an aggregate of up to 12 fields.
template <class T, class Visit>
void for_each_field(T& object, Visit visit) {
  static_assert(std::is_aggregate_v<T>, "only plain structs travel between processes");
  constexpr std::size_t kCount = detail::field_count<T>();
  // clang-format off
  if constexpr (kCount == 0) { static_cast<void>(object); }
  else if constexpr (kCount == 1) { auto& [a] = object; visit(a); }
  else if constexpr (kCount == 2) { auto& [a, b] = object; visit(a); visit(b); }
  else if constexpr (kCount == 3) { auto& [a, b, c] = object; visit(a); visit(b); visit(c); }
  else if constexpr (kCount == 4) { auto& [a, b, c, d] = object; visit(a); visit(b); visit(c); visit(d); }
  else if constexpr (kCount == 5) { auto& [a, b, c, d, e] = object; visit(a); visit(b); visit(c); visit(d); visit(e); }
  else if constexpr (kCount == 6) { auto& [a, b, c, d, e, f] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); }
  else if constexpr (kCount == 7) { auto& [a, b, c, d, e, f, g] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); }
  else if constexpr (kCount == 8) { auto& [a, b, c, d, e, f, g, h] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); visit(h); }
  else if constexpr (kCount == 9) { auto& [a, b, c, d, e, f, g, h, i] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); visit(h); visit(i); }
  else if constexpr (kCount == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); visit(h); visit(i); visit(j); }
  else if constexpr (kCount == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); visit(h); visit(i); visit(j); visit(k); }
  else if constexpr (kCount == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object; visit(a); visit(b); visit(c); visit(d); visit(e); visit(f); visit(g); visit(h); visit(i); visit(j); visit(k); visit(l); }
  // clang-format on
}

}  // namespace harness
