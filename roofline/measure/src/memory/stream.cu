// SPDX-License-Identifier: MIT
// Memory streams: the kernels, the launches worth trying, and the check of every result.
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gpu/gpu.hpp"
#include "launch_shape.hpp"
#include "stream.hpp"
#include "unrolled.hpp"
#include "walk.hpp"

namespace roofline::measure {
namespace {

constexpr double kScalar = 0.75;
constexpr std::uint32_t kSeedX = 1;
constexpr std::uint32_t kSeedY = 2;
constexpr double kSumTolerance = 1e-10;

using DoubleLane = Lane<double>;

template <StreamOperation operation>
__device__ inline DoubleLane combined(const DoubleLane& x, const DoubleLane& y,
                                      const DoubleLane& scalar) {
  if constexpr (operation == StreamOperation::kWrite) return scalar;
  if constexpr (operation == StreamOperation::kCopy) return x;
  if constexpr (operation == StreamOperation::kScale) return x * scalar;
  if constexpr (operation == StreamOperation::kAdd) return x + y;
  if constexpr (operation == StreamOperation::kTriad) return multiply_add(y, scalar, x);
}

// Every thread loads `unroll` lanes before it uses the first: bandwidth needs loads in flight.
// lanes_per_thread is a multiple of unroll.
template <StreamOperation operation, int unroll, bool streaming>
__global__ void stream_kernel(double* out, const double* x, const double* y, double scalar,
                              std::size_t lanes_per_thread) {
  constexpr bool reads_x = operation != StreamOperation::kWrite;
  constexpr bool reads_y =
      operation == StreamOperation::kAdd || operation == StreamOperation::kTriad;
  const Walk walk = walk_of_this_thread(lanes_per_thread);
  DoubleLane* to = reinterpret_cast<DoubleLane*>(out) + walk.first;
  const DoubleLane* from_x = reinterpret_cast<const DoubleLane*>(x) + walk.first;
  const DoubleLane* from_y = reinterpret_cast<const DoubleLane*>(y) + walk.first;
  const DoubleLane factor = splat<DoubleLane>(scalar);
  for (std::size_t k = 0; k < lanes_per_thread; k += unroll) {
    DoubleLane loaded_x[unroll];
    DoubleLane loaded_y[unroll];
    unrolled<unroll>([&](int u) {
      const std::size_t at = (k + u) * walk.step;
      if constexpr (reads_x) loaded_x[u] = from_x[at];
      if constexpr (reads_y) loaded_y[u] = from_y[at];
    });
    unrolled<unroll>([&](int u) {
      const std::size_t at = (k + u) * walk.step;
      const DoubleLane result = combined<operation>(loaded_x[u], loaded_y[u], factor);
      if constexpr (streaming) {
        store_streaming(to + at, result);
      } else {
        store(to + at, result);
      }
    });
  }
}

// One sum per thread; `unroll` accumulators keep as many loads in flight.
template <int unroll>
__global__ void read_kernel(double* partial, const double* x, std::size_t lanes_per_thread) {
  const Walk walk = walk_of_this_thread(lanes_per_thread);
  const DoubleLane* from = reinterpret_cast<const DoubleLane*>(x) + walk.first;
  DoubleLane sums[unroll];
  unrolled<unroll>([&](int u) { sums[u] = splat<DoubleLane>(0.0); });
  for (std::size_t k = 0; k < lanes_per_thread; k += unroll) {
    unrolled<unroll>([&](int u) { sums[u] = sums[u] + from[(k + u) * walk.step]; });
  }
  DoubleLane sum = sums[0];
  unrolled<unroll - 1>([&](int u) { sum = sum + sums[u + 1]; });
  double total = 0;
  for (int i = 0; i < kLaneWidth<double>; ++i) total += element(sum, i);
  partial[index_of_this_thread()] = total;
}

__global__ void fill_kernel(double* x, double* y, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  for (std::size_t k = 0; k < per_thread; ++k) {
    const std::size_t i = walk.first + k * walk.step;
    x[i] = operand(i, kSeedX);
    y[i] = operand(i, kSeedY);
  }
}

__global__ void spoil_kernel(double* out, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  for (std::size_t k = 0; k < per_thread; ++k) out[walk.first + k * walk.step] = -1;
}

// Counts elements that differ from the expected result, and sums x, both without reading x.
__global__ void check_kernel(double* partial, const double* out, StreamOperation operation,
                             double scalar, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  double result = 0;
  for (std::size_t k = 0; k < per_thread; ++k) {
    const std::size_t i = walk.first + k * walk.step;
    const double x = operand(i, kSeedX);
    if (operation == StreamOperation::kRead) {
      result += x;
      continue;
    }
    double expected = scalar;
    if (operation == StreamOperation::kCopy) expected = x;
    if (operation == StreamOperation::kScale) expected = x * scalar;
    if (operation == StreamOperation::kAdd) expected = x + operand(i, kSeedY);
    if (operation == StreamOperation::kTriad) expected = x + scalar * operand(i, kSeedY);
    // Negated, so that NaN counts as different; triad may or may not be fused.
    if (!(fabs(out[i] - expected) <= 1e-15 * expected)) result += 1;
  }
  partial[index_of_this_thread()] = result;
}

constexpr unsigned kMostThreadsPerUnit = kContiguousThreads ? 8 : 131072;
constexpr int kLargestUnroll = 8;

// Threads divide the arrays evenly, so both numbers are powers of two times the units. With the
// largest number of threads, each has one lane of the smallest arrays, and the hardware's own order
// of blocks walks through them.
std::vector<LaunchShape> shapes(int units) {
  std::vector<LaunchShape> all;
  const auto add = [&](unsigned blocks_per_unit, unsigned block) {
    const auto grid = static_cast<unsigned>(units) * blocks_per_unit;
    all.push_back({grid, block});
  };
  if (kContiguousThreads) {
    for (const unsigned pieces : {1u, 8u}) add(pieces, 1);
  } else {
    for (const unsigned block : {256u, 512u, 1024u}) {
      for (const unsigned threads_per_unit :
           {kLargestUnroll * kMostThreadsPerUnit, 1024u, 2048u, 16384u, kMostThreadsPerUnit}) {
        add(threads_per_unit / block, block);
      }
    }
  }
  return all;
}

std::size_t rounded(std::size_t elements, int units) {
  const std::size_t granule =
      static_cast<std::size_t>(units) * kMostThreadsPerUnit * kLargestUnroll * kLaneWidth<double>;
  return std::max<std::size_t>(1, elements / granule) * granule;
}

double sum_of(const gpu::DeviceBuffer<double>& partial, std::size_t threads) {
  std::vector<double> values(threads);
  gpu::copy_to_host(values, partial.span().subspan(0, threads));
  return std::accumulate(values.begin(), values.end(), 0.0);
}

struct Pointers {
  double* out;
  const double* x;
  const double* y;
  double* partial;
};

template <StreamOperation operation, int unroll, bool streaming>
Candidate candidate_of(const LaunchShape& shape, const Pointers& arrays, std::size_t elements) {
  const std::size_t lanes = elements / kLaneWidth<double>;
  const std::size_t lanes_per_thread = lanes / shape.threads();
  Candidate candidate;
  candidate.description = shape.description() + ", unroll " + std::to_string(unroll);
  if (operation != StreamOperation::kRead && kHasStreamingStore) {
    candidate.description += streaming ? ", non-temporal stores" : ", ordinary stores";
  }
  candidate.amount = bytes_per_element(operation) * static_cast<double>(elements);
  candidate.launch = [shape, arrays, lanes_per_thread] {
    if constexpr (operation == StreamOperation::kRead) {
      gpu::launch<read_kernel<unroll>>(shape.grid, shape.block, arrays.partial, arrays.x,
                                       lanes_per_thread);
    } else {
      gpu::launch<stream_kernel<operation, unroll, streaming>>(
          shape.grid, shape.block, arrays.out, arrays.x, arrays.y, kScalar, lanes_per_thread);
    }
  };
  return candidate;
}

template <StreamOperation operation, int unroll>
void add_candidates(std::vector<Candidate>& all, const LaunchShape& shape, const Pointers& arrays,
                    std::size_t elements, Stores stores) {
  if (elements / kLaneWidth<double> % (shape.threads() * unroll) != 0) return;
  all.push_back(candidate_of<operation, unroll, false>(shape, arrays, elements));
  if constexpr (operation != StreamOperation::kRead && kHasStreamingStore) {
    if (stores == Stores::kOrdinary) return;
    all.push_back(candidate_of<operation, unroll, true>(shape, arrays, elements));
  }
}

template <StreamOperation operation>
std::vector<Candidate> all_candidates(const Pointers& arrays, std::size_t elements, int units,
                                      Stores stores) {
  std::vector<Candidate> all;
  const std::size_t most_sums = static_cast<std::size_t>(units) * kMostThreadsPerUnit;
  for (const LaunchShape& shape : shapes(units)) {
    if (operation == StreamOperation::kRead && shape.threads() > most_sums) continue;
    if constexpr (!kContiguousThreads)
      add_candidates<operation, 1>(all, shape, arrays, elements, stores);
    add_candidates<operation, 2>(all, shape, arrays, elements, stores);
    add_candidates<operation, 4>(all, shape, arrays, elements, stores);
    add_candidates<operation, kLargestUnroll>(all, shape, arrays, elements, stores);
  }
  return all;
}

}  // namespace

const char* to_string(StreamOperation operation) {
  constexpr const char* kNames[] = {"read", "write", "copy", "scale", "add", "triad"};
  return kNames[static_cast<int>(operation)];
}

double bytes_per_element(StreamOperation operation) {
  constexpr int kArrays[] = {1, 1, 2, 2, 3, 3};
  return kArrays[static_cast<int>(operation)] * static_cast<double>(sizeof(double));
}

StreamArrays::StreamArrays(std::size_t elements, int units)
    : elements_(rounded(elements, units)),
      units_(units),
      x_(elements_),
      y_(elements_),
      out_(elements_),
      partial_(static_cast<std::size_t>(units) * kMostThreadsPerUnit) {
  const LaunchShape shape = shapes(units).back();
  gpu::launch<fill_kernel>(shape.grid, shape.block, x_.data(), y_.data(),
                           elements_ / shape.threads());
  gpu::synchronize();
}

std::vector<Candidate> StreamArrays::candidates(StreamOperation operation, Stores stores) {
  const Pointers arrays{out_.data(), x_.data(), y_.data(), partial_.data()};
  switch (operation) {
    case StreamOperation::kRead:
      return all_candidates<StreamOperation::kRead>(arrays, elements_, units_, stores);
    case StreamOperation::kWrite:
      return all_candidates<StreamOperation::kWrite>(arrays, elements_, units_, stores);
    case StreamOperation::kCopy:
      return all_candidates<StreamOperation::kCopy>(arrays, elements_, units_, stores);
    case StreamOperation::kScale:
      return all_candidates<StreamOperation::kScale>(arrays, elements_, units_, stores);
    case StreamOperation::kAdd:
      return all_candidates<StreamOperation::kAdd>(arrays, elements_, units_, stores);
    case StreamOperation::kTriad:
      return all_candidates<StreamOperation::kTriad>(arrays, elements_, units_, stores);
  }
  throw std::invalid_argument("not a value of StreamOperation");
}

long StreamArrays::wrong_results(StreamOperation operation, const Candidate& candidate) {
  const LaunchShape shape = shapes(units_).back();
  const std::size_t threads = shape.threads();
  gpu::launch<spoil_kernel>(shape.grid, shape.block, out_.data(), elements_ / threads);
  gpu::fill_bytes(partial_, 0);
  candidate.launch();
  const double sum = operation == StreamOperation::kRead ? sum_of(partial_, partial_.size()) : 0;
  gpu::launch<check_kernel>(shape.grid, shape.block, partial_.data(), out_.data(), operation,
                            kScalar, elements_ / threads);
  const double expected = sum_of(partial_, threads);
  if (operation != StreamOperation::kRead) return static_cast<long>(expected);
  return std::fabs(sum - expected) <= kSumTolerance * expected ? 0 : -1;
}

}  // namespace roofline::measure
