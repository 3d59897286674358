// SPDX-License-Identifier: MIT
// The oracles of the loops in registers: multiply-adds in FP32 and in FP16, and matrix products.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "harness/oracle.hpp"
#include "harness/oracle/chain.hpp"

namespace {

float half_of(double value) {
  return static_cast<float>(harness::from_element(harness::to_element<harness::HalfBits>(value)));
}

/// A step in FP16, whose products and sums are exact in FP64.
struct HalfStep {
  double a, b;
  float rounded_once(float x) const { return half_of(a * double{x} + b); }
  float rounded_twice(float x) const { return half_of(double{half_of(a * double{x})} + b); }
};

/// Small problems check results, with 0 to 16 steps; large ones are timed.
constexpr std::int64_t kSmall = 1 << 15;

bool is_small(std::size_t n) {
  return n < std::size_t{kSmall};
}

std::int64_t steps_for(std::int64_t n, std::int64_t large) {
  return is_small(static_cast<std::size_t>(n)) ? n % 17 : large;
}

harness::Task fma_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedSteps = 4096;
  // About 4 units in the last place, of the exercise's tolerance.
  constexpr double kFewDigits = 5e-4;
  const std::int64_t iterations = steps_for(n, kTimedSteps);
  const std::int64_t chains = n < kSmall && n % 3 != 0 ? std::int64_t{1} << (n % 7) : 0;
  // Near -1: the values change sign at every step. In a timed loop they neither grow nor settle,
  // and what a step changes in two of them is hundreds of units in the last place; in a short one
  // two steps more or less show.
  const auto a = static_cast<float>(n < kSmall ? random.uniform(-0.95, -0.9)
                                               : random.uniform(-0.9999, -0.9997));
  const auto b = static_cast<float>(random.uniform(0.5, 1));
  // Below 0 and so away from about b / 2, which a step leaves where it is.
  const std::vector<float> x = random.floats(static_cast<std::size_t>(n), -1, 0);
  harness::Task task;
  task.flops = 2.0 * static_cast<double>(n) * static_cast<double>(iterations);
  task.bytes_moved = 8.0 * static_cast<double>(n);
  task.scalar(iterations);
  task.scalar(chains);
  task.scalar(a);
  task.scalar(b);
  task.input(x);
  const harness::SingleStep step{a, b};
  task.output<float>(harness::after_steps(x, step, iterations, 1, random));
  if (is_small(x.size())) harness::name_formula(task, x, step, iterations, kFewDigits);
  return task;
}

/// Sizes at which the steps in 16 bits are counted: larger than the number of halves, and checked
/// in a second. No timed problem has them.
bool counts_half_steps(std::int64_t n) {
  return n > 1 << 16 && n < 1 << 18;
}

harness::Task half_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedSteps = 512;
  constexpr std::int64_t kCountedSteps = 16;
  constexpr double kFewDigits = 0.05;
  const std::int64_t iterations = steps_for(n, counts_half_steps(n) ? kCountedSteps : kTimedSteps);
  // Multiples of 1/1024 and 1/16: exact in 16 bits. Values stay between b / 8 and b, so that a step
  // is exact in FP32 as well: one that is taken there and then rounded is right.
  const std::int64_t below = n < kSmall ? random.integer(51, 102) : random.integer(2, 3);
  const double a = -1 + static_cast<double>(below) / 1024;
  const double b = static_cast<double>(random.integer(12, 16)) / 16;
  const std::vector<harness::HalfBits> x =
      random.halves(static_cast<std::size_t>(n), 0.55 * b, 0.8 * b);
  std::vector<float> starts;
  for (const harness::HalfBits& half : x) {
    starts.push_back(static_cast<float>(harness::from_element(half)));
  }
  harness::Task task;
  task.flops = 2.0 * static_cast<double>(n) * static_cast<double>(iterations);
  task.bytes_moved = 4.0 * static_cast<double>(n);
  task.scalar(iterations);
  task.scalar(static_cast<float>(a));
  task.scalar(static_cast<float>(b));
  task.input(x);
  const HalfStep step{a, b};
  task.output<harness::HalfBits>(harness::after_steps(starts, step, iterations, 1, random));
  if (counts_half_steps(n)) {
    // A step is a multiply-add, or a product and a sum.
    task.works_by(
        "executed_flops", task.flops, std::numeric_limits<double>::infinity(),
        "Each element is to take each of the steps. A table of what the 65536 halves lead to has "
        "the same results, and measures nothing.");
  }
  if (is_small(x.size())) harness::name_formula(task, starts, step, iterations, kFewDigits);
  return task;
}

