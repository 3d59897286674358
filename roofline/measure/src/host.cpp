// SPDX-License-Identifier: MIT
// What a report says about the machine, its driver and this build.
#include "host.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <vector>

#include "gpu/device.hpp"
#include "measure/build_info.hpp"

namespace roofline::measure {
namespace {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string driver_text(const std::string& backend) {
  if (backend == "cuda") return first_line("/proc/driver/nvidia/version");
  if (backend == "hip") return "amdgpu " + first_line("/sys/module/amdgpu/version");
  utsname system{};
  if (::uname(&system) != 0) return {};
  return std::string(system.sysname) + " " + system.release;
}

// Linux describes the caches of the first core in folders index0, index1 ...
struct CpuCache {
  int level = 0;
  double bytes = 0;
  int sharing_cores = 1;
};

int cores_in(const std::string& list) {
  // "0-3,8": ranges and single numbers.
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

std::vector<CpuCache> cpu_data_caches() {
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  std::vector<CpuCache> caches;
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

CacheSizes cpu_cache_sizes(int cores) {
  CacheSizes sizes;
  for (const CpuCache& cache : cpu_data_caches()) {
    const double instances = std::max(1.0, static_cast<double>(cores) / cache.sharing_cores);
    if (cache.level == 1) sizes.l1_per_unit = cache.bytes;
    if (cache.level == 2) sizes.l2 = cache.bytes * instances;
    if (cache.level >= 3) sizes.last_level = cache.bytes * instances;
  }
  return sizes;
}

// True where text occurs in name and no letter or digit follows it: A10 is not in A100.
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
  if (info.backend == "cpu") {
    const CacheSizes caches = cpu_cache_sizes(info.units);
    const double largest = std::max(caches.l2, caches.last_level);
    if (largest > 0) info.last_level_cache_bytes = largest;
  } else if (device.l2_bytes > 0) {
    info.last_level_cache_bytes = static_cast<double>(device.l2_bytes);
  }
  info.driver = driver_text(info.backend);
  return info;
}

CacheSizes cache_sizes() {
  const gpu::DeviceProperties device = gpu::current_device();
  if (gpu::backend_name() == "cpu") return cpu_cache_sizes(device.multiprocessors);
  // A GPU's L1 and shared memory are one; what a block may ask for is what L1 can be at least.
  return {static_cast<double>(
              std::max(device.shared_bytes_per_block_optin, device.shared_bytes_per_block)),
          static_cast<double>(device.l2_bytes), 0};
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
