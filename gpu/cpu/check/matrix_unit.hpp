// SPDX-License-Identifier: MIT
// The words that the lanes of a warp exchange in a matrix instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "running_thread.hpp"

namespace gpu::cpu::check {

/// The exchange for all warps of the running block.
class MatrixUnit {
 public:
  static constexpr int kLanes = 32;  ///< lanes that take part in an instruction
  using Words = std::array<std::uint32_t, 6>;

  /// The operands that the lanes of one instruction have deposited.
  class Lanes {
   public:
    const Words& of(int lane) const { return words_[static_cast<std::size_t>(lane)]; }
    /// Whether every lane has deposited its operands for the same instruction.
    bool are_complete() const {
      return std::all_of(turns_.begin(), turns_.end(),
                         [&](std::uint32_t turn) { return turn == turns_[0]; });
    }

   private:
    friend MatrixUnit;
    std::array<Words, kLanes> words_{};
    std::array<std::uint32_t, kLanes> turns_{};
  };

  void block_begins() {
    if (is_used_) *this = {};
  }
  /// Deposits the running thread's operands for its next instruction. The operands of all its lanes
  /// are complete once they have met, and valid until they meet again.
  const Lanes& bring(const Words& words) {
    is_used_ = true;
    const auto thread = static_cast<std::size_t>(running_thread());
    const std::uint32_t turn = ++turns_[thread];
    Lanes& lanes = places_[turn % 2][thread / kLanes];
    lanes.words_[thread % kLanes] = words;
    lanes.turns_[thread % kLanes] = turn;
    return lanes;
  }

 private:
  static constexpr std::size_t kMaxThreads = 1024;

  bool is_used_ = false;
  std::array<std::uint32_t, kMaxThreads> turns_{};  ///< instructions of each thread
  /// Double buffered: a lane may be back for the next instruction while others still read.
  std::array<std::array<Lanes, kMaxThreads / kLanes>, 2> places_{};
};

}  // namespace gpu::cpu::check
