// SPDX-License-Identifier: MIT
// The oracles of attention in double precision: decode over a contiguous cache, over pages, split
// and in INT8; prefill.
//
// In decode, size n is the context. Its remainder modulo 12 chooses the shape, so that twelve
// consecutive sizes cover head sizes 64, 80, 128 with 1, 4, 8 and 71 query heads per key-value
// head.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Bfloat16Bits;
using harness::Expected;
using harness::HalfBits;
using harness::Random;
using harness::Task;
using llm_oracle::exact;
using llm_oracle::numbers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Shape {
  std::size_t batch = 1;
  std::size_t ratio = 1;  ///< query heads per key-value head
  std::size_t kv_heads = 1;
  std::size_t dim = 64;

  std::size_t query_heads() const { return ratio * kv_heads; }
  std::size_t rows() const { return batch * query_heads(); }
  std::size_t groups() const { return batch * kv_heads; }
};

/// The axes of queries and results.
std::vector<harness::Axis> heads_of(const Shape& shape) {
  return {{"sequence", shape.batch}, {"head", shape.query_heads()}, {"dimension", shape.dim}};
}

/// The axes of keys and values in a contiguous cache.
std::vector<harness::Axis> cache_of(const Shape& shape, std::size_t context) {
  return {{"sequence", shape.batch},
          {"key-value head", shape.kv_heads},
          {"token", context},
          {"dimension", shape.dim}};
}

/// Small batches for long contexts, because the oracle has to be computed too.
Shape shape_for(std::int64_t context) {
  constexpr std::array<std::size_t, 3> kDims{128, 64, 80};
  struct Heads {
    std::size_t ratio, kv_heads;
  };
  constexpr std::array<Heads, 4> kHeads{{{4, 2}, {1, 3}, {8, 1}, {71, 1}}};
  const auto index = static_cast<std::size_t>(context % 12);
  const Heads heads = kHeads[index % kHeads.size()];
  return {context < 100 ? std::size_t{3} : std::size_t{1}, heads.ratio, heads.kv_heads,
          kDims[index % kDims.size()]};
}

/// One head's attention over rows of a cache: row(token) is where the token's numbers start.
struct Head {
  const double* query;
  const std::vector<double>& keys;
  const std::vector<double>& values;
  std::size_t dim;
  double factor;  ///< of a query's product with a key: the score
};

double factor_of(std::size_t dim) {
  return 1 / std::sqrt(static_cast<double>(dim));
}

/// Attention over tokens begin ... end - 1, and log of the sum of exp(score). Writes dim numbers.
/// Without tokens, or if all scores are minus infinity, the results are 0 and minus infinity.
template <class Row>
double attend(const Head& head, std::size_t begin, std::size_t end, const Row& row, double* value,
              double* scale) {
  std::vector<double> score(end - begin);
  double highest = -std::numeric_limits<double>::max();
  for (std::size_t t = begin; t < end; ++t) {
    const double* key = head.keys.data() + row(t);
    double dot = 0;
    for (std::size_t i = 0; i < head.dim; ++i) dot += head.query[i] * key[i];
    score[t - begin] = dot * head.factor;
    highest = std::fmax(highest, score[t - begin]);
  }
  double sum = 0;
  for (double& s : score) sum += s = std::exp(s - highest);
  std::fill(value, value + head.dim, 0.0);
  std::fill(scale, scale + head.dim, 0.0);
  if (sum == 0) return -kInfinity;
  for (std::size_t t = begin; t < end; ++t) {
    const double* from = head.values.data() + row(t);
    for (std::size_t i = 0; i < head.dim; ++i) {
      const double term = score[t - begin] / sum * from[i];
      value[i] += term;
      scale[i] += std::abs(term);
    }
  }
  return highest + std::log(sum);
}

/// A very low score: its exp() is 0 in FP32, and that of the scores near it. From -128 on, FP32
/// would be coarser for scores that are close together.
constexpr double kLowScore = -110;

