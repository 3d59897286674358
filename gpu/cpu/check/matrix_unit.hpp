// SPDX-License-Identifier: MIT
// The words that the lanes of warps hand to one another in a matrix instruction.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "running_thread.hpp"

namespace gpu::cpu::check {

/// Of the running block.
class MatrixUnit {
 public:
  static constexpr int kLanes = 32;  ///< that take part in an instruction
  using Words = std::array<std::uint32_t, 6>;

  /// What the lanes of one instruction bring.
  class Lanes {
   public:
    const Words& of(int lane) const { return words_[static_cast<std::size_t>(lane)]; }
    /// Whether every lane has brought something to the same one of its instructions.
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
  /// Notes what the running thread brings to its next instruction. What its lanes bring is there
  /// when they have met, and until they meet once more.
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
  /// Twice, by turns: a lane may come back while others still read.
  std::array<std::array<Lanes, kMaxThreads / kLanes>, 2> places_{};
};

}  // namespace gpu::cpu::check
