// SPDX-License-Identifier: MIT
// Shadows the compiler's header in checked kernels: that header uses asm, which watched.hpp
// refuses, and including it before watched.hpp takes a third of a checked kernel's compile time.
#error "kernels do without <immintrin.h>: no GPU has this processor's instructions"
