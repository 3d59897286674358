// SPDX-License-Identifier: MIT
// The seam: the operators of a step that are labs of the course, with the labs' signatures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/kernel.hpp"
#include "gpu/span.hpp"

namespace engine {

template <class T>
using In = gpu::DeviceSpan<const T>;
template <class T>
using Out = gpu::DeviceSpan<T>;

/// Functions on device memory; topics/04-llm-inference/code/NAME.cu documents each.
struct LabKernels {
  void (*gemv)(In<float> w, In<float> x, Out<float> y) = nullptr;
  void (*gemv_half)(In<__half> w, In<__half> x, Out<float> y) = nullptr;
  void (*gemv_batch)(std::int64_t batch, In<__half> w, In<__half> x, Out<float> y) = nullptr;
  void (*gemv_int8)(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) = nullptr;
  void (*gemv_int4)(In<std::uint8_t> packed, In<__half> scales, In<__half> x,
                    Out<float> y) = nullptr;
  /// The same as gemv_int8 and gemv_int4 for each input of a batch, but reading each weight once;
  /// not labs. If null, the lab is called for each input.
  void (*gemv_int8_batch)(std::int64_t batch, In<std::int8_t> q, In<float> scales, In<__half> x,
                          Out<float> y) = nullptr;
  void (*gemv_int4_batch)(std::int64_t batch, In<std::uint8_t> packed, In<__half> scales,
                          In<__half> x, Out<float> y) = nullptr;
  /// The same as gemv_half and gemv_int8 for one input, but faster; not labs. If null, or if it
  /// returns false because the shape or the machine is unsuitable, the lab is called.
  bool (*gemv_half_one)(In<__half> w, In<__half> x, Out<float> y) = nullptr;
  bool (*gemv_int8_one)(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) = nullptr;
  void (*attention_paged)(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                          In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                          In<__nv_bfloat16> v, Out<float> out) = nullptr;
  /// The same in FP16, not a lab either. If null, results are converted.
  void (*attention_paged_half)(int query_heads, int kv_heads, int head_dim,
                               In<std::int32_t> lengths, In<std::int32_t> table,
                               In<__nv_bfloat16> q, In<__nv_bfloat16> k, In<__nv_bfloat16> v,
                               Out<__half> out) = nullptr;
  void (*softmax_online)(std::int64_t columns, In<float> x, Out<float> y) = nullptr;
};

/// Whether a product that is not a lab existed and accepted its arguments.
template <class Product, class... Arguments>
bool is_done(Product* product, const Arguments&... arguments) {
  return product != nullptr && product(arguments...);
}

/// Adjacent weights of a row that share a scale, as in gemv_int4; the length of a row is a multiple
/// of it.
inline constexpr int kInt4Group = 128;
/// The stored number of a 4-bit weight of zero.
inline constexpr int kInt4Zero = 8;

/// Tokens per page of the cache, as in attention_paged.
inline constexpr int kPageTokens = 16;

/// The engine's own kernels: short, correct, and not fast. They replace labs that are not solved,
/// and the results of labs are compared with theirs.
LabKernels plain_kernels();

/// The kernels that this program was linked with (operators/linked_*.cu): the course's solutions,
/// or the student's files.
LabKernels linked_kernels();
/// "the course's solutions", "your files", or "the engine's own", for messages.
const char* linked_name();

/// The outcome for one lab.
struct LabStatus {
  std::string name;      ///< "gemv"
  std::string exercise;  ///< "04.gemv.kernel"
  bool is_used = false;
  std::string reason;  ///< why it is not used, as one clause
};

/// The kernels to run with.
struct KernelChoice {
  LabKernels kernels;
  std::vector<LabStatus> labs;
};

/// Tries each kernel on a small input. A kernel that is unsolved, fails, or differs from the
/// engine's own by more than 1e-3 of the largest result is replaced by the engine's own, and its
/// status says why.
KernelChoice choose_kernels(const LabKernels& offered);

}  // namespace engine