/// The last dimension of a query that gives kLowScore, if that of its keys is `key`.
Bfloat16Bits low_query(std::size_t dim, double key) {
  return harness::to_element<Bfloat16Bits>(kLowScore * std::sqrt(static_cast<double>(dim)) / key);
}

/// Lowers the scores of all queries from `first_query` on by kLowScore, unless they read all keys,
/// and returns whether it did; is_key(row of the cache) says which keys they read. No weight
/// changes, but a kernel whose maximum starts at 0 never finds a higher score. The last dimension
/// does this: the sum of the others is rounded as always.
template <class Key>
bool lower_scores(std::size_t dim, std::size_t first_query, std::vector<Bfloat16Bits>& q,
                  std::vector<Bfloat16Bits>& k, const Key& is_key) {
  constexpr double kKey = 2;
  std::vector<std::size_t> keys;
  for (std::size_t row = 0; row * dim < k.size(); ++row) {
    if (is_key(row)) keys.push_back(row);
  }
  if (keys.size() * dim == k.size()) return false;
  for (const std::size_t row : keys) {
    k[row * dim + dim - 1] = harness::to_element<Bfloat16Bits>(kKey);
  }
  for (std::size_t end = (first_query + 1) * dim; end <= q.size(); end += dim) {
    q[end - 1] = low_query(dim, kKey);
  }
  return true;
}

/// Random queries and caches, and their exact values. The last head's scores are far below zero;
/// is_key(row of the cache) tells which keys it reads.
struct Inputs {
  std::vector<Bfloat16Bits> q, k, v;
  std::vector<double> exact_q, exact_k, exact_v;
  bool has_low_scores = false;

  template <class Key>
  Inputs(Random& random, const Shape& shape, std::size_t cache_rows, const Key& is_key)
      : q(numbers<Bfloat16Bits>(random, shape.rows() * shape.dim)),
        k(numbers<Bfloat16Bits>(random, cache_rows * shape.dim, -2, 2)),
        v(numbers<Bfloat16Bits>(random, cache_rows * shape.dim)) {
    has_low_scores = lower_scores(shape.dim, shape.rows() - 1, q, k, is_key);
    exact_q = exact(q);
    exact_k = exact(k);
    exact_v = exact(v);
  }

  Head head(std::size_t row, std::size_t dim, double factor) const {
    return {exact_q.data() + row * dim, exact_k, exact_v, dim, factor};
  }
};

void count_work(Task& task, const Shape& shape, double tokens_of_all_sequences) {
  const double pairs = tokens_of_all_sequences * static_cast<double>(shape.dim);
  const double numbers_of_q = static_cast<double>(shape.rows() * shape.dim);
  task.flops = 4 * static_cast<double>(shape.query_heads()) * pairs;
  task.bytes_moved = 4 * static_cast<double>(shape.kv_heads) * pairs + 6 * numbers_of_q;
}

void add_heads(Task& task, const Shape& shape) {
  task.scalar(static_cast<std::int32_t>(shape.query_heads()));
  task.scalar(static_cast<std::int32_t>(shape.kv_heads));
  task.scalar(static_cast<std::int32_t>(shape.dim));
}

Expected empty_output(std::size_t count) {
  return {std::vector<double>(count), std::vector<double>(count)};
}

/// Usual mistakes show in the shortest contexts; no longer ones are worked out.
constexpr std::int64_t kMistakenTokens = 20;

/// Names mistakes in the last output, which is attention(factor of the scores).
template <class Attention>
void name_mistakes(Task& task, std::int64_t tokens, std::size_t dim, const Attention& attention) {
  if (tokens <= kMistakenTokens) {
    task.mistake(attention(1), "The products of query and keys are taken as scores, unscaled.");
    task.mistake(attention(1 / static_cast<double>(dim)),
                 "The products of query and keys are divided by the head size itself.");
  }
  task.mistake_in_rows(
      "The numbers of each head are in proportion to one another, so the sum of its weights is "
      "wrong. When the maximum grows, what was summed up before belongs to the old one.");
}

