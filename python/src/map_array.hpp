// SPDX-License-Identifier: MIT
// Functions of numbers over NumPy arrays, which are read and written in place.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

namespace rooflinelabs {

/// An array of any type and layout. As an argument declared noconvert() it accepts only NumPy
/// arrays: lists would have to be copied. For types other than the computed one, require_float64()
/// says so.
using Array = pybind11::array;

inline void require_float64(const Array& array, const char* name) {
  if (pybind11::hasattr(array, "mask")) {
    throw pybind11::type_error(std::string(name) +
                               " is a masked array, whose mask would be lost; pass its .filled()");
  }
  if (!pybind11::isinstance<pybind11::array_t<double>>(array)) {
    throw pybind11::type_error(std::string(name) + " holds " +
                               std::string(pybind11::str(array.dtype())) +
                               "; it must hold float64: pass its .astype(float), which is a copy");
  }
}

/// Results may overwrite the values that they are computed from, but nothing that is read later.
inline void require_apart(const Array& input, const Array& out) {
  bool same = input.data() == out.data();
  for (pybind11::ssize_t i = 0; same && i < out.ndim(); ++i) {
    same = input.strides(i) == out.strides(i);
  }
  if (same) return;
  const auto shares = pybind11::module_::import("numpy").attr("shares_memory");
  if (shares(input, out).cast<bool>()) {
    throw std::invalid_argument("out overlaps an input; it must be that input or apart from it");
  }
}

inline void require_same_shape(const Array& a, const Array& b, const char* name) {
  bool same = a.ndim() == b.ndim();
  for (pybind11::ssize_t i = 0; same && i < a.ndim(); ++i) same = a.shape(i) == b.shape(i);
  if (!same) throw std::invalid_argument(std::string(name) + " has another shape than the input");
}

/// One dimension after the other, following the strides of all arrays.
template <std::size_t N, typename Function>
void map_strided(const std::array<const char*, N>& inputs, char* output,
                 const std::array<const Array*, N>& arrays, const Array& out,
                 pybind11::ssize_t dimension, const Function& function) {
  if (dimension == out.ndim()) {
    std::array<double, N> values;
    for (std::size_t i = 0; i < N; ++i) std::memcpy(&values[i], inputs[i], sizeof(double));
    const double result = function(values);
    std::memcpy(output, &result, sizeof(double));  // NumPy arrays may be unaligned
    return;
  }
  std::array<const char*, N> at = inputs;
  for (pybind11::ssize_t step = 0; step < out.shape(dimension); ++step) {
    map_strided<N>(at, output, arrays, out, dimension + 1, function);
    for (std::size_t i = 0; i < N; ++i) at[i] += arrays[i]->strides(dimension);
    output += out.strides(dimension);
  }
}

/// Applies the function to corresponding elements of the arrays and writes to `out`, or to a new
/// array. Returns it.
template <std::size_t N, typename Function>
Array map_arrays(const std::array<const Array*, N>& arrays, std::optional<Array> out,
                 const Function& function) {
  const Array& first = *arrays[0];
  for (const Array* array : arrays) require_float64(*array, "an input");
  for (std::size_t i = 1; i < N; ++i) require_same_shape(first, *arrays[i], "an input");
  if (out) {
    require_float64(*out, "out");
    require_same_shape(first, *out, "out");
    for (const Array* array : arrays) require_apart(*array, *out);
  } else {
    out = pybind11::array_t<double>(
        std::vector<pybind11::ssize_t>(first.shape(), first.shape() + first.ndim()));
  }
  std::array<const char*, N> inputs;
  for (std::size_t i = 0; i < N; ++i) {
    inputs[i] = static_cast<const char*>(arrays[i]->data());
  }
  // mutable_data() throws if NumPy marks the array as read-only.
  map_strided<N>(inputs, static_cast<char*>(out->mutable_data()), arrays, *out, 0, function);
  return *out;
}

}  // namespace rooflinelabs
