// SPDX-License-Identifier: MIT
// The oracles of the matrix-vector products: y = W x in double precision.
//
// Size n means n rows. A multiple of 64 (of 128 with 4-bit weights, of 32 in MXFP4) is square;
// other sizes have rows that do not start at multiples of 16 bytes, or several groups.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::HalfBits;
using harness::Random;
using harness::Task;
using llm_oracle::exact;
using llm_oracle::numbers;
using llm_oracle::plain_numbers;

struct Shape {
  std::size_t rows;
  std::size_t columns;
  double weights() const { return static_cast<double>(rows) * static_cast<double>(columns); }
};

constexpr std::int64_t kNoColumns = 31;
Shape dense_shape(std::int64_t n) {
  const auto rows = static_cast<std::size_t>(n);
  if (n == kNoColumns) return {rows, 0};
  return {rows, rows % 64 == 0 ? rows : rows + 3};
}

constexpr std::size_t kGroup = 128;
Shape grouped_shape(std::int64_t n) {
  const auto rows = static_cast<std::size_t>(n);
  return {rows, rows % kGroup == 0 ? rows : kGroup * (1 + rows % 5)};
}

/// `count` integers spread over [low, high).
template <class T>
std::vector<T> whole_numbers(Random& random, std::size_t count, double low, double high) {
  std::vector<T> result;
  result.reserve(count);
  for (const double value : random.spread(count, low, high)) {
    result.push_back(static_cast<T>(std::floor(value)));
  }
  return result;
}

/// y = W x, where weight(r, c) is the value of a stored weight.
template <class Weight>
Expected product(const Shape& shape, const Weight& weight, const std::vector<double>& x) {
  Expected y{std::vector<double>(shape.rows), std::vector<double>(shape.rows)};
  for (std::size_t r = 0; r < shape.rows; ++r) {
    double sum = 0;
    double scale = 0;
    for (std::size_t c = 0; c < shape.columns; ++c) {
      const double term = weight(r, c) * x[c];
      sum += term;
      scale += std::abs(term);
    }
    y.value[r] = sum;
    y.scale[r] = scale;
  }
  return y;
}

/// Usual mistakes show in the first sizes that are tried; no larger ones are worked out.
constexpr std::size_t kMistakenRows = 64;

/// Names a mistake in the last output, by the weights that it takes.
template <class Weight>
void mistake(Task& task, const Shape& shape, const Weight& weight, const std::vector<double>& x,
             const char* cause) {
  if (shape.rows <= kMistakenRows) task.mistake(product(shape, weight, x), cause);
}

constexpr const char* kSwappedHalves =
    "The halves of a byte are swapped: its four low bits and its four high bits are each other's "
    "weight.";
constexpr const char* kNoScale = "The weights are right and their scales are forgotten.";

/// Weights and inputs as they are stored, the output in FP32.
template <class T>
Task dense_task(std::int64_t n, Random& random) {
  const Shape shape = dense_shape(n);
  const std::vector<T> w = numbers<T>(random, shape.rows * shape.columns);
  const std::vector<T> x = plain_numbers<T>(random, shape.columns);
  Task task;
  task.flops = 2 * shape.weights();
  task.bytes_moved = (shape.weights() + static_cast<double>(shape.columns)) * sizeof(T) +
                     4 * static_cast<double>(shape.rows);
  task.input(w);
  task.axes({{"row", shape.rows}, {"column", shape.columns}});
  task.input(x);
  const std::vector<double> inputs = exact(x);
  task.output<float>(product(
      shape,
      [&](std::size_t r, std::size_t c) { return harness::from_element(w[r * shape.columns + c]); },
      inputs));
  mistake(
      task, shape,
      [&](std::size_t r, std::size_t c) { return harness::from_element(w[c * shape.rows + r]); },
      inputs, "W is read as if it lay column after column.");
  return task;
}

Task int8_task(std::int64_t n, Random& random) {
  const Shape shape = dense_shape(n);
  const auto q = whole_numbers<std::int8_t>(random, shape.rows * shape.columns, -128, 128);
  const std::vector<float> scales = plain_numbers<float>(random, shape.rows, 0.001, 0.01);
  const std::vector<HalfBits> x = numbers<HalfBits>(random, shape.columns);
  Task task;
  task.flops = 2 * shape.weights();
  task.bytes_moved = shape.weights() + 2 * static_cast<double>(shape.columns) +
                     8 * static_cast<double>(shape.rows);
  task.input(q);
  task.axes({{"row", shape.rows}, {"column", shape.columns}});
  task.input(scales);
  task.input(x);
  const auto code = [&](std::size_t r, std::size_t c) -> double {
    return q[r * shape.columns + c];
  };
  const std::vector<double> inputs = exact(x);
  task.output<float>(product(
      shape, [&](std::size_t r, std::size_t c) { return double{scales[r]} * code(r, c); }, inputs));
  mistake(task, shape, code, inputs, kNoScale);
  mistake(
      task, shape, [&](std::size_t r, std::size_t c) { return double{scales[0]} * code(r, c); },
      inputs, "Every row is scaled by the scale of the first.");
  return task;
}

