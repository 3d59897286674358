// SPDX-License-Identifier: MIT
// Blocks run one after the other here; the requests of a multiprocessor's blocks are interleaved
// before they reach the caches.
#include "launch_profiler.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "running_thread.hpp"
#include "source/source_lines.hpp"

namespace gpu::cpu::check {
namespace {

// Registers per thread if none are given: what a GPU's compiler typically uses.
constexpr int kAssumedRegisters = 32;
constexpr std::uint64_t kBufferSpacing = std::uint64_t{1} << 40;
constexpr std::size_t kBankBytes = 4;
constexpr std::size_t kWidestAccess = 16;
// Up to this many untouched words between touched ones still belong to an array: rows may be
// padded.
constexpr Address kMostPadding = 8;

vgpu::Access access_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
      return vgpu::Access::kLoad;
    case AccessKind::kWrite:
      return vgpu::Access::kStore;
    case AccessKind::kAtomic:
      return vgpu::Access::kAtomic;
  }
  return vgpu::Access::kLoad;
}

/// The widest instruction with which a GPU can make all of an access of this size at this address.
/// An object's alignment divides its size, which is the same for all lanes.
std::size_t width_of(const DeviceAccess& access) {
  std::size_t width = std::min(access.bytes & -access.bytes, kWidestAccess);
  while ((access.address & (width - 1)) != 0) width /= 2;
  return width;
}

/// Lanes that update the same address are serialised: returns the sectors of all updates except the
/// first of each address.
int repeated_sectors(const WarpRequest& request, const std::uint64_t* addresses,
                     std::uint64_t sector_bytes) {
  std::map<std::uint64_t, int> times;
  std::set<std::pair<int, std::uint64_t>> sectors;
  for (std::uint64_t left = request.lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[std::countr_zero(left)];
    const int before = times[address]++;
    if (before > 0) sectors.emplace(before, address / sector_bytes);
  }
  return static_cast<int>(sectors.size());
}

/// Whether active lanes whose numbers differ in the bit `distance` use the same address.
bool have_pairs(const WarpRequest& request, const std::uint64_t* addresses, int distance) {
  for (std::uint64_t left = request.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int other = lane ^ distance;
    if ((request.lanes >> other & 1U) != 0 && addresses[lane] != addresses[other]) return false;
  }
  return true;
}

}  // namespace

LaunchProfiler::LaunchProfiler(const vgpu::Geometry& geometry, int registers_per_thread,
                               double most_accesses)
    : geometry_(geometry),
      registers_(registers_per_thread),
      most_accesses_(most_accesses),
      words_in_bank_(static_cast<std::size_t>(geometry.banks)) {
  profile_.geometry = geometry;
}

void LaunchProfiler::launch_begins(const KernelLaunch& launch) {
  launch_ = {};
  launch_.kernel = launch.name;
  launch_.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  launch_.block = {launch.block.x, launch.block.y, launch.block.z};
  launch_.registers_are_assumed = registers_ == 0;
  launch_.registers_per_thread = registers_ == 0 ? kAssumedRegisters : registers_;
  threads_ = static_cast<int>(launch_.threads_per_block());
  warps_ = (threads_ + geometry_.lanes - 1) / geometry_.lanes;
  dynamic_shared_bytes_ = launch.shared_bytes;
  shared_words_.clear();
  plan_.reset();
  wave_ = multiprocessor_ = slot_ = 0;
  block_runs_ = false;
  accesses_ = 0;
  open_.assign(static_cast<std::size_t>(warps_), WarpRequests(geometry_.lanes));
  recent_.assign(static_cast<std::size_t>(threads_), RecentLoads());
  streams_.clear();
  memory_.reset();
  progress_.assign(1, {});
  buffers_.clear();
  sites_.clear();
  shared_places_.clear();
  for (auto& of_space : site_at_) {
    for (auto& of_kind : of_space) of_kind.clear();
  }
}

