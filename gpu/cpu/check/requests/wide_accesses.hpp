// SPDX-License-Identifier: MIT
// Joins neighbouring accesses to shared memory as a GPU's compiler does.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "warp_requests.hpp"

namespace gpu::cpu::check {

/// The requests of one warp to shared memory, in order. If a loop reads or writes four neighbouring
/// words, one iteration each, ptxas unrolls it and uses one instruction of 16 bytes: it places
/// arrays in shared memory itself, so it knows where an aligned group begins. It moves no load past
/// a store, and no store past any other access.
class WideAccesses {
 public:
  /// Calls take(request, addresses) for every request that is complete. Calls unaligned() if
  /// neighbouring accesses begin between two aligned groups: a compiler does not know the alignment
  /// of this place's accesses.
  template <class Take, class Unaligned>
  void add(const WarpRequest& request, const std::uint64_t* addresses, const Take& take,
           const Unaligned& unaligned) {
    const auto is_same = [&](const Run& run) {
      return run.request.place == request.place && run.request.kind == request.kind;
    };
    // A load waits for stores only; a store ends all that is open, except what it continues.
    for (std::size_t i = runs_.size(); i-- > 0;) {
      const bool may_stay = request.kind == AccessKind::kRead
                                ? runs_[i].request.kind == AccessKind::kRead
                                : is_same(runs_[i]);
      if (!may_stay) close(i, take);
    }
    for (std::size_t i = runs_.size(); i-- > 0;) {
      Run& run = runs_[i];
      if (!is_same(run) || !run.is_continued_by(request, addresses)) continue;
      if (run.most == 1) unaligned();
      if (run.length == run.most) break;
      run.addresses[run.length++] = addresses;
      if (run.length * request.bytes == kWidest) close(i, take);
      return;
    }
    if (runs_.size() == kMostOpen) close(0, take);
    runs_.push_back({request, most_from(request, addresses), 1, {addresses}});
    if (request.kind == AccessKind::kAtomic || request.bytes >= kWidest) {
      close(runs_.size() - 1, take);
    }
  }

  /// Takes what is still open.
  template <class Take>
  void end(const Take& take) {
    while (!runs_.empty()) close(runs_.size() - 1, take);
  }

 private:
  static constexpr std::size_t kWidest = 16;
  static constexpr std::size_t kNarrowest = 4;
  static constexpr std::size_t kMostOpen = 32;  ///< about as many as a thread has registers for

  struct Run {
    WarpRequest request;
    std::size_t most = 1;  ///< accesses that fit between its beginning and the next aligned group
    std::size_t length = 1;
    std::array<const std::uint64_t*, 4> addresses{};

    bool is_continued_by(const WarpRequest& next, const std::uint64_t* to) const {
      if (next.lanes != request.lanes || next.bytes != request.bytes) return false;
      const std::uint64_t* const from = addresses[length - 1];
      for (std::uint64_t left = next.lanes; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (to[lane] != from[lane] + next.bytes) return false;
      }
      return true;
    }
  };

  static std::size_t most_from(const WarpRequest& request, const std::uint64_t* addresses) {
    if (request.bytes < kNarrowest) return 1;
    std::uint64_t low_bits = kWidest;
    for (std::uint64_t left = request.lanes; left != 0; left &= left - 1) {
      low_bits |= addresses[std::countr_zero(left)];
    }
    return std::max<std::size_t>(1, (low_bits & -low_bits) / request.bytes);
  }

  /// Passes on the widest requests that the run consists of.
  template <class Take>
  void close(std::size_t index, const Take& take) {
    const Run run = runs_[index];
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::size_t done = 0; done < run.length;) {
      const std::size_t together = std::bit_floor(run.length - done);
      WarpRequest wide = run.request;
      wide.bytes = static_cast<std::uint8_t>(together * run.request.bytes);
      take(wide, run.addresses[done]);
      done += together;
    }
  }

  std::vector<Run> runs_;
};

}  // namespace gpu::cpu::check
