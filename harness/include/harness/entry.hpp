// SPDX-License-Identifier: MIT
// A kernel entry of a lab program, free of any GPU type: what the harness's own code works with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/element.hpp"

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

/// The type of one parameter of an entry.
struct Parameter {
  bool is_buffer = false;
  bool is_writable = false;
  Element element = Element::kF64;
};

/// A parameter's value for one call: the bits of a number, or device memory.
struct BoundArgument {
  std::uint64_t bits = 0;
  void* data = nullptr;
  std::size_t count = 0;
};

/// Work of one call.
struct Work {
  double flops = 0;
  double bytes_moved = 0;
};

/// What the program needs to know to run an entry alone, at a size n given on the command line.
struct LabOptions {
  double flops_per_element = 0;  ///< FLOPs of a call divided by n, an FMA counting two
  double bytes_per_element = 0;  ///< compulsory traffic of a call divided by n
  /// Replaces the two above where work is not proportional to n.
  Work (*work)(std::int64_t n) = nullptr;
  /// Elements of buffer number `buffer` (0, 1, ... in the order of the signature); n when not set.
  std::int64_t (*buffer_size)(std::int64_t n, int buffer) = nullptr;
  /// Value of integer scalar number `scalar`; n when not set. Other scalars are random.
  std::int64_t (*integer_scalar)(std::int64_t n, int scalar) = nullptr;
  /// Element `index` of integer buffer `buffer`; random below 100 when not set. For tables that the
  /// kernel follows.
  std::int64_t (*integer_element)(std::int64_t n, int buffer, std::int64_t index) = nullptr;
  std::int64_t default_n = std::int64_t{1} << 24;
  /// For measurements that caches must not serve: default_n doubles until the largest buffer is at
  /// least four times as large as the last-level cache, as STREAM requires, or until memory runs
  /// short.
  bool beyond_caches = false;
  /// Names of the integer scalars, in the order of the signature. Each becomes an option of the
  /// command line (--iterations 1,16,256) that takes one value, or several to sweep over.
  std::array<const char*, 4> integer_names{};
  /// Replace `work` and `buffer_size` where the integer scalars decide them too.
  Work (*work_with)(std::int64_t n, std::span<const std::int64_t> integers) = nullptr;
  std::int64_t (*buffer_size_with)(std::int64_t n, std::span<const std::int64_t> integers,
                                   int buffer) = nullptr;
};

/// Work of a call of size n with these integer scalars, from whichever of the options is set.
Work work_of(const LabOptions& options, std::int64_t n,
             std::span<const std::int64_t> integers = {});

/// A function that the student wrote, ready to be called.
struct LabEntry {
  std::string name;
  std::vector<Parameter> parameters;
  void (*invoke)(const BoundArgument* arguments) = nullptr;
  LabOptions options;
  Device* device = nullptr;
};

/// Called by HARNESS_LAB. @throws std::logic_error when the name is taken.
bool register_lab(LabEntry entry);

}  // namespace harness
