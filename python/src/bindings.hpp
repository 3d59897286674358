// SPDX-License-Identifier: MIT
// The parts of the Python module, and names that replace enumerations. Docstrings state units; base
// units are B, FLOP, s and their quotients.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>

#include "roofline/compute_unit.hpp"
#include "roofline/precision.hpp"

namespace pybind11::detail {

/// An enumeration that arguments may also give by name. An implicit conversion would do the same,
/// but would lose the error message for a wrong name. It contains the caster of the class instead
/// of deriving from it: pybind11 3 would treat it as a class that a shared_ptr can hold.
template <typename Enumeration, Enumeration (*parse)(std::string_view)>
class named_caster {
 public:
  static constexpr auto name = type_caster_base<Enumeration>::name;
  template <typename T>
  using cast_op_type = detail::cast_op_type<T>;

  bool load(handle source, bool convert) {
    named_.reset();
    if (!isinstance<str>(source)) return registered_.load(source, convert);
    named_ = parse(source.cast<std::string>());
    return true;
  }
  template <typename Source>
  static handle cast(Source&& source, return_value_policy policy, handle parent) {
    return type_caster_base<Enumeration>::cast(std::forward<Source>(source), policy, parent);
  }
  operator Enumeration*() { return named_ ? &*named_ : static_cast<Enumeration*>(registered_); }
  operator Enumeration&() { return named_ ? *named_ : static_cast<Enumeration&>(registered_); }

 private:
  type_caster_base<Enumeration> registered_;
  std::optional<Enumeration> named_;
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