constexpr std::size_t kSide = 16;
constexpr std::size_t kElements = kSide * kSide;

/// Each tile with rows and columns exchanged.
std::vector<double> transposed(const std::vector<double>& tiles) {
  std::vector<double> result(tiles.size());
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const std::size_t row = i / kSide % kSide, column = i % kSide;
    result[i - i % kElements + column * kSide + row] = tiles[i];
  }
  return result;
}

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
  for (const harness::HalfBits& half : halves) {
    values.push_back(harness::from_element(half));
  }
  return values;
}

harness::Task matrix_task(std::int64_t n, harness::Random& random) {
  constexpr std::int64_t kTimedTiles = 4096;
  constexpr std::int64_t kTimedSteps = 4096;
  // They fill one multiprocessor of the virtual GPU.
  constexpr std::int64_t kTilesOfAPart = 96;
  constexpr std::int64_t kStepsOfAPart = 192;
  const std::int64_t iterations = n == kTilesOfAPart ? kStepsOfAPart
                                  : n < kTimedTiles  ? 1 + n % 5
                                                     : kTimedSteps;
  const std::size_t count = static_cast<std::size_t>(n) * kElements;
  const std::vector<harness::HalfBits> a = random.halves(count);
  const std::vector<harness::HalfBits> b = random.halves(count);
  const std::vector<double> a_values = values_of(a);
  const std::vector<double> b_values = values_of(b);
  const auto products_of = [&](const std::vector<double>& left, const std::vector<double>& right,
                               std::int64_t times) {
    harness::Expected sums{std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t tile = 0; tile < static_cast<std::size_t>(n); ++tile) {
      add_product(left, right, tile, static_cast<double>(times), sums);
    }
    return sums;
  };
  const auto products = [&](const std::vector<double>& left, const std::vector<double>& right) {
    return products_of(left, right, iterations);
  };
  harness::Task task;
  task.flops = 2.0 * kSide * static_cast<double>(count) * static_cast<double>(iterations);
  task.bytes_moved = 8.0 * static_cast<double>(count);
  task.scalar(iterations);
  task.input(a);
  task.input(b);
  task.output<float>(products(a_values, b_values));
  task.axes({{"tile", static_cast<std::size_t>(n)}, {"row", kSide}, {"column", kSide}});
  if (n > 0) {
    task.works_by("matrix_products", task.flops / 2, std::numeric_limits<double>::infinity(),
                  "Each of the steps is to be a product on the matrix units. One product that is "
                  "multiplied by their number has the same sums, and measures nothing.");
  }
  constexpr std::int64_t kMistakenTiles = 5;  // common mistakes show in one
  if (n > kMistakenTiles) return task;
  const std::vector<double> a_turned = transposed(a_values), b_turned = transposed(b_values);
  constexpr const char* kOrder = " read as if they lay column after column.";
  task.mistake(products(a_values, b_turned), std::string("The tiles of b are") + kOrder);
  task.mistake(products(a_turned, b_values), std::string("The tiles of a are") + kOrder);
  task.mistake(products(a_turned, b_turned), std::string("The tiles of both are") + kOrder);
  task.mistake(products(b_turned, a_turned), "The results are written column after column.");
  task.mistake(
      products_of(a_values, b_values, 1),
      "This is a single product, or the last one. The products of all iterations are added "
      "up.");
  return task;
}

HARNESS_ORACLE(fma_chains, fma_task);
HARNESS_ORACLE(packed_half, half_task);
HARNESS_ORACLE(matrix, matrix_task);

}  // namespace
