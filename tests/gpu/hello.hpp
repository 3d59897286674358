// SPDX-License-Identifier: MIT
// The functions of hello.cu, called by hello.cpp.
#pragma once

#include <vector>

/// a*x + y, on the device; x and y have the same size, which may be 0.
std::vector<float> run_saxpy(float a, const std::vector<float>& x, const std::vector<float>& y);

/// At most 256 values in reverse order, through shared memory.
std::vector<int> run_reverse_block(std::vector<int> values);
