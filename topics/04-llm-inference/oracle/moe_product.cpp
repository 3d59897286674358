// SPDX-License-Identifier: MIT
// The oracle of the products of a mixture of experts, in double precision.
//
// Size n means n rows. Its remainders choose the length of a row; half of the rows go to one
// expert, one expert has none.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Bfloat16Bits;
using harness::Expected;
using harness::Random;
using harness::Task;
using llm_oracle::exact;
using llm_oracle::numbers;

/// Sorted by expert.
std::vector<std::int32_t> offsets_of(Random& random, std::int64_t rows, std::int64_t experts) {
  constexpr std::int64_t kWithout = 2;
  std::vector<std::int32_t> counts(static_cast<std::size_t>(experts));
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t expert = row % 2 == 0 ? 1 : random.integer(0, experts - 1);
    if (expert == kWithout) expert = experts - 1;
    ++counts[static_cast<std::size_t>(expert)];
  }
  std::vector<std::int32_t> offsets{0};
  for (const std::int32_t count : counts) offsets.push_back(offsets.back() + count);
  return offsets;
}

Task product_task(std::int64_t n, Random& random) {
  const auto rows = static_cast<std::size_t>(n);
  const std::size_t experts = 5 + rows % 3;
  const std::size_t in = rows % 2 == 0 ? 128 : 72;
  const std::size_t out = rows % 5 < 2 ? 64 : 83;
  const std::vector<std::int32_t> offsets =
      offsets_of(random, n, static_cast<std::int64_t>(experts));
  const auto x = numbers<Bfloat16Bits>(random, rows * in);
  const auto w = numbers<Bfloat16Bits>(random, experts * out * in);
  const std::vector<double> exact_x = exact(x), exact_w = exact(w);
  Expected y{std::vector<double>(rows * out), std::vector<double>(rows * out)};
  double touched = 0;  // experts
  double passes = 0;   // over the weights of an expert, one for every 64 rows
  for (std::size_t e = 0; e < experts; ++e) {
    const auto begin = static_cast<std::size_t>(offsets[e]);
    const auto end = static_cast<std::size_t>(offsets[e + 1]);
    if (begin < end) ++touched;
    passes += static_cast<double>((end - begin + 63) / 64);
    for (std::size_t r = begin; r < end; ++r) {
      for (std::size_t o = 0; o < out; ++o) {
        const double* row = &exact_x[r * in];
        const double* weights = &exact_w[(e * out + o) * in];
        for (std::size_t i = 0; i < in; ++i) {
          y.value[r * out + o] += row[i] * weights[i];
          y.scale[r * out + o] += std::abs(row[i] * weights[i]);
        }
      }
    }
  }
  Task task;
  const auto weights = static_cast<double>(in * out);
  const auto all = static_cast<double>(rows);
  const auto blocks = static_cast<double>((out + 63) / 64);  // of 64 outputs
  task.flops = 2 * weights * all;
  task.bytes_moved = 2 * weights * touched + all * static_cast<double>(2 * in + 4 * out);
  // The weights of an expert once for every 64 of its rows, the rows once for every 64 outputs; two
  // offsets for each of the 256 threads of a block.
  task.needs("bytes_loaded", 2 * weights * passes + 2 * all * static_cast<double>(in) * blocks +
                                 8 * 256 * blocks * static_cast<double>(experts));
  task.needs("bytes_stored", 4 * all * static_cast<double>(out));
  task.scalar(static_cast<std::int32_t>(in));
  task.scalar(static_cast<std::int32_t>(out));
  task.input(offsets);
  task.input(x);
  task.axes({{"row", rows}, {"number", in}});
  task.input(w);
  task.axes({{"expert", experts}, {"output", out}, {"number", in}});
  task.output<float>(std::move(y));
  task.axes({{"row", rows}, {"output", out}});
  return task;
}

HARNESS_ORACLE(moe_product, product_task)

}  // namespace
