// SPDX-License-Identifier: MIT
// The labs as the student wrote them: each file is compiled within its own namespace, so that
// helpers of the same name in two files do not collide.
#include "engine/operators/labs.hpp"

using engine::In;
using engine::Out;

namespace unit_gemv {
void gemv(In<float> w, In<float> x, Out<float> y);
}
namespace unit_gemv_half {
void gemv_half(In<__half> w, In<__half> x, Out<float> y);
}
namespace unit_gemv_batch {
template <class T>
void gemv_batch(std::int64_t batch, In<__half> w, In<__half> x, gpu::DeviceSpan<T> y);
extern template void gemv_batch<float>(std::int64_t, In<__half>, In<__half>, Out<float>);
}  // namespace unit_gemv_batch
namespace unit_gemv_int8 {
void gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y);
}
namespace unit_gemv_int4 {
void gemv_int4(In<std::uint8_t> packed, In<__half> scales, In<__half> x, Out<float> y);
}
namespace unit_attention_paged {
void attention_paged(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                     In<__nv_bfloat16> v, Out<float> out);
}
namespace unit_softmax_online {
template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y);
extern template void softmax_online<float>(std::int64_t, In<float>, Out<float>);
}  // namespace unit_softmax_online

namespace engine {

LabKernels linked_kernels() {
  return {.gemv = &unit_gemv::gemv,
          .gemv_half = &unit_gemv_half::gemv_half,
          .gemv_batch = &unit_gemv_batch::gemv_batch<float>,
          .gemv_int8 = &unit_gemv_int8::gemv_int8,
          .gemv_int4 = &unit_gemv_int4::gemv_int4,
          .attention_paged = &unit_attention_paged::attention_paged,
          .softmax_online = &unit_softmax_online::softmax_online<float>};
}

const char* linked_name() {
  return "your files";
}

}  // namespace engine
