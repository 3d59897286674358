// SPDX-License-Identifier: MIT
// PROGRAM --oracle: a lab program that compares its own kernels with their oracles.
#pragma once

namespace harness {

/// Runs every kernel of this program that has an oracle, in this process, at small and awkward
/// sizes and with NaN and infinities among the inputs, and prints what is wrong. It looks for
/// mistakes, not for rounding errors: its tolerance is that of the element type, and exercises are
/// stricter.
/// @returns the exit status: 0 right, 1 wrong, 3 unsolved, 77 without a device.
int compare_program();

}  // namespace harness
