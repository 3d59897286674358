// SPDX-License-Identifier: MIT
// Functions of numbers over NumPy arrays that are read and written where they lie.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

namespace rooflinelabs {

/// Of any type and layout. As an argument declared noconvert() it takes NumPy's arrays only: lists
/// would have to be copied. require_float64() says so of other types than the one that is computed.
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

/// Results may replace the values that they are computed from, and nothing else that is read later.
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

/// One dimension after the other, through the strides of all arrays.
template <std::size_t N, typename Function>
void map_strided(const std::array<const char*, N>& inputs, char* output,
                 const std::array<const Array*, N>& arrays, const Array& out,
                 pybind11::ssize_t dimension, const Function& function) {
  if (dimension == out.ndim()) {
    std::array<double, N> values;
    for (std::size_t i = 0; i < N; ++i) std::memcpy(&values[i], inputs[i], sizeof(double));
    const double result = function(values);
    std::memcpy(output, &result, sizeof(double));  // NumPy has arrays that are not aligned
    return;
  }
  std::array<const char*, N> at = inputs;
  for (pybind11::ssize_t step = 0; step < out.shape(dimension); ++step) {
    map_strided<N>(at, output, arrays, out, dimension + 1, function);
    for (std::size_t i = 0; i < N; ++i) at[i] += arrays[i]->strides(dimension);
    output += out.strides(dimension);
  }
}

/// function(values of one element of every array) into `out`, or into a new array. Returns it.
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
  // mutable_data() throws for an array that NumPy says is read-only.
  map_strided<N>(inputs, static_cast<char*>(out->mutable_data()), arrays, *out, 0, function);
  return *out;
}

}  // namespace rooflinelabs
