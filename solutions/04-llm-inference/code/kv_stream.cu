// SPDX-License-Identifier: MIT
// Reads a key-value cache as decode does, paged or contiguous: the bandwidth available to
// attention.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

//@solve 04.kv_stream.kernel: write the kernel: token t is in page table[t / page_tokens].
constexpr int kLanes = gpu::team_lanes(32);  // lanes that share a token's row
constexpr int kPart = gpu::Features::kIsGpu ? 8 : 64;
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 16;
constexpr int kTurns = 4;

__global__ void kv_stream_kernel(std::int64_t tokens, int page_tokens, int row,
                                 const std::int32_t* __restrict__ table,
                                 const __nv_bfloat16* __restrict__ pages,
                                 float* __restrict__ sums) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t token =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  if (token >= tokens) return;
  const std::int64_t page = table[token / page_tokens];
  const __nv_bfloat16* from = pages + (page * page_tokens + token % page_tokens) * row;
  float ones[kPart];
#pragma unroll
  for (int i = 0; i < kPart; ++i) ones[i] = 1;
  gpu::DotSum<kPart> products;
#pragma unroll kTurns
  for (int c = lane * kPart; c < row; c += kLanes * kPart) {
    float part[kPart];
    gpu::load_floats(from + c, part);
    products.add(part, ones);
  }
  const float sum = gpu::team_sum<kLanes>(products.total());
  if (lane == 0) sums[token] = sum;
}
//@stub
//| __global__ void kv_stream_kernel(std::int64_t tokens, int page_tokens, int row,
//|                                  const std::int32_t* __restrict__ table,
//|                                  const __nv_bfloat16* __restrict__ pages,
//|                                  float* __restrict__ sums) {
//|   // A page holds page_tokens rows of `row` numbers. Pages are in any order.
//| }
//@end

/// sums[t] = sum of token t's row of the cache, on the device. A contiguous cache is one page of
/// sums.size() tokens.
/// @param page_tokens tokens in a page
/// @param row numbers of a token, a multiple of 64
/// @param table page number for each page_tokens tokens, in the order of the tokens
/// @param pages page after page, page_tokens * row numbers each
void kv_stream(int page_tokens, int row, gpu::DeviceSpan<const std::int32_t> table,
               gpu::DeviceSpan<const __nv_bfloat16> pages, gpu::DeviceSpan<float> sums) {
  //@solve 04.kv_stream.kernel: launch it for sums.size() tokens.
  const auto tokens = static_cast<std::int64_t>(sums.size());
  gpu::launch<kv_stream_kernel>(gpu::blocks_for(tokens * kLanes, kThreads), kThreads, tokens,
                                page_tokens, row, table.data(), pages.data(), sums.data());
  //@stub
  //| harness::unsolved("04.kv_stream.kernel", "topics/04-llm-inference/README.md#paged");
  //@end
}

constexpr int kPageTokens = 16;
constexpr int kRow = 1024;  // 8 key-value heads of 128

static harness::Work stream_work(std::int64_t tokens) {
  const std::int64_t pages = (tokens + kPageTokens - 1) / kPageTokens;
  return {1.0 * kRow * static_cast<double>(tokens),
          (2.0 * kRow + 4) * static_cast<double>(tokens) + 4.0 * static_cast<double>(pages)};
}

HARNESS_LAB(kv_stream, {.work = stream_work,
                        .buffer_size =
                            [](std::int64_t n, int buffer) {
                              const std::int64_t pages = (n + kPageTokens - 1) / kPageTokens;
                              if (buffer == 0) return pages;
                              return buffer == 1 ? pages * kPageTokens * kRow : n;
                            },
                        .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
                          return scalar == 0 ? kPageTokens : kRow;
                        },
                        // Every page once, far from its neighbours: 7919 is prime.
                        .integer_element =
                            [](std::int64_t n, int, std::int64_t index) {
                              const std::int64_t pages = (n + kPageTokens - 1) / kPageTokens;
                              return pages % 7919 == 0 ? index : index * 7919 % pages;
                            },
                        .default_n = 1 << 19});
