// SPDX-License-Identifier: MIT
// The oracle of the four matrix products: C = A B in double precision, on all cores.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "tame.hpp"

namespace {

/// Rows, columns and depth of the product of size n: a square for races and records, otherwise
/// three different lengths, so that a mixed-up index shows.
struct Shape {
  std::size_t m, n, k;
};

Shape shape_of(std::int64_t n) {
  constexpr std::int64_t kSquare = 64;
  const auto size = static_cast<std::size_t>(n);
  // Without products to add up every element is 0, and must still be written.
  constexpr std::int64_t kNoDepth = 7;
  if (n == kNoDepth) return {size, size + 3, 0};
  // Sums short enough that, where each access is checked, several blocks of every rung still run.
  constexpr std::int64_t kShortSums = 131;
  if (n == kShortSums) return {size, size + 3, 7};
  if (n % kSquare == 0) return {size, size, size};
  return {size, size + 3, size + 1};
}

/// Calls work(first, last) for parts of [0, count), each on its own thread.
void in_parallel(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t part = 0; part < parts; ++part) {
    threads.emplace_back(work, count * part / parts, count * (part + 1) / parts);
  }
  for (std::thread& thread : threads) thread.join();
}

std::vector<double> product(const Shape& shape, const std::vector<double>& a,
                            const std::vector<double>& b) {
  constexpr std::size_t kRows = 4;       // rows that share a row of B
  constexpr std::size_t kColumns = 512;  // columns of C that stay in the nearest cache
  std::vector<double> c(shape.m * shape.n);
  in_parallel(shape.m, [&](std::size_t first, std::size_t last) {
    for (std::size_t start = 0; start < shape.n; start += kColumns) {
      const std::size_t end = std::min(start + kColumns, shape.n);
      for (std::size_t top = first; top < last; top += kRows) {
        for (std::size_t p = 0; p < shape.k; ++p) {
          for (std::size_t i = top; i < std::min(top + kRows, last); ++i) {
            const double factor = a[i * shape.k + p];
            const double* b_row = b.data() + p * shape.n;
            double* c_row = c.data() + i * shape.n;
            for (std::size_t j = start; j < end; ++j) c_row[j] += factor * b_row[j];
          }
        }
      }
    }
  });
  return c;
}

/// |row i of A| |column j of B|: an upper bound on the sum of the products' magnitudes. Rounding is
/// relative to the terms of a sum, not to what remains after cancellation.
std::vector<double> magnitudes(const Shape& shape, const std::vector<double>& a,
                               const std::vector<double>& b) {
  std::vector<double> rows(shape.m);
  std::vector<double> columns(shape.n);
  for (std::size_t i = 0; i < shape.m; ++i) {
    for (std::size_t p = 0; p < shape.k; ++p) rows[i] += a[i * shape.k + p] * a[i * shape.k + p];
  }
  for (std::size_t p = 0; p < shape.k; ++p) {
    for (std::size_t j = 0; j < shape.n; ++j) {
      columns[j] += b[p * shape.n + j] * b[p * shape.n + j];
    }
  }
  std::vector<double> result(shape.m * shape.n);
  for (std::size_t i = 0; i < shape.m; ++i) {
    for (std::size_t j = 0; j < shape.n; ++j) {
      result[i * shape.n + j] = std::sqrt(rows[i] * columns[j]);
    }
  }
  return result;
}

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

harness::Task gemm_task(std::int64_t n, harness::Random& random) {
  const Shape shape = shape_of(n);
  const std::vector<float> a = tame_floats(random, shape.m * shape.k);
  const std::vector<float> b = tame_floats(random, shape.k * shape.n);
  const std::vector<double> wide_a = widened(a);
  const std::vector<double> wide_b = widened(b);
  harness::Expected expected{product(shape, wide_a, wide_b), magnitudes(shape, wide_a, wide_b)};

  harness::Task task;
  task.flops = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
               static_cast<double>(shape.k);
  task.bytes_moved =
      4.0 * static_cast<double>(shape.m * shape.k + shape.k * shape.n + shape.m * shape.n);
  task.scalar(static_cast<int>(shape.m));
  task.scalar(static_cast<int>(shape.n));
  task.scalar(static_cast<int>(shape.k));
  task.input(a);
  task.axes({{"row", shape.m}, {"column", shape.k}});
  task.input(b);
  task.axes({{"row", shape.k}, {"column", shape.n}});
  task.output<float>(std::move(expected));
  task.axes({{"row", shape.m}, {"column", shape.n}});
  return task;
}

/// With tiles of 32 x 32 A is read once for each column of tiles of C, B once for each row.
/// Multiplying the zeros that pad the last tiles is allowed.
harness::Task tiled_task(std::int64_t n, harness::Random& random) {
  constexpr double kTile = 32;
  harness::Task task = gemm_task(n, random);
  const Shape shape = shape_of(n);
  const auto rows = static_cast<double>(shape.m);
  const auto columns = static_cast<double>(shape.n);
  const auto depth = static_cast<double>(shape.k);
  const double tiles_down = std::ceil(rows / kTile);
  const double tiles_across = std::ceil(columns / kTile);
  const double whole_tiles =
      2 * kTile * kTile * kTile * tiles_down * tiles_across * std::ceil(depth / kTile);
  task.needs("flops", whole_tiles);
  task.needs("bytes_loaded", 4 * depth * (rows * tiles_across + columns * tiles_down));
  task.needs("bytes_stored", 4 * rows * columns);
  return task;
}

HARNESS_ORACLE(gemm_naive, gemm_task)
HARNESS_ORACLE(gemm_tiled, tiled_task)
HARNESS_ORACLE(gemm_registers, gemm_task)
HARNESS_ORACLE(gemm_vectorised, gemm_task)

}  // namespace
