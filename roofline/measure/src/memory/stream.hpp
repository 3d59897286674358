// SPDX-License-Identifier: MIT
// Memory streams in FP64 after STREAM (McCalpin): read, write, copy, scale, add, triad.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gpu/buffer.hpp"
#include "sampling.hpp"

namespace roofline::measure {

enum class StreamOperation { kRead, kWrite, kCopy, kScale, kAdd, kTriad };

inline constexpr std::array<StreamOperation, 6> kStreamOperations = {
    StreamOperation::kRead,  StreamOperation::kWrite, StreamOperation::kCopy,
    StreamOperation::kScale, StreamOperation::kAdd,   StreamOperation::kTriad};

/// Which stores tuning may choose from.
enum class Stores { kAny, kOrdinary };

/// "read", "write", "copy", "scale", "add", "triad".
const char* to_string(StreamOperation operation);

/// Bytes that a program requests per element: 8 for read and write, 16 for copy and scale, 24 for
/// add and triad. Lines that a CPU fetches before overwriting them are not counted.
double bytes_per_element(StreamOperation operation);

/// Two inputs with random values and an output, of equal length.
class StreamArrays {
 public:
  /// `elements` is rounded down to a multiple that every candidate can divide evenly.
  StreamArrays(std::size_t elements, int units);

  /// All launches worth trying for an operation. They keep pointers into this object.
  std::vector<Candidate> candidates(StreamOperation operation, Stores stores = Stores::kAny);

  /// Runs a candidate once on a garbage-filled output and compares every element; returns how many
  /// are wrong, or, for read, -1 if the sum is wrong.
  long wrong_results(StreamOperation operation, const Candidate& candidate);

  std::size_t size() const { return elements_; }

 private:
  std::size_t elements_;
  int units_;
  gpu::DeviceBuffer<double> x_;
  gpu::DeviceBuffer<double> y_;
  gpu::DeviceBuffer<double> out_;
  gpu::DeviceBuffer<double> partial_;
};

}  // namespace roofline::measure
