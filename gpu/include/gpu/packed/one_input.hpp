// SPDX-License-Identifier: MIT
// The product of a matrix with one input, on a GPU, for any weight format:
// gpu::multiply_one_input(). Its time is the time to read the weights, so it always has some of
// them in flight: those of the first turns are loaded while the kernel that makes the input still
// runs (gpu/overlap.hpp), as many as fit in registers, and each later turn as soon as the registers
// of an earlier one are free. Products go through gpu::PairDot, so that few instructions come
// between two loads.
//
// A team of 32 lanes handles two adjacent rows, in turns of kColumns columns per lane. A format
// defines:
//
//   static constexpr int kColumns   a multiple of 8
//   static constexpr int kHeld      turns whose weights a lane holds or has in flight
//   static constexpr int kResident  blocks per multiprocessor at a time, which share its registers
//   RowPair load(std::int64_t first, std::int64_t columns, int column) const
//                                   the weights of a lane in one turn: rows `first` and first + 1,
//                                   starting at `column`
//   static void add(PairSums& sums, const RowPair& weights, const OneInput<kColumns>& x)
//   float factor(std::int64_t r) const
//                                   the factor applied to the final sum of row r
#pragma once

#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/pair_dot.hpp"

namespace gpu {

/// The inputs of a lane in one turn; zeros past the end of the row, so that weights there do not
/// count.
template <int kColumns>
struct OneInput {
  uint4 words[kColumns / 8];

  __device__ __forceinline__ void load(const __half* from, bool is_there) {
#pragma unroll
    for (int i = 0; i < kColumns / 8; ++i) {
      words[i] = make_uint4(0, 0, 0, 0);
      if (is_there) words[i] = load_written(reinterpret_cast<const uint4*>(from) + i);
    }
  }
};

/// 16 bytes from each of two adjacent rows. The loads stay where they are written.
struct RowPair {
  uint4 first, second;

  template <class T>
  __device__ __forceinline__ static RowPair load(const T* from, std::int64_t row_length) {
    return {load_once_now(reinterpret_cast<const uint4*>(from)),
            load_once_now(reinterpret_cast<const uint4*>(from + row_length))};
  }
};

/// Running sums of two rows of halves.
class PairSums {
 public:
  /// The products of eight numbers of either row with eight inputs.
  __device__ __forceinline__ void add(const uint4& first, const uint4& second, const uint4& x) {
    chains_[0] = chains_[0].plus({first.x, first.y}, {second.x, second.y}, {x.x, x.y});
    chains_[1] = chains_[1].plus({first.z, first.w}, {second.z, second.w}, {x.z, x.w});
  }
  __device__ __forceinline__ PairDot total() const {
    PairDot both = chains_[0];
    both.add_scaled(chains_[1], 1, 1);
    return both;
  }

 private:
  PairDot chains_[2];  // independent of each other
};

namespace detail {

inline constexpr int kOneInputThreads = 128;
inline constexpr int kOneInputLanes = team_lanes(32);

template <class Format>
__global__ __launch_bounds__(kOneInputThreads, Format::kResident) void one_input_kernel(
    Format format, std::int64_t rows, std::int64_t columns, const __half* x,
    float* __restrict__ y) {
  let_next_kernel_begin();
  constexpr int kTurn = kOneInputLanes * Format::kColumns;
  const int lane = static_cast<int>(threadIdx.x) % kOneInputLanes;
  const std::int64_t own_rows =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kOneInputLanes * 2;
  if (own_rows >= rows) return;
  // If the last team has only one row, it moves back by one: two teams then write the same result.
  const std::int64_t first = own_rows < rows - 2 ? own_rows : rows - 2;
  const auto count = static_cast<int>(columns);
  const int own = lane * Format::kColumns;
  RowPair held[Format::kHeld] = {};
#pragma unroll
  for (int t = 0; t < Format::kHeld; ++t) {
    if (own + t * kTurn < count) held[t] = format.load(first, columns, own + t * kTurn);
  }
  // In the end, half of the team has the first row's sum, the other half the second's.
  const std::int64_t result = first + lane / ((kOneInputLanes + 1) / 2);
  const float factor = format.factor(result);
  wait_for_kernel_before();

  PairSums sums;
  OneInput<Format::kColumns> input;
  input.load(x + own, own < count);
#pragma unroll 1
  for (int begin = 0; begin < count; begin += Format::kHeld * kTurn) {
#pragma unroll
    for (int t = 0; t < Format::kHeld; ++t) {
      const int column = begin + t * kTurn + own;
      OneInput<Format::kColumns> next;
      next.load(x + column + kTurn, column + kTurn < count);
      Format::add(sums, held[t], input);
      input = next;
      const int later = column + Format::kHeld * kTurn;
      if (later < count) held[t] = format.load(first, columns, later);
    }
  }
  const PairDot total = sums.total();
  const bool counts = PairDot::counts();
  float totals[] = {counts ? total.first() : 0.0f, counts ? total.second() : 0.0f};
  team_sums<kOneInputLanes>(totals);
  if (lane % ((kOneInputLanes + 1) / 2) == 0) y[result] = factor * totals[0];
}

}  // namespace detail

/// y = W x on a GPU. Does nothing and returns false for fewer than two rows, for a number of
/// columns that is not a multiple of Format::kColumns, and on a CPU, where a product cannot start
/// before its input is there.
template <class Format>
bool multiply_one_input(const Format& format, DeviceSpan<const __half> x, DeviceSpan<float> y) {
  if (!Features::kIsGpu || y.size() < 2 || x.size() % Format::kColumns != 0) return false;
  const auto rows = static_cast<std::int64_t>(y.size());
  const std::int64_t teams = (rows + 1) / 2;
  launch_overlapping<detail::one_input_kernel<Format>>(
      {.grid = blocks_for(teams * detail::kOneInputLanes, std::int64_t{detail::kOneInputThreads}),
       .block = detail::kOneInputThreads},
      format, rows, static_cast<std::int64_t>(x.size()), x.data(), y.data());
  return true;
}

}  // namespace gpu
