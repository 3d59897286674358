// SPDX-License-Identifier: MIT
// Takes the compiler's header's place in checked kernels: it uses asm, which watched.hpp refuses, and
// including it before that takes a third of a checked kernel's compile time.
#error "kernels do without <immintrin.h>: no GPU has this processor's instructions"
