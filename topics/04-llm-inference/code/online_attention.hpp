// SPDX-License-Identifier: MIT
// What the three decode-attention kernels share: online softmax over keys and values, by teams.
#pragma once

#include <cfloat>
#include <cmath>

// TODO(04.attention.decode): what your three attention kernels share may stand here.
// A header of your own, if you like: attention_decode.cu, attention_paged.cu and
// attention_split.cu differ in where a row lies and in what becomes of a block's result.
// END TODO(04.attention.decode)