std::int64_t LaunchProfiler::block_of(std::int64_t wave, int multiprocessor, int slot) const {
  const std::int64_t together = std::int64_t{geometry_.multiprocessors} * resident_blocks();
  return wave * together + std::int64_t{slot} * geometry_.multiprocessors + multiprocessor;
}

std::optional<BlockRange> LaunchProfiler::next_blocks() {
  if (block_runs_) {
    finish_block();
    if (launch_.blocks_run == 1) learn_occupancy();
    ++slot_;
  }
  while (true) {
    const bool is_full = launch_.blocks_run > 0 && slot_ >= resident_blocks();
    const std::int64_t block = block_of(wave_, multiprocessor_, slot_);
    if (!is_full && block < launch_.blocks()) {
      block_runs_ = true;
      first_stream_ = streams_.size();
      streams_.resize(first_stream_ + static_cast<std::size_t>(warps_));
      return BlockRange{block, block + 1};
    }
    if (slot_ == 0 && multiprocessor_ == 0) return std::nullopt;  // the end of the grid
    if (!plan_) make_plan();
    if (slot_ > 0) finish_multiprocessor();
    slot_ = 0;
    if (++multiprocessor_ < plan_->multiprocessors) continue;
    finish_wave();
    multiprocessor_ = 0;
    if (++wave_ >= plan_->waves) return std::nullopt;
  }
}

std::int64_t LaunchProfiler::shared_bytes_touched() const {
  Address touched = 0;
  Address last = 0;
  shared_words_.for_each([&](Address word) {
    const Address gap = word - last - 1;
    touched += touched > 0 && gap <= kMostPadding ? gap + 1 : 1;
    last = word;
  });
  return static_cast<std::int64_t>(touched * kBankBytes);
}

void LaunchProfiler::learn_occupancy() {
  // Blocks declare about as much shared memory as they touch, apart from alignment.
  launch_.shared_bytes = std::max<std::int64_t>(static_cast<std::int64_t>(dynamic_shared_bytes_),
                                                shared_bytes_touched());
  launch_.occupancy = vgpu::occupancy(geometry_, threads_, launch_.shared_bytes,
                                      launch_.registers_per_thread, launch_.blocks());
  launch_.waves = static_cast<double>(launch_.blocks()) /
                  (resident_blocks() * double(geometry_.multiprocessors));
}

void LaunchProfiler::make_plan() {
  const int resident = resident_blocks();
  const double of_block =
      std::max(1.0, static_cast<double>(accesses_) / static_cast<double>(launch_.blocks_run));
  const double blocks = most_accesses_ / of_block;
  const double of_wave = double(resident) * geometry_.multiprocessors;
  plan_ = Plan{static_cast<std::int64_t>(std::ceil(launch_.waves)), geometry_.multiprocessors};
  if (blocks < static_cast<double>(launch_.blocks())) {
    plan_->waves = std::max<std::int64_t>(1, static_cast<std::int64_t>(blocks / of_wave));
    if (blocks < of_wave) plan_->multiprocessors = std::max(1, static_cast<int>(blocks / resident));
  }
  // A fraction of the multiprocessors gets the same fraction of the L2.
  const double share = static_cast<double>(plan_->multiprocessors) / geometry_.multiprocessors;
  memory_.emplace(geometry_, resident * (launch_.shared_bytes + geometry_.shared_bytes_reserved),
                  share);
}

void LaunchProfiler::all_meet() {
  for (std::size_t warp = 0; warp < open_.size(); ++warp) flush(warp);
  for (RecentLoads& recent : recent_) recent.clear();
}

void LaunchProfiler::finish_block() {
  all_meet();
  code_.block_ends(threads_, geometry_.lanes);
  ++launch_.blocks_run;
  block_runs_ = false;
}

void LaunchProfiler::finish_multiprocessor() {
  memory_->run(multiprocessor_, streams_);
  streams_.clear();
}

void LaunchProfiler::finish_wave() {
  memory_->end_wave();
  progress_.push_back({memory_->traffic(), launch_.blocks_run});
}

void LaunchProfiler::block_met() {
  ++launch_.barriers;
  all_meet();
}

