// SPDX-License-Identifier: MIT
// FLOPs and bytes of stencils, convolutions, activations, normalisations and softmax.
#include "roofline/elementwise.hpp"

#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline {

Operation elementwise(const std::string& name, double n, double flops_per_element, double inputs,
                      Precision precision) {
  const double bytes = require_positive(n, "number of elements") * bytes_per_element(precision);
  return {name,
          n * require_not_negative(flops_per_element, "FLOPs per element"),
          bytes * require_not_negative(inputs, "number of inputs"),
          bytes,
          {}};
}

Operation relu(double n, Precision precision) {
  return elementwise("relu", n, 1, 1, precision);
}
Operation gelu(double n, Precision precision) {
  return elementwise("gelu", n, 12, 1, precision);
}
Operation silu(double n, Precision precision) {
  return elementwise("silu", n, 4, 1, precision);
}

Operation residual_add(double n, Precision precision) {
  return elementwise("residual add", n, 1, 2, precision);
}

Operation dropout(double n, Precision precision) {
  return elementwise("dropout", n, 2, 1, precision);
}

Operation softmax(double rows, double columns, Precision precision) {
  return elementwise("softmax", require_positive(rows, "rows") * columns, 5, 1, precision);
}

Operation layer_norm(double rows, double columns, Precision precision) {
  return elementwise("layer norm", require_positive(rows, "rows") * columns, 8, 1, precision);
}

Operation rms_norm(double rows, double columns, Precision precision) {
  return elementwise("rms norm", require_positive(rows, "rows") * columns, 5, 1, precision);
}

Operation stencil(double n, double points, Precision precision, StencilReuse reuse,
                  bool coefficients) {
  if (!(points >= 2)) throw std::invalid_argument("a stencil has at least 2 points");
  const double flops = points - 1 + (coefficients ? points : 0);
  return elementwise("stencil", n, flops, reuse == StencilReuse::kPerfect ? 1 : points, precision);
}

Operation convolution(const Convolution& shape, Precision precision) {
  const double pixels = require_positive(shape.batch, "batch size") *
                        require_positive(shape.height, "height") *
                        require_positive(shape.width, "width");
  const double filter = require_positive(shape.in_channels, "input channels") *
                        require_positive(shape.out_channels, "output channels") *
                        require_positive(shape.kernel_height, "kernel height") *
                        require_positive(shape.kernel_width, "kernel width");
  const double bytes = bytes_per_element(precision);
  return {"convolution",
          2 * pixels * filter,
          bytes * (pixels * shape.in_channels + filter),
          bytes * pixels * shape.out_channels,
          {}};
}

}  // namespace roofline
