// SPDX-License-Identifier: MIT
// FLOPs and bytes of BLAS.
#include "roofline/blas.hpp"

#include <cmath>
#include <stdexcept>

#include "roofline/checks.hpp"

namespace roofline {
namespace {

double size(double value) {
  return require_positive(value, "size of an operand");
}

double triangle(double n) {
  return n * (n + 1) / 2;
}

Operation operation(const char* name, double flops, double elements_read, double elements_written,
                    Precision precision) {
  const double bytes = bytes_per_element(precision);
  return {name, flops, elements_read * bytes, elements_written * bytes, {}};
}

}  // namespace

Operation vector_add(double n, Precision precision) {
  return operation("vector add", size(n), 2 * n, n, precision);
}

Operation copy(double n, Precision precision) {
  return operation("copy", 0, size(n), n, precision);
}

Operation scal(double n, Precision precision) {
  return operation("scal", size(n), n, n, precision);
}

Operation axpy(double n, Precision precision) {
  return operation("axpy", 2 * size(n), 2 * n, n, precision);
}

Operation dot(double n, Precision precision) {
  return operation("dot", 2 * size(n), 2 * n, 0, precision);
}

Operation nrm2(double n, Precision precision) {
  return operation("nrm2", 2 * size(n), n, 0, precision);
}

Operation asum(double n, Precision precision) {
  return operation("asum", size(n), n, 0, precision);
}

Operation sum(double n, Precision precision) {
  return operation("sum", size(n), n, 0, precision);
}

Operation gemv(double m, double n, Precision precision, bool read_y) {
  const double matrix = size(m) * size(n);
  return operation("gemv", 2 * matrix, matrix + n + (read_y ? m : 0), m, precision);
}

Operation symv(double n, Precision precision) {
  return operation("symv", 2 * size(n) * n, triangle(n) + n, n, precision);
}

Operation trmv(double n, Precision precision) {
  return operation("trmv", size(n) * n, triangle(n) + n, n, precision);
}

Operation ger(double m, double n, Precision precision) {
  const double matrix = size(m) * size(n);
  return operation("ger", 2 * matrix, matrix + m + n, matrix, precision);
}

Operation gemm(double m, double n, double k, Precision precision, bool read_c) {
  const double result = size(m) * size(n);
  return operation("gemm", 2 * result * size(k), m * k + k * n + (read_c ? result : 0), result,
                   precision);
}

Operation symm(double m, double n, Precision precision) {
  const double result = size(m) * size(n);
  return operation("symm", 2 * result * m, triangle(m) + result, result, precision);
}

Operation syrk(double n, double k, Precision precision) {
  return operation("syrk", 2 * triangle(size(n)) * size(k), n * k, triangle(n), precision);
}

Operation trmm(double m, double n, Precision precision) {
  const double result = size(m) * size(n);
  return operation("trmm", result * m, triangle(m) + result, result, precision);
}

Operation naive_gemm(double m, double n, double k, Precision precision) {
  Operation result = gemm(m, n, k, precision);
  result.name = "naive gemm";
  result.inner = {{"L1", 2 * m * n * k * bytes_per_element(precision)}};
  return result;
}

Operation tiled_gemm(double m, double n, double k, double tile, Precision precision,
                     bool cache_reuse) {
  Operation result = gemm(m, n, k, precision);
  require_positive(tile, "tile");
  for (const double extent : {m, n, k}) {
    if (std::fmod(extent, tile) != 0) {
      throw std::invalid_argument("the tile must divide every side of the product");
    }
  }
  result.name = "tiled gemm";
  const double loads = 2 * m * n * k / tile * bytes_per_element(precision);
  result.inner = {{"L2", loads + result.bytes_written}};
  if (!cache_reuse) result.bytes_read = loads;
  return result;
}

}  // namespace roofline
