// SPDX-License-Identifier: MIT
// One concrete problem for a kernel: its arguments, the right outputs, and its work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare.hpp"
#include "harness/element.hpp"

namespace harness {

/// What a kernel may do with a buffer.
enum class Role : std::uint8_t { kInput, kOutput, kInOut };

/// Right values in double precision. `scale` is empty (the magnitude of `value` is the scale) or
/// gives for each element the sum of the magnitudes that were added up: the error of a sum is
/// relative to its terms, not to what is left after they cancel. `also` is empty or gives for each
/// element another value that is as right: where every digit counts, a multiply-add may round once
/// or twice.
struct Expected {
  std::vector<double> value;
  std::vector<double> scale;
  std::vector<double> also{};
};

/// A common mistake, given by the output that it leads to: see harness::Mistake.
struct MistakenOutput {
  Expected made;
  std::string cause;
};

/// One argument of an entry: a scalar (count 1, role input) or a buffer.
struct TaskArgument {
  bool is_buffer = false;
  Element element = Element::kF64;
  Role role = Role::kInput;
  std::size_t count = 0;
  std::vector<std::byte> initial;  ///< content before the call; empty for a pure output
  Expected expected;               ///< right content after the call; empty for an input
  std::vector<Axis> axes{};        ///< of a buffer that stands for a grid
  std::vector<MistakenOutput> mistakes{};
};

/// Limits on a count of a checked run, by a formula that a person can verify.
struct CountLimit {
  std::string counter;  ///< "flops", "loads" ..., as in exercises.toml
  double needed = 0;    ///< by the method that the exercise asks for
  double most = 0;      ///< with the overhead that the exercise allows
  double least = 0;     ///< if the work itself is the point, kernel exercises check this limit too
  /// Said of a kernel beyond the limit. With it, the limit is one on the way in which a kernel
  /// works.
  std::string advice{};
};

/// Arguments in signature order, and the minimum work of the task.
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
  /// A buffer that the kernel fills; the kernel must not use its old content.
  template <class T>
  void output(Expected expected) {
    const std::size_t count = expected.value.size();
    arguments_.push_back({true, kElementOf<T>, Role::kOutput, count, {}, std::move(expected)});
  }
  template <class T>
  void in_out(const std::vector<T>& values, Expected expected) {
    add(Role::kInOut, values.data(), values.size(), std::move(expected));
  }

  /// Declares the last argument to be a grid, so that messages can name row and column:
  /// axes({{"row", rows}, {"column", columns}}).
  void axes(std::vector<Axis> axes) { arguments_.back().axes = std::move(axes); }
  /// Declares a common mistake in the last argument, an output, by the values that it leads to. If
  /// a kernel's results have these values, the verdict shows `cause`: a sentence that says what is
  /// wrong, but not what is right.
  void mistake(Expected made, std::string cause) {
    arguments_.back().mistakes.push_back({std::move(made), std::move(cause)});
  }
  /// The same for a mistake that multiplies each row by some factor.
  void mistake_in_rows(std::string cause) { mistake({}, std::move(cause)); }
  /// The kernel may count up to `slack` times what is `needed`, and may always do less.
  void needs(std::string counter, double needed, double slack = 1) {
    limits_.push_back({std::move(counter), needed, needed * slack, 0, {}});
  }
  /// The kernel must do this at least this often, even if less would give its result.
  void at_least(std::string counter, double count) {
    limits_.push_back(
        {std::move(counter), count, std::numeric_limits<double>::infinity(), count, {}});
  }
  /// The kernel must do something this often, between `least` (above 0) and `most`, because the
  /// exercise asks for that way of working. `advice` is for who took another.
  void works_by(std::string counter, double least, double most, std::string advice) {
    limits_.push_back({std::move(counter), most, most, least, std::move(advice)});
  }
  void add(TaskArgument argument) { arguments_.push_back(std::move(argument)); }

  const std::vector<TaskArgument>& arguments() const { return arguments_; }
  const std::vector<CountLimit>& limits() const { return limits_; }

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
  std::vector<CountLimit> limits_;
};

}  // namespace harness
