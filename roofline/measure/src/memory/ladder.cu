// SPDX-License-Identifier: MIT
// The memory ladder: read bandwidth as a function of the working set size.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/gpu.hpp"
#include "ladder.hpp"
#include "unrolled.hpp"
#include "walk.hpp"

namespace roofline::measure {
namespace {

using DoubleLane = Lane<double>;

// Small integers: their sum is exact in any order, however often they are read.
constexpr int kValues = 7;
// Bytes read by one launch: enough to make the cost of starting it negligible.
constexpr double kBytesPerUnit = kContiguousThreads ? 256e6 : 128e6;
constexpr double kSmallestPiece = 32768;
constexpr double kClearlyInside = 0.6;
constexpr double kClearlyOutside = 2;

// Block b reads piece (b + rotation(pass)) mod pieces in each pass, or always piece b. On a GPU the
// threads of a block share the piece; on a CPU a block is one thread.
__global__ void ladder_kernel(double* partial, const double* data, std::size_t lanes_per_piece,
                              int passes, bool rotates) {
  const int pieces = static_cast<int>(gridDim.x);
  const std::size_t threads = static_cast<std::size_t>(blockDim.x);
  DoubleLane sums[kLanesAtATime];
  unrolled<kLanesAtATime>([&](int u) { sums[u] = splat<DoubleLane>(0.0); });
  int piece = static_cast<int>(blockIdx.x);
  for (int pass = 0; pass < passes; ++pass) {
    const DoubleLane* from = reinterpret_cast<const DoubleLane*>(data) +
                             static_cast<std::size_t>(piece) * lanes_per_piece +
                             static_cast<std::size_t>(threadIdx.x);
    for (std::size_t k = 0; k < lanes_per_piece; k += kLanesAtATime * threads) {
      unrolled<kLanesAtATime>(
          [&](int u) { sums[u] = sums[u] + from[k + static_cast<std::size_t>(u) * threads]; });
    }
    if (rotates) piece = (static_cast<int>(blockIdx.x) + rotation(pass + 1, pieces)) % pieces;
  }
  double total = 0;
  unrolled<kLanesAtATime>([&](int u) {
    for (int i = 0; i < kLaneWidth<double>; ++i) total += element(sums[u], i);
  });
  partial[index_of_this_thread()] = total;
}

__global__ void count_up_kernel(double* data, std::size_t per_thread) {
  const Walk walk = walk_of_this_thread(per_thread);
  for (std::size_t k = 0; k < per_thread; ++k) {
    const std::size_t i = walk.first + k * walk.step;
    data[i] = static_cast<double>(i % kValues);
  }
}

double expected_sum(std::size_t elements) {
  const double cycles = std::floor(static_cast<double>(elements) / kValues);
  double sum = cycles * kValues * (kValues - 1) / 2;
  for (std::size_t i = 0; i < elements % kValues; ++i) sum += static_cast<double>(i);
  return sum;
}

std::string level_between(const CacheSizes& caches, int units, double bytes) {
  struct Level {
    const char* name;
    double capacity;
  };
  std::vector<Level> levels = {{"L1", caches.l1_per_unit * units}, {"L2", caches.l2}};
  if (caches.last_level > caches.l2) levels.push_back({"LLC", caches.last_level});
  std::string above = "DRAM";
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (levels[i].capacity <= 0) continue;
    if (bytes >= kClearlyOutside * levels[i].capacity) return above;
    if (bytes > kClearlyInside * levels[i].capacity) return levels[i].name + ("-" + above);
    above = levels[i].name;
  }
  return above;
}

}  // namespace

std::vector<Rung> rungs(const CacheSizes& caches, int units) {
  const double l1 = std::max(caches.l1_per_unit, 16384.0);
  std::vector<Rung> all;
  const double last = 4 * std::max({caches.l2, caches.last_level, 2 * l1 * units});
  if (kContiguousThreads) {
    for (double bytes = l1 / 4 * units; bytes <= last * 1.01; bytes *= std::sqrt(2.0)) {
      all.push_back({bytes, level_between(caches, units, bytes), true});
    }
    return all;
  }
  for (const double part : {0.25, 0.35, 0.5}) all.push_back({part * l1 * units, "L1", true});
  // Pieces that move from unit to unit never stay in an L1 unless it can hold all of them.
  const CacheSizes shared{0, caches.l2, caches.last_level};
  for (double bytes = std::max(4 * l1, kSmallestPiece * units); bytes <= last * 1.01;
       bytes *= std::sqrt(2.0)) {
    all.push_back({bytes, level_between(shared, units, bytes), false});
  }
  return all;
}

Ladder::Ladder(double most_bytes, int units)
    : units_(units),
      data_(static_cast<std::size_t>(most_bytes * 1.1 / sizeof(double)) / (1024 * 64) *
                (1024 * 64) +
            1024 * 64 * static_cast<std::size_t>(units)),
      partial_(static_cast<std::size_t>(units) * 4096) {
  const unsigned block = kContiguousThreads ? 1 : 1024;
  const auto grid = static_cast<unsigned>(units);
  const std::size_t threads = static_cast<std::size_t>(grid) * block;
  gpu::launch<count_up_kernel>(grid, block, data_.data(), data_.size() / threads);
  gpu::synchronize();
}

std::vector<LaunchShape> Ladder::shapes() const {
  const auto count = static_cast<unsigned>(units_);
  if (kContiguousThreads) return {{count, 1}};
  return {{count, 256}, {count, 512}, {count, 1024}, {2 * count, 1024}};
}

std::vector<LadderCandidate> Ladder::candidates(const Rung& rung) {
  std::vector<LadderCandidate> all;
  for (const LaunchShape& shape : shapes()) {
    const double granule = static_cast<double>(kLaneBytes) * kLanesAtATime * shape.block;
    const double per_piece = std::round(rung.bytes / shape.grid / granule);
    if (per_piece < 1) continue;
    const auto lanes_per_piece = static_cast<std::size_t>(per_piece) * kLanesAtATime * shape.block;
    const double bytes = static_cast<double>(lanes_per_piece) * kLaneBytes * shape.grid;
    const int passes = std::max(1, static_cast<int>(kBytesPerUnit * units_ / bytes));
    LadderCandidate candidate;
    candidate.passes = passes;
    candidate.elements = lanes_per_piece * shape.grid * kLaneWidth<double>;
    candidate.description = shape.description() + ", " + std::to_string(passes) + " passes";
    candidate.amount = bytes * passes;
    candidate.launch = [shape, lanes_per_piece, passes, rotates = !rung.private_pieces,
                        data = data_.data(), partial = partial_.data()] {
      gpu::launch<ladder_kernel>(shape.grid, shape.block, partial, data, lanes_per_piece, passes,
                                 rotates);
    };
    all.push_back(std::move(candidate));
  }
  return all;
}

bool Ladder::sum_is_right(const LadderCandidate& candidate) {
  gpu::fill_bytes(partial_, 0);
  candidate.launch();
  const std::vector<double> partial = gpu::to_host(partial_);
  const double sum = std::accumulate(partial.begin(), partial.end(), 0.0);
  return sum == candidate.passes * expected_sum(candidate.elements);
}

}  // namespace roofline::measure
