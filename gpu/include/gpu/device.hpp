// SPDX-License-Identifier: MIT
// Which devices there are and what they have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/location.hpp"

namespace gpu {

/// One of a processor's data caches; other cores have similar ones.
struct DataCache {
  int level = 0;
  double bytes = 0;
  int sharing_cores = 1;
};

/// What a device reports about itself; anything it does not report is left empty.
struct DeviceProperties {
  int index = 0;
  std::string name;
  std::string architecture;  ///< "sm_90", "gfx90a"; on the CPU the widest vector set, "avx512f"
  int multiprocessors = 0;   ///< SMs, compute units, or cores that run blocks
  int warp_width = 32;
  int max_threads_per_block = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes_per_block = 0;        ///< without asking for more
  std::size_t shared_bytes_per_block_optin = 0;  ///< the most a launch can ask for
  std::optional<double> clock_hz;                ///< highest core clock
  std::optional<double> memory_clock_hz;
  std::optional<int> memory_bus_bits;
  std::vector<DataCache> caches{};  ///< of the first core, nearest first; on a CPU only
};

/// Bytes of the last-level cache, all of its parts together; 0 if the device does not report it. On
/// a GPU it is the L2.
double last_level_cache_bytes(const DeviceProperties& device);

/// "cpu", "cuda" or "hip": the machine that this build's kernels run on.
std::string_view backend_name() noexcept;

/// Number of usable devices; 0 when there is no device or no driver. The CPU backend has one.
int device_count() noexcept;

/// Why device_count() is 0, as the driver puts it; empty when there is a device.
std::string no_device_reason();

/// All devices in the backend's order.
std::vector<DeviceProperties> devices(SourceLocation where = SourceLocation::current());

/// Makes `index` the device of this host thread's later calls.
void use_device(int index, SourceLocation where = SourceLocation::current());

/// Properties of the device in use by this host thread.
DeviceProperties current_device(SourceLocation where = SourceLocation::current());

}  // namespace gpu