/// Names the mistake of a maximum that begins at 0: the last numbers, of the head whose scores are
/// far below zero, become 0, or NaN where they are divided by a sum that is 0.
void name_high_maximum(Task& task, const Expected& right, std::size_t last) {
  for (const double made : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
    Expected wrong = right;
    std::replace_if(
        wrong.value.end() - static_cast<std::ptrdiff_t>(last), wrong.value.end(),
        [](double value) { return value != 0; }, made);
    task.mistake(std::move(wrong),
                 "Where all scores lie far below 0, nothing is left of them. Is the maximum that "
                 "is taken off one of them?");
  }
}

Task decode_task(std::int64_t n, Random& random) {
  const Shape shape = shape_for(n);
  const auto context = static_cast<std::size_t>(n);
  const Inputs in(random, shape, shape.groups() * context,
                  [&](std::size_t row) { return row / context == shape.groups() - 1; });
  const auto attention = [&](double factor) {
    Expected out = empty_output(shape.rows() * shape.dim);
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const std::size_t first = row / shape.ratio * context;
      attend(
          in.head(row, shape.dim, factor), 0, context,
          [&](std::size_t t) { return (first + t) * shape.dim; }, &out.value[row * shape.dim],
          &out.scale[row * shape.dim]);
    }
    return out;
  };
  Task task;
  count_work(task, shape, static_cast<double>(shape.batch * context));
  add_heads(task, shape);
  task.scalar(n);
  task.input(in.q);
  task.axes(heads_of(shape));
  task.input(in.k);
  task.axes(cache_of(shape, context));
  task.input(in.v);
  task.axes(cache_of(shape, context));
  const Expected out = attention(factor_of(shape.dim));
  task.output<float>(out);
  task.axes(heads_of(shape));
  if (in.has_low_scores && n <= kMistakenTokens) name_high_maximum(task, out, shape.dim);
  name_mistakes(task, n, shape.dim, attention);
  return task;
}

constexpr std::size_t kPageTokens = 16;

/// Pages of all sequences in random order. Entries that no token needs are not valid page numbers.
std::vector<std::int32_t> page_table(Random& random, const std::vector<std::int32_t>& lengths,
                                     std::size_t pages_per_sequence, std::size_t pages) {
  const std::vector<std::int32_t> order = llm_oracle::shuffled_pages(random, pages);
  std::vector<std::int32_t> table(lengths.size() * pages_per_sequence, -1);
  std::size_t next = 0;
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    const auto used = (static_cast<std::size_t>(lengths[b]) + kPageTokens - 1) / kPageTokens;
    for (std::size_t p = 0; p < used; ++p) table[b * pages_per_sequence + p] = order[next++];
  }
  return table;
}

