// SPDX-License-Identifier: MIT
// The meter of an NVIDIA GPU.
#include <cuda_runtime.h>

#include "power/nvml.hpp"

namespace roofline::measure {

FoundMeter find_power_meter() {
  // NVML numbers the devices in its own order; the PCI address is the same for both.
  int device = 0;
  char bus[32] = "";
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) {
    return {nullptr, "the GPU's address on the bus is not known"};
  }
  return nvml_meter(bus);
}

}  // namespace roofline::measure
