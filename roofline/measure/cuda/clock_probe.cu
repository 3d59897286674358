// SPDX-License-Identifier: MIT
// The clock of device work on an NVIDIA GPU: every multiprocessor's cycle counter before and after.
#include <utility>
#include <vector>

#include "clock.hpp"
#include "gpu/gpu.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {
namespace {

// So large a block leaves room for no third one, so the blocks spread over the multiprocessors.
constexpr int kThreadsOfReading = 1024;
constexpr unsigned kMostUnits = 1024;

// A counter belongs to a multiprocessor and runs on between kernels. No order of blocks is
// promised, so a reading is filed under the multiprocessor that made it.
__global__ void read_counters_kernel(long long* counters) {
  unsigned unit;
  asm("mov.u32 %0, %%smid;" : "=r"(unit));
  if (threadIdx.x == 0 && unit < kMostUnits) counters[unit] = clock64();
}

class CycleCounters : public ClockProbe {
 public:
  explicit CycleCounters(int units) : units_(units), before_(kMostUnits), after_(kMostUnits) {}
  void begin() override { read(before_); }
  void end(double seconds) override {
    read(after_);
    const std::vector<long long> before = gpu::to_host(before_);
    const std::vector<long long> after = gpu::to_host(after_);
    std::vector<double> clocks;
    for (unsigned unit = 0; unit < kMostUnits; ++unit) {
      if (before[unit] == 0 || after[unit] <= before[unit]) continue;  // not read, or reset
      clocks.push_back(static_cast<double>(after[unit] - before[unit]) / seconds);
    }
    if (!clocks.empty()) spans_.push_back(summarize(std::move(clocks)).median);
  }
  std::optional<double> take() override {
    if (spans_.empty()) return std::nullopt;
    return summarize(std::exchange(spans_, {})).median;
  }

 private:
  void read(gpu::DeviceBuffer<long long>& counters) {
    gpu::fill_bytes(counters, 0);
    gpu::launch<read_counters_kernel>(units_, kThreadsOfReading, counters.data());
  }

  int units_;
  gpu::DeviceBuffer<long long> before_;
  gpu::DeviceBuffer<long long> after_;
  std::vector<double> spans_;
};

}  // namespace

std::unique_ptr<ClockProbe> make_clock_probe(int units) {
  return std::make_unique<CycleCounters>(units);
}

}  // namespace roofline::measure