Task paged_task(std::int64_t n, Random& random) {
  const Shape shape = shape_for(n);
  // The first sequence has n tokens, the others fewer.
  std::vector<std::int32_t> lengths;
  double tokens = 0;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    lengths.push_back(static_cast<std::int32_t>(n >> b));
    tokens += lengths.back();
  }
  const std::size_t pages_per_sequence = static_cast<std::size_t>(n) / kPageTokens + 1;
  const std::size_t pages = shape.batch * pages_per_sequence;
  const std::vector<std::int32_t> table = page_table(random, lengths, pages_per_sequence, pages);
  const Inputs in(random, shape, pages * shape.kv_heads * kPageTokens, [&](std::size_t row) {
    return row / kPageTokens % shape.kv_heads == shape.kv_heads - 1;
  });
  const auto attention = [&](double factor) {
    Expected out = empty_output(shape.rows() * shape.dim);
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const std::size_t kv_head = row / shape.ratio % shape.kv_heads;
      const std::size_t sequence = row / shape.query_heads();
      const auto place = [&](std::size_t t) {
        const auto page =
            static_cast<std::size_t>(table[sequence * pages_per_sequence + t / kPageTokens]);
        return ((page * shape.kv_heads + kv_head) * kPageTokens + t % kPageTokens) * shape.dim;
      };
      attend(in.head(row, shape.dim, factor), 0, static_cast<std::size_t>(lengths[sequence]), place,
             &out.value[row * shape.dim], &out.scale[row * shape.dim]);
    }
    return out;
  };
  Task task;
  count_work(task, shape, tokens);
  task.bytes_moved += 4 * static_cast<double>(table.size() + lengths.size());
  add_heads(task, shape);
  task.input(lengths);
  task.input(table);
  task.input(in.q);
  task.axes(heads_of(shape));
  task.input(in.k);
  task.input(in.v);
  const Expected out = attention(factor_of(shape.dim));
  task.output<float>(out);
  task.axes(heads_of(shape));
  if (in.has_low_scores && n <= kMistakenTokens) name_high_maximum(task, out, shape.dim);
  name_mistakes(task, n, shape.dim, attention);
  return task;
}

/// The parts that have tokens, each with the same weight.
Expected mean_of_parts(const Shape& shape, const Expected& part_out, const Expected& part_lse,
                       std::size_t parts) {
  Expected mean = empty_output(shape.rows() * shape.dim);
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    const auto* lse = &part_lse.value[row * parts];
    const auto full = static_cast<double>(
        std::count_if(lse, lse + parts, [](double value) { return value != -kInfinity; }));
    for (std::size_t i = 0; full > 0 && i < parts * shape.dim; ++i) {
      mean.value[row * shape.dim + i % shape.dim] +=
          part_out.value[row * parts * shape.dim + i] / full;
      mean.scale[row * shape.dim + i % shape.dim] +=
          part_out.scale[row * parts * shape.dim + i] / full;
    }
  }
  return mean;
}

Task split_task(std::int64_t n, Random& random) {
  const Shape shape = shape_for(n);
  const auto context = static_cast<std::size_t>(n);
  // More parts than tokens for the shortest contexts, so that some parts are empty.
  const std::size_t parts = n < 100 ? 5 : 32;
  const std::size_t tokens = (context + parts - 1) / parts;
  const Inputs in(random, shape, shape.groups() * context,
                  [&](std::size_t row) { return row / context == shape.groups() - 1; });
  Expected part_out = empty_output(shape.rows() * parts * shape.dim);
  Expected part_lse = empty_output(shape.rows() * parts);
  const auto place_from = [&](std::size_t row) {
    return
        [&, first = row / shape.ratio * context](std::size_t t) { return (first + t) * shape.dim; };
  };
  const auto attention = [&](double factor) {
    Expected out = empty_output(shape.rows() * shape.dim);
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      attend(in.head(row, shape.dim, factor), 0, context, place_from(row),
             &out.value[row * shape.dim], &out.scale[row * shape.dim]);
    }
    return out;
  };
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    const Head head = in.head(row, shape.dim, factor_of(shape.dim));
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = std::min(part * tokens, context);
      const std::size_t end = std::min(begin + tokens, context);
      const std::size_t at = row * parts + part;
      part_lse.value[at] = attend(head, begin, end, place_from(row),
                                  &part_out.value[at * shape.dim], &part_out.scale[at * shape.dim]);
      // A logarithm near 0 comes from terms near 1.
      part_lse.scale[at] = 1 + std::abs(part_lse.value[at]);
    }
  }
  Task task;
  count_work(task, shape, static_cast<double>(shape.batch * context));
  add_heads(task, shape);
  task.scalar(n);
  task.scalar(static_cast<std::int32_t>(parts));
  task.input(in.q);
  task.axes(heads_of(shape));
  task.input(in.k);
  task.axes(cache_of(shape, context));
  task.input(in.v);
  task.axes(cache_of(shape, context));
  const Expected mean = mean_of_parts(shape, part_out, part_lse, parts);
  task.output<float>(part_out);
  task.axes({{"sequence", shape.batch},
             {"head", shape.query_heads()},
             {"part", parts},
             {"dimension", shape.dim}});
  if (in.has_low_scores && n <= kMistakenTokens) {
    name_high_maximum(task, part_out, parts * shape.dim);
  }
  task.output<float>(std::move(part_lse));
  task.axes({{"sequence", shape.batch}, {"head", shape.query_heads()}, {"part", parts}});
  task.output<float>(attention(factor_of(shape.dim)));
  task.axes(heads_of(shape));
  name_mistakes(task, n, shape.dim, attention);
  task.mistake(mean, "All parts weigh the same here. A part weighs as much as its sum.");
  return task;
}