Task int4_task(std::int64_t n, Random& random) {
  const Shape shape = grouped_shape(n);
  const auto stored = whole_numbers<std::uint8_t>(random, shape.rows * shape.columns, 0, 16);
  std::vector<std::uint8_t> packed(stored.size() / 2);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    packed[i] = static_cast<std::uint8_t>(stored[2 * i] | stored[2 * i + 1] << 4);
  }
  const std::size_t groups = shape.columns / kGroup;
  const std::vector<HalfBits> scales =
      plain_numbers<HalfBits>(random, shape.rows * groups, 0.01, 0.1);
  const std::vector<double> exact_scales = exact(scales);
  const std::vector<HalfBits> x = numbers<HalfBits>(random, shape.columns);
  constexpr int kZero = 8;
  const auto code = [&](std::size_t r, std::size_t c) -> double {
    return stored[r * shape.columns + c];
  };
  const auto scale = [&](std::size_t r, std::size_t c) {
    return exact_scales[r * groups + c / kGroup];
  };
  const auto weight = [&](std::size_t r, std::size_t c) {
    return scale(r, c) * (code(r, c) - kZero);
  };
  Task task;
  task.flops = 2 * shape.weights();
  task.bytes_moved = shape.weights() / 2 + 2 * static_cast<double>(scales.size()) +
                     2 * static_cast<double>(shape.columns) + 4 * static_cast<double>(shape.rows);
  task.input(packed);
  task.axes({{"row", shape.rows}, {"byte", shape.columns / 2}});
  task.input(scales);
  task.axes({{"row", shape.rows}, {"group", shape.columns / kGroup}});
  task.input(x);
  const std::vector<double> inputs = exact(x);
  task.output<float>(product(shape, weight, inputs));
  mistake(
      task, shape,
      [&](std::size_t r, std::size_t c) { return scale(r, c) * (code(r, c ^ 1) - kZero); }, inputs,
      kSwappedHalves);
  mistake(
      task, shape, [&](std::size_t r, std::size_t c) { return scale(r, c) * code(r, c); }, inputs,
      "The four bits are taken for the weight: the code of 0 is not 0.");
  mistake(
      task, shape, [&](std::size_t r, std::size_t c) { return code(r, c) - kZero; }, inputs,
      kNoScale);
  return task;
}

/// Gives `count` weights in E2M1, starting at `first`, the first in a row, the signs of their
/// inputs, and makes none 0: their products with the inputs do not cancel.
void give_one_sign(const std::vector<float>& x, std::size_t first, std::size_t count,
                   std::vector<std::uint8_t>& weights) {
  for (std::size_t c = 0; c < count; ++c) {
    const int magnitude = std::max(weights[first + c] & 7, 1);
    weights[first + c] = static_cast<std::uint8_t>((std::signbit(x[c]) ? 8 : 0) | magnitude);
  }
}

