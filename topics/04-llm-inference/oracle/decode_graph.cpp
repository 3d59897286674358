// SPDX-License-Identifier: MIT
// The oracle of decode steps of a small transformer, in double precision.
//
// Size n = 64 h + r means a hidden size of 64 h and 3 + 4 r steps.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/oracle.hpp"
#include "inputs.hpp"

namespace {

using harness::Expected;
using harness::Random;
using harness::Task;
using llm_oracle::exact;
using llm_oracle::plain_numbers;
using Vector = std::vector<double>;

constexpr std::size_t kHeadDim = 64;
constexpr double kEpsilon = 1e-5;
constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

struct Sizes {
  std::size_t layers, hidden, steps, tokens;

  std::size_t query_heads() const { return hidden / kHeadDim; }
  std::size_t kv_heads() const { return std::max<std::size_t>(1, query_heads() / 4); }
  std::size_t kv_width() const { return kv_heads() * kHeadDim; }
  std::size_t inner() const { return 3 * hidden; }
  std::size_t capacity() const { return tokens + steps; }
  std::size_t layer_weights() const { return hidden * (2 * hidden + 2 * kv_width() + 3 * inner()); }
  std::size_t layer_cache() const { return capacity() * kv_width(); }
};

Sizes sizes_for(std::int64_t n) {
  // Little enough work for runs in which every access is checked.
  if (n < 64) return {1, 64, static_cast<std::size_t>(std::max<std::int64_t>(n, 1)), 5};
  return {4, 64 * static_cast<std::size_t>(n / 64), 3 + 4 * static_cast<std::size_t>(n % 64), 5};
}

/// The rows of a matrix at `w`, multiplied by x.
Vector product(const double* w, std::size_t rows, const Vector& x) {
  Vector y(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += w[r * x.size() + c] * x[c];
  }
  return y;
}

Vector normed(const Vector& x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  const double factor = 1 / std::sqrt(squares / static_cast<double>(x.size()) + kEpsilon);
  Vector y = x;
  for (double& value : y) value *= factor;
  return y;
}

/// The caches of all layers, including what the steps add.
struct Caches {
  Vector keys, values;
};

/// One layer's attention over the tokens up to and including `position`.
Vector attention(const Sizes& m, const Vector& query, const double* keys, const double* values,
                 std::size_t position) {
  Vector out(m.hidden);
  const std::size_t ratio = m.query_heads() / m.kv_heads();
  for (std::size_t head = 0; head < m.query_heads(); ++head) {
    const std::size_t column = head / ratio * kHeadDim;
    Vector weight(position + 1);
    double highest = -1e300;
    for (std::size_t t = 0; t <= position; ++t) {
      for (std::size_t i = 0; i < kHeadDim; ++i) {
        weight[t] += query[head * kHeadDim + i] * keys[t * m.kv_width() + column + i];
      }
      weight[t] /= std::sqrt(static_cast<double>(kHeadDim));
      highest = std::max(highest, weight[t]);
    }
    double sum = 0;
    for (double& w : weight) sum += w = std::exp(w - highest);
    for (std::size_t t = 0; t <= position; ++t) {
      for (std::size_t i = 0; i < kHeadDim; ++i) {
        out[head * kHeadDim + i] += weight[t] / sum * values[t * m.kv_width() + column + i];
      }
    }
  }
  return out;
}

void run_layer(const Sizes& m, const double* weights, double* keys, double* values,
               std::size_t position, Vector& x) {
  const std::size_t kv = m.kv_width();
  const double* output = weights + m.hidden * (m.hidden + 2 * kv);
  const double* gate = output + m.hidden * m.hidden;
  const double* up = gate + m.inner() * m.hidden;
  const double* down = up + m.inner() * m.hidden;
  const Vector qkv = product(weights, m.hidden + 2 * kv, normed(x));
  const auto key = qkv.begin() + static_cast<std::ptrdiff_t>(m.hidden);
  const auto value = key + static_cast<std::ptrdiff_t>(kv);
  std::copy(key, value, keys + position * kv);
  std::copy(value, qkv.end(), values + position * kv);
  const Vector mixed = attention(m, Vector(qkv.begin(), key), keys, values, position);
  const Vector attended = product(output, m.hidden, mixed);
  for (std::size_t i = 0; i < m.hidden; ++i) x[i] += attended[i];
  const Vector second = normed(x);
  Vector inner = product(gate, m.inner(), second);
  const Vector ups = product(up, m.inner(), second);
  for (std::size_t i = 0; i < inner.size(); ++i) inner[i] *= ups[i] / (1 + std::exp(-inner[i]));
  const Vector added = product(down, m.hidden, inner);
  for (std::size_t i = 0; i < m.hidden; ++i) x[i] += added[i];
}

/// The rounding of a sum is relative to the whole vector, and grows from layer to layer.
Expected near_the_largest(Vector value) {
  double largest = 0;
  for (const double v : value) largest = std::max(largest, std::abs(v));
  Vector scale(value.size(), largest);
  return {std::move(value), std::move(scale)};
}

Task decode_task(std::int64_t n, Random& random) {
  const Sizes m = sizes_for(n);
  // With weights of this magnitude, sums over a row stay near 1.
  const double size = std::sqrt(3.0 / static_cast<double>(m.hidden));
  const auto weights = plain_numbers<float>(random, m.layers * m.layer_weights(), -size, size);
  const auto keys = plain_numbers<float>(random, m.layers * m.layer_cache());
  const auto values = plain_numbers<float>(random, m.layers * m.layer_cache());
  const auto x = plain_numbers<float>(random, m.hidden);

  const Vector w = exact(weights);
  Caches caches{exact(keys), exact(values)};
  Vector state = exact(x);
  for (std::size_t step = 0; step < m.steps; ++step) {
    for (std::size_t layer = 0; layer < m.layers; ++layer) {
      run_layer(m, &w[layer * m.layer_weights()], &caches.keys[layer * m.layer_cache()],
                &caches.values[layer * m.layer_cache()], m.tokens + step, state);
    }
  }
  Task task;
  const auto all_weights = static_cast<double>(m.steps * weights.size());
  task.flops = 2 * all_weights;
  task.bytes_moved = 4 * all_weights;
  for (const std::size_t scalar : {m.steps, m.layers, m.capacity(), m.tokens}) {
    task.scalar(static_cast<std::int32_t>(scalar));
  }
  task.input(weights);
  task.in_out(keys, near_the_largest(std::move(caches.keys)));
  task.in_out(values, near_the_largest(std::move(caches.values)));
  task.in_out(x, near_the_largest(std::move(state)));
  return task;
}

/// The same with a graph. How often launches are put into one and made again shows at the size of
/// which each access is seen.
Task graph_task(std::int64_t n, Random& random) {
  Task task = decode_task(n, random);
  if (n >= 64) return task;
  const Sizes m = sizes_for(n);
  const auto layers = static_cast<double>(m.layers);
  task.works_by("launches_recorded", 1, 7 * layers + 1,
                "The launches of one step are recorded, and that once: each recording issues all "
                "of them again.");
  // More than half of the launches that are given, for who has fused some or runs a first step
  // without the graph.
  task.works_by("launches_replayed", 4 * layers * static_cast<double>(m.steps), kAnyNumber,
                "A launch outside a graph costs the host as much as before: every step is a launch "
                "of the graph.");
  return task;
}

HARNESS_ORACLE(decode_graph, graph_task)
HARNESS_ORACLE(decode_loop, decode_task)

}  // namespace
