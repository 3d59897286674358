// SPDX-License-Identifier: MIT
// Vector peaks: fused multiply-adds in registers, in many independent chains.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/buffer.hpp"
#include "launch_shape.hpp"
#include "sampling.hpp"

namespace roofline::measure {

/// FMA chains of one number type, float or double.
template <class T>
class FmaChains {
 public:
  explicit FmaChains(int units);

  /// Launches with different numbers of chains and threads. They keep pointers into this object.
  std::vector<Candidate> candidates();

  /// Runs a candidate and compares some of its threads with the same chains on the host. Returns
  /// the number of wrong results.
  long wrong_results(std::size_t candidate);

 private:
  static std::vector<LaunchShape> shapes(int units);
  template <int chains, int repeat>
  void add(std::vector<Candidate>& all, const LaunchShape& shape);

  int units_;
  gpu::DeviceBuffer<T> out_;
  std::vector<int> chains_of_;
};

extern template class FmaChains<float>;
extern template class FmaChains<double>;

}  // namespace roofline::measure
