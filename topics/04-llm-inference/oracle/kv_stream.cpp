// SPDX-License-Identifier: MIT
// The oracle of reading a key-value cache: the sum of every token's row, pages in random order.
//
// Size n is the number of tokens. Its remainder modulo 3 chooses pages of 16 tokens, one page for
// all (a contiguous cache), or pages of one token.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Bfloat16Bits;
using harness::Expected;
using harness::Random;
using harness::Task;

std::size_t page_tokens_for(std::int64_t tokens) {
  const std::size_t choices[] = {1, 16,
                                 static_cast<std::size_t>(std::max<std::int64_t>(tokens, 1))};
  return choices[tokens % 3];
}

Task kv_stream_task(std::int64_t n, Random& random) {
  const auto tokens = static_cast<std::size_t>(n);
  const std::size_t page_tokens = page_tokens_for(n);
  const std::size_t row = n < 1000 ? 192 : 1024;
  const std::size_t pages = (tokens + page_tokens - 1) / page_tokens;
  const std::vector<std::int32_t> table = llm_oracle::shuffled_pages(random, pages);
  const auto cache = llm_oracle::numbers<Bfloat16Bits>(random, pages * page_tokens * row);
  Expected sums{std::vector<double>(tokens), std::vector<double>(tokens)};
  for (std::size_t t = 0; t < tokens; ++t) {
    const auto page = static_cast<std::size_t>(table[t / page_tokens]);
    const Bfloat16Bits* from = cache.data() + (page * page_tokens + t % page_tokens) * row;
    for (std::size_t i = 0; i < row; ++i) {
      const double value = harness::from_element(from[i]);
      sums.value[t] += value;
      sums.scale[t] += std::abs(value);
    }
  }
  Task task;
  task.flops = static_cast<double>(tokens * row);
  task.bytes_moved = static_cast<double>(tokens) * (2 * static_cast<double>(row) + 4) +
                     4 * static_cast<double>(pages);
  task.scalar(static_cast<std::int32_t>(page_tokens));
  task.scalar(static_cast<std::int32_t>(row));
  task.input(table);
  task.input(cache);
  task.axes({{"page", pages}, {"token", page_tokens}, {"number", row}});
  task.output<float>(std::move(sums));
  return task;
}

HARNESS_ORACLE(kv_stream, kv_stream_task)

}  // namespace
