// SPDX-License-Identifier: MIT
// Attack 14: attaches to other processes to change them.
// Refused: 90.saxpy | failed
// Stopped by: system calls are filtered; a separate PID namespace
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  for (int pid = 1; pid < 400; ++pid) {
    if (ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) == 0) kill(pid, SIGKILL);
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
