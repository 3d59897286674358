// SPDX-License-Identifier: MIT
// Machines and measured reports for Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.hpp"
#include "roofline/chart/comparison.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;

namespace {

/// pybind11 would turn any number into an enumeration.
template <typename Enumeration>
void refuse_other_numbers(py::enum_<Enumeration>& type, const std::vector<Enumeration>& values) {
  type.def(py::init([values](int number) {
             for (const Enumeration value : values) {
               if (static_cast<int>(value) == number) return value;
             }
             throw std::invalid_argument("there is no value " + std::to_string(number));
           }),
           "value"_a, py::prepend());
}

void bind_precisions(py::module_& module) {
  py::enum_<Precision> precision(module, "Precision",
                                 "A number format; arguments take its name in any case as well.");
  for (const Precision value : all_precisions()) {
    precision.value(display_name(value).c_str(), value);
  }
  precision.def(py::init([](const std::string& name) { return parse_precision(name); }), "name"_a);
  refuse_other_numbers(precision, all_precisions());
  py::enum_<Unit> unit(module, "Unit", "Which units compute: VECTOR or MATRIX.");
  unit.value("VECTOR", Unit::kVector).value("MATRIX", Unit::kMatrix);
  unit.def(py::init([](const std::string& name) { return parse_unit_name(name); }), "name"_a);
  refuse_other_numbers(unit, {Unit::kVector, Unit::kMatrix});
  module.def("bytes_per_element", &bytes_per_element, "precision"_a,
             "Bytes of one element in memory, B.");
}

void bind_parts(py::module_& module) {
  py::class_<Provenance>(module, "Provenance", "Where a figure comes from.")
      .def_readonly("source", &Provenance::source, "Document or command.")
      .def_readonly("note", &Provenance::note, "Remarks.")
      .def_property_readonly(
          "confidence", [](const Provenance& p) { return std::string(to_string(p.confidence)); },
          "How far it can be trusted.");
  py::class_<Peak>(module, "Peak", "The highest rate of one format on one kind of unit.")
      .def_readonly("precision", &Peak::precision, "Number format.")
      .def_readonly("unit", &Peak::unit, "Kind of unit.")
      .def_readonly("operations_per_second", &Peak::operations_per_second,
                    "FLOP/s, or OP/s of integers.")
      .def_readonly("sparse", &Peak::sparse, "Counts operations that 2:4 sparsity skips.")
      .def_readonly("clock_hz", &Peak::clock_hz, "Clock that it holds at, Hz; None if unknown.")
      .def_readonly("provenance", &Peak::provenance, "Where it comes from.")
      .def_readonly("reached_by", &Peak::reached_by,
                    "What reached a measured peak: 'mma.sync', 'wgmma', 'library'; else ''.");
  py::class_<MemoryLevel>(module, "MemoryLevel", "One level of the memory hierarchy.")
      .def_readonly("name", &MemoryLevel::name, "'L1', 'L2', 'LLC' or 'DRAM'.")
      .def_readonly("capacity_bytes", &MemoryLevel::capacity_bytes,
                    "Capacity of one instance, B; None if unknown.")
      .def_readonly("instances", &MemoryLevel::instances, "How many there are.")
      .def_readonly("bytes_per_second", &MemoryLevel::bytes_per_second,
                    "Bandwidth of all instances, B/s; None if unknown.")
      .def_readonly("provenance", &MemoryLevel::provenance, "Where it comes from.");
}

void bind_machine(py::module_& module) {
  py::class_<Machine>(module, "Machine", "A machine as the model sees it, in base units.")
      .def_readonly("id", &Machine::id, "Name of its file.")
      .def_readonly("name", &Machine::name, "Full name.")
      .def_readonly("vendor", &Machine::vendor, "Maker.")
      .def_readonly("kind", &Machine::kind, "'gpu' or 'cpu'.")
      .def_readonly("architecture", &Machine::architecture, "Architecture.")
      .def_readonly("measured", &Machine::measured, "From measurements, not from a datasheet.")
      .def_readonly("peaks", &Machine::peaks, "All peaks.")
      .def_readonly("levels", &Machine::levels, "Memory levels, nearest to the core first.")
      .def_readonly("streams", &Machine::streams, "Measured DRAM rates by pattern, B/s.")
      .def_readonly("launch_overhead_seconds", &Machine::launch_overhead_seconds,
                    "Cost of one kernel launch, s; None if unknown.")
      .def("__repr__",
           [](const Machine& machine) {
             return "<Machine '" + machine.id + "': " + machine.name + ">";
           })
      .def(
          "peak",
          [](const Machine& machine, Precision precision, std::optional<Unit> unit) {
            if (!unit) return best_peak(machine, precision);
            const Peak* peak = find_peak(machine, precision, *unit);
            if (!peak) {
              throw std::invalid_argument(machine.name + " has no " + display_name(precision) +
                                          " peak on its " + to_string(*unit) + " units");
            }
            return *peak;
          },
          "precision"_a, "unit"_a = py::none(), "The highest dense peak, on any unit by default.")
      .def(
          "bandwidth",
          [](const Machine& machine, const std::string& level) {
            return bandwidth(machine, level);
          },
          "level"_a = "DRAM", "Bandwidth of a level, B/s.")
      .def(
          "roof",
          [](const Machine& machine, Precision precision, const std::string& level) {
            return roof_of(machine, precision, level);
          },
          "precision"_a, "level"_a = "DRAM", "The best dense peak over a level's bandwidth.");
  module.def("load_machine", &load_machine, "file"_a,
             "A machine from a .toml file, or from the .json of `roofline measure`.");
  module.def(
      "resolve_machine",
      [](const std::string& name, const std::filesystem::path& folder) {
        return resolve_machine(name, folder);
      },
      "name_or_path"_a, "folder"_a, "The file of a machine by id, or a path as given.");
  module.def("machine_files", &machine_files, "folder"_a, "Machine files of a folder.");
}

void bind_reports(py::module_& module) {
  py::class_<Spread>(module, "Spread", "Median and spread of samples, in the samples' unit.")
      .def_readonly("median", &Spread::median, "Median.")
      .def_readonly("percentile_5", &Spread::percentile_5, "5th percentile.")
      .def_readonly("percentile_95", &Spread::percentile_95, "95th percentile.")
      .def_readonly("samples", &Spread::samples, "Number of samples.");
  py::class_<MeasuredRoof>(module, "MeasuredRoof", "One measured roof.")
      .def_readonly("name", &MeasuredRoof::name, "Such as 'triad' or 'fp32.vector'.")
      .def_property_readonly(
          "kind", [](const MeasuredRoof& roof) { return std::string(to_string(roof.kind)); },
          "Bandwidth, compute or latency.")
      .def_readonly("level", &MeasuredRoof::level, "Memory level of a bandwidth.")
      .def_readonly("rate", &MeasuredRoof::rate, "B/s, FLOP/s (OP/s), or s of a latency.")
      .def_readonly("datasheet", &MeasuredRoof::datasheet, "The vendor's figure; None if unknown.")
      .def_readonly("refused", &MeasuredRoof::refused, "Why it must not be used; empty if it may.")
      .def_readonly("note", &MeasuredRoof::note, "Traffic convention and remarks.");
  py::class_<Report>(module, "Report", "A report of `roofline measure`.")
      .def_property_readonly(
          "device", [](const Report& report) { return report.device.name; }, "Name of the device.")
      .def_readonly("started", &Report::started, "UTC, ISO 8601.")
      .def_readonly("command", &Report::command, "The command that measured.")
      .def_readonly("complete", &Report::complete, "False when it was interrupted.")
      .def_readonly("roofs", &Report::roofs, "All roofs.")
      .def_readonly("problems", &Report::problems, "What could not be measured, and why.");
  module.def("read_report", &read_report, "file"_a, "Reads a report of `roofline measure`.");
  module.def("machine_from_report", &machine_from_report, "report"_a,
             "The machine that a report describes.");
}

}  // namespace

void bind_machines(py::module_& module) {
  bind_precisions(module);
  bind_parts(module);
  bind_machine(module);
  bind_reports(module);
}

}  // namespace rooflinelabs