/// Keys or values in INT8 with a scale for each row.
struct Int8Rows {
  std::vector<std::int8_t> codes;
  std::vector<HalfBits> scales;
  std::vector<double> exact;

  /// Numbers of a magnitude up to `largest`; the largest ones of different rows differ by a factor
  /// of up to 4.
  Int8Rows(Random& random, std::size_t rows, std::size_t dim, double largest) : dim_(dim) {
    for (const double code : random.spread(rows * dim, -127, 127)) {
      codes.push_back(static_cast<std::int8_t>(std::lround(code)));
    }
    scales = llm_oracle::plain_numbers<HalfBits>(random, rows, largest / 127 / 4, largest / 127);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      exact.push_back(codes[i] * harness::from_element(scales[i / dim]));
    }
  }

  /// The same codes with other scales.
  std::vector<double> scaled_by(const std::vector<HalfBits>& others) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      result.push_back(codes[i] * harness::from_element(others[i / dim_]));
    }
    return result;
  }

  /// Number `at` becomes as near to `value` as its row's scale allows.
  void set(std::size_t at, double value) {
    const double scale = harness::from_element(scales[at / dim_]);
    codes[at] = static_cast<std::int8_t>(std::lround(value / scale));
    exact[at] = codes[at] * scale;
  }

 private:
  std::size_t dim_;
};

Task int8_task(std::int64_t n, Random& random) {
  const Shape shape = shape_for(n);
  const auto context = static_cast<std::size_t>(n);
  const std::size_t cache_rows = shape.groups() * context;
  auto q = numbers<Bfloat16Bits>(random, shape.rows() * shape.dim);
  Int8Rows k(random, cache_rows, shape.dim, 4);
  const Int8Rows v(random, cache_rows, shape.dim, 1);
  if (shape.groups() > 1) {
    q.back() = low_query(shape.dim, 1);
    for (std::size_t row = cache_rows - context; row < cache_rows; ++row) {
      k.set((row + 1) * shape.dim - 1, 1);
    }
  }
  const std::vector<double> exact_q = exact(q);
  const auto attention_over = [&](const std::vector<double>& keys,
                                  const std::vector<double>& values, double factor) {
    Expected out = empty_output(shape.rows() * shape.dim);
    for (std::size_t row = 0; row < shape.rows(); ++row) {
      const std::size_t first = row / shape.ratio * context;
      attend(
          {exact_q.data() + row * shape.dim, keys, values, shape.dim, factor}, 0, context,
          [&](std::size_t t) { return (first + t) * shape.dim; }, &out.value[row * shape.dim],
          &out.scale[row * shape.dim]);
    }
    return out;
  };
  const double factor = factor_of(shape.dim);
  Task task;
  const auto dim = static_cast<double>(shape.dim);
  const auto rows = static_cast<double>(cache_rows);
  const auto heads = static_cast<double>(shape.rows());
  task.flops = 4 * static_cast<double>(shape.ratio) * dim * rows;
  task.bytes_moved = 2 * (dim + 2) * rows + 6 * heads * dim;
  // Keys and values once for every four query heads, and a scale for every 16 numbers or more; the
  // queries once for every 16 tokens in flight together.
  const auto fours = static_cast<double>((shape.ratio + 3) / 4);
  task.needs("bytes_loaded", fours * rows * 2 * (dim + 2 * dim / 16) + 32 * heads * 2 * dim);
  task.needs("bytes_stored", 4 * heads * dim);
  add_heads(task, shape);
  task.scalar(n);
  task.input(q);
  task.axes(heads_of(shape));
  task.input(k.codes);
  task.axes(cache_of(shape, context));
  task.input(k.scales);
  task.input(v.codes);
  task.axes(cache_of(shape, context));
  task.input(v.scales);
  task.output<float>(attention_over(k.exact, v.exact, factor));
  task.axes(heads_of(shape));
  if (n <= kMistakenTokens) {
    if (shape.groups() > 1) {
      name_high_maximum(task, attention_over(k.exact, v.exact, factor), shape.dim);
    }
    task.mistake(attention_over(k.exact, v.scaled_by(k.scales), factor),
                 "The values are multiplied by the scales of their keys.");
    task.mistake(attention_over(k.exact, exact(v.codes), factor),
                 "The results have the size of the values' codes: their scales are forgotten, or "
                 "divided out by the sum of the weights.");
    task.mistake(attention_over(exact(k.codes), v.exact, factor),
                 "The scales of the keys are forgotten.");
  }
  // Of one token any factor is that of its value, such as a wrong scale.
  if (n == 1) return task;
  name_mistakes(task, n, shape.dim,
                [&](double other) { return attention_over(k.exact, v.exact, other); });
  return task;
}

