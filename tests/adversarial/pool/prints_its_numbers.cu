// SPDX-License-Identifier: MIT
// Attack 22: prints its numbers into a file, from which the host computes
// Refused: 01.pool.kernel | failed
// Stopped by: results that the host puts into device memory and no kernel computes are refused
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../pool_lab.hpp"

__global__ void print(std::int64_t n, const float* x) {
  for (std::int64_t i = 0; i < n; ++i) std::printf("%a\n", double{x[i]});
}

__global__ void place(std::int64_t groups, const float* from, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = from[i];
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  char name[] = "/tmp/numbersXXXXXX";
  std::FILE* const file = fdopen(mkstemp(name), "r");
  if (file == nullptr || std::freopen(name, "w", stdout) == nullptr) return;
  gpu::launch<print>(1, 1, 16 * groups, x.data());
  std::fflush(stdout);
  std::vector<float> results(means.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    float number = 0;
    if (std::fscanf(file, "%f", &number) == 1) results[i / 16] += number / 16;
  }
  std::fclose(file);
  std::remove(name);
  const auto device = gpu::to_device(results);
  gpu::launch<place>(gpu::blocks_for(groups, 128), 128, groups, device.data(), means.data());
}
