// SPDX-License-Identifier: MIT
// Operations with their FLOPs and bytes for Python.
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "roofline/blas.hpp"
#include "roofline/checks.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/operation.hpp"
#include "roofline/transformer.hpp"

namespace rooflinelabs {

namespace py = pybind11;
using namespace py::literals;
using namespace roofline;

namespace {

void bind_type(py::module_& module) {
  py::class_<LevelBytes>(module, "LevelBytes", "Bytes through a level nearer than DRAM.")
      .def_readonly("level", &LevelBytes::level, "Name.")
      .def_readonly("bytes", &LevelBytes::bytes, "Traffic, B.");
  py::class_<Operation>(
      module, "Operation",
      "FLOPs and bytes of an operation. DRAM traffic is compulsory: every operand\n"
      "is read once and every result written once. A multiply-add is 2 FLOP.")
      .def(py::init([](const std::string& name, double flops, double read, double written) {
             return Operation{name,
                              require_not_negative(flops, "FLOPs"),
                              require_not_negative(read, "bytes read"),
                              require_not_negative(written, "bytes written"),
                              {}};
           }),
           "name"_a, "flops"_a, "bytes_read"_a, "bytes_written"_a)
      .def_readonly("name", &Operation::name, "Name.")
      .def_readonly("flops", &Operation::flops, "FLOP.")
      .def_readonly("bytes_read", &Operation::bytes_read, "Read from DRAM, B.")
      .def_readonly("bytes_written", &Operation::bytes_written, "Written to DRAM, B.")
      .def_readonly("inner", &Operation::inner, "Traffic of nearer levels, where it is fixed.")
      .def_property_readonly("bytes", &Operation::bytes, "Read and written, B.")
      .def_property_readonly("intensity", &Operation::intensity, "FLOP per DRAM byte.")
      .def("__repr__", [](const Operation& operation) {
        return "<Operation '" + operation.name + "': " + std::to_string(operation.flops) +
               " FLOP, " + std::to_string(operation.bytes()) + " B>";
      });
  module.def("time_seconds", py::overload_cast<const Roof&, const Operation&>(&time_seconds),
             "roof"_a, "operation"_a, "max(FLOPs / peak, bytes / bandwidth), s.");
  module.def("hierarchical_bound",
             py::overload_cast<const Machine&, Precision, const Operation&>(&hierarchical_bound),
             "machine"_a, "precision"_a, "operation"_a,
             "The least time over all levels that machine and operation state.");
  module.def("time_of_sequence",
             py::overload_cast<const Roof&, const std::vector<Operation>&>(&time_of_sequence),
             "roof"_a, "operations"_a, "Sum of the operations' own times, s.");
  module.def("fused", &fused, "name"_a, "first"_a, "second"_a, "intermediate_bytes"_a,
             "still_written"_a = false,
             "Two operations as one; what the first hands to the second (B) stays in registers.");
}

void bind_blas(py::module_& module) {
  using OfVector = Operation (*)(double, Precision);
  const std::pair<const char*, std::pair<OfVector, const char*>> vectors[] = {
      {"vector_add", {&vector_add, "z = x + y over n elements."}},
      {"copy", {&copy, "y = x over n elements."}},
      {"scal", {&scal, "x = a x over n elements."}},
      {"axpy", {&axpy, "y = a x + y over n elements."}},
      {"dot", {&dot, "x . y over n elements."}},
      {"nrm2", {&nrm2, "||x|| over n elements."}},
      {"asum", {&asum, "Sum of |x_i| over n elements."}},
      {"sum", {&sum, "Sum of x_i over n elements."}},
      {"symv", {&symv, "y = A x, A symmetric n x n, one triangle stored."}},
      {"trmv", {&trmv, "x = A x in place, A triangular n x n."}},
      {"relu", {&relu, "max(x, 0) over n elements."}},
      {"gelu", {&gelu, "GELU by its tanh form over n elements, 12 FLOP each."}},
      {"silu", {&silu, "x / (1 + exp(-x)) over n elements, 4 FLOP each."}},
      {"residual_add", {&residual_add, "x + residual over n elements."}},
      {"dropout", {&dropout, "Mask and scale over n elements."}}};
  for (const auto& [name, entry] : vectors) {
    module.def(name, entry.first, "n"_a, "precision"_a, entry.second);
  }
  using OfRows = Operation (*)(double, double, Precision);
  const std::pair<const char*, std::pair<OfRows, const char*>> rows[] = {
      {"softmax", {&softmax, "Softmax over rows, 5 FLOP per element."}},
      {"layer_norm", {&layer_norm, "LayerNorm over rows, 8 FLOP per element."}},
      {"rms_norm", {&rms_norm, "RMSNorm over rows, 5 FLOP per element."}}};
  for (const auto& [name, entry] : rows) {
    module.def(name, entry.first, "rows"_a, "columns"_a, "precision"_a, entry.second);
  }
  module.def("gemv", &gemv, "m"_a, "n"_a, "precision"_a, "read_y"_a = false,
             "y = A x, or y = A x + b y with read_y; A is m x n.");
  module.def("ger", &ger, "m"_a, "n"_a, "precision"_a, "A = A + x y^T, A m x n.");
  module.def("gemm", &gemm, "m"_a, "n"_a, "k"_a, "precision"_a, "read_c"_a = false,
             "C = A B, or C = A B + b C with read_c; A is m x k, B k x n. Ideal reuse.");
  module.def("symm", &symm, "m"_a, "n"_a, "precision"_a, "C = A B, A symmetric m x m.");
  module.def("syrk", &syrk, "n"_a, "k"_a, "precision"_a, "C = A A^T, one triangle of C.");
  module.def("trmm", &trmm, "m"_a, "n"_a, "precision"_a, "B = A B in place, A triangular.");
  module.def("naive_gemm", &naive_gemm, "m"_a, "n"_a, "k"_a, "precision"_a,
             "C = A B without reuse: 'L1' holds the issued loads.");
  module.def("tiled_gemm", &tiled_gemm, "m"_a, "n"_a, "k"_a, "tile"_a, "precision"_a,
             "cache_reuse"_a = true, "C = A B in square tiles: 'L2' holds the tile loads.");
}

void bind_stencils(py::module_& module) {
  py::enum_<StencilReuse>(module, "StencilReuse",
                          "How well a stencil's reads are served by the cache.")
      .value("PERFECT", StencilReuse::kPerfect)
      .value("NONE", StencilReuse::kNone);
  module.def("elementwise", &elementwise, "name"_a, "n"_a, "flops_per_element"_a, "inputs"_a,
             "precision"_a, "`inputs` arrays of n elements read, one written.");
  module.def("stencil", &stencil, "n"_a, "points"_a, "precision"_a,
             "reuse"_a = StencilReuse::kPerfect, "coefficients"_a = false,
             "Sum of `points` neighbours over n grid points.");
  module.def(
      "convolution",
      [](double batch, double in, double out, double height, double width, double rows,
         double columns, Precision precision) {
        return convolution({batch, in, out, height, width, rows, columns}, precision);
      },
      "batch"_a, "in_channels"_a, "out_channels"_a, "height"_a, "width"_a, "kernel_height"_a,
      "kernel_width"_a, "precision"_a, "2-D convolution, stride 1, padding that keeps the size.");
}

void bind_attention(py::module_& module) {
  py::class_<WeightFormat>(module, "WeightFormat", "How weights are stored.")
      .def(py::init([](Precision element, double group, Precision scale, double zero_point_bits) {
             return WeightFormat{element, group, scale, zero_point_bits};
           }),
           "element"_a = Precision::kFp16, "group"_a = 0.0, "scale"_a = Precision::kFp16,
           "zero_point_bits"_a = 0.0);
  module.def("bits_per_weight", &bits_per_weight, "format"_a, "Bits of a weight with its scales.");
  module.def("linear", &linear, "batch"_a, "in_features"_a, "out_features"_a,
             "weights"_a = WeightFormat{}, "activations"_a = Precision::kFp16,
             "y[B, out] = x[B, in] W.");
  const auto shape = [](double batch, double query_heads, double kv_heads, double sequence,
                        double head_dim, bool causal) {
    return Attention{batch, query_heads, kv_heads, sequence, head_dim, causal};
  };
  module.def(
      "fused_attention",
      [shape](double batch, double query_heads, double kv_heads, double sequence, double head_dim,
              Precision precision, bool causal) {
        return fused_attention(shape(batch, query_heads, kv_heads, sequence, head_dim, causal),
                               precision);
      },
      "batch"_a, "query_heads"_a, "kv_heads"_a, "sequence"_a, "head_dim"_a, "precision"_a,
      "causal"_a = false, "Attention of a prompt in one kernel; scores never leave the chip.");
  module.def(
      "unfused_attention",
      [shape](double batch, double query_heads, double kv_heads, double sequence, double head_dim,
              Precision precision, bool causal, int score_passes) {
        return unfused_attention(shape(batch, query_heads, kv_heads, sequence, head_dim, causal),
                                 precision, score_passes);
      },
      "batch"_a, "query_heads"_a, "kv_heads"_a, "sequence"_a, "head_dim"_a, "precision"_a,
      "causal"_a = false, "score_passes"_a = 4,
      "As fused_attention(), and the scores pass through DRAM score_passes times.");
  module.def("decode_attention", &decode_attention, "batch"_a, "query_heads"_a, "kv_heads"_a,
             "head_dim"_a, "context"_a, "cache"_a,
             "One new token per sequence attends to `context` cached tokens.");
  module.def("mla_decode_attention", &mla_decode_attention, "batch"_a, "heads"_a, "latent_dim"_a,
             "rope_dim"_a, "context"_a, "cache"_a, "Latent attention with absorbed projections.");
}

}  // namespace

void bind_operations(py::module_& module) {
  bind_type(module);
  bind_blas(module);
  bind_stencils(module);
  bind_attention(module);
}

}  // namespace rooflinelabs
