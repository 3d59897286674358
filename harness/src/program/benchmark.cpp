// SPDX-License-Identifier: MIT
// Measures an entry: random inputs, warm-up, samples long enough for the clock.
#include "benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "call.hpp"
#include "harness/random.hpp"

namespace harness {
namespace {

constexpr double kShortestSampleSeconds = 200e-6;
constexpr int kLargestBatch = 1000;
/// The fraction of memory that buffers may take. Less than half, because the host has a copy of
/// each.
constexpr double kMostOfMemory = 0.45;
/// A default size uses less, because other programs are running too.
constexpr double kMostByDefault = 0.2;
/// This many random elements are drawn and then repeated, because drawing all of them takes longer
/// than measuring. The number is prime, so that rows and blocks of a buffer still differ.
constexpr std::size_t kDrawn = 1'048'573;

std::int64_t buffer_elements(const LabOptions& options, std::int64_t n,
                             std::span<const std::int64_t> integers, int buffer) {
  if (options.buffer_size_with != nullptr) return options.buffer_size_with(n, integers, buffer);
  return options.buffer_size != nullptr ? options.buffer_size(n, buffer) : n;
}

/// Bytes of the buffers of a call: in total, and of the largest.
struct BufferBytes {
  double all = 0;
  double largest = 0;
};

BufferBytes buffer_bytes(const LabEntry& entry, std::int64_t n,
                         std::span<const std::int64_t> integers) {
  BufferBytes bytes;
  int buffer = 0;
  for (const Parameter& parameter : entry.parameters) {
    if (!parameter.is_buffer) continue;
    const auto elements =
        static_cast<double>(buffer_elements(entry.options, n, integers, buffer++));
    const double own = elements * static_cast<double>(size_of(parameter.element));
    bytes.all += own;
    bytes.largest = std::max(bytes.largest, own);
  }
  return bytes;
}

void check_memory(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers) {
  const double bytes = buffer_bytes(entry, n, integers).all;
  // Device buffers, and the host copies that fill them.
  const double free_bytes = entry.device->free_bytes();
  if (bytes > kMostOfMemory * free_bytes) {
    const auto fitting =
        static_cast<std::int64_t>(static_cast<double>(n) * kMostOfMemory * free_bytes / bytes);
    throw std::runtime_error("n = " + std::to_string(n) + " needs " +
                             std::to_string(static_cast<std::int64_t>(bytes / 1e6)) +
                             " MB and the device has " +
                             std::to_string(static_cast<std::int64_t>(free_bytes / 1e6)) +
                             " MB free; try --n " + std::to_string(fitting));
  }
}

/// Random arguments of a call, together with their host memory.
class RandomArguments {
 public:
  RandomArguments(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers)
      : random_(1) {
    int buffer = 0;
    std::size_t integer = 0;
    for (const Parameter& parameter : entry.parameters) {
      if (parameter.is_buffer) {
        add_buffer(entry.options, parameter, n, integers, buffer++);
      } else if (is_floating(parameter.element)) {
        add_scalar(parameter, random_.uniform(0.5, 1));
      } else {
        add_scalar(parameter, static_cast<double>(integers[integer++]));
      }
    }
  }
  std::vector<CallArgument> arguments() const { return arguments_; }

