// SPDX-License-Identifier: MIT
// Functions of topic 01: the FLOPs and bytes of operations, and what follows from them.
//
// Everywhere: a multiply-add is 2 FLOPs. Traffic is compulsory: each operand is read once and each
// result written once; an operand updated in place counts as both. element_bytes is the size of one
// element (4 for FP32, 2 for FP16, 0.5 for four-bit formats).
#pragma once

/// What an operation does and moves.
struct Work {
  double flops = 0;
  double bytes = 0;
};

/// Rates of a machine, in FLOP/s and B/s.
struct Machine {
  double peak = 0;
  double bandwidth = 0;
};

/// FLOP per byte; +infinity for work that moves nothing. flops and bytes are never both 0.
double arithmetic_intensity(const Work& work);

/// The least time in seconds: arithmetic and transfers overlap, so the slower one determines the
/// time.
double time_seconds(const Work& work, const Machine& machine);

/// A sweep of a stencil over `n` points, without the border. `points` counts the point itself.
/// Without coefficients the `points` values are added; with coefficients each is first multiplied
/// by its own. With reuse every value is read from memory once; without reuse every point reads all
/// its neighbours from memory.
struct Stencil {
  int points = 5;
  bool coefficients = false;
  bool reuse = true;
};
Work stencil_work(const Stencil& stencil, double n, double element_bytes);

/// BLAS 1 on vectors of n elements: y = x; x = a x; y = a x + y; x . y; ||x||; sum |x_i|.
/// The additions of a sum are n (starting from zero); square root and absolute value are not
/// counted.
enum class Blas1 { kCopy, kScal, kAxpy, kDot, kNrm2, kAsum };
Work blas1_work(Blas1 routine, double n, double element_bytes);

/// BLAS 2 on an n x n matrix: y = A x; the same with A symmetric, one triangle stored, including
/// the diagonal; x = A x in place with A triangular, n*n FLOPs; A = A + x y^T.
enum class Blas2 { kGemv, kSymv, kTrmv, kGer };
Work blas2_work(Blas2 routine, double n, double element_bytes);

/// BLAS 3 on n x n matrices: C = A B; C = A B + b C; C = A B with A symmetric, one triangle stored;
/// C = A A^T, only one triangle of C computed and written; B = A B in place with A triangular.
/// A triangle has n(n+1)/2 elements. Scaling by b is not counted. SYRK is n*n*(n+1)
/// FLOPs, TRMM n*n*n.
enum class Blas3 { kGemm, kGemmReadC, kSymm, kSyrk, kTrmm };
Work blas3_work(Blas3 routine, double n, double element_bytes);

/// y = A x, A with m rows and n columns.
Work gemv_work(double m, double n, double element_bytes);

/// C = A B, A is m x k, B is k x n.
Work gemm_work(double m, double n, double k, double element_bytes);

/// A 2-D convolution with stride 1, padded so that the output is as high and wide as the input.
/// Padding counts as if it were multiplied; input, filter and output move once.
struct Convolution {
  double batch = 1;
  double in_channels = 1;
  double out_channels = 1;
  double height = 1;
  double width = 1;
  double kernel = 3;  ///< the filter is kernel x kernel
};
Work convolution_work(const Convolution& shape, double element_bytes);

/// A linear layer without bias: y[batch, out] = x[batch, in] W[in, out].
Work linear_work(double batch, double in_features, double out_features, double element_bytes);

/// Work on n elements in rows, everything read and written once. FLOPs per element, by convention:
/// ReLU 1, GELU 12, SiLU 4, softmax 5, LayerNorm 8, RMSNorm 5, residual addition 1 (a second array
/// is read), dropout 2 (its mask never leaves the chip).
enum class RowOperation {
  kRelu,
  kGelu,
  kSilu,
  kSoftmax,
  kLayerNorm,
  kRmsNorm,
  kResidualAdd,
  kDropout
};
Work row_work(RowOperation operation, double n, double element_bytes);

/// C = A B in square tiles held in shared memory: C has row_tiles x column_tiles tiles, each the
/// sum of inner_tiles products of tiles with tile x tile elements.
struct TiledGemm {
  double row_tiles = 1;
  double column_tiles = 1;
  double inner_tiles = 1;
  double tile = 16;
};
/// Bytes of that product: between the L2 cache and the tiles, including the store of C, and between
/// L2 and DRAM. With reuse in L2 the DRAM traffic is compulsory; without, every load of a tile
/// comes from DRAM.
struct Traffic {
  double l2_bytes = 0;
  double dram_bytes = 0;
};
Traffic tiled_gemm_traffic(const TiledGemm& shape, double element_bytes, bool l2_reuse);
