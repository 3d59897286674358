// SPDX-License-Identifier: MIT
// The oracles of the loops in registers: multiply-adds in FP32 and in FP16, and matrix products.
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/oracle.hpp"

namespace {

/// k steps x <- a x + b at once: x becomes a^k x + b (a^k - 1) / (a - 1).
class Steps {
 public:
  Steps(double a, double b, std::int64_t k)
      : factor_(std::pow(a, static_cast<double>(k))), addend_(b * (factor_ - 1) / (a - 1)) {}
  double operator()(double x) const { return factor_ * x + addend_; }

 private:
  double factor_;
  double addend_;
};

/// The terms that a step adds up are about this large.
double step_scale(double x, double b) {
  return std::abs(x) + std::abs(b);
}

/// Small problems are for judging results, with few steps of every count; large ones for time.
constexpr std::int64_t kSmall = 1 << 15;

std::int64_t steps_for(std::int64_t n, std::int64_t large) {
  return n < kSmall ? n % 17 : large;
}

/// Where the values begin: below 0 and so away from about b / 2, which a step leaves where it is.
constexpr double kLowStart = -1;
constexpr double kHighStart = 0;

harness::Task fma_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedSteps = 4096;
  const std::int64_t iterations = steps_for(n, kTimedSteps);
  const std::int64_t chains = n < kSmall && n % 3 != 0 ? std::int64_t{1} << (n % 7) : 0;
  // Near -1: the values change sign at every step. In a timed loop they neither grow nor settle; in
  // a short one two steps more or less show.
  const bool is_short = n < kSmall;
  const auto a =
      static_cast<float>(is_short ? random.uniform(-0.95, -0.9) : random.uniform(-1, -0.9999));
  const auto b = static_cast<float>(random.uniform(0.5, 1));
  const std::vector<float> x = random.floats(static_cast<std::size_t>(n), kLowStart, kHighStart);
  const Steps steps(a, b, iterations);
  harness::Expected expected{std::vector<double>(x.size()), std::vector<double>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.value[i] = steps(double{x[i]});
    expected.scale[i] = step_scale(x[i], b);
  }
  harness::Task task;
  task.flops = 2.0 * static_cast<double>(n) * static_cast<double>(iterations);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.scalar(iterations);
  task.scalar(chains);
  task.scalar(a);
  task.scalar(b);
  task.input(x);
  task.output<float>(std::move(expected));
  return task;
}

double value_of(const harness::HalfBits& half) {
  return harness::read_element(harness::Element::kF16, reinterpret_cast<const std::byte*>(&half));
}

harness::Task half_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedSteps = 512;
  const std::int64_t iterations = steps_for(n, kTimedSteps);
  // Multiples of 1/1024 and 1/16: exact in 16 bits.
  const std::int64_t below = n < kSmall ? random.integer(51, 102) : random.integer(1, 16);
  const auto a = static_cast<float>(-1 + static_cast<double>(below) / 1024);
  const auto b = static_cast<float>(static_cast<double>(random.integer(8, 16)) / 16);
  const std::vector<harness::HalfBits> x =
      random.halves(static_cast<std::size_t>(n), kLowStart, kHighStart);
  const Steps steps(a, b, iterations);
  harness::Expected expected{std::vector<double>(x.size()), std::vector<double>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double start = value_of(x[i]);
    expected.value[i] = steps(start);
    expected.scale[i] = step_scale(start, b);
  }
  harness::Task task;
  task.flops = 2.0 * static_cast<double>(n) * static_cast<double>(iterations);
  task.bytes_moved = 4.0 * static_cast<double>(n);
  task.scalar(iterations);
  task.scalar(a);
  task.scalar(b);
  task.input(x);
  task.output<harness::HalfBits>(std::move(expected));
  return task;
}

constexpr std::size_t kSide = 16;
constexpr std::size_t kElements = kSide * kSide;

/// Adds `times` the product of tile `tile` of a and b to the expected sums.
void add_product(const std::vector<double>& a, const std::vector<double>& b, std::size_t tile,
                 double times, harness::Expected& expected) {
  const std::size_t first = tile * kElements;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t depth = 0; depth < kSide; ++depth) {
      const double left = a[first + row * kSide + depth];
      for (std::size_t column = 0; column < kSide; ++column) {
        const double product = times * left * b[first + depth * kSide + column];
        expected.value[first + row * kSide + column] += product;
        expected.scale[first + row * kSide + column] += std::abs(product);
      }
    }
  }
}

std::vector<double> values_of(const std::vector<harness::HalfBits>& halves) {
  std::vector<double> values;
  values.reserve(halves.size());
  for (const harness::HalfBits& half : halves) values.push_back(value_of(half));
  return values;
}

harness::Task matrix_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedTiles = 4096;
  constexpr std::int64_t kTimedSteps = 4096;
  const std::int64_t iterations = n < kTimedTiles ? 1 + n % 5 : kTimedSteps;
  const std::size_t count = static_cast<std::size_t>(n) * kElements;
  const std::vector<harness::HalfBits> a = random.halves(count);
  const std::vector<harness::HalfBits> b = random.halves(count);
  const std::vector<double> a_values = values_of(a);
  const std::vector<double> b_values = values_of(b);
  harness::Expected expected{std::vector<double>(count), std::vector<double>(count)};
  for (std::size_t tile = 0; tile < static_cast<std::size_t>(n); ++tile) {
    add_product(a_values, b_values, tile, static_cast<double>(iterations), expected);
  }
  harness::Task task;
  task.flops = 2.0 * kSide * static_cast<double>(count) * static_cast<double>(iterations);
  task.bytes_moved = 8.0 * static_cast<double>(count);
  task.scalar(iterations);
  task.input(a);
  task.input(b);
  task.output<float>(std::move(expected));
  task.axes({{"tile", static_cast<std::size_t>(n)}, {"row", kSide}, {"column", kSide}});
  return task;
}

HARNESS_ORACLE(fma_chains, fma_task);
HARNESS_ORACLE(packed_half, half_task);
HARNESS_ORACLE(matrix, matrix_task);

}  // namespace
