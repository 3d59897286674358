// SPDX-License-Identifier: MIT
// What a request of a warp fetches, counted as labs are counted: by running a checked kernel.
#pragma once

#include <cstdint>

namespace site_test {

/// Sectors that 32 lanes load when lane i reads element `offset + stride * i` of `bytes` bytes: 1,
/// 4, 8 or 16.
std::uint64_t counted_sectors(int bytes, int stride, int offset);

}  // namespace site_test
