// SPDX-License-Identifier: MIT
// Every lane stores its words in its own slot, the lanes meet, and each then takes what it needs.
#include "matrix_unit.hpp"

#include <bit>
#include <cmath>

#include "checker.hpp"
#include "gpu/cpu/half_conversion.hpp"
#include "gpu/cpu/matrix_unit.hpp"
#include "gpu/cpu/runtime.hpp"
#include "running_thread.hpp"

namespace gpu::cpu {
namespace {

using check::Checker;
using check::MatrixUnit;

constexpr int kSide = 8;  // of the matrices that make up an instruction's operands

std::uint16_t half_of(std::uint32_t word, int which) {
  return static_cast<std::uint16_t>(word >> (16 * which));
}

float value_of(Factors factors, std::uint16_t bits) {
  return factors == Factors::kFp16 ? half_value(bits) : bfloat16_value(bits);
}

/// Applies `take` to the words of all lanes. Neither this nor `take` counts as the kernel's code.
template <class Take>
auto meet(const MatrixUnit::Words& own, const Take& take, SourceLocation where) {
  Checker& checker = Checker::instance();
  checker.leave_kernel_code();
  const MatrixUnit::Lanes& lanes = checker.matrix_unit().bring(own);
  const int first = lane_index() / MatrixUnit::kLanes * MatrixUnit::kLanes;
  checker.enter_kernel_code();
  warp_collective(std::uint64_t{0xffffffffu} << first, WarpOperation::kVote, 0, 0, where);
  checker.leave_kernel_code();
  if (!lanes.are_complete()) checker.on_absent_lanes();
  const auto result = take(lanes);
  checker.enter_kernel_code();
  return result;
}

int lane_of_matrix() {
  return check::running_thread() % MatrixUnit::kLanes;
}

/// Element `column` of row q of an 8 x 8 matrix, whose row q is held by lanes 4 q to 4 q + 3.
std::uint16_t element(const MatrixUnit::Lanes& lanes, std::size_t word, int row, int column) {
  return half_of(lanes.of(4 * row + column / 2)[word], column % 2);
}

unsigned pair_of(std::uint16_t low, std::uint16_t high) {
  return low | unsigned{high} << 16;
}

}  // namespace

MatrixSums multiply_matrices(Factors factors, MatrixSums sums, MatrixWords left, unsigned right_low,
                             unsigned right_high) {
  Checker::instance().on_matrix_instruction(factors == Factors::kFp16 ? "fp16" : "bf16",
                                            reinterpret_cast<Address>(__builtin_return_address(0)));
  const MatrixUnit::Words own = {left.of_lane[0], left.of_lane[1], left.of_lane[2],
                                 left.of_lane[3], right_low,       right_high};
  const auto take = [&](const MatrixUnit::Lanes& lanes) {
    const int row = lane_of_matrix() / 4;
    const int column = lane_of_matrix() % 4 * 2;
    MatrixSums result = sums;
    // Word 0 holds rows 0 to 7 of the left matrix's columns 0 to 7, word 1 rows 8 to 15; words 2
    // and 3 hold the same rows of columns 8 to 15; words 4 and 5 hold the two halves of the right
    // matrix's rows.
    for (int k = 0; k < 2 * kSide; ++k) {
      const std::size_t part = static_cast<std::size_t>(k / kSide);
      for (int i = 0; i < 4; ++i) {
        const std::size_t word = 2 * part + static_cast<std::size_t>(i / 2);
        const float a = value_of(factors, element(lanes, word, row, k % kSide));
        const float b = value_of(factors, element(lanes, 4 + part, column + i % 2, k % kSide));
        result.of_lane[i] = std::fma(a, b, result.of_lane[i]);
      }
    }
    return result;
  };
  return meet(own, take, SourceLocation::current());
}

MatrixWords exchange_rows(MatrixWords row, bool are_transposed) {
  const MatrixUnit::Words own = {row.of_lane[0], row.of_lane[1], row.of_lane[2], row.of_lane[3]};
  const auto take = [&](const MatrixUnit::Lanes& lanes) {
    const int q = lane_of_matrix() / 4;
    const int t = lane_of_matrix() % 4;
    MatrixWords result{};
    for (int i = 0; i < 4; ++i) {
      const auto at = [&](int r, int c) {
        return half_of(lanes.of(kSide * i + r)[static_cast<std::size_t>(c / 2)], c % 2);
      };
      result.of_lane[i] = are_transposed ? pair_of(at(2 * t, q), at(2 * t + 1, q))
                                         : pair_of(at(q, 2 * t), at(q, 2 * t + 1));
    }
    return result;
  };
  return meet(own, take, SourceLocation::current());
}

MatrixWords transposed(MatrixWords matrices) {
  const MatrixUnit::Words own = {matrices.of_lane[0], matrices.of_lane[1], matrices.of_lane[2],
                                 matrices.of_lane[3]};
  const auto take = [&](const MatrixUnit::Lanes& lanes) {
    const int q = lane_of_matrix() / 4;
    const int t = lane_of_matrix() % 4;
    MatrixWords result{};
    for (int i = 0; i < 4; ++i) {
      const auto word = static_cast<std::size_t>(i);
      result.of_lane[i] =
          pair_of(element(lanes, word, 2 * t, q), element(lanes, word, 2 * t + 1, q));
    }
    return result;
  };
  return meet(own, take, SourceLocation::current());
}

}  // namespace gpu::cpu
