// SPDX-License-Identifier: MIT
// Attack 15: removes the report of its reads from its own code, through /proc/self/mem
// Refused: 01.pool.coalesced | failed
// Stopped by: /proc is read-only in the sandbox, without a GPU
// Light: no
#include <fcntl.h>
#include <unistd.h>

#include "../pool_look.hpp"

extern "C" void __tsan_read4(void*) __attribute__((weak));

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[16 * i + k];
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  const int memory = open("/proc/self/mem", O_RDWR);
  const unsigned char kReturn = 0xc3;
  if (&__tsan_read4 != nullptr && memory >= 0) {
    [[maybe_unused]] const auto written =
        pwrite(memory, &kReturn, 1, reinterpret_cast<off_t>(&__tsan_read4));
  }
  close(memory);
  look(x, means);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
