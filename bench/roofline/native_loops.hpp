// SPDX-License-Identifier: MIT
// The loops that `roofline measure` is held against: plain OpenMP STREAM, and hand-vectorised FMA.
#pragma once

#include <cstddef>
#include <memory>

namespace bench {

/// Three arrays of doubles, first touched by the threads that use them.
class Stream {
 public:
  explicit Stream(std::size_t elements);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Seconds of a[i] = b[i] + s c[i], as STREAM writes it.
  double triad();
  /// The same with non-temporal stores; 0 where the compiler offers none.
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

/// FLOP/s of the best of several hand-vectorised FMA loops on all cores; 0 without vector FMA.
double best_fma_fp32();
double best_fma_fp64();

}  // namespace bench
