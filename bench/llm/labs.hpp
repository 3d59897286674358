// SPDX-License-Identifier: MIT
// The entry points of topic 04's labs, as called by bench-llm; their files document them.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"
#include "gpu/span.hpp"

template <class T>
using In = gpu::DeviceSpan<const T>;
template <class T>
using Out = gpu::DeviceSpan<T>;

void gemv(In<float> w, In<float> x, Out<float> y);
void gemv_half(In<__half> w, In<__half> x, Out<float> y);
void gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y);
void gemv_int4(In<std::uint8_t> packed, In<__half> scales, In<__half> x, Out<float> y);
void kv_stream(int page_tokens, int row, In<std::int32_t> table, In<__nv_bfloat16> pages,
               Out<float> sums);
void attention_decode(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                      In<__nv_bfloat16> q, In<__nv_bfloat16> k, In<__nv_bfloat16> v,
                      Out<float> out);
void attention_paged(int query_heads, int kv_heads, int head_dim, In<std::int32_t> lengths,
                     In<std::int32_t> table, In<__nv_bfloat16> q, In<__nv_bfloat16> k,
                     In<__nv_bfloat16> v, Out<float> out);
void attention_split(int query_heads, int kv_heads, int head_dim, std::int64_t context, int parts,
                     In<__nv_bfloat16> q, In<__nv_bfloat16> k, In<__nv_bfloat16> v,
                     Out<float> part_out, Out<float> part_lse, Out<float> out);
template <class T>
void attention_prefill(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                       In<__nv_bfloat16> q, In<__nv_bfloat16> k, In<__nv_bfloat16> v, Out<T> out);
void decode_loop(int steps, int layers, int capacity, int tokens, In<float> weights,
                 Out<float> keys, Out<float> values, Out<float> x);
void decode_graph(int steps, int layers, int capacity, int tokens, In<float> weights,
                  Out<float> keys, Out<float> values, Out<float> x);
