// SPDX-License-Identifier: MIT
// NVIDIA's management library, loaded at run time.
//
// Source: NVIDIA, "NVML API Reference Guide": device queries, and the constants
// NVML_CLOCK_SM and nvmlClocksThrottleReason...
#include "nvml.hpp"

#include <dlfcn.h>

namespace roofline::measure {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";
constexpr int kClockOfMultiprocessors = 1;
constexpr double kMilli = 1e-3;
constexpr double kMega = 1e6;

struct Reason {
  unsigned long long bit;
  const char* text;
};
// Idling, and clocks requested by an application or a display, are not throttling.
constexpr Reason kReasons[] = {{0x04, "the power cap"},
                               {0x08, "the hardware (temperature or power)"},
                               {0x10, "another GPU that it keeps pace with"},
                               {0x20, "temperature"},
                               {0x40, "temperature (hardware)"},
                               {0x80, "the power supply"}};

class NvmlMeter : public PowerMeter {
 public:
  NvmlMeter(const NvmlFunctions& functions, NvmlFunctions::Device device)
      : functions_(functions), device_(device) {}
  ~NvmlMeter() override { functions_.shutdown(); }
  NvmlMeter(const NvmlMeter&) = delete;
  NvmlMeter& operator=(const NvmlMeter&) = delete;

  std::string name() const override { return "NVML, the whole board"; }
  double update_seconds() const override { return 0.1; }
  PowerReading read() override {
    unsigned long long millijoules = 0;
    if (const int code = functions_.energy(device_, &millijoules); code != 0) {
      throw MeterFailure(std::string("NVML: ") + functions_.error_string(code));
    }
    PowerReading reading;
    reading.joules = static_cast<double>(millijoules) * kMilli;
    unsigned megahertz = 0;
    if (functions_.clock(device_, kClockOfMultiprocessors, &megahertz) == 0 && megahertz > 0) {
      reading.clock_hz = megahertz * kMega;
    }
    unsigned long long reasons = 0;
    if (functions_.throttle_reasons(device_, &reasons) == 0) {
      for (const Reason& reason : kReasons) {
        if (reasons & reason.bit) reading.held_back_by.push_back(reason.text);
      }
    }
    return reading;
  }

 private:
  NvmlFunctions functions_;
  NvmlFunctions::Device device_;
};

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

FoundMeter nvml_meter(const NvmlFunctions& functions, const std::string& bus) {
  if (const int code = functions.init(); code != 0) {
    return {nullptr, std::string("NVML: ") + functions.error_string(code)};
  }
  const auto refused = [&](int code) -> FoundMeter {
    const std::string reason = std::string("NVML: ") + functions.error_string(code);
    functions.shutdown();
    return {nullptr, reason};
  };
  NvmlFunctions::Device device = nullptr;
  if (const int code = functions.device_by_bus(bus.c_str(), &device); code != 0) {
    return refused(code);
  }
  // GPUs older than Volta have no such counter.
  unsigned long long millijoules = 0;
  if (const int code = functions.energy(device, &millijoules); code != 0) return refused(code);
  return {std::make_unique<NvmlMeter>(functions, device), {}};
}

FoundMeter nvml_meter(const std::string& bus) {
  // Stays loaded until the program ends, because meters hold its functions.
  void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, std::string(kLibrary) + " is not on this machine"};
  NvmlFunctions found;
  const bool complete =
      load(library, "nvmlInit_v2", found.init) && load(library, "nvmlShutdown", found.shutdown) &&
      load(library, "nvmlErrorString", found.error_string) &&
      load(library, "nvmlDeviceGetHandleByPciBusId_v2", found.device_by_bus) &&
      load(library, "nvmlDeviceGetTotalEnergyConsumption", found.energy) &&
      load(library, "nvmlDeviceGetClockInfo", found.clock) &&
      load(library, "nvmlDeviceGetCurrentClocksThrottleReasons", found.throttle_reasons);
  if (!complete) return {nullptr, std::string(kLibrary) + " lacks functions that are needed"};
  return nvml_meter(found, bus);
}

}  // namespace roofline::measure
