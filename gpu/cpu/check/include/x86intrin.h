// SPDX-License-Identifier: MIT
// Shadows the compiler's header in checked kernels.
#include <immintrin.h>
