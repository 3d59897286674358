// SPDX-License-Identifier: MIT
// What the harness's own code needs of a device, free of any GPU type.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Memory of the device, freed with the object.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual std::byte* data() = 0;
  /// Copies between host and device; `host` has the size of the memory.
  virtual void upload(std::span<const std::byte> host) = 0;
  virtual void download(std::span<std::byte> host) = 0;
  /// Copies on the device; `other` is the same device's and has the size of this memory.
  virtual void copy_from(DeviceMemory& other) = 0;
  /// Copies host.size() bytes from `offset` on.
  virtual void read(std::size_t offset, std::span<std::byte> host) = 0;
};

/// One count of what a call did, measured by running it: name and number, such as "flops", 20.
using CountedWork = std::vector<std::pair<std::string, double>>;

/// What the harness needs of a device.
class Device {
 public:
  virtual ~Device() = default;
  /// Memory for argument number `argument` of an entry, counted from 0.
  virtual std::unique_ptr<DeviceMemory> allocate(std::size_t bytes, std::size_t argument) = 0;
  /// Waits for everything that was launched.
  virtual void synchronize() = 0;
  /// Seconds between before and after `work` on the device's own clock.
  virtual double seconds(void (*work)(void*), void* context) = 0;
  /// Runs `work` and returns what its kernels did; if kernels are not checked, runs nothing and
  /// returns nothing.
  virtual CountedWork counted(void (*work)(void*), void* context) = 0;
  /// Runs `work` as a GPU of the given geometry would (JSON, see vgpu/profile.hpp) and returns its
  /// profile as JSON; if kernels are not checked, runs nothing and returns nothing.
  virtual std::string profiled(const std::string& /*geometry*/, int /*registers_per_thread*/,
                               void (* /*work*/)(void*), void* /*context*/) {
    return {};
  }
  /// Answers from now on as a GPU of the given geometry, where kernels are checked: sizes may
  /// depend on how many multiprocessors there are.
  virtual void imitate(const std::string& /*geometry*/) {}
  virtual std::string backend() = 0;
  virtual std::string name() = 0;
  virtual int count() = 0;
  /// Memory that can still be allocated, in bytes.
  virtual double free_bytes() = 0;
  /// Bytes of the last cache before memory; 0 when unknown.
  virtual double last_level_cache_bytes() { return 0; }
};

}  // namespace harness
