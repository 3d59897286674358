// SPDX-License-Identifier: MIT
// The size that a lab measures by default, beyond the caches and within the memory, and the numbers
// that fill its buffers.
#include "program/benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "support/catch.hpp"

namespace {

/// A device with the given cache and memory sizes, and nothing else.
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
  CHECK(size_with(0, 16000 * kMega) == kDefault);  // unknown
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

namespace {

/// Host memory that takes what is uploaded.
class Memory : public harness::DeviceMemory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {}
  std::byte* data() override { return bytes_.data(); }
  void upload(std::span<const std::byte> host) override {
    std::copy(host.begin(), host.end(), bytes_.begin());
  }
  void download(std::span<std::byte> host) override {
    std::copy(bytes_.begin(), bytes_.end(), host.begin());
  }
  void copy_from(harness::DeviceMemory& other) override {
    std::copy_n(other.data(), bytes_.size(), bytes_.begin());
  }
  void read(std::size_t offset, std::span<std::byte> host) override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), host.size(), host.begin());
  }

 private:
  std::vector<std::byte> bytes_;
};

class WithMemory : public Sized {
 public:
  WithMemory() : Sized(0, 16000 * kMega) {}
  std::unique_ptr<harness::DeviceMemory> allocate(std::size_t bytes, std::size_t) override {
    return std::make_unique<Memory>(bytes);
  }
};

/// The arguments of the last call of keep().
std::vector<float> given;
void keep(const harness::BoundArgument* arguments) {
  const auto* from = static_cast<const float*>(arguments[0].data);
  given.assign(from, from + arguments[0].count);
}

}  // namespace

TEST_CASE("a measured buffer is random to its last element", "[benchmark]") {
  WithMemory device;
  harness::LabEntry entry;
  entry.parameters = {{true, false, harness::Element::kF32}};
  entry.invoke = &keep;
  entry.device = &device;
  constexpr std::size_t kRow = 1 << 20;
  constexpr std::int64_t kElements = 3 * kRow + 5;
  harness::call_once(entry, kElements, {});
  REQUIRE(given.size() == kElements);
  // Uniform over [-1, 1): mean 0 and mean square 1/3, both at the beginning and at the end of a
  // buffer.
  for (const std::size_t first : {std::size_t{0}, 2 * kRow, given.size() - 1000}) {
    double sum = 0, squares = 0;
    for (std::size_t i = first; i < first + 1000; ++i) {
      CHECK(std::fabs(given[i]) <= 1);
      sum += given[i];
      squares += given[i] * given[i];
    }
    CHECK(std::fabs(sum / 1000) < 0.1);
    CHECK(std::fabs(squares / 1000 - 1.0 / 3) < 0.05);
  }
  // With rows of a power of two numbers, no row repeats the previous one.
  for (std::size_t row = 1 << 10; row <= kRow; row *= 2) {
    CHECK(!std::equal(given.begin(), given.begin() + 8, given.begin() + static_cast<long>(row)));
  }
}
