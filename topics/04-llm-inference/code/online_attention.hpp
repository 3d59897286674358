// SPDX-License-Identifier: MIT
// Shared by the three decode-attention kernels: online softmax over keys and values, by teams.
#pragma once

#include <cfloat>
#include <cmath>

// TODO(04.attention.decode): code shared by your three attention kernels may go here.
// A header of your own, if you like: attention_decode.cu, attention_paged.cu and
// attention_split.cu differ in where a row is and in what happens to a block's result.
// END TODO(04.attention.decode)
