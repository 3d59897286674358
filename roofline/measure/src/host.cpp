// SPDX-License-Identifier: MIT
// The report's information about the machine, its driver and this build.
#include "host.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "base/files.hpp"
#include "gpu/device.hpp"
#include "measure/build_info.hpp"

namespace roofline::measure {
namespace {

std::string driver_text(const std::string& backend) {
  if (backend == "cuda") return base::first_line("/proc/driver/nvidia/version");
  if (backend == "hip") return "amdgpu " + base::first_line("/sys/module/amdgpu/version");
  utsname system{};
  if (::uname(&system) != 0) return {};
  return std::string(system.sysname) + " " + system.release;
}

CacheSizes cpu_cache_sizes(const gpu::DeviceProperties& device) {
  CacheSizes sizes;
  for (const gpu::DataCache& cache : device.caches) {
    const double instances =
        std::max(1.0, static_cast<double>(device.multiprocessors) / cache.sharing_cores);
    if (cache.level == 1) sizes.l1_per_unit = cache.bytes;
    if (cache.level == 2) sizes.l2 = cache.bytes * instances;
    if (cache.level >= 3) sizes.last_level = cache.bytes * instances;
  }
  return sizes;
}

// True if text occurs in name and no letter or digit follows it: A10 is not in A100.
bool holds_word(const std::string& name, const std::string& text) {
  const auto found = name.find(text);
  if (found == std::string::npos) return false;
  const auto after = found + text.size();
  return after >= name.size() || !std::isalnum(static_cast<unsigned char>(name[after]));
}

}  // namespace

DeviceInfo device_info() {
  if (gpu::device_count() == 0) {
    throw std::runtime_error("no " + std::string(gpu::backend_name()) +
                             " device on this machine; the preset cpu needs none");
  }
  const gpu::DeviceProperties device = gpu::current_device();
  DeviceInfo info;
  info.backend = std::string(gpu::backend_name());
  info.name = device.name;
  info.architecture = device.architecture;
  info.units = device.multiprocessors;
  if (device.memory_bytes > 0) info.memory_bytes = static_cast<double>(device.memory_bytes);
  const double last_level = gpu::last_level_cache_bytes(device);
  if (last_level > 0) info.last_level_cache_bytes = last_level;
  info.driver = driver_text(info.backend);
  return info;
}

CacheSizes cache_sizes() {
  const gpu::DeviceProperties device = gpu::current_device();
  if (gpu::backend_name() == "cpu") return cpu_cache_sizes(device);
  // A GPU's L1 and shared memory are one memory, so L1 is at least as large as what a block may
  // request.
  return {static_cast<double>(
              std::max(device.shared_bytes_per_block_optin, device.shared_bytes_per_block)),
          static_cast<double>(device.l2_bytes), 0};
}

CacheSizes cache_sizes_of_one_core() {
  const gpu::DeviceProperties device = gpu::current_device();
  if (gpu::backend_name() != "cpu") return cache_sizes();
  CacheSizes sizes;
  for (const gpu::DataCache& cache : device.caches) {
    if (cache.level == 1) sizes.l1_per_unit = cache.bytes;
    if (cache.level == 2) sizes.l2 = cache.bytes;
    if (cache.level >= 3) sizes.last_level = cache.bytes;
  }
  return sizes;
}

BuildInfo build_info() {
  return {kCompiler, kFlags, kCommit};
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::optional<Machine> datasheet_of(const std::string& device_name,
                                    const std::filesystem::path& folder) {
  std::optional<Machine> best;
  std::size_t best_length = 0;
  for (const auto& file : machine_files(folder)) {
    Machine machine = load_machine(file);
    for (const std::string& text : machine.reported_as) {
      if (text.size() <= best_length || !holds_word(device_name, text)) continue;
      best_length = text.size();
      best = machine;
    }
  }
  return best;
}

}  // namespace roofline::measure