Task mxfp4_task(std::int64_t n, Random& random) {
  constexpr std::size_t kBlock = 32;
  constexpr double kE2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};
  const auto rows = static_cast<std::size_t>(n);
  const Shape shape{rows, rows % kBlock == 0 ? rows : kBlock * (1 + rows % 5)};
  auto stored = whole_numbers<std::uint8_t>(random, shape.rows * shape.columns, 0, 16);
  // Scales near 1, so that every block counts in its row's sum.
  const std::size_t blocks = shape.columns / kBlock;
  auto scales = whole_numbers<std::uint8_t>(random, shape.rows * blocks, 124, 130);
  const std::vector<float> x = plain_numbers<float>(random, shape.columns);
  if (random.special_values() && !scales.empty()) {
    scales.front() = 255;                                                            // NaN
    std::fill(scales.end() - static_cast<std::ptrdiff_t>(blocks), scales.end(), 0);  // 2^-127
    // An infinite scale must not become NaN by itself, and a sum with the smallest scales must not
    // vanish.
    give_one_sign(x, 0, kBlock, stored);
    give_one_sign(x, stored.size() - shape.columns, shape.columns, stored);
  }
  std::vector<std::uint8_t> packed(stored.size() / 2);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    packed[i] = static_cast<std::uint8_t>(stored[2 * i] | stored[2 * i + 1] << 4);
  }
  const auto scale = [&](std::size_t r, std::size_t c) {
    const int code = scales[r * blocks + c / kBlock];
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::exp2(code - 127);
  };
  const auto element = [&](std::size_t r, std::size_t c) {
    return kE2m1[stored[r * shape.columns + c]];
  };
  const auto weight = [&](std::size_t r, std::size_t c) { return scale(r, c) * element(r, c); };
  Task task;
  task.flops = 2 * shape.weights();
  task.bytes_moved = shape.weights() / 2 + static_cast<double>(scales.size()) +
                     4 * static_cast<double>(shape.columns + shape.rows);
  // Each byte of weights once, each scale once for every eight weights, the inputs once for every
  // four rows.
  const std::size_t fours = (shape.rows + 3) / 4;
  task.needs("bytes_loaded", shape.weights() / 2 + shape.weights() / 8 +
                                 sizeof(float) * static_cast<double>(fours * shape.columns));
  task.needs("bytes_stored", sizeof(float) * static_cast<double>(shape.rows));
  task.input(packed);
  task.axes({{"row", shape.rows}, {"byte", shape.columns / 2}});
  task.input(scales);
  task.axes({{"row", shape.rows}, {"block", shape.columns / kBlock}});
  task.input(x);
  const std::vector<double> inputs = exact(x);
  task.output<float>(product(shape, weight, inputs));
  if (random.special_values()) return task;
  mistake(
      task, shape, [&](std::size_t r, std::size_t c) { return scale(r, c) * element(r, c ^ 1); },
      inputs, kSwappedHalves);
  mistake(task, shape, element, inputs, kNoScale);
  for (const double factor : {0.5, 2.0}) {
    mistake(
        task, shape, [&](std::size_t r, std::size_t c) { return factor * weight(r, c); }, inputs,
        "Every scale is off by one power of two: its code is an exponent with a bias.");
  }
  // Of 0 and 0.5, with and without a leading 1 that only normal numbers have.
  for (const auto& misread : {std::pair(0.0, 0.0), {0.0, 0.75}, {0.5, 0.75}}) {
    mistake(
        task, shape,
        [&](std::size_t r, std::size_t c) {
          const double size = std::abs(element(r, c));
          const double taken = size == 0 ? misread.first : size == 0.5 ? misread.second : size;
          return scale(r, c) * std::copysign(taken, element(r, c));
        },
        inputs, "The codes whose exponent is 0 are misread: their numbers are subnormal.");
  }
  mistake(
      task, shape,
      [&](std::size_t r, std::size_t c) { return std::abs(element(r, c)) * scale(r, c); }, inputs,
      "The sign bit of the weights is ignored.");
  return task;
}

/// Size n is the batch; its remainders choose the sizes of the matrix, including odd ones.
Task batch_task(std::int64_t n, Random& random) {
  const auto batch = static_cast<std::size_t>(n);
  const Shape shape{batch % 3 == 0 ? std::size_t{83} : 64 + batch % 5,
                    batch % 2 == 0 ? std::size_t{512} : 37 + batch % 7};
  const auto w = numbers<HalfBits>(random, shape.rows * shape.columns);
  const auto x = numbers<HalfBits>(random, batch * shape.columns);
  const std::vector<double> exact_w = exact(w), exact_x = exact(x);
  Expected y;
  for (std::size_t b = 0; b < batch; ++b) {
    const auto begin = exact_x.begin() + static_cast<std::ptrdiff_t>(b * shape.columns);
    const Expected one =
        product(shape, [&](std::size_t r, std::size_t c) { return exact_w[r * shape.columns + c]; },
                {begin, begin + static_cast<std::ptrdiff_t>(shape.columns)});
    y.value.insert(y.value.end(), one.value.begin(), one.value.end());
    y.scale.insert(y.scale.end(), one.scale.begin(), one.scale.end());
  }
  Task task;
  const auto all = static_cast<double>(batch);
  task.flops = 2 * shape.weights() * all;
  task.bytes_moved =
      2 * shape.weights() + all * static_cast<double>(2 * shape.columns + 4 * shape.rows);
  // Four rows and four inputs at a time: a load of either serves four products.
  const auto fours = [](std::size_t count) { return static_cast<double>((count + 3) / 4); };
  task.needs("bytes_loaded",
             2 * static_cast<double>(shape.columns) * (4 + 4) * fours(shape.rows) * fours(batch));
  task.needs("bytes_stored", 4 * all * static_cast<double>(shape.rows));
  task.scalar(n);
  task.input(w);
  task.axes({{"row", shape.rows}, {"column", shape.columns}});
  task.input(x);
  task.output<float>(std::move(y));
  task.axes({{"sequence", batch}, {"row", shape.rows}});
  return task;
}

HARNESS_ORACLE(gemv, dense_task<float>)
HARNESS_ORACLE(gemv_half, dense_task<HalfBits>)
HARNESS_ORACLE(gemv_batch, batch_task)
HARNESS_ORACLE(gemv_int8, int8_task)
HARNESS_ORACLE(gemv_int4, int4_task)
HARNESS_ORACLE(gemv_mxfp4, mxfp4_task)

}  // namespace
