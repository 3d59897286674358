// SPDX-License-Identifier: MIT
// The parts of the Python module, and names in place of enumerations. Docstrings state units; base
// units are B, FLOP, s and their quotients.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "roofline/compute_unit.hpp"
#include "roofline/precision.hpp"

namespace pybind11::detail {

/// An enumeration that arguments may also give by name. An implicit conversion would do the same,
/// but where the name is wrong its message is lost.
template <typename Enumeration, Enumeration (*parse)(std::string_view)>
class named_caster : public type_caster_base<Enumeration> {
 public:
  bool load(handle source, bool convert) {
    if (!isinstance<str>(source)) return type_caster_base<Enumeration>::load(source, convert);
    named_ = parse(source.cast<std::string>());
    this->value = &named_;
    return true;
  }

 private:
  Enumeration named_{};
};

template <>
class type_caster<roofline::Precision>
    : public named_caster<roofline::Precision, &roofline::parse_precision> {};
template <>
class type_caster<roofline::Unit>
    : public named_caster<roofline::Unit, &roofline::parse_unit_name> {};

}  // namespace pybind11::detail

namespace rooflinelabs {

void bind_machines(pybind11::module_& module);
void bind_bounds(pybind11::module_& module);
void bind_operations(pybind11::module_& module);
void bind_charts(pybind11::module_& module);
void bind_profiles(pybind11::module_& module);
void bind_inference(pybind11::module_& module);

}  // namespace rooflinelabs
