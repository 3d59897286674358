// SPDX-License-Identifier: MIT
// What the harness's own code needs from a device, without any GPU type.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Device memory, freed with the object.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual std::byte* data() = 0;
  /// Copies between host and device; `host` has the size of the memory.
  virtual void upload(std::span<const std::byte> host) = 0;
  virtual void download(std::span<std::byte> host) = 0;
  /// Copies on the device; `other` is memory of the same device and size.
  virtual void copy_from(DeviceMemory& other) = 0;
  /// Copies host.size() bytes, starting at `offset`.
  virtual void read(std::size_t offset, std::span<std::byte> host) = 0;
};

/// Counts of what a call did, measured by running it: name and number, such as "flops", 20.
using CountedWork = std::vector<std::pair<std::string, double>>;

/// What the harness needs from a device.
class Device {
 public:
  virtual ~Device() = default;
  /// Memory for argument number `argument` of an entry, counted from 0.
  virtual std::unique_ptr<DeviceMemory> allocate(std::size_t bytes, std::size_t argument) = 0;
  /// Waits for everything that was launched.
  virtual void synchronize() = 0;
  /// The time that `work` takes, in seconds, measured by the device's own clock.
  virtual double seconds(void (*work)(void*), void* context) = 0;
  /// Runs `work` and returns the counts of its kernels. If kernels are not checked, runs nothing
  /// and returns nothing.
  virtual CountedWork counted(void (*work)(void*), void* context) = 0;
  /// Runs `work` as on a GPU of the given geometry (JSON, see vgpu/profile.hpp) and returns its
  /// profile as JSON. If kernels are not checked, runs nothing and returns nothing.
  virtual std::string profiled(const std::string& /*geometry*/, int /*registers_per_thread*/,
                               void (* /*work*/)(void*), void* /*context*/) {
    return {};
  }
  /// From now on, if kernels are checked, reports the properties of a GPU of the given geometry:
  /// sizes may depend on the number of multiprocessors.
  virtual void imitate(const std::string& /*geometry*/) {}
  virtual std::string backend() = 0;
  virtual std::string name() = 0;
  virtual int count() = 0;
  /// Memory that can still be allocated, in bytes.
  virtual double free_bytes() = 0;
  /// Bytes of the last-level cache; 0 if unknown.
  virtual double last_level_cache_bytes() { return 0; }
};

}  // namespace harness
