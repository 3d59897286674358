// SPDX-License-Identifier: MIT
// Imported profiles for Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.hpp"
#include "roofline/kernel/kernel_name.hpp"
#include "roofline/profile.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;

void bind_profiles(py::module_& module) {
  py::class_<KernelCounts>(module, "KernelCounts", "The counts of one launch.")
      .def_readonly("operations", &KernelCounts::operations,
                    "FLOP (OP of integers) by kind, such as 'fp32.vector'.")
      .def_readonly("bytes", &KernelCounts::bytes, "B by level: 'DRAM', 'L2', 'L1', 'fabric'.")
      .def_readonly("seconds", &KernelCounts::seconds, "Duration, s.")
      .def_readonly("uncounted", &KernelCounts::uncounted,
                    "Counters that the file lacks, by kind of arithmetic.")
      .def_property_readonly(
          "flops",
          [](const KernelCounts& counts) {
            return counts.flops_known() ? std::optional(counts.flops()) : std::nullopt;
          },
          "FLOP of all kinds, a lower bound where anything is uncounted; None when unknown.");
  py::class_<KernelProfile>(module, "KernelProfile", "One launch.")
      .def_readonly("id", &KernelProfile::id, "Id of the launch in its file.")
      .def_readonly("name", &KernelProfile::name, "As the profiler prints it.")
      .def_property_readonly(
          "short_name", [](const KernelProfile& kernel) { return short_kernel_name(kernel.name); },
          "Without return type, namespaces and parameters.")
      .def_readonly("device", &KernelProfile::device, "GPU.")
      .def_readonly("counts", &KernelProfile::counts, "None where counters are missing.")
      .def_readonly("problem", &KernelProfile::problem, "Why there are no counts.")
      .def_readonly("notes", &KernelProfile::notes, "What the counters cannot tell.")
      .def_readonly("counters", &KernelProfile::counters, "All counters, in base units.");
  py::class_<ProfilePoint>(module, "ProfilePoint", "The position of a kernel on the roofline.")
      .def_readonly("level", &ProfilePoint::level, "Level of the intensity.")
      .def_readonly("intensity", &ProfilePoint::intensity,
                    "FLOP/B; infinity when no byte moved, NaN when FLOPs are unknown.")
      .def_readonly("flops_per_second", &ProfilePoint::flops_per_second, "FLOP/s, or NaN.")
      .def_readonly("bytes_per_second", &ProfilePoint::bytes_per_second, "B/s.")
      .def_readonly("bound", &ProfilePoint::bound,
                    "None without a machine, and where work that was not counted may decide.")
      .def_readonly("fraction_of_roof", &ProfilePoint::fraction_of_roof, "0 to 1.");
  py::class_<Profile>(module, "Profile", "The launches of a profiler's file.")
      .def_readonly("format", &Profile::format, "Such as 'ncu raw' or 'rocpd'.")
      .def_readonly("kernels", &Profile::kernels, "In the order of the file.")
      .def_readonly("rerun", &Profile::rerun, "The command that collects what is missing, or ''.")
      .def_property_readonly("complete", &Profile::complete, "All launches could be counted.")
      .def(
          "json",
          [](const Profile& profile, const Machine* machine) {
            return profile_json(profile, machine);
          },
          "machine"_a = py::none(), "As `roofline import --out` writes it.");
  module.def(
      "import_profile",
      [](const std::filesystem::path& file, const std::string& architecture) {
        return import_profile(file, {architecture});
      },
      "file"_a, "architecture"_a = "",
      "Reads Nsight Compute's CSV or report, rocprofv3's CSV or a rocpd database. `architecture`\n"
      "(gfx90a, gfx942, gfx950) is for AMD files that do not show it.");
  module.def(
      "place",
      [](const KernelCounts& counts, const Machine* machine) { return place(counts, machine); },
      "counts"_a, "machine"_a = py::none(), "Places counts on a machine's roofline.");
  module.def(
      "short_kernel_name",
      [](const std::string& name, std::size_t width) { return short_kernel_name(name, width); },
      "name"_a, "width"_a = std::size_t{76}, "A kernel's name, short enough to read.");
}

}  // namespace rooflinelabs
