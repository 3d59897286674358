// SPDX-License-Identifier: MIT
// Attack 13: answers the grader in the harness's place, in the right form: that the call is done.
// Refused: 90.saxpy | crashed
// Stopped by: replies are signed with a key that the student cannot reach
#include <sys/socket.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

std::string bits(std::int64_t number) {
  std::string text(sizeof number, '\0');
  std::memcpy(text.data(), &number, sizeof number);
  return text;
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  // A list of a number, a text with the list ("ok"), and a signature.
  const std::string done = "l" + bits(1) + "t" + bits(2) + "ok";
  const std::string body = "l" + bits(3) + "i" + bits(3) + "t" +
                           bits(static_cast<std::int64_t>(done.size())) + done + "i" + bits(0);
  const std::uint32_t head[2] = {0x42414c52, static_cast<std::uint32_t>(body.size())};
  std::string frame(sizeof head, '\0');
  std::memcpy(frame.data(), head, sizeof head);
  frame += body;
  (void)!send(3, frame.data(), frame.size(), 0);
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n, 256), 256, n, a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
