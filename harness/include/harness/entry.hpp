// SPDX-License-Identifier: MIT
// A kernel entry of a lab program, without any GPU type, for the harness's own code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/element.hpp"

namespace harness {

class Device;

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

/// The work of one call.
struct Work {
  double flops = 0;
  double bytes_moved = 0;
};

/// What the program needs to run an entry alone, at a size n given on the command line.
struct LabOptions {
  double flops_per_element = 0;  ///< FLOPs of a call divided by n, an FMA counting two
  double bytes_per_element = 0;  ///< compulsory traffic of a call divided by n
  /// Replaces the two above if work is not proportional to n.
  Work (*work)(std::int64_t n) = nullptr;
  /// Elements of buffer number `buffer` (0, 1, ... in signature order); n if not set.
  std::int64_t (*buffer_size)(std::int64_t n, int buffer) = nullptr;
  /// Value of integer scalar number `scalar`; n when not set. Other scalars are random.
  std::int64_t (*integer_scalar)(std::int64_t n, int scalar) = nullptr;
  /// Element `index` of integer buffer `buffer`; random below 100 if not set. For index tables that
  /// the kernel follows.
  std::int64_t (*integer_element)(std::int64_t n, int buffer, std::int64_t index) = nullptr;
  std::int64_t default_n = std::int64_t{1} << 24;
  /// For measurements that must not hit in caches: default_n doubles until the largest buffer is at
  /// least four times as large as the last-level cache, as STREAM requires, or until memory runs
  /// out.
  bool beyond_caches = false;
  /// Names of the integer scalars, in signature order. Each becomes a command-line option
  /// (--iterations 1,16,256) that takes one value, or several for a sweep.
  std::array<const char*, 4> integer_names{};
  /// Replace `work` and `buffer_size` if they also depend on the integer scalars.
  Work (*work_with)(std::int64_t n, std::span<const std::int64_t> integers) = nullptr;
  std::int64_t (*buffer_size_with)(std::int64_t n, std::span<const std::int64_t> integers,
                                   int buffer) = nullptr;
};

/// Work of a call of size n with these integer scalars, from whichever option is set.
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
