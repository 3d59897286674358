// SPDX-License-Identifier: MIT
// Plain OpenMP STREAM, and FMA loops written with intrinsics, on all cores of a CPU.

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "native_rates.hpp"

namespace bench {
namespace {

/// Three arrays of doubles, first touched by the threads that use them.
class Stream {
 public:
  explicit Stream(std::size_t elements);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Seconds of a[i] = b[i] + s c[i], as STREAM writes it.
  double triad();
  /// The same with non-temporal stores; 0 if the compiler does not support them.
  double triad_streaming();
  /// Seconds of a sum over one array with an OpenMP SIMD reduction.
  double read();
  std::size_t elements() const { return elements_; }

 private:
  std::size_t elements_;
  double* a_;
  double* b_;
  double* c_;
};

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr double kScalar = 0.75;
constexpr int kSamples = 20;
constexpr double kSmallestArray = 128.0 * (1 << 20);  // bytes
constexpr double kCaches = 4;                         // size of an array relative to the last cache
constexpr long kFmaIterations = 4000000;

double* allocate(std::size_t elements) {
  const std::size_t bytes = elements * sizeof(double);
  void* memory = std::aligned_alloc(kHugePage, bytes);
  if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // as in gpu/
#endif
  return static_cast<double*>(memory);
}

template <class Body>
double seconds_of(const Body& body) {
  const double start = omp_get_wtime();
  body();
  return omp_get_wtime() - start;
}

volatile double sink;

#if defined(__AVX512F__)
struct Single {
  using Register = __m512;
  static constexpr int kWidth = 16;
  static Register set(double x) { return _mm512_set1_ps(static_cast<float>(x)); }
  static Register fma(Register x, Register a, Register b) { return _mm512_fmadd_ps(x, a, b); }
};
struct Double {
  using Register = __m512d;
  static constexpr int kWidth = 8;
  static Register set(double x) { return _mm512_set1_pd(x); }
  static Register fma(Register x, Register a, Register b) { return _mm512_fmadd_pd(x, a, b); }
  static Register load(const double* from) { return _mm512_load_pd(from); }
  static void stream(double* to, Register x) { _mm512_stream_pd(to, x); }
};
#elif defined(__AVX2__) && defined(__FMA__)
struct Single {
  using Register = __m256;
  static constexpr int kWidth = 8;
  static Register set(double x) { return _mm256_set1_ps(static_cast<float>(x)); }
  static Register fma(Register x, Register a, Register b) { return _mm256_fmadd_ps(x, a, b); }
};
struct Double {
  using Register = __m256d;
  static constexpr int kWidth = 4;
  static Register set(double x) { return _mm256_set1_pd(x); }
  static Register fma(Register x, Register a, Register b) { return _mm256_fmadd_pd(x, a, b); }
  static Register load(const double* from) { return _mm256_load_pd(from); }
  static void stream(double* to, Register x) { _mm256_stream_pd(to, x); }
};
#endif

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
template <class V, int chains>
double fma_rate() {
  double sums = 0;
  const double seconds = seconds_of([&] {
#pragma omp parallel reduction(+ : sums)
    {
      typename V::Register x[chains];
      const auto a = V::set(-0.99999);
      const auto b = V::set(0.7);
      for (int c = 0; c < chains; ++c) x[c] = V::set(0.5 + 0.01 * c);
      for (long i = 0; i < kFmaIterations; ++i) {
        for (int c = 0; c < chains; ++c) x[c] = V::fma(x[c], a, b);
      }
      for (int c = 0; c < chains; ++c) sums += x[c][0];
    }
  });
  sink = sums;
  return 2.0 * V::kWidth * chains * kFmaIterations * omp_get_max_threads() / seconds;
}

template <class V>
double best_fma() {
  return std::max({fma_rate<V, 8>(), fma_rate<V, 10>(), fma_rate<V, 12>(), fma_rate<V, 16>()});
}
#endif

Stream::Stream(std::size_t elements)
    : elements_(elements), a_(allocate(elements)), b_(allocate(elements)), c_(allocate(elements)) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < elements; ++i) {
    a_[i] = 0;
    b_[i] = 1.0 + static_cast<double>(i % 1000) / 1000;
    c_[i] = 2.0 - static_cast<double>(i % 777) / 1000;
  }
}

Stream::~Stream() {
  std::free(a_);
  std::free(b_);
  std::free(c_);
}

double Stream::triad() {
  double* const a = a_;
  const double* const b = b_;
  const double* const c = c_;
  const std::size_t n = elements_;
  const double start = omp_get_wtime();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + kScalar * c[i];
  return omp_get_wtime() - start;
}

double Stream::triad_streaming() {
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
  return seconds_of([&] {
    const auto scalar = Double::set(kScalar);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < elements_; i += Double::kWidth) {
      Double::stream(a_ + i, Double::fma(scalar, Double::load(c_ + i), Double::load(b_ + i)));
    }
  });
#else
  return 0;
#endif
}

double Stream::read() {
  const double* const b = b_;
  const std::size_t n = elements_;
  double total = 0;
  const double start = omp_get_wtime();
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += b[i];
  const double seconds = omp_get_wtime() - start;
  sink = total;
  return seconds;
}

double best_fma_fp32() {
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
  return best_fma<Single>();
#else
  return 0;
#endif
}

double best_fma_fp64() {
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
  return best_fma<Double>();
#else
  return 0;
#endif
}

template <class Measure>
double median_of(const Measure& measure) {
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) samples.push_back(measure());
  return roofline::summarize(samples).median;
}

}  // namespace

Rates native_rates(const roofline::DeviceInfo& device) {
  const double wanted =
      std::max(kSmallestArray, kCaches * device.last_level_cache_bytes.value_or(0));
  Stream stream(static_cast<std::size_t>(wanted) / kHugePage * (kHugePage / sizeof(double)));
  const double bytes = static_cast<double>(stream.elements()) * sizeof(double);
  const double streaming = median_of([&] { return stream.triad_streaming(); });
  Rates rates = {{"triad.ordinary", 3 * bytes / median_of([&] { return stream.triad(); })},
                 {"read", bytes / median_of([&] { return stream.read(); })},
                 {"fp32.vector", best_fma_fp32()},
                 {"fp64.vector", best_fma_fp64()}};
  if (streaming > 0) rates["triad"] = 3 * bytes / streaming;
  return rates;
}

}  // namespace bench