void LaunchProfiler::warp_met(int number) {
  flush(static_cast<std::size_t>(number));
  const int first = number * geometry_.lanes;
  for (int thread = first; thread < std::min(first + geometry_.lanes, threads_); ++thread) {
    recent_[static_cast<std::size_t>(thread)].clear();
  }
}

void LaunchProfiler::add_buffer(AddressRange range) {
  buffers_.push_back(range);
}

bool LaunchProfiler::note_global(const DeviceAccess& access, Address place) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (!buffers_[i].contains(access.address, access.bytes)) continue;
    note(access, false, place, (i + 1) * kBufferSpacing + access.address - buffers_[i].begin);
    return true;
  }
  return false;
}

void LaunchProfiler::note(const DeviceAccess& access, bool is_shared, Address place,
                          std::uint64_t on_device) {
  const int thread = running_thread();
  const Address address = access.address;
  RecentLoads& recent = recent_[static_cast<std::size_t>(thread)];
  if (access.kind == AccessKind::kRead && recent.holds(address, access.bytes)) return;
  if (access.kind != AccessKind::kRead) recent.clear();
  ++accesses_;
  if (is_shared) {
    shared_words_.add(address / kBankBytes,
                      (address + access.bytes - 1) / kBankBytes - address / kBankBytes + 1);
  }
  WarpRequests& warp = open_[static_cast<std::size_t>(thread / geometry_.lanes)];
  const int lane = thread % geometry_.lanes;
  const std::size_t width = width_of(access);
  const WarpRequest request = {place, access.kind, is_shared, static_cast<std::uint8_t>(width), 0};
  for (std::size_t done = 0; done < access.bytes; done += width) {
    warp.add(lane, request, on_device + done);
  }
}

void LaunchProfiler::enter_code(Address place) {
  const int thread = running_thread();
  if (thread < threads_) code_.enter(place, thread);  // the loop over threads goes one past the end
}

void LaunchProfiler::flush(std::size_t warp) {
  vgpu::WarpStream& stream = streams_[first_stream_ + warp];
  HeldLoads held;
  WideAccesses wide;
  const auto take_wide = [&](const WarpRequest& request, const std::uint64_t* addresses) {
    shared_place_of(request).wide += passes_of(request, addresses);
  };
  open_[warp].flush([&](const WarpRequest& request, const std::uint64_t* addresses) {
    if (!request.is_shared) return take_global(request, addresses, stream, held);
    SharedPlace& place = shared_place_of(request);
    place.narrow += passes_of(request, addresses);
    wide.add(request, addresses, take_wide, [&] { place.is_aligned = false; });
  });
  wide.end(take_wide);
}

LaunchProfiler::SharedPlace& LaunchProfiler::shared_place_of(const WarpRequest& request) {
  SharedPlace& place = shared_places_[{request.place, request.kind}];
  if (place.site == nullptr) place.site = &site_of(request);
  return place;
}

vgpu::Site& LaunchProfiler::site_of(const WarpRequest& request) {
  const vgpu::Access access = access_of(request.kind);
  vgpu::Site*& site = site_at_[request.is_shared][static_cast<int>(access)][request.place];
  if (site != nullptr) return *site;
  const SourcePlace place = source_place(request.place);
  const vgpu::Space space = request.is_shared ? vgpu::Space::kShared : vgpu::Space::kGlobal;
  site = &sites_[{place.file, place.line, space, access}];
  site->file = place.file;
  site->line = place.line;
  site->space = space;
  site->access = access;
  return *site;
}

