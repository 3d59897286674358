// SPDX-License-Identifier: MIT
// The operation library compared with loops that are run and counted.
#include <initializer_list>

#include "counted.hpp"
#include "roofline/blas.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/transformer.hpp"
#include "support/catch.hpp"

using namespace roofline;
using counted::Array;
using counted::Number;

namespace {

constexpr Precision kPrecision = Precision::kFp32;
constexpr double kElementBytes = 4;

// Compares the model with the loop that has just run on these arrays.
void check_against(const Operation& operation, std::initializer_list<const Array*> arrays) {
  double loads = 0;
  double stores = 0;
  for (const Array* array : arrays) {
    loads += array->loads();
    stores += array->stores();
  }
  INFO(operation.name);
  CHECK(counted::flops == operation.flops);
  CHECK(loads * kElementBytes == operation.bytes_read);
  CHECK(stores * kElementBytes == operation.bytes_written);
  counted::flops = 0;
}

}  // namespace

TEST_CASE("BLAS 1 loops") {
  const std::size_t n = 17;
  const Number a{3};
  {
    Array x(n), y(n), z(n);
    for (std::size_t i = 0; i < n; ++i) z.store(i, x.load(i) + y.load(i));
    check_against(vector_add(n, kPrecision), {&x, &y, &z});
  }
  {
    Array x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) y.store(i, a * x.load(i) + y.load(i));
    check_against(axpy(n, kPrecision), {&x, &y});
  }
  {
    Array x(n);
    for (std::size_t i = 0; i < n; ++i) x.store(i, a * x.load(i));
    check_against(scal(n, kPrecision), {&x});
  }
  {
    Array x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) y.store(i, x.load(i));
    check_against(copy(n, kPrecision), {&x, &y});
  }
  {
    Array x(n), y(n);
    Number sum;
    for (std::size_t i = 0; i < n; ++i) sum += x.load(i) * y.load(i);
    check_against(dot(n, kPrecision), {&x, &y});
  }
  {
    Array x(n);
    Number total;
    for (std::size_t i = 0; i < n; ++i) total += x.load(i);
    check_against(sum(n, kPrecision), {&x});
  }
  {
    Array x(n);
    Number total;
    for (std::size_t i = 0; i < n; ++i) {
      const Number value = x.load(i);
      total += value * value;
    }
    check_against(nrm2(n, kPrecision), {&x});
  }
}

TEST_CASE("BLAS 2 loops") {
  const std::size_t m = 5, n = 7;
  {
    Array a(m * n), x(n), y(m);
    for (std::size_t i = 0; i < m; ++i) {
      Number sum;
      for (std::size_t j = 0; j < n; ++j) sum += a.load(i * n + j) * x.load(j);
      y.store(i, sum);
    }
    check_against(gemv(m, n, kPrecision), {&a, &x, &y});
  }
  {
    Array a(n * n), x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
      Number sum;
      for (std::size_t j = 0; j < n; ++j) {
        sum += a.load(std::max(i, j) * n + std::min(i, j)) * x.load(j);
      }
      y.store(i, sum);
    }
    check_against(symv(n, kPrecision), {&a, &x, &y});
  }
  {
    Array a(n * n), x(n);
    for (std::size_t i = n; i-- > 0;) {
      Number sum = a.load(i * n) * x.load(0);
      for (std::size_t j = 1; j <= i; ++j) sum += a.load(i * n + j) * x.load(j);
      x.store(i, sum);
    }
    check_against(trmv(n, kPrecision), {&a, &x});
  }
  {
    Array a(m * n), x(m), y(n);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        a.store(i * n + j, a.load(i * n + j) + x.load(i) * y.load(j));
      }
    }
    check_against(ger(m, n, kPrecision), {&a, &x, &y});
  }
}

TEST_CASE("BLAS 3 loops") {
  const std::size_t m = 4, n = 6, k = 8;
  {
    Array a(m * k), b(k * n), c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Number sum;
        for (std::size_t l = 0; l < k; ++l) sum += a.load(i * k + l) * b.load(l * n + j);
        c.store(i * n + j, sum);
      }
    }
    CHECK((a.issued_loads + b.issued_loads) * kElementBytes ==
          naive_gemm(m, n, k, kPrecision).inner.at(0).bytes);
    check_against(gemm(m, n, k, kPrecision), {&a, &b, &c});
  }
  {
    Array a(m * m), b(m * n), c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Number sum;
        for (std::size_t l = 0; l < m; ++l) {
          sum += a.load(std::max(i, l) * m + std::min(i, l)) * b.load(l * n + j);
        }
        c.store(i * n + j, sum);
      }
    }
    check_against(symm(m, n, kPrecision), {&a, &b, &c});
  }
  {
    Array a(n * k), c(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        Number sum;
        for (std::size_t l = 0; l < k; ++l) sum += a.load(i * k + l) * a.load(j * k + l);
        c.store(i * n + j, sum);
      }
    }
    check_against(syrk(n, k, kPrecision), {&a, &c});
  }
  {
    Array a(m * m), b(m * n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = m; i-- > 0;) {
        Number sum = a.load(i * m) * b.load(j);
        for (std::size_t l = 1; l <= i; ++l) sum += a.load(i * m + l) * b.load(l * n + j);
        b.store(i * n + j, sum);
      }
    }
    check_against(trmm(m, n, kPrecision), {&a, &b});
  }
}

