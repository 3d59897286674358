// SPDX-License-Identifier: MIT
// Peaks of packed, dot-product and matrix instructions, in registers.
#include <algorithm>

#include "gpu/gpu.hpp"
#include "launch_shape.hpp"
#include "measure/backend/instructions.hpp"
#include "memory/walk.hpp"
#include "packed_peak.hpp"
#include "unrolled.hpp"

namespace roofline::measure {
namespace {

// Few enough that sums of small integers stay exact in FP32.
constexpr int kPackedSteps = kContiguousThreads ? 1 << 17 : 1 << 12;

template <class I, int chains, int repeat>
__global__ void packed_kernel(double* out, int iterations, bool exact) {
  const std::size_t thread = index_of_this_thread();
  const typename I::Operands operands = I::operands(thread, exact);
  typename I::State state[chains];
  unrolled<chains>([&](int c) { state[c] = I::start(thread, c, exact); });
  for (int i = 0; i < iterations; ++i) {
    unrolled<repeat>([&](int) { unrolled<chains>([&](int c) { I::step(state[c], operands); }); });
  }
  double sum = 0;
  unrolled<chains>([&](int c) { sum += I::sum(state[c]); });
  out[thread] = sum;
}

template <class I>
class PeakOf : public PackedPeak {
 public:
  explicit PeakOf(int units) : units_(units), out_(static_cast<std::size_t>(units) * 2048) {
    for (const LaunchShape& shape : shapes()) {
      add<4, 8>(shape);
      add<8, 4>(shape);
      add<12, 2>(shape);
      if constexpr (kContiguousThreads) add<20, 2>(shape);
    }
  }
  std::string name() const override {
    return std::string(to_string(I::kPrecision)) + "." + to_string(I::kUnit);
  }
  Precision precision() const override { return I::kPrecision; }
  Unit unit() const override { return I::kUnit; }
  std::string note() const override { return I::kNote; }

  std::vector<Candidate> candidates() override {
    std::vector<Candidate> all;
    for (const Way& way : ways_) {
      Candidate candidate;
      candidate.description =
          way.shape.description() + ", " + std::to_string(way.chains) + " chains";
      candidate.amount = I::kOperationsPerThread * kPackedSteps * way.chains *
                         static_cast<double>(way.shape.threads());
      candidate.launch = [way, out = out_.data()] { way.launch(way.shape, out, false); };
      all.push_back(std::move(candidate));
    }
    return all;
  }

  long wrong_results(std::size_t candidate) override {
    const Way& way = ways_.at(candidate);
    gpu::fill_bytes(out_, 0xff);
    way.launch(way.shape, out_.data(), true);
    const std::vector<double> results = gpu::to_host(out_);
    const auto threads = static_cast<std::ptrdiff_t>(way.shape.threads());
    const double expected = way.chains * I::expected(kPackedSteps);
    return std::count_if(results.begin(), results.begin() + threads,
                         [&](double result) { return !(result == expected); });
  }

 private:
  struct Way {
    LaunchShape shape;
    int chains;
    void (*launch)(const LaunchShape& shape, double* out, bool exact);
  };

  std::vector<LaunchShape> shapes() const {
    const auto count = static_cast<unsigned>(units_);
    if (kContiguousThreads) return {{count, 1}};
    // A warp's matrix fragments fill the registers: more than 256 threads would not start.
    if (I::kUnit == Unit::kMatrix) return {{count, 128}, {count, 256}, {count * 2, 128}};
    return {{count, 256}, {count, 512}, {count * 2, 512}, {count * 2, 1024}};
  }

  template <int chains, int repeat>
  void add(const LaunchShape& shape) {
    ways_.push_back({shape, chains, [](const LaunchShape& with, double* out, bool exact) {
                       gpu::launch<packed_kernel<I, chains, repeat>>(with.grid, with.block, out,
                                                                     kPackedSteps / repeat, exact);
                     }});
  }

  int units_;
  gpu::DeviceBuffer<double> out_;
  std::vector<Way> ways_;
};

template <class... I>
std::vector<std::unique_ptr<PackedPeak>> make(InstructionList<I...>,
                                              const std::string& architecture, int units) {
  std::vector<std::unique_ptr<PackedPeak>> all;
  [[maybe_unused]] const auto add = [&](bool available, auto make_one) {
    if (available) all.push_back(make_one());
  };
  (add(I::available(architecture), [&] { return std::make_unique<PeakOf<I>>(units); }), ...);
  static_cast<void>(architecture);
  static_cast<void>(units);
  return all;
}

}  // namespace

std::vector<std::unique_ptr<PackedPeak>> packed_peaks(const std::string& architecture, int units) {
  return make(Instructions{}, architecture, units);
}

}  // namespace roofline::measure
