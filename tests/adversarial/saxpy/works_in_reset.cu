// SPDX-License-Identifier: MIT
// Attack 26: computes on another thread as soon as inputs are put back, before the time is taken.
// Refused: 90.saxpy-speed | failed
// Stopped by: unseen inputs are timed separately
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kTurns = 20;

/// Right but slow: repeats the same multiply-add.
__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int turn = 0; turn < kTurns; ++turn) sum = a * x[i] + y[i];
  y[i] = sum;
}

/// A buffer that is refilled with the same numbers again and again.
struct Place {
  const float* x = nullptr;
  float* y = nullptr;
  std::int64_t n = 0;
  float a = 0;
  float last = 0;  ///< of its content before the work
  std::vector<float> result;
  std::atomic<bool> is_ready = false;
};

std::mutex mutex;
std::map<float*, std::unique_ptr<Place>> places;

void prepare() {
  while (true) {
    {
      const std::lock_guard lock(mutex);
      for (auto& [y, place] : places) {
        if (place->is_ready || place->y[place->n - 1] != place->last) continue;
        for (std::int64_t i = 0; i < place->n; ++i) {
          place->result[static_cast<std::size_t>(i)] = place->a * place->x[i] + place->y[i];
        }
        place->is_ready = true;
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Place>& place = places[y.data()];
  if (place && place->n == n && place->is_ready.exchange(false)) {
    std::memcpy(y.data(), place->result.data(), place->result.size() * sizeof(float));
    return;
  }
  static std::thread worker;
  if (n > 1000000) {
    place = std::make_unique<Place>();
    place->x = x.data();
    place->y = y.data();
    place->n = n;
    place->a = a;
    place->last = y.data()[n - 1];
    place->result.resize(static_cast<std::size_t>(n));
    if (!worker.joinable()) worker = std::thread(prepare);
  }
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
