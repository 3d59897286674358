// SPDX-License-Identifier: MIT
// The same work as plain C++ loops, on all cores unless stated.
#pragma once

#include <cstdint>

namespace bench {

void native_saxpy(std::int64_t n, float a, const float* x, float* y);
void native_triad(std::int64_t n, float* a, const float* b, float s, const float* c);
float native_sum(std::int64_t n, const float* x);
/// kFmaChains chains on the calling core, `steps` steps each; returns their sum.
float native_fma(int steps, float start);

}  // namespace bench
