// SPDX-License-Identifier: MIT
// The chart's model for Python: what is drawn, not how.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "roofline/chart/chart.hpp"
#include "roofline/checks.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;

void bind_charts(py::module_& module) {
  py::class_<Ceiling>(module, "Ceiling", "A horizontal ceiling.")
      .def(py::init([](const std::string& name, double rate) {
             return Ceiling{name, rate};
           }),
           "name"_a, "flops_per_second"_a)
      .def_readonly("name", &Ceiling::name, "Name.")
      .def_readonly("flops_per_second", &Ceiling::flops_per_second, "FLOP/s, or OP/s of integers.")
      .def_readonly("integers", &Ceiling::integers, "Whether the rate is in OP/s.");
  py::class_<Slope>(module, "Slope", "A bandwidth.")
      .def(py::init([](const std::string& name, double rate) {
             return Slope{name, rate};
           }),
           "name"_a, "bytes_per_second"_a)
      .def_readonly("name", &Slope::name, "Name.")
      .def_readonly("bytes_per_second", &Slope::bytes_per_second, "B/s.");
  py::class_<ChartPoint>(module, "ChartPoint", "A kernel on the chart.")
      .def(py::init([](const std::string& name, double intensity, double rate, bool at_least) {
             return ChartPoint{name, intensity, rate, at_least};
           }),
           "name"_a, "intensity"_a, "flops_per_second"_a, "at_least"_a = false)
      .def_readonly("name", &ChartPoint::name, "Name.")
      .def_readonly("intensity", &ChartPoint::intensity, "FLOP/B, above zero and finite.")
      .def_readonly("flops_per_second", &ChartPoint::flops_per_second, "Achieved, FLOP/s.")
      .def_readonly("at_least", &ChartPoint::at_least,
                    "Whether FLOP/B and FLOP/s are lower bounds: not all FLOPs were counted.");
  py::class_<ChartRange>(module, "ChartRange", "The ends of the axes.")
      .def_readonly("intensity_low", &ChartRange::intensity_low, "FLOP/B.")
      .def_readonly("intensity_high", &ChartRange::intensity_high, "FLOP/B.")
      .def_readonly("rate_low", &ChartRange::rate_low, "FLOP/s.")
      .def_readonly("rate_high", &ChartRange::rate_high, "FLOP/s.");
  py::class_<Ridge>(module, "Ridge", "Where a ceiling meets the lowest slope.")
      .def_readonly("ceiling", &Ridge::ceiling, "Name of the ceiling.")
      .def_readonly("intensity", &Ridge::intensity, "FLOP/B.")
      .def_readonly("flops_per_second", &Ridge::flops_per_second, "FLOP/s, or OP/s of integers.")
      .def_readonly("integers", &Ridge::integers, "Whether it counts OP instead of FLOP.");
  py::class_<Chart>(module, "Chart", "Ceilings, slopes and points on logarithmic axes.")
      .def(py::init([](const std::string& title, const std::vector<Ceiling>& ceilings,
                       const std::vector<Slope>& slopes, const std::vector<ChartPoint>& points) {
             return Chart{title, ceilings, slopes, points};
           }),
           "title"_a, "ceilings"_a, "slopes"_a, "points"_a = std::vector<ChartPoint>{})
      .def_readwrite("title", &Chart::title, "Title.")
      .def_readwrite("ceilings", &Chart::ceilings, "A copy of the list; assign to change it.")
      .def_readwrite("slopes", &Chart::slopes, "A copy of the list; assign to change it.")
      .def_readwrite("points", &Chart::points, "A copy of the list; assign to change it.")
      .def(
          "add",
          [](Chart& chart, const std::string& name, double intensity, double rate, bool at_least) {
            chart.points.push_back({name, require_positive(intensity, "intensity of " + name),
                                    require_positive(rate, "rate of " + name), at_least});
          },
          "name"_a, "intensity"_a, "flops_per_second"_a, "at_least"_a = false,
          "Adds a point: FLOP/B and FLOP/s, or lower bounds of both (`at_least`).")
      .def_property_readonly("at_least_note", &at_least_note,
                             "What the mark of a lower bound means; '' if no point is one.")
      .def("range", &range_of, "The ends of the axes around ridges and points.")
      .def_property_readonly("rate_unit", &rate_unit, "'FLOP/s', 'OP/s' of integers, or both.")
      .def_property_readonly("intensity_unit", &intensity_unit, "'FLOP/B', 'OP/B', or both.")
      .def("ridges", &ridges_of, "The ridge of every ceiling over the lowest slope.")
      .def("text", &draw_terminal, "columns"_a = 80, "rows"_a = 22, "unicode"_a = true,
           "The chart as characters, with a legend.");
  module.def("chart_of", &chart_of, "machine"_a, "precisions"_a = std::vector<Precision>{},
             "Dense ceilings and known bandwidths of a machine.");
}

}  // namespace rooflinelabs
