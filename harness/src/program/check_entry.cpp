// SPDX-License-Identifier: MIT
// Runs a kernel on an oracle's task in the same process.
#include "check_entry.hpp"

#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "harness/oracle.hpp"
#include "registry.hpp"

namespace harness {
namespace {

/// Host copies of a task's buffers, with outputs filled with bytes that no kernel computes by
/// chance.
class HostBuffers {
 public:
  explicit HostBuffers(const Task& task) {
    for (const TaskArgument& argument : task.arguments()) add(argument);
  }
  std::vector<CallArgument> arguments;
  std::vector<std::vector<std::byte>> results;

 private:
  void add(const TaskArgument& argument) {
    const std::size_t bytes = argument.count * size_of(argument.element);
    std::vector<std::byte>& initial = initial_.emplace_back(argument.initial);
    initial.resize(bytes, std::byte{0xff});
    results.emplace_back(bytes);
    CallArgument call{0, initial, results.back(), 0, argument.count};
    if (!argument.is_buffer) std::memcpy(&call.bits, argument.initial.data(), bytes);
    arguments.push_back(call);
  }
  std::vector<std::vector<std::byte>> initial_;
};

std::string check_buffer(const TaskArgument& argument, std::size_t index,
                         std::span<const std::byte> result, const Tolerance& tolerance) {
  const std::string name = "argument " + std::to_string(index + 1);
  if (argument.role == Role::kInput) {
    const bool same = std::equal(result.begin(), result.end(), argument.initial.begin());
    return same ? "" : name + " is an input, and the kernel changed it\n";
  }
  std::vector<Mistake> mistakes;
  for (const MistakenOutput& mistake : argument.mistakes) {
    mistakes.push_back({mistake.made.value, mistake.made.scale, mistake.cause});
  }
  const auto& [value, scale, also] = argument.expected;
  return fault_in(argument.element, result, {value, scale, also, argument.axes, mistakes},
                  tolerance, name);
}

}  // namespace

std::string check_entry(const LabEntry& entry, const Task& task,
                        const std::function<Tolerance(Element)>& tolerance_of) {
  HostBuffers buffers(task);
  Call call(entry, buffers.arguments);
  call.invoke();
  entry.device->synchronize();
  call.download();
  std::string wrong;
  for (std::size_t i = 0; i < task.arguments().size(); ++i) {
    const TaskArgument& argument = task.arguments()[i];
    if (!argument.is_buffer) continue;
    wrong += check_buffer(argument, i, buffers.results[i], tolerance_of(argument.element));
  }
  return wrong;
}

std::string check_entry(std::string_view name, std::int64_t n, std::uint64_t seed,
                        double relative_tolerance, bool special_values) {
  return check_entry(find_lab(name), make_task(name, n, seed, special_values), [=](Element) {
    return Tolerance{relative_tolerance, 0};
  });
}

}  // namespace harness
