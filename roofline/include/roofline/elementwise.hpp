// SPDX-License-Identifier: MIT
// Stencils, convolutions, activations, normalisations and softmax.
#pragma once

#include "roofline/operation.hpp"

namespace roofline {

/// Any element-wise operation: `inputs` arrays of n elements read, one array written.
Operation elementwise(const std::string& name, double n, double flops_per_element, double inputs,
                      Precision precision);

/// max(x, 0): 1 FLOP, the comparison.
Operation relu(double n, Precision precision);
/// GELU by its tanh form: 12 FLOP, counting tanh as one operation.
Operation gelu(double n, Precision precision);
/// x / (1 + exp(-x)): 4 FLOP, counting exp as one.
Operation silu(double n, Precision precision);
/// x + residual: 1 FLOP, two arrays read.
Operation residual_add(double n, Precision precision);
/// Mask and scale: 2 FLOP; the mask is generated in registers and never stored.
Operation dropout(double n, Precision precision);

/// Softmax over rows: 5 FLOP per element (maximum, subtraction, exponential, sum, division); one
/// read and one write, so the row stays on chip between its passes.
Operation softmax(double rows, double columns, Precision precision);
/// LayerNorm, by convention 8 FLOP per element (sum, subtraction, square, sum of squares, two to
/// normalise, scale, shift); one read, one write; scale and shift vectors are left out, because
/// every row reuses them.
Operation layer_norm(double rows, double columns, Precision precision);
/// RMSNorm, by convention 5 FLOP per element (square, sum, two to normalise, scale); traffic as for
/// layer_norm().
Operation rms_norm(double rows, double columns, Precision precision);

/// How well the cache serves a stencil's reads.
enum class StencilReuse {
  kPerfect,  ///< every point of the grid is read once
  kNone,     ///< every neighbour is read for every point
};

/// out = sum of `points` neighbours over n grid points: points - 1 FLOP, or 2 points - 1 with one
/// coefficient per neighbour. 5 points: 4 FLOP for 2 s bytes (perfect) or 6 s (none). Boundary
/// points are left out.
Operation stencil(double n, double points, Precision precision,
                  StencilReuse reuse = StencilReuse::kPerfect, bool coefficients = false);

/// A 2-D convolution with stride 1 and padding that keeps the size.
struct Convolution {
  double batch = 1;
  double in_channels = 1;
  double out_channels = 1;
  double height = 1;
  double width = 1;
  double kernel_height = 3;
  double kernel_width = 3;
};

/// 2 N K C R S P Q FLOP, counting padding as if it were multiplied; input, filter and output once.
Operation convolution(const Convolution& shape, Precision precision);

}  // namespace roofline
