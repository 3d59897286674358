// SPDX-License-Identifier: MIT
// NVIDIA's management library, loaded at run time.
#pragma once

#include <string>

#include "power_meter.hpp"

namespace roofline::measure {

/// The functions of libnvidia-ml.so.1 that are used, as declared in NVIDIA's NVML API reference;
/// each returns 0 for success. A test replaces them by its own.
struct NvmlFunctions {
  using Device = void*;
  int (*init)() = nullptr;                                           // nvmlInit_v2
  int (*shutdown)() = nullptr;                                       // nvmlShutdown
  const char* (*error_string)(int code) = nullptr;                   // nvmlErrorString
  int (*device_by_bus)(const char* bus, Device* device) = nullptr;   // ...GetHandleByPciBusId_v2
  int (*energy)(Device, unsigned long long* millijoules) = nullptr;  // ...GetTotalEnergyConsumption
  int (*clock)(Device, int which, unsigned* megahertz) = nullptr;    // nvmlDeviceGetClockInfo
  /// nvmlDeviceGetCurrentClocksThrottleReasons
  int (*throttle_reasons)(Device, unsigned long long* reasons) = nullptr;
};

/// The meter of the GPU at a PCI address such as "0000:3B:00.0".
FoundMeter nvml_meter(const NvmlFunctions& functions, const std::string& bus);

/// The same with the library of this machine's driver.
FoundMeter nvml_meter(const std::string& bus);

}  // namespace roofline::measure
