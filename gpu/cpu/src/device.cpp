// SPDX-License-Identifier: MIT
// This machine's processor as a device.
#include "gpu/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "described_device.hpp"
#include "gpu/backend/launch.hpp"
#include "gpu/error.hpp"
#include "worker_pool.hpp"

namespace gpu {
namespace {

std::string first_line_value(const char* file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
  return {};
}

std::string vector_set() {
#ifdef __x86_64__
  for (const char* set : {"avx512f", "avx2", "avx"}) {
    const std::string flags = " " + first_line_value("/proc/cpuinfo", "flags") + " ";
    if (flags.find(" " + std::string(set) + " ") != std::string::npos) return set;
  }
  return "sse2";
#else
  return "generic";
#endif
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

int cores_in(const std::string& list) {
  // A list such as "0-3,8": ranges and single numbers.
  int count = 0;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const auto dash = entry.find('-');
    const int first = std::atoi(entry.c_str());
    const int last = dash == std::string::npos ? first : std::atoi(entry.c_str() + dash + 1);
    count += last - first + 1;
  }
  return std::max(count, 1);
}

// Linux describes the caches of the first core in folders index0, index1, ...
std::vector<DataCache> data_caches() {
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  std::vector<DataCache> caches;
  for (int index = 0; index < 8; ++index) {
    const auto entry = folder / ("index" + std::to_string(index));
    const std::string size = first_line(entry / "size");
    if (size.empty() || first_line(entry / "type") == "Instruction") continue;
    const double unit = size.back() == 'M' ? 1048576 : 1024;
    caches.push_back({std::atoi(first_line(entry / "level").c_str()),
                      std::strtod(size.c_str(), nullptr) * unit,
                      cores_in(first_line(entry / "shared_cpu_list"))});
  }
  return caches;
}

std::optional<double> max_clock_hz() {
  std::ifstream stream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  double kilohertz = 0;
  if (stream >> kilohertz) return kilohertz * 1e3;
  return std::nullopt;
}

std::size_t non_negative(long value) {
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::optional<DeviceProperties>& described() {
  static std::optional<DeviceProperties> properties;
  return properties;
}

}  // namespace

std::optional<DeviceProperties> cpu::describe_device(std::optional<DeviceProperties> properties) {
  return std::exchange(described(), std::move(properties));
}

std::string_view backend_name() noexcept {
  return "cpu";
}

int device_count() noexcept {
  return 1;
}

std::string no_device_reason() {
  return {};
}

DeviceProperties current_device(SourceLocation) {
  if (described()) return *described();
  constexpr std::size_t kSharedBytes = 48 * 1024, kSharedBytesOptIn = 227 * 1024;
  const std::string model = first_line_value("/proc/cpuinfo", "model name");
  return {
      .index = 0,
      .name = model.empty() ? "CPU" : model,
      .architecture = vector_set(),
      .multiprocessors = cpu::configured_workers(),
      .warp_width = 32,
      .max_threads_per_block = detail::kMaxThreadsPerBlock,
      .memory_bytes = non_negative(sysconf(_SC_PHYS_PAGES)) * non_negative(sysconf(_SC_PAGESIZE)),
      .l2_bytes = non_negative(sysconf(_SC_LEVEL2_CACHE_SIZE)),
      .shared_bytes_per_block = kSharedBytes,
      .shared_bytes_per_block_optin = kSharedBytesOptIn,
      .clock_hz = max_clock_hz(),
      .memory_clock_hz = {},
      .memory_bus_bits = {},
      .caches = data_caches()};
}

double last_level_cache_bytes(const DeviceProperties& device) {
  // A last-level cache that is not shared exists once per core.
  double largest = 0;
  for (const DataCache& cache : device.caches) {
    const double instances =
        std::max(1.0, static_cast<double>(device.multiprocessors) / cache.sharing_cores);
    if (cache.level >= 2) largest = std::max(largest, cache.bytes * instances);
  }
  return largest;
}

std::vector<DeviceProperties> devices(SourceLocation where) {
  return {current_device(where)};
}

void use_device(int index, SourceLocation where) {
  if (index != 0)
    detail::throw_usage_error("use_device", "the CPU backend has device 0 only", where);
}

}  // namespace gpu
