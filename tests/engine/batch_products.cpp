// SPDX-License-Identifier: MIT
// The products of a batch, and those of one input that are not labs, against sums in double.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/operators/labs.hpp"
#include "engine/weights/weights.hpp"
#include "gpu/buffer.hpp"
#include "gpu/copy.hpp"
#include "support/catch.hpp"

namespace {

using engine::In;
using engine::LabKernels;
using engine::Matrix;
using engine::Out;
using engine::WeightFormat;

constexpr float kPoison = 1e30f;
constexpr std::size_t kGuard = 64;   // numbers after the results, which nobody may touch
constexpr double kTolerance = 1e-5;  // of the sum of the products' absolute values

constexpr WeightFormat kFormats[] = {WeightFormat::kFp16, WeightFormat::kInt8, WeightFormat::kInt4};

struct Shape {
  std::size_t rows, columns, batch;
};

/// Numbers with magnitudes from a thousandth to one, of either sign.
std::vector<float> draw(std::mt19937_64& random, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    const double exponent = -10.0 * static_cast<double>(random() >> 11) * 0x1p-53;
    number = static_cast<float>(random() % 2 == 0 ? std::exp2(exponent) : -std::exp2(exponent));
  }
  return numbers;
}

/// The weights that a packed matrix represents, including its stored columns.
std::vector<double> weights_of(const Matrix& matrix) {
  std::vector<double> weights;
  const auto columns = static_cast<std::size_t>(matrix.stored_columns());
  if (matrix.format == WeightFormat::kFp16) {
    for (const __half weight : gpu::to_host(matrix.halves)) {
      weights.push_back(double{__half2float(weight)});
    }
  } else if (matrix.format == WeightFormat::kInt8) {
    const std::vector<std::int8_t> bytes = gpu::to_host(matrix.bytes);
    const std::vector<float> scales = gpu::to_host(matrix.scales);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      weights.push_back(double{scales[i / columns]} * bytes[i]);
    }
  } else {
    const std::vector<std::uint8_t> packed = gpu::to_host(matrix.packed);
    const std::vector<__half> scales = gpu::to_host(matrix.group_scales);
    for (std::size_t i = 0; i < 2 * packed.size(); ++i) {
      const int bits = packed[i / 2] >> (i % 2 == 0 ? 0 : 4) & 15;
      weights.push_back(double{__half2float(scales[i / engine::kInt4Group])} *
                        (bits - engine::kInt4Zero));
    }
  }
  return weights;
}

/// Multiplies as the engine does without calling a lab.
void multiply(const LabKernels& kernels, const Matrix& matrix, std::size_t batch, In<__half> x,
              Out<float> y) {
  const auto count = static_cast<std::int64_t>(batch);
  if (matrix.format == WeightFormat::kFp16) {
    if (batch == 1 && kernels.gemv_half_one(matrix.halves, x, y)) return;
    kernels.gemv_batch(count, matrix.halves, x, y);
  } else if (matrix.format == WeightFormat::kInt8) {
    if (batch == 1 && kernels.gemv_int8_one(matrix.bytes, matrix.scales, x, y)) return;
    kernels.gemv_int8_batch(count, matrix.bytes, matrix.scales, x, y);
  } else {
    kernels.gemv_int4_batch(count, matrix.packed, matrix.group_scales, x, y);
  }
}

void check(const LabKernels& kernels, WeightFormat format, const Shape& shape) {
  INFO(engine::name_of(format) << ", " << shape.rows << " rows, " << shape.columns
                               << " columns, batch " << shape.batch);
  std::mt19937_64 random(shape.rows * 31 + shape.columns * 7 + shape.batch);
  const Matrix matrix = engine::pack_matrix("w", static_cast<std::int64_t>(shape.rows),
                                            static_cast<std::int64_t>(shape.columns),
                                            draw(random, shape.rows * shape.columns), format);
  const auto stored = static_cast<std::size_t>(matrix.stored_columns());
  std::vector<__half> x;
  for (const float number : draw(random, shape.batch * stored)) x.push_back(__float2half(number));
  const auto inputs = gpu::to_device(x);
  const std::size_t results = shape.batch * shape.rows;
  auto y = gpu::to_device(std::vector<float>(results + kGuard, kPoison));
  multiply(kernels, matrix, shape.batch, inputs, y.span().subspan(0, results));
  const std::vector<float> is = gpu::to_host(y);

  const std::vector<double> weights = weights_of(matrix);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < results; ++i) {
    const std::size_t input = i / shape.rows * stored, row = i % shape.rows * stored;
    double sum = 0;
    double scale = 0;
    for (std::size_t c = 0; c < stored; ++c) {
      const double term = weights[row + c] * double{__half2float(x[input + c])};
      sum += term;
      scale += std::fabs(term);
    }
    // Written this way round so that a NaN counts as wrong.
    if (!(std::fabs(is[i] - sum) <= kTolerance * scale)) ++wrong;
  }
  CHECK(wrong == 0);
  for (std::size_t i = results; i < is.size(); ++i) CHECK(is[i] == kPoison);
}

}  // namespace

TEST_CASE("products of a small batch are right", "[engine][batch-small]") {
  // Few enough for tools that check every access.
  for (const WeightFormat format : kFormats) {
    for (const std::size_t columns : {15, 272}) {
      check(engine::linked_kernels(), format, {35, columns, 1});
      check(engine::linked_kernels(), format, {35, columns, 3});
      check(engine::linked_kernels(), format, {35, columns, 17});
    }
  }
}

TEST_CASE("products of a batch are right for every shape", "[engine][batch]") {
  const LabKernels kernels = engine::linked_kernels();
  REQUIRE(kernels.gemv_int8_batch != nullptr);
  REQUIRE(kernels.gemv_int4_batch != nullptr);
  for (const WeightFormat format : kFormats) {
    for (const std::size_t rows : {1, 2, 3, 31, 32, 33, 67}) {
      for (const std::size_t columns : {1, 15, 16, 80, 130, 257, 512, 1040}) {
        for (const std::size_t batch : {1, 2, 5, 8, 9, 16, 17}) {
          check(kernels, format, {rows, columns, batch});
        }
      }
    }
    check(kernels, format, {130, 4096, 16});
    check(kernels, format, {5, 14336, 33});
    for (const std::size_t columns : {1032, 4096, 14336, 14464}) {
      check(kernels, format, {131, columns, 1});
    }
  }
}