TEST_CASE("tile loads of a tiled product") {
  const std::size_t n = 8, tile = 4;
  double loads = 0;
  for (std::size_t i = 0; i < n; i += tile) {
    for (std::size_t j = 0; j < n; j += tile) {
      for (std::size_t l = 0; l < n; l += tile) loads += 2 * tile * tile;
    }
  }
  const Operation tiled = tiled_gemm(n, n, n, tile, kPrecision, false);
  CHECK(tiled.bytes_read == loads * kElementBytes);
  CHECK(tiled.inner.at(0).bytes == loads * kElementBytes + tiled.bytes_written);
}

TEST_CASE("a stencil's loop on a ring, where every point is inner") {
  const std::size_t n = 12;
  const long offsets[] = {0, -1, 1, -4, 4};
  Array in(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = [&](long offset) {
      return in.load((i + n + static_cast<std::size_t>(offset + 12) - 12) % n);
    };
    Number sum = at(offsets[0]);
    for (int p = 1; p < 5; ++p) sum += at(offsets[p]);
    out.store(i, sum);
  }
  CHECK((in.issued_loads + out.stores()) * kElementBytes ==
        stencil(n, 5, kPrecision, StencilReuse::kNone).bytes());
  check_against(stencil(n, 5, kPrecision), {&in, &out});
}

TEST_CASE("a softmax row") {
  const std::size_t n = 9;
  Array x(n), y(n);
  Number largest{-1e30};
  for (std::size_t i = 0; i < n; ++i) largest = counted::maximum(largest, x.load(i));
  Number sum;
  std::vector<Number> powers;
  for (std::size_t i = 0; i < n; ++i) {
    powers.push_back(counted::exponential(x.load(i) - largest));
    sum += powers.back();
  }
  for (std::size_t i = 0; i < n; ++i) y.store(i, powers[i] / sum);
  check_against(softmax(1, n, kPrecision), {&x, &y});
}

TEST_CASE("a convolution on a torus, where padding is multiplied") {
  const std::size_t channels = 2, filters = 3, height = 4, width = 5;
  Array in(channels * height * width), filter(filters * channels * 9),
      out(filters * height * width);
  for (std::size_t f = 0; f < filters; ++f) {
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        Number sum;
        for (std::size_t c = 0; c < channels; ++c) {
          for (std::size_t t = 0; t < 9; ++t) {
            const std::size_t row = (y + t / 3 + height - 1) % height;
            const std::size_t column = (x + t % 3 + width - 1) % width;
            sum += in.load((c * height + row) * width + column) *
                   filter.load((f * channels + c) * 9 + t);
          }
        }
        out.store((f * height + y) * width + x, sum);
      }
    }
  }
  check_against(convolution({1, channels, filters, height, width, 3, 3}, kPrecision),
                {&in, &filter, &out});
}

TEST_CASE("decode attention over a grouped cache") {
  const std::size_t query_heads = 4, kv_heads = 2, dim = 3, context = 5;
  Array keys(kv_heads * context * dim), values(kv_heads * context * dim);
  const std::vector<Number> query(query_heads * dim, Number{1});
  std::vector<Number> output(query_heads * dim);
  for (std::size_t h = 0; h < query_heads; ++h) {
    const std::size_t head = h * kv_heads / query_heads;
    for (std::size_t t = 0; t < context; ++t) {
      Number score;
      for (std::size_t d = 0; d < dim; ++d) {
        score += query[h * dim + d] * keys.load((head * context + t) * dim + d);
      }
      for (std::size_t d = 0; d < dim; ++d) {
        output[h * dim + d] += score * values.load((head * context + t) * dim + d);
      }
    }
  }
  check_against(decode_attention(1, query_heads, kv_heads, dim, context, kPrecision),
                {&keys, &values});
}

TEST_CASE("pairs of causal attention") {
  const std::size_t sequence = 6, dim = 2;
  counted::flops = 0;
  for (std::size_t i = 0; i < sequence; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Number score;
      for (std::size_t d = 0; d < dim; ++d) score += Number{1} * Number{1};
      for (std::size_t d = 0; d < dim; ++d) score += Number{1} * Number{1};
    }
  }
  const Operation causal = fused_attention({1, 1, 1, sequence, dim, true}, kPrecision);
  const double softmax_flops = 5.0 * sequence * (sequence + 1) / 2;
  CHECK(counted::flops == causal.flops - softmax_flops);
  counted::flops = 0;
}
