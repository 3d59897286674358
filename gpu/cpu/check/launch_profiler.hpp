// SPDX-License-Identifier: MIT
// Watches launches as a GPU of a given geometry would run them: which blocks run together on which
// multiprocessor, and what their warps request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "address_set.hpp"
#include "executed_code.hpp"
#include "gpu/cpu/runtime.hpp"
#include "held_loads.hpp"
#include "requests/access_history.hpp"
#include "requests/warp_requests.hpp"
#include "requests/wide_accesses.hpp"
#include "traffic.hpp"
#include "vgpu/memory_system.hpp"
#include "vgpu/profile.hpp"

namespace gpu::cpu::check {

/// An access of a thread.
struct DeviceAccess {
  AccessKind kind = AccessKind::kRead;
  Address address = 0;
  std::size_t bytes = 0;
};

/// Lives between two calls of Checker::profile_into().
class LaunchProfiler {
 public:
  /// A launch with more than `most_accesses` thread accesses is sampled.
  LaunchProfiler(const vgpu::Geometry& geometry, int registers_per_thread, double most_accesses);

  void launch_begins(const KernelLaunch& launch);
  /// The blocks to run next; none when enough of the launch has run.
  std::optional<BlockRange> next_blocks();
  void block_met();
  void warp_met(int number);
  /// An access of the running thread to shared memory.
  void note_shared(const DeviceAccess& access, Address place) {
    note(access, true, place, access.address);
  }
  /// The same for device memory. Returns false and records nothing if the access is not in a known
  /// buffer.
  bool note_global(const DeviceAccess& access, Address place);
  /// A buffer that the launch uses.
  void add_buffer(AddressRange range);
  void enter_code(Address place);
  /// The running thread's lane of a matrix instruction.
  void note_matrix_instruction(const char* format, Address place) { code_.multiply(place, format); }
  void launch_ends();
  vgpu::Profile result() { return std::move(profile_); }
  int lanes() const { return geometry_.lanes; }
  /// A digest of everything recorded so far, taken between launches.
  std::uint64_t digest(const base::SipKey& key) const;

 private:
  /// Which blocks of a launch are run: all of them, those of the first waves, or those of a few
  /// multiprocessors in the first wave.
  struct Plan {
    std::int64_t waves = 1;
    int multiprocessors = 1;
  };
  /// The traffic after this many blocks.
  struct Progress {
    vgpu::Traffic traffic;
    std::int64_t blocks = 0;
  };
  /// Requests to shared memory, and the passes over its banks that they take.
  struct Passes {
    double requests = 0, lanes = 0, bytes = 0, wavefronts = 0, ideal_wavefronts = 0;

    void operator+=(const Passes& other) {
      requests += other.requests;
      lanes += other.lanes;
      bytes += other.bytes;
      wavefronts += other.wavefronts;
      ideal_wavefronts += other.ideal_wavefronts;
    }
  };
  /// The accesses of a place in the program to shared memory: as in the source, and with
  /// neighbouring ones joined, which a compiler does if it knows how they are aligned.
  struct SharedPlace {
    vgpu::Site* site = nullptr;
    Passes narrow, wide;
    bool is_aligned = true;
  };
  using SiteKey = std::tuple<std::string, int, vgpu::Space, vgpu::Access>;

  std::int64_t block_of(std::int64_t wave, int multiprocessor, int slot) const;
  /// Bytes of a block, including the padding between touched words.
  std::int64_t shared_bytes_touched() const;
  void learn_occupancy();
  void make_plan();
  void finish_block();
  void finish_multiprocessor();
  void finish_wave();
  void all_meet();
  void flush(std::size_t warp);
  void take_global(const WarpRequest& request, const std::uint64_t* addresses,
                   vgpu::WarpStream& stream, HeldLoads& held);
  Passes passes_of(const WarpRequest& request, const std::uint64_t* addresses);
  /// Lanes that a pass over the banks can serve.
  int lanes_of_pass(const WarpRequest& request, const std::uint64_t* addresses) const;
  SharedPlace& shared_place_of(const WarpRequest& request);
  void note(const DeviceAccess& access, bool is_shared, Address place, std::uint64_t on_device);
  vgpu::Site& site_of(const WarpRequest& request);
  /// Blocks of the launch that a multiprocessor holds at a time; one if not even one fits.
  int resident_blocks() const { return std::max(1, launch_.occupancy.blocks); }
  std::size_t waves_run() const { return progress_.size() - 1; }
  /// The traffic of the waves from `begin` up to `end`.
  Progress between(std::size_t begin, std::size_t end) const;
  vgpu::Traffic extrapolated() const;
  double sample_error() const;

  vgpu::Geometry geometry_;
  int registers_;
  double most_accesses_;
  vgpu::Profile profile_;

  // State of the running launch.
  vgpu::Launch launch_;
  int threads_ = 0, warps_ = 0;
  std::size_t dynamic_shared_bytes_ = 0;
  AddressSet shared_words_;  ///< touched by any block
  std::optional<Plan> plan_;
  std::int64_t wave_ = 0;
  int multiprocessor_ = 0, slot_ = 0;
  bool block_runs_ = false;
  std::uint64_t accesses_ = 0;
  std::vector<WarpRequests> open_;         ///< of the running block's warps
  std::vector<RecentLoads> recent_;        ///< of the running block's threads
  std::vector<vgpu::WarpStream> streams_;  ///< of the warps that are resident together
  std::size_t first_stream_ = 0;           ///< of the running block
  std::optional<vgpu::MemorySystem> memory_;
  std::vector<Progress> progress_;  ///< before the first wave, and after each
  /// Buffers in the order of their first use, which is their order on the device.
  std::vector<AddressRange> buffers_;
  std::map<SiteKey, vgpu::Site> sites_;
  std::unordered_map<Address, vgpu::Site*> site_at_[2][3];
  ExecutedCode code_;
  std::map<std::pair<Address, AccessKind>, SharedPlace> shared_places_;
  std::vector<std::vector<std::uint64_t>> words_in_bank_;  ///< of passes_of()
};

}  // namespace gpu::cpu::check
