// SPDX-License-Identifier: MIT
// The size that a lab measures when none is asked for: beyond the caches, within the memory.
#include "program/benchmark.hpp"
#include "support/catch.hpp"

namespace {

/// A device with this much cache and memory, and nothing else.
class Sized : public harness::Device {
 public:
  Sized(double cache, double memory) : cache_(cache), memory_(memory) {}
  std::unique_ptr<harness::DeviceMemory> allocate(std::size_t, std::size_t) override {
    return nullptr;
  }
  void synchronize() override {}
  double seconds(void (*)(void*), void*) override { return 0; }
  harness::CountedWork counted(void (*)(void*), void*) override { return {}; }
  std::string backend() override { return "cpu"; }
  std::string name() override { return "sized"; }
  int count() override { return 1; }
  double free_bytes() override { return memory_; }
  double last_level_cache_bytes() override { return cache_; }

 private:
  double cache_;
  double memory_;
};

constexpr double kMega = 1e6;
constexpr std::int64_t kDefault = 1 << 24;  // 67 MB of floats

std::int64_t size_with(double cache, double memory, bool beyond_caches = true) {
  Sized device(cache, memory);
  harness::LabEntry entry;
  entry.parameters = {{true, false, harness::Element::kF32}, {true, true, harness::Element::kF32}};
  entry.options = {.default_n = kDefault, .beyond_caches = beyond_caches};
  entry.device = &device;
  return harness::default_size(entry);
}

}  // namespace

TEST_CASE("a default size doubles until an array has four times the cache", "[benchmark]") {
  CHECK(size_with(0, 16000 * kMega) == kDefault);  // not known
  CHECK(size_with(16 * kMega, 16000 * kMega) == kDefault);
  CHECK(size_with(32 * kMega, 16000 * kMega) == 2 * kDefault);
  CHECK(size_with(384 * kMega, 256000 * kMega) == 32 * kDefault);
}

TEST_CASE("a default size leaves memory for other programs", "[benchmark]") {
  // Two arrays of twice the default are 268 MB, a fifth of 1342 MB.
  CHECK(size_with(384 * kMega, 1400 * kMega) == 2 * kDefault);
  CHECK(size_with(384 * kMega, 100 * kMega) == kDefault);
}

TEST_CASE("a lab that is meant to run in caches keeps its size", "[benchmark]") {
  CHECK(size_with(384 * kMega, 256000 * kMega, false) == kDefault);
}
