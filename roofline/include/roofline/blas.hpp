// SPDX-License-Identifier: MIT
// The dense linear algebra of BLAS, levels 1 to 3, with compulsory traffic (see Operation).
#pragma once

#include "roofline/operation.hpp"

namespace roofline {

/// z = x + y: n FLOP; x and y read, z written.
Operation vector_add(double n, Precision precision);
/// y = x: no FLOP.
Operation copy(double n, Precision precision);
/// x = a x: n FLOP; x read and written.
Operation scal(double n, Precision precision);
/// y = a x + y: 2n FLOP; x read, y read and written.
Operation axpy(double n, Precision precision);
/// x . y: 2n FLOP (n products and n additions, starting from zero); x and y read.
Operation dot(double n, Precision precision);
/// ||x||: 2n FLOP, the square root not counted; x read.
Operation nrm2(double n, Precision precision);
/// sum |x_i|: n FLOP, taking absolute values not counted; x read.
Operation asum(double n, Precision precision);
/// sum x_i: n FLOP; x read.
Operation sum(double n, Precision precision);

/// y = A x, or y = A x + b y with read_y; A is m x n: 2mn FLOP; A, x (and y) read, y written.
Operation gemv(double m, double n, Precision precision, bool read_y = false);
/// y = A x, A symmetric n x n, stored as one triangle: 2n^2 FLOP.
Operation symv(double n, Precision precision);
/// x = A x in place, A triangular n x n: n^2 FLOP (no addition for the first product of a row).
Operation trmv(double n, Precision precision);
/// A = A + x y^T, A m x n: 2mn FLOP; A read and written.
Operation ger(double m, double n, Precision precision);

/// C = A B, or C = A B + b C with read_c; A is m x k, B k x n: 2mnk FLOP. Ideal reuse.
Operation gemm(double m, double n, double k, Precision precision, bool read_c = false);
/// C = A B, A symmetric m x m stored as one triangle, B m x n: 2 m^2 n FLOP.
Operation symm(double m, double n, Precision precision);
/// C = A A^T, one triangle of C, A n x k: n(n+1)k FLOP.
Operation syrk(double n, double k, Precision precision);
/// B = A B in place, A triangular m x m, B m x n: m^2 n FLOP; B read and written.
Operation trmm(double m, double n, Precision precision);

/// C = A B by one thread per element and no reuse anywhere: every multiply-add loads two operands,
/// so that the issued loads give 2 / (2 s) FLOP/B. DRAM traffic as for gemm(); "L1" holds the
/// loads.
Operation naive_gemm(double m, double n, double k, Precision precision);

/// C = A B in square tiles kept in shared memory: T / s FLOP per byte loaded into tiles (T/4 in
/// FP32). "L2" holds the tile loads and the store of C. DRAM traffic is compulsory, or all of the
/// tile loads if cache_reuse is false. The tile must divide m, n and k.
Operation tiled_gemm(double m, double n, double k, double tile, Precision precision,
                     bool cache_reuse = true);

}  // namespace roofline
