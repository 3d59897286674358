// SPDX-License-Identifier: MIT
// Included before every checked kernel file (rl_check_kernels()): from here on no function can opt
// out of the instrumentation, so that the checked run sees everything. A poisoned name stays an
// error even if a macro assembles it, and #undef does not bring it back.
#pragma once

// Headers that use asm themselves come first.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#if __has_include(<format>)
#include <chrono>  // which includes it
#endif
#if _GLIBCXX_RELEASE >= 13
#include <iostream>
#endif

#include "gpu/cpu/atomics.hpp"
#include "gpu/gpu.hpp"

#undef GPU_UNINSTRUMENTED
#pragma GCC poison GPU_UNINSTRUMENTED
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_thread __no_sanitize_thread__
#pragma GCC poison no_sanitize_coverage __no_sanitize_coverage__
#pragma GCC poison disable_sanitizer_instrumentation __disable_sanitizer_instrumentation__

// Instructions inside an asm are not instrumented, and no GPU has this processor's anyway.
#pragma GCC poison asm __asm __asm__
