// SPDX-License-Identifier: MIT
// Functions of numbers over NumPy arrays that are read and written where they lie.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

namespace rooflinelabs {

/// Of float64 and any layout. As an argument declared noconvert() it takes no other type: NumPy
/// would have to copy.
using Array = pybind11::array_t<double, 0>;

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
    for (std::size_t i = 0; i < N; ++i) values[i] = *reinterpret_cast<const double*>(inputs[i]);
    *reinterpret_cast<double*>(output) = function(values);
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
  for (std::size_t i = 1; i < N; ++i) require_same_shape(first, *arrays[i], "an input");
  if (out) {
    require_same_shape(first, *out, "out");
  } else {
    out = Array(std::vector<pybind11::ssize_t>(first.shape(), first.shape() + first.ndim()));
  }
  std::array<const char*, N> inputs;
  for (std::size_t i = 0; i < N; ++i) {
    inputs[i] = reinterpret_cast<const char*>(arrays[i]->data());
  }
  // mutable_data() throws for an array that NumPy says is read-only.
  map_strided<N>(inputs, reinterpret_cast<char*>(out->mutable_data()), arrays, *out, 0, function);
  return *out;
}

}  // namespace rooflinelabs
