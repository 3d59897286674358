// SPDX-License-Identifier: MIT
// Roofline bounds for Python.
#include "roofline/bounds.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "map_array.hpp"
#include "roofline/advice.hpp"
#include "roofline/peaks.hpp"
#include "roofline/units.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;

namespace {

void bind_types(py::module_& module) {
  py::enum_<Bound>(module, "Bound", "The limit: MEMORY or COMPUTE.")
      .value("MEMORY", Bound::kMemory)
      .value("COMPUTE", Bound::kCompute);

  py::class_<Roof>(module, "Roof", "One compute ceiling over one bandwidth.")
      .def(py::init([](double flops, double bytes) {
             return Roof{flops, bytes};
           }),
           "flops_per_second"_a, "bytes_per_second"_a)
      .def_readwrite("flops_per_second", &Roof::flops_per_second, "Peak, FLOP/s.")
      .def_readwrite("bytes_per_second", &Roof::bytes_per_second, "Bandwidth, B/s.");

  py::class_<LevelLoad>(module, "LevelLoad", "A memory level and what goes through it.")
      .def(py::init([](const std::string& level, double rate, double bytes) {
             return LevelLoad{level, rate, bytes};
           }),
           "level"_a, "bytes_per_second"_a, "bytes"_a)
      .def_readwrite("level", &LevelLoad::level, "Name, such as 'DRAM'.")
      .def_readwrite("bytes_per_second", &LevelLoad::bytes_per_second, "Bandwidth, B/s.")
      .def_readwrite("bytes", &LevelLoad::bytes, "Traffic, B.");

  py::class_<HierarchicalBound>(module, "HierarchicalBound", "A bound over all levels.")
      .def_readonly("seconds", &HierarchicalBound::seconds, "Least time, s.")
      .def_readonly("flops_per_second", &HierarchicalBound::flops_per_second, "FLOP/s.")
      .def_readonly("limit", &HierarchicalBound::limit, "Level that sets the time, or 'compute'.");

  py::class_<DenseLayer>(module, "DenseLayer", "A layer y[B, out] = x[B, in] W[in, out].")
      .def(py::init([](double in, double out, double weight, double activation) {
             return DenseLayer{in, out, weight, activation};
           }),
           "in_features"_a, "out_features"_a, "bytes_per_weight"_a = 2.0,
           "bytes_per_activation"_a = 2.0);

  py::class_<Remedy>(module, "Remedy", "A thing to try.")
      .def_property_readonly(
          "move", [](const Remedy& remedy) { return std::string(to_string(remedy.move)); },
          "The direction in which it moves the point on the chart.")
      .def_readonly("text", &Remedy::text, "What to do.");
  py::class_<Advice>(module, "Advice", "What to try next, from where a kernel stands.")
      .def_readonly("bound", &Advice::bound, "What limits the kernel.")
      .def_readonly("fraction_of_roof", &Advice::fraction_of_roof, "Achieved over attainable.")
      .def_readonly("summary", &Advice::summary, "One sentence.")
      .def_readonly("remedies", &Advice::remedies, "Most promising first.");
}

void bind_functions(py::module_& module) {
  module.def("arithmetic_intensity", &arithmetic_intensity, "flops"_a, "bytes"_a,
             "FLOP/B from FLOP and B; infinity when no byte moves.");
  module.def("ridge", &ridge, "roof"_a, "Intensity at which slope and ceiling meet, FLOP/B.");
  module.def("attainable", &attainable, "roof"_a, "intensity"_a,
             "min(peak, intensity x bandwidth) in FLOP/s, for an intensity in FLOP/B.");
  module.def(
      "attainable",
      [](const Roof& roof, const Array& intensity, std::optional<Array> out) {
        return map_arrays<1>({&intensity}, std::move(out),
                             [&](const auto& x) { return attainable(roof, x[0]); });
      },
      "roof"_a, py::arg("intensity").noconvert(), py::arg("out").noconvert() = py::none(),
      "FLOP/s for each intensity (FLOP/B) of a float64 array, which is not copied; into `out` if\n"
      "given, which are not copied.");
  module.def("classify", &classify, "roof"_a, "intensity"_a,
             "Memory-bound below the ridge, compute-bound at it and above; intensity in FLOP/B.");
  module.def("time_seconds", py::overload_cast<const Roof&, double, double>(&time_seconds),
             "roof"_a, "flops"_a, "bytes"_a, "max(flops / peak, bytes / bandwidth), s.");
  module.def(
      "time_seconds",
      [](const Roof& roof, const Array& flops, const Array& bytes, std::optional<Array> out) {
        return map_arrays<2>({&flops, &bytes}, std::move(out),
                             [&](const auto& x) { return time_seconds(roof, x[0], x[1]); });
      },
      "roof"_a, py::arg("flops").noconvert(), py::arg("bytes").noconvert(),
      py::arg("out").noconvert() = py::none(),
      "Seconds for each pair of FLOP and B of two float64 arrays, which are not copied.");
  module.def("hierarchical_bound",
             py::overload_cast<double, double, const std::vector<LevelLoad>&>(&hierarchical_bound),
             "peak_flops_per_second"_a, "flops"_a, "levels"_a,
             "The least time over all levels and the peak (FLOP/s), for FLOP and B.");
  module.def("layer_intensity", &layer_intensity, "layer"_a, "batch"_a,
             "Intensity of a layer at a batch, FLOP/B.");
  module.def("critical_batch", &critical_batch, "layer"_a, "ridge_flops_per_byte"_a,
             "Smallest batch at which the layer reaches the ridge (FLOP/B); None means never.");
  module.def("advise", &advise, "roof"_a, "intensity"_a, "achieved_flops_per_second"_a,
             "What to try next with a kernel of this intensity (FLOP/B) at this rate (FLOP/s).\n"
             "ValueError for a rate more than 2 % above the roof.");
  module.def("vector_peak", &vector_peak, "units"_a, "lanes"_a, "clock_hz"_a,
             "operations_per_lane"_a = 2.0, "FLOP/s of `units` cores with `lanes` lanes each.");
  module.def("memory_peak", &memory_peak, "memory_clock_hz"_a, "bus_bits"_a,
             "transfers_per_clock"_a = 2.0, "B/s of a memory bus.");
}

void bind_units(py::module_& module) {
  module.def(
      "parse_quantity", [](const std::string& text) { return parse_quantity(text).value; },
      "text"_a, "A number in base units from text such as '2.039 TB/s' or '12.5 ms'.");
  module.def(
      "parse_quantity",
      [](const std::string& text, const std::string& unit) {
        return parse_quantity_as(text, parse_quantity("1 " + unit).dimension);
      },
      "text"_a, "unit"_a, "The same, of a quantity in `unit`: ValueError for one of another kind.");
}

}  // namespace

void bind_bounds(py::module_& module) {
  bind_types(module);
  bind_functions(module);
  bind_units(module);
}

}  // namespace rooflinelabs
