// SPDX-License-Identifier: MIT
// Matches the accesses of a warp's lanes, which run one after the other here, to warp-wide
// requests.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "access_history.hpp"
#include "memory_map.hpp"

namespace gpu::cpu::check {

/// One memory instruction of a warp: what each of its lanes requested.
struct WarpRequest {
  Address place = 0;  ///< in the program
  AccessKind kind = AccessKind::kRead;
  bool is_shared = false;
  std::uint8_t bytes = 0;   ///< per lane
  std::uint64_t lanes = 0;  ///< one bit per lane
};

/// The requests of one warp between two points where all of its lanes meet. A lane's access joins
/// the next request from the same place after the lane's own last request, so lanes that leave a
/// loop early or take the other branch rejoin the others afterwards, as on a GPU.
class WarpRequests {
 public:
  explicit WarpRequests(int lanes);

  void add(int lane, const WarpRequest& access, std::uint64_t address);
  /// All lanes have met, so later accesses start new requests. Passes on the requests in order,
  /// with an address for each lane, and clears them.
  void flush(const std::function<void(const WarpRequest&, const std::uint64_t*)>& take);

 private:
  static constexpr std::int32_t kNone = -1;

  struct Entry {
    WarpRequest request;
    std::uint64_t order = 0;  ///< increases from entry to entry
    std::int32_t next = kNone;
  };

  bool fits(const Entry& entry, int lane, const WarpRequest& access) const;
  std::int32_t find_behind(std::uint64_t order, int lane, const WarpRequest& access) const;
  std::int32_t insert_behind(std::int32_t previous, const WarpRequest& access);
  void renumber();

  std::size_t lanes_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> addresses_;  ///< lanes_ for each entry
  std::vector<std::int32_t> cursor_;      ///< of each lane: its last entry
  std::int32_t first_ = kNone;
  std::unordered_map<Address, std::vector<std::int32_t>> at_;  ///< entries by place, in order
};

}  // namespace gpu::cpu::check