 private:
  double element_value(const LabOptions& options, const Parameter& parameter, std::int64_t n,
                       int buffer, std::size_t index) {
    if (is_floating(parameter.element)) return random_.uniform(-1, 1);
    if (options.integer_element != nullptr) {
      return static_cast<double>(
          options.integer_element(n, buffer, static_cast<std::int64_t>(index)));
    }
    return std::floor(random_.uniform(0, 100));
  }
  void add_buffer(const LabOptions& options, const Parameter& parameter, std::int64_t n,
                  std::span<const std::int64_t> integers, int buffer) {
    const std::int64_t elements = buffer_elements(options, n, integers, buffer);
    if (elements < 0) throw std::runtime_error("n is too large");
    const std::size_t size = size_of(parameter.element);
    const auto count = static_cast<std::size_t>(elements);
    std::vector<std::byte>& bytes = memory_.emplace_back(count * size);
    const bool is_random = is_floating(parameter.element) || options.integer_element == nullptr;
    const std::size_t drawn = is_random ? std::min(count, kDrawn) : count;
    for (std::size_t i = 0; i < drawn; ++i) {
      const double value = element_value(options, parameter, n, buffer, i);
      write_element(parameter.element, value, bytes.data() + i * size);
    }
    for (std::size_t i = drawn * size; i < bytes.size(); i += drawn * size) {
      std::memcpy(&bytes[i], bytes.data(), std::min(drawn * size, bytes.size() - i));
    }
    arguments_.push_back({0, bytes, {}, 0, count});
  }
  void add_scalar(const Parameter& parameter, double value) {
    CallArgument argument;
    write_element(parameter.element, value, reinterpret_cast<std::byte*>(&argument.bits));
    arguments_.push_back(argument);
  }

  Random random_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<CallArgument> arguments_;
};

struct Batch {
  Call* call;
  int calls;
};

double seconds_per_call(Device& device, Call& call, int calls) {
  Batch batch{&call, calls};
  const double seconds = device.seconds(
      [](void* context) {
        const auto& b = *static_cast<const Batch*>(context);
        for (int i = 0; i < b.calls; ++i) b.call->invoke();
      },
      &batch);
  return seconds / calls;
}

}  // namespace

std::vector<std::int64_t> default_integers(const LabEntry& entry, std::int64_t n) {
  std::vector<std::int64_t> integers;
  const auto choose = entry.options.integer_scalar;
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.is_buffer || is_floating(parameter.element)) continue;
    const int index = static_cast<int>(integers.size());
    integers.push_back(choose != nullptr ? choose(n, index) : n);
  }
  return integers;
}

std::int64_t default_size(const LabEntry& entry) {
  std::int64_t n = entry.options.default_n;
  const double enough =
      entry.options.beyond_caches ? 4 * entry.device->last_level_cache_bytes() : 0;
  if (enough <= 0) return n;
  const double most = kMostByDefault * entry.device->free_bytes();
  const auto bytes = [&entry](std::int64_t size) {
    return buffer_bytes(entry, size, default_integers(entry, size));
  };
  while (bytes(n).largest < enough && bytes(2 * n).all <= most) n *= 2;
  return n;
}

void call_once(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers) {
  check_memory(entry, n, integers);
  const RandomArguments arguments(entry, n, integers);
  Call(entry, arguments.arguments()).invoke();
  entry.device->synchronize();
}

std::string profile(const LabEntry& entry, std::int64_t n, std::span<const std::int64_t> integers,
                    const std::string& geometry, int registers_per_thread) {
  check_memory(entry, n, integers);
  const RandomArguments arguments(entry, n, integers);
  return Call(entry, arguments.arguments()).profile(geometry, registers_per_thread);
}

Measurement measure(const LabEntry& entry, std::int64_t n, int repeats,
                    std::span<const std::int64_t> integers) {
  check_memory(entry, n, integers);
  const RandomArguments arguments(entry, n, integers);
  Call call(entry, arguments.arguments());
  seconds_per_call(*entry.device, call, 1);
  const double warm = seconds_per_call(*entry.device, call, 2);
  const int calls = warm > 0 ? static_cast<int>(std::clamp(kShortestSampleSeconds / warm, 1.0,
                                                           static_cast<double>(kLargestBatch)))
                             : kLargestBatch;
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(seconds_per_call(*entry.device, call, calls));
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  Measurement result{
      entry.name,    n, repeats, work_of(entry.options, n, integers), median, samples.front(),
      samples.back()};
  const auto& names = entry.options.integer_names;
  for (std::size_t i = 0; i < integers.size() && i < names.size(); ++i) {
    if (names[i] != nullptr) result.integers.emplace_back(names[i], integers[i]);
  }
  return result;
}

}  // namespace harness