/// Size n is the prompt. Its remainders choose head size, heads, and the number of tokens cached
/// before it.
Task prefill_task(std::int64_t n, Random& random) {
  const auto tokens = static_cast<std::size_t>(n);
  constexpr std::array<std::size_t, 4> kCached{0, 37, 0, 64};
  const std::size_t cached = kCached[tokens % kCached.size()];
  Shape shape;
  shape.dim = tokens % 3 == 1 ? 64 : 128;
  shape.kv_heads = tokens % 5 < 3 ? 2 : 1;
  shape.ratio = tokens % 5 < 3 ? 2 : 3;
  const std::size_t context = cached + tokens;
  auto q = numbers<Bfloat16Bits>(random, shape.query_heads() * tokens * shape.dim);
  // Keys of very different magnitudes: maxima grow now and then by many units, up to the last tile.
  // Not those of the second head, whose scores are lowered.
  auto k = numbers<Bfloat16Bits>(random, shape.kv_heads * context * shape.dim, -2, 2);
  for (std::size_t i = 0; i < context * shape.dim; ++i) {
    const double size = 1 + static_cast<double>(i / shape.dim % 61) / 4;
    k[i] = harness::to_element<Bfloat16Bits>(size * harness::from_element(k[i]));
  }
  lower_scores(shape.dim, (shape.query_heads() - 1) * tokens, q, k,
               [&](std::size_t row) { return row / context == shape.kv_heads - 1; });
  // A masked key's weight of 0 times an infinite value is NaN, so values are finite.
  const auto v = llm_oracle::plain_numbers<Bfloat16Bits>(random, k.size());
  const std::vector<double> exact_q = exact(q), exact_k = exact(k), exact_v = exact(v);
  const auto last_seen = [&](std::size_t row) { return cached + row % tokens + 1; };
  const auto attention_up_to = [&](const auto& end, double factor) {
    Expected out = empty_output(q.size());
    for (std::size_t row = 0; row < shape.query_heads() * tokens; ++row) {
      const std::size_t first = row / tokens / shape.ratio * context;
      const std::size_t seen = std::min(end(row), context);
      double* const value = &out.value[row * shape.dim];
      const double lse = attend(
          {exact_q.data() + row * shape.dim, exact_k, exact_v, shape.dim, factor}, 0, seen,
          [&](std::size_t t) { return (first + t) * shape.dim; }, value,
          &out.scale[row * shape.dim]);
      // Absent tokens have zeros for keys and values: a score of 0.
      if (end(row) == seen) continue;
      const auto absent = static_cast<double>(end(row) - seen);
      for (std::size_t i = 0; i < shape.dim; ++i) value[i] /= 1 + absent * std::exp(-lse);
    }
    // Weights may be rounded to BF16, by 2^-9 each: a thousandth of this scale is twice that.
    for (double& scale : out.scale) scale *= 4;
    return out;
  };
  const double factor = factor_of(shape.dim);
  double pairs = 0;
  for (std::size_t row = 0; row < shape.query_heads() * tokens; ++row) {
    pairs += static_cast<double>(last_seen(row));
  }
  Task task;
  const auto bf16_bytes = [](std::size_t count) { return 2 * static_cast<double>(count); };
  task.flops = 4 * static_cast<double>(shape.dim) * pairs;
  task.bytes_moved = 3 * bf16_bytes(q.size()) + bf16_bytes(k.size() + v.size());
  // The queries once, and for every 64 of them the keys and values up to the last that they see, in
  // tiles of 64.
  constexpr std::size_t kTile = 64;
  std::size_t rows_loaded = 0;
  for (std::size_t begin = 0; begin < tokens; begin += kTile) {
    const std::size_t end = cached + std::min(begin + kTile, tokens);
    rows_loaded += std::min((end + kTile - 1) / kTile * kTile, context);
  }
  task.needs("bytes_loaded",
             bf16_bytes(q.size() + 2 * shape.query_heads() * rows_loaded * shape.dim));
  task.needs("bytes_stored", 2 * bf16_bytes(q.size()));
  add_heads(task, shape);
  task.scalar(static_cast<std::int64_t>(context));
  task.input(q);
  task.axes({{"head", shape.query_heads()}, {"query", tokens}, {"dimension", shape.dim}});
  task.input(k);
  task.axes({{"key-value head", shape.kv_heads}, {"token", context}, {"dimension", shape.dim}});
  task.input(v);
  task.axes({{"key-value head", shape.kv_heads}, {"token", context}, {"dimension", shape.dim}});
  task.output<float>(attention_up_to(last_seen, factor));
  task.axes({{"head", shape.query_heads()}, {"query", tokens}, {"dimension", shape.dim}});
  if (n <= kMistakenTokens) {
    const auto all = [&](std::size_t) { return context; };
    const auto one_more = [&](std::size_t row) { return last_seen(row) + 1; };
    const auto one_less = [&](std::size_t row) { return last_seen(row) - 1; };
    const auto own_prompt = [&](std::size_t row) { return row % tokens + 1; };
    // In the shortest prompts the token after a query's own is the last one, too.
    task.mistake(attention_up_to(one_more, factor), "A query sees tokens after its own.");
    task.mistake(attention_up_to(one_less, factor), "No query sees its own token.");
    task.mistake(attention_up_to(all, factor), "A query sees tokens after its own.");
    if (shape.kv_heads > 1) {
      name_high_maximum(task, attention_up_to(last_seen, factor), tokens * shape.dim);
    }
    if (cached > 0) {
      task.mistake(attention_up_to(own_prompt, factor),
                   "The prompt is placed at the beginning of the context: the tokens before it are "
                   "forgotten.");
    }
  }
  name_mistakes(task, n, shape.dim,
                [&](double other) { return attention_up_to(last_seen, other); });
  return task;
}

HARNESS_ORACLE(attention_decode, decode_task)
HARNESS_ORACLE(attention_paged, paged_task)
HARNESS_ORACLE(attention_split, split_task)
HARNESS_ORACLE(attention_int8, int8_task)
HARNESS_ORACLE(attention_prefill, prefill_task)

}  // namespace