void LaunchProfiler::take_global(const WarpRequest& request, const std::uint64_t* addresses,
                                 vgpu::WarpStream& stream, HeldLoads& held) {
  vgpu::Site& site = site_of(request);
  const int lanes = std::popcount(request.lanes);
  ++site.requests;
  site.lanes += lanes;
  site.bytes += double(lanes) * request.bytes;
  if (site.access == vgpu::Access::kLoad) held.load(site);
  if (site.access == vgpu::Access::kStore) held.store();
  std::array<vgpu::LineAccess, 64> touched;
  std::size_t count = 0;
  const auto line_bytes = static_cast<std::uint64_t>(geometry_.line_bytes);
  const auto sector_bytes = static_cast<std::uint32_t>(geometry_.sector_bytes);
  for (std::uint64_t left = request.lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[std::countr_zero(left)];
    const std::uint64_t line = address / line_bytes;
    // Searched from the back: adjacent lanes mostly ask for the same line.
    std::size_t i = count;
    while (i > 0 && touched[i - 1].line != line) --i;
    if (i == 0) touched[(i = ++count) - 1] = {.line = line, .access = site.access};
    const auto in_line = static_cast<std::uint32_t>(address - line * line_bytes);
    const std::uint32_t sector = in_line / sector_bytes;
    touched[i - 1].sectors |= static_cast<std::uint8_t>(1U << sector);
    touched[i - 1].bytes[sector] |= ((1U << request.bytes) - 1U) << (in_line % sector_bytes);
  }
  site.lines += static_cast<double>(count);
  stream.begin_request();
  for (std::size_t i = 0; i < count; ++i) {
    site.sectors += std::popcount(touched[i].sectors);
    stream.add(touched[i]);
  }
  if (site.access == vgpu::Access::kAtomic) {
    site.sectors += repeated_sectors(request, addresses, sector_bytes);
  }
}

LaunchProfiler::Passes LaunchProfiler::passes_of(const WarpRequest& request,
                                                 const std::uint64_t* addresses) {
  const double lanes = std::popcount(request.lanes);
  Passes passes{1, lanes, lanes * request.bytes, 0, 0};
  const int together = lanes_of_pass(request, addresses);
  const auto banks = static_cast<std::uint64_t>(geometry_.banks);
  for (int first = 0; first < geometry_.lanes; first += together) {
    for (auto& words : words_in_bank_) words.clear();
    std::size_t most = 0;
    for (int lane = first; lane < std::min(first + together, geometry_.lanes); ++lane) {
      if ((request.lanes >> lane & 1U) == 0) continue;
      for (std::uint64_t word = addresses[lane] / kBankBytes;
           word * kBankBytes < addresses[lane] + request.bytes; ++word) {
        std::vector<std::uint64_t>& words = words_in_bank_[word % banks];
        // A read of one word serves all lanes; updates of it are serialised.
        const bool is_known = request.kind != AccessKind::kAtomic &&
                              std::find(words.begin(), words.end(), word) != words.end();
        if (is_known) continue;
        words.push_back(word);
        most = std::max(most, words.size());
      }
    }
    passes.wavefronts += static_cast<double>(most);
    passes.ideal_wavefronts += most > 0 ? 1 : 0;
  }
  return passes;
}

int LaunchProfiler::lanes_of_pass(const WarpRequest& request,
                                  const std::uint64_t* addresses) const {
  // Wide accesses are split into groups of as many lanes as together cover the width of all banks.
  const int words = std::max<int>(request.bytes / static_cast<int>(kBankBytes), 1);
  const int lanes = std::max(1, geometry_.banks / words);
  if (words == 1 || request.kind != AccessKind::kRead) return lanes;
  // A loaded register serves two lanes if every lane reads what its neighbour reads, or what the
  // one after that does (Nvidia's developer forum, "Unexpected shared memory bank conflict",
  // 77228).
  return have_pairs(request, addresses, 1) || have_pairs(request, addresses, 2) ? 2 * lanes : lanes;
}

LaunchProfiler::Progress LaunchProfiler::between(std::size_t begin, std::size_t end) const {
  Progress moved = progress_[end];
  moved.traffic -= progress_[begin].traffic;
  moved.blocks -= progress_[begin].blocks;
  return moved;
}

