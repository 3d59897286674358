// SPDX-License-Identifier: MIT
// The seam: operators of a step that are labs of the course, by the signatures of the labs.
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
  /// What these two make of each input of a batch, with each weight read once; not labs. Where
  /// there is none, the lab is called for each input.
  void (*gemv_int8_batch)(std::int64_t batch, In<std::int8_t> q, In<float> scales, In<__half> x,
                          Out<float> y) = nullptr;
  void (*gemv_int4_batch)(std::int64_t batch, In<std::uint8_t> packed, In<__half> scales,
                          In<__half> x, Out<float> y) = nullptr;
  /// What gemv_half and gemv_int8 make of an input, faster; not labs. Where there is none, or it
  /// returns false because the shape or the machine is not for it, the lab is called.
  bool (*gemv_half_one)(In<__half> w, In<__half> x, Out<float> y) = nullptr;
  bool (*gemv_int8_one)(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) = nullptr;
  void (*attention_paged)(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                          In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                          In<__nv_bfloat16> v, Out<float> out) = nullptr;
  /// The same in FP16, which is no lab either. Where there is none, results are converted.
  void (*attention_paged_half)(int query_heads, int kv_heads, int head_dim,
                               In<std::int32_t> lengths, In<std::int32_t> table,
                               In<__nv_bfloat16> q, In<__nv_bfloat16> k, In<__nv_bfloat16> v,
                               Out<__half> out) = nullptr;
  void (*softmax_online)(std::int64_t columns, In<float> x, Out<float> y) = nullptr;
};

/// Whether a product that is no lab was there and took its arguments.
template <class Product, class... Arguments>
bool is_done(Product* product, const Arguments&... arguments) {
  return product != nullptr && product(arguments...);
}

/// Neighbouring weights of a row that share a scale, as gemv_int4 has them; a row is so many times
/// as long.
inline constexpr int kInt4Group = 128;
/// The stored number of a 4-bit weight that is zero.
inline constexpr int kInt4Zero = 8;

/// Tokens in a page of the cache, as attention_paged has them.
inline constexpr int kPageTokens = 16;

/// The engine's own kernels: short, right, and no race. They stand in where a lab is not solved,
/// and what labs give is compared with what they give.
LabKernels plain_kernels();

/// What this program was linked with (operators/linked_*.cu): the course's solutions, or the
/// student's files.
LabKernels linked_kernels();
/// "the course's solutions", "your files", or "the engine's own", for messages.
const char* linked_name();

/// What became of one lab.
struct LabStatus {
  std::string name;      ///< "gemv"
  std::string exercise;  ///< "04.gemv.kernel"
  bool is_used = false;
  std::string reason;  ///< why it is not used, one clause
};

/// The kernels to run with.
struct KernelChoice {
  LabKernels kernels;
  std::vector<LabStatus> labs;
};

/// Tries each kernel on a small input. One that is unsolved, fails, or differs from the engine's
/// own by more than 1e-3 of the largest result is replaced by the engine's own, and its status says
/// why.
KernelChoice choose_kernels(const LabKernels& offered);

}  // namespace engine
