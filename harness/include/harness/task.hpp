// SPDX-License-Identifier: MIT
// One concrete problem for a kernel: its arguments, the right outputs, and the work it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// What a kernel may do with a buffer.
enum class Role : std::uint8_t { kInput, kOutput, kInOut };

/// Right values in double precision. `scale` is empty (the magnitude of `value` is the scale) or
/// gives for each element the sum of the magnitudes that were added up: the error of a sum is
/// relative to its terms, not to what is left after they cancel.
struct Expected {
  std::vector<double> value;
  std::vector<double> scale;
};

/// One argument of an entry: a scalar (count 1, role input) or a buffer.
struct TaskArgument {
  bool is_buffer = false;
  Element element = Element::kF64;
  Role role = Role::kInput;
  std::size_t count = 0;
  std::vector<std::byte> initial;  ///< content before the call; empty for a pure output
  Expected expected;               ///< right content after the call; empty for an input
};

/// Arguments in the order of the entry's signature, and the work that the task needs at least.
class Task {
 public:
  double flops = 0;        ///< floating-point operations, an FMA counting two
  double bytes_moved = 0;  ///< compulsory traffic: every input read once, every output written once

  template <class T>
  void scalar(T value) {
    arguments_.push_back({false, kElementOf<T>, Role::kInput, 1, bytes_of(&value, 1), {}});
  }
  template <class T>
  void input(const std::vector<T>& values) {
    add(Role::kInput, values.data(), values.size(), {});
  }
  /// A buffer that the kernel fills; its content before the call is not to be used.
  template <class T>
  void output(Expected expected) {
    const std::size_t count = expected.value.size();
    arguments_.push_back({true, kElementOf<T>, Role::kOutput, count, {}, std::move(expected)});
  }
  template <class T>
  void in_out(const std::vector<T>& values, Expected expected) {
    add(Role::kInOut, values.data(), values.size(), std::move(expected));
  }

  const std::vector<TaskArgument>& arguments() const { return arguments_; }

 private:
  template <class T>
  static std::vector<std::byte> bytes_of(const T* data, std::size_t count) {
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    return {begin, begin + count * sizeof(T)};
  }
  template <class T>
  void add(Role role, const T* data, std::size_t count, Expected expected) {
    arguments_.push_back(
        {true, kElementOf<T>, role, count, bytes_of(data, count), std::move(expected)});
  }

  std::vector<TaskArgument> arguments_;
};

}  // namespace harness