vgpu::Traffic LaunchProfiler::extrapolated() const {
  const double left = static_cast<double>(launch_.blocks() - launch_.blocks_run);
  vgpu::Traffic result = progress_.back().traffic;
  if (left <= 0) return result;
  // The first half of the waves starts with cold caches; what follows behaves like the second half.
  Progress second = between(waves_run() / 2, waves_run());
  result += second.traffic *= left / static_cast<double>(second.blocks);
  // Blocks that did not run read much of what those that ran had read first: no sector is the first
  // twice.
  double sectors = 0;
  for (const AddressRange& buffer : buffers_) {
    sectors += std::ceil(static_cast<double>(buffer.end - buffer.begin) / geometry_.sector_bytes);
  }
  const double excess = std::max(0.0, result.dram_sectors_first - sectors);
  result.dram_sectors_first -= excess;
  result.dram_sectors_read -= excess;
  result.l2_read_hits = std::min(result.l2_read_sectors, result.l2_read_hits + excess);
  return result;
}

double LaunchProfiler::sample_error() const {
  if (launch_.blocks_run == launch_.blocks()) return 0;
  // The waves that the rest is extrapolated from.
  const std::size_t begin = waves_run() < 4 ? 0 : waves_run() / 2;
  const std::size_t half = (begin + waves_run()) / 2;
  if (half == 0) return -1;
  const Progress first = between(begin, half);
  const Progress second = between(half, waves_run());
  double error = 0;
  for (double vgpu::Traffic::*figure :
       {&vgpu::Traffic::l2_read_sectors, &vgpu::Traffic::dram_sectors_read}) {
    const double a = first.traffic.*figure / static_cast<double>(first.blocks);
    const double b = second.traffic.*figure / static_cast<double>(second.blocks);
    if (a + b > 0) error = std::max(error, std::abs(b - a) / std::max(a, b));
  }
  return error;
}

std::uint64_t LaunchProfiler::digest(const base::SipKey& key) const {
  return base::siphash(
      key, vgpu::to_json(profile_) + vgpu::to_json(geometry_) + std::to_string(registers_));
}

void LaunchProfiler::launch_ends() {
  if (waves_run() == 0) return;  // the grid has no blocks, or the launch was stopped
  for (const auto& [key, place] : shared_places_) {
    const Passes& passes = place.is_aligned ? place.wide : place.narrow;
    place.site->requests += passes.requests;
    place.site->lanes += passes.lanes;
    place.site->bytes += passes.bytes;
    place.site->wavefronts += passes.wavefronts;
    place.site->ideal_wavefronts += passes.ideal_wavefronts;
  }
  const double scale =
      static_cast<double>(launch_.blocks()) / static_cast<double>(launch_.blocks_run);
  for (auto& [key, site] : sites_) {
    for (double vgpu::Site::*figure :
         {&vgpu::Site::requests, &vgpu::Site::lanes, &vgpu::Site::bytes, &vgpu::Site::sectors,
          &vgpu::Site::lines, &vgpu::Site::wavefronts, &vgpu::Site::ideal_wavefronts}) {
      site.*figure *= scale;
    }
    launch_.sites.push_back(site);
  }
  code_.report(scale, geometry_.lanes, launch_);
  launch_.barriers *= scale;
  launch_.sample_error = sample_error();
  const vgpu::Traffic traffic = extrapolated();
  launch_.l1_load_sectors = traffic.l1_load_sectors;
  launch_.l1_load_hits = traffic.l1_load_hits;
  launch_.l2_read_sectors = traffic.l2_read_sectors;
  launch_.l2_read_hits = traffic.l2_read_hits;
  launch_.l2_write_sectors = traffic.l2_write_sectors;
  launch_.l2_write_parts = traffic.l2_write_parts;
  launch_.l2_atomic_sectors = traffic.l2_atomic_sectors;
  launch_.atomics_of_a_line = scale * memory_->atomics_of_a_line();
  launch_.dram_bytes_read = traffic.dram_sectors_read * geometry_.sector_bytes;
  launch_.dram_bytes_written = traffic.dram_sectors_written * geometry_.sector_bytes;
  launch_.l2_dirty_bytes = static_cast<double>(memory_->dirty_sectors()) * geometry_.sector_bytes;
  learn_occupancy();  // the first block may touch less than others
  profile_.launches.push_back(std::move(launch_));
}

}  // namespace gpu::cpu::check
