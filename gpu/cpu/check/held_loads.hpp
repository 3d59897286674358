// SPDX-License-Identifier: MIT
// Finds loads that must be in flight together, whatever the compiler does.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "vgpu/profile.hpp"

namespace gpu::cpu::check {

/// The requests of one warp to device memory, in order. Loads that are followed by at least as many
/// stores, with no store between them, fill registers before the first is used: an array of them,
/// for example. A sum also loads one number after the other, but stores fewer.
class HeldLoads {
 public:
  void load(vgpu::Site& site) {
    if (stores_ > 0) *this = {};
    ++loads_;
    const auto of_site = std::find_if(sites_.begin(), sites_.end(),
                                      [&](const auto& one) { return one.first == &site; });
    if (of_site == sites_.end()) {
      sites_.emplace_back(&site, 1);
    } else {
      ++of_site->second;
    }
  }
  void store() {
    if (++stores_ != loads_) return;
    for (const auto& [site, loads] : sites_) site->held = std::max(site->held, loads);
  }

 private:
  std::vector<std::pair<vgpu::Site*, double>> sites_;  ///< with loads since the last store
  int loads_ = 0, stores_ = 0;
};

}  // namespace gpu::cpu::check
