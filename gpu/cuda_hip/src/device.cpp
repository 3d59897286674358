// SPDX-License-Identifier: MIT
// The list of devices and their properties.
#include "gpu/device.hpp"

#include "architecture.hpp"
#include "check.hpp"

namespace gpu {
namespace {

std::optional<int> attribute(api::Attribute which, int device) {
  int value = 0;
  if (GPU_API(DeviceGetAttribute)(&value, which, device) != GPU_API(Success)) {
    (void)GPU_API(GetLastError)();
    return std::nullopt;
  }
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> hertz(std::optional<int> kilohertz) {
  if (!kilohertz) return std::nullopt;
  return *kilohertz * 1e3;
}

DeviceProperties properties_of(int index, SourceLocation where) {
  api::DeviceRecord record{};
  GPU_CHECK(where, GPU_API(GetDeviceProperties)(&record, index));
  return {.index = index,
          .name = record.name,
          .architecture = detail::architecture_of(record),
          .multiprocessors = record.multiProcessorCount,
          .warp_width = record.warpSize,
          .max_threads_per_block = record.maxThreadsPerBlock,
          .memory_bytes = record.totalGlobalMem,
          .l2_bytes = static_cast<std::size_t>(record.l2CacheSize),
          .shared_bytes_per_block = record.sharedMemPerBlock,
          .shared_bytes_per_block_optin = detail::largest_shared_bytes(record),
          .clock_hz = hertz(attribute(api::kClockRate, index)),
          .memory_clock_hz = hertz(attribute(api::kMemoryClockRate, index)),
          .memory_bus_bits = attribute(api::kMemoryBusWidth, index)};
}

}  // namespace

std::string_view backend_name() noexcept {
  return GPU_API_NAME;
}

double last_level_cache_bytes(const DeviceProperties& device) {
  return static_cast<double>(device.l2_bytes);
}

int device_count() noexcept {
  int count = 0;
  if (GPU_API(GetDeviceCount)(&count) == GPU_API(Success)) return count;
  (void)GPU_API(GetLastError)();
  return 0;
}

std::string no_device_reason() {
  int count = 0;
  const auto code = GPU_API(GetDeviceCount)(&count);
  (void)GPU_API(GetLastError)();
  if (code != GPU_API(Success)) return GPU_API(GetErrorString)(code);
  return count > 0 ? "" : "the driver lists no device";
}

std::vector<DeviceProperties> devices(SourceLocation where) {
  std::vector<DeviceProperties> list;
  for (int index = 0; index < device_count(); ++index) list.push_back(properties_of(index, where));
  return list;
}

void use_device(int index, SourceLocation where) {
  GPU_CHECK(where, GPU_API(SetDevice)(index));
}

DeviceProperties current_device(SourceLocation where) {
  int index = 0;
  GPU_CHECK(where, GPU_API(GetDevice)(&index));
  return properties_of(index, where);
}

}  // namespace gpu
