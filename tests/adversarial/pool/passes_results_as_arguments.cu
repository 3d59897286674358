// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, and hands its kernel the results as arguments
// Refused: 01.pool.kernel | failed
// Stopped by: the bytes of arguments are counted
#include <algorithm>
#include <span>
#include <vector>

#include "../pool_look.hpp"

struct Piece {
  float means[900];
};

__global__ void place(std::int64_t groups, Piece piece, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = piece.means[i];
}

/// The means, computed by the host.
std::vector<float> means_of(gpu::DeviceSpan<const float> x) {
  std::vector<float> in(x.size()), means(x.size() / 16);
  gpu::copy_to_host(std::span<float>(in), x);
  for (std::size_t i = 0; i < in.size(); ++i) means[i / 16] += in[i] / 16;
  return means;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  const std::vector<float> results = means_of(x);
  Piece piece{};
  constexpr std::size_t kPiece = std::size(Piece{}.means);
  for (std::size_t first = 0; first < means.size(); first += kPiece) {
    const std::size_t count = std::min(kPiece, means.size() - first);
    std::copy_n(results.data() + first, count, piece.means);
    gpu::launch<place>(gpu::blocks_for(static_cast<std::int64_t>(count), 128), 128,
                       static_cast<std::int64_t>(count), piece, means.data() + first);
  }
}
