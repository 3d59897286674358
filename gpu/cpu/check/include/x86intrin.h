// SPDX-License-Identifier: MIT
// Takes the compiler's header's place in checked kernels.
#include <immintrin.h>
