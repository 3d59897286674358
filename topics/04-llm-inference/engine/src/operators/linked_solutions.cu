// SPDX-License-Identifier: MIT
// The labs as the course solves them: linked from their own objects.
#include "engine/operators/labs.hpp"

using engine::In;
using engine::Out;

void gemv(In<float> w, In<float> x, Out<float> y);
void gemv_half(In<__half> w, In<__half> x, Out<float> y);
template <class T>
void gemv_batch(std::int64_t batch, In<__half> w, In<__half> x, gpu::DeviceSpan<T> y);
extern template void gemv_batch<float>(std::int64_t, In<__half>, In<__half>, Out<float>);
void gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y);
void gemv_int4(In<std::uint8_t> packed, In<__half> scales, In<__half> x, Out<float> y);
void gemv_int8_batch(std::int64_t batch, In<std::int8_t> q, In<float> scales, In<__half> x,
                     Out<float> y);
void gemv_int4_batch(std::int64_t batch, In<std::uint8_t> packed, In<__half> scales, In<__half> x,
                     Out<float> y);
bool gemv_half_one(In<__half> w, In<__half> x, Out<float> y);
bool gemv_int8_one(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y);
void attention_paged(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                     In<__nv_bfloat16> v, Out<float> out);
void attention_paged_half(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                          In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                          In<__nv_bfloat16> v, Out<__half> out);
template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y);
extern template void softmax_online<float>(std::int64_t, In<float>, Out<float>);

namespace engine {

LabKernels linked_kernels() {
  return {.gemv = &::gemv,
          .gemv_half = &::gemv_half,
          .gemv_batch = &::gemv_batch<float>,
          .gemv_int8 = &::gemv_int8,
          .gemv_int4 = &::gemv_int4,
          .gemv_int8_batch = &::gemv_int8_batch,
          .gemv_int4_batch = &::gemv_int4_batch,
          .gemv_half_one = &::gemv_half_one,
          .gemv_int8_one = &::gemv_int8_one,
          .attention_paged = &::attention_paged,
          .attention_paged_half = &::attention_paged_half,
          .softmax_online = &::softmax_online<float>};
}

const char* linked_name() {
  return "the course's solutions";
}

}  // namespace engine
