// SPDX-License-Identifier: MIT
// The module rooflinelabs._core: Python bindings of the course's C++ library.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() =
      "The course's C++ library: machines, operations, bounds, charts, profiles, LLM inference.\n"
      "Amounts are floats in base units: B, FLOP, s, B/s, FLOP/s, FLOP/B, Hz.";
  // The data folder of the build; the package prefers its own copy.
  module.attr("built_data_folder") = RL_DATA_FOLDER;
  // The order matters: a signature shows a type's name only once the type is registered.
  rooflinelabs::bind_bounds(module);
  rooflinelabs::bind_machines(module);
  rooflinelabs::bind_operations(module);
  rooflinelabs::bind_charts(module);
  rooflinelabs::bind_profiles(module);
  rooflinelabs::bind_inference(module);
}
