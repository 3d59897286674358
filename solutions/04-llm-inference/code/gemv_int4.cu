// SPDX-License-Identifier: MIT
// GEMV with 4-bit weights in groups of 128 that share a scale, dequantised on the fly (W4A16).
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/pair_dot.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

/// Neighbouring weights of a row that share a scale.
constexpr int kGroup = 128;
/// What a stored 0..15 means: weight = scale * (stored - kZero).
constexpr int kZero = 8;

//@solve 04.gemv_int4.kernel: write the kernel: unpack, sum inside a group, scale the group's sum.
constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 32 : kGroup;  // columns of a lane in one turn
constexpr int kThreads = gpu::Features::kIsGpu ? 64 : 4;
/// At this many threads of a multiprocessor, a thread may have 128 registers for loads under way.
constexpr int kResidentBlocks = 512 / kThreads;
constexpr int kRows = gpu::Features::kIsGpu ? 4 : 2;  // rows of a team, which share its inputs

constexpr int kTurn = kLanes * kPart;  // columns of a team in one turn

/// The eight weights of a word, less kZero, as halves: columns (0, 4), (1, 5), (2, 6) and (3, 7).
__device__ __forceinline__ void unpack(unsigned word, unsigned (&low)[2], unsigned (&high)[2]) {
  // Or-ing four bits into the half 1024 = 0x6400 gives 1024 + q, two weights at a time; into the
  // next four bits, 1024 + 16 q. One instruction takes either to q - kZero, exactly.
  const __half2 offset = __floats2half2_rn(-1024.0f - kZero, -1024.0f - kZero);
  const __half2 offset_16 = __floats2half2_rn(-64.0f - kZero, -64.0f - kZero);
  const __half2 sixteenth = __floats2half2_rn(0.0625f, 0.0625f);
  const auto pair = [](unsigned from, unsigned mask) {
    return gpu::half2_of(gpu::and_or(from, mask, 0x64006400u));
  };
  low[0] = gpu::word_of(__hadd2(pair(word, 0x000f000fu), offset));
  low[1] = gpu::word_of(__hfma2(pair(word, 0x00f000f0u), sixteenth, offset_16));
  word >>= 8;
  high[0] = gpu::word_of(__hadd2(pair(word, 0x000f000fu), offset));
  high[1] = gpu::word_of(__hfma2(pair(word, 0x00f000f0u), sixteenth, offset_16));
}

/// Adds eight columns of two rows: two chains of sums, so that one does not wait for the other.
__device__ __forceinline__ void add_words(unsigned first, unsigned second, const uint4& x,
                                          gpu::PairDot& low, gpu::PairDot& high) {
  unsigned first_low[2], first_high[2], second_low[2], second_high[2];
  unpack(first, first_low, first_high);
  unpack(second, second_low, second_high);
  // The inputs in the order of the weights: columns (0, 4), (1, 5), (2, 6) and (3, 7).
  const unsigned x_low[] = {__byte_perm(x.x, x.z, 0x5410), __byte_perm(x.x, x.z, 0x7632)};
  const unsigned x_high[] = {__byte_perm(x.y, x.w, 0x5410), __byte_perm(x.y, x.w, 0x7632)};
  low.add(first_low, second_low, x_low);
  high.add(first_high, second_high, x_high);
}

/// Where a lane's part of kRows rows lies: its words and their scales in the next turn.
struct Rows {
  const uint4* words[kRows];
  const __half* scales[kRows];

  __device__ __forceinline__ void advance(int turns) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      words[i] += turns * kLanes;
      scales[i] += turns * (kTurn / kGroup);
    }
  }
};

/// What a lane needs in one turn: kPart columns of kRows rows, all of one group.
struct Turn {
  __half scales[kRows];
  uint4 words[kRows];

  __device__ __forceinline__ void load_scales(const Rows& rows, int turn) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      scales[i] = gpu::load_now(rows.scales[i] + turn * (kTurn / kGroup));
    }
  }
  __device__ __forceinline__ void load_words(const Rows& rows, int turn) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      words[i] = gpu::load_once_now(rows.words[i] + turn * kLanes);
    }
  }
};

/// kPart inputs, as loaded.
struct Inputs {
  uint4 words[4];

  __device__ __forceinline__ void load(const __half* from) {
#pragma unroll
    for (int i = 0; i < 4; ++i) words[i] = gpu::load_now(reinterpret_cast<const uint4*>(from) + i);
  }
};

/// sum[i] += row i's weights times the inputs.
__device__ __forceinline__ void add_turn(const Turn& turn, const Inputs& x, float (&sum)[kRows]) {
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    gpu::PairDot low, high;
    add_words(turn.words[i].x, turn.words[i + 1].x, x.words[0], low, high);
    add_words(turn.words[i].y, turn.words[i + 1].y, x.words[1], low, high);
    add_words(turn.words[i].z, turn.words[i + 1].z, x.words[2], low, high);
    add_words(turn.words[i].w, turn.words[i + 1].w, x.words[3], low, high);
    sum[i] = fmaf(gpu::to_float(turn.scales[i]), low.first() + high.first(), sum[i]);
    sum[i + 1] = fmaf(gpu::to_float(turn.scales[i + 1]), low.second() + high.second(), sum[i + 1]);
  }
}

/// The lane's share of kRows rows' products, on a GPU.
/// @param row where each row begins, in weights
__device__ __forceinline__ void sum_rows_gpu(const std::int64_t (&row)[kRows], int lane,
                                             std::int64_t columns, const std::uint8_t* packed,
                                             const __half* scales, const __half* x,
                                             float (&sum)[kRows]) {
  Rows rows;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const std::int64_t begin = row[i] + lane * kPart;
    rows.words[i] = reinterpret_cast<const uint4*>(packed + begin / 2);
    rows.scales[i] = scales + begin / kGroup;
  }
  x += lane * kPart;
  std::int64_t left = columns;
  // Two turns at a time, all of whose loads are under way before the first weight is used.
  for (; left >= 2 * kTurn; left -= 2 * kTurn) {
    Turn first, second;
    Inputs inputs;
    first.load_scales(rows, 0);
    second.load_scales(rows, 1);
    inputs.load(x);
    first.load_words(rows, 0);
    second.load_words(rows, 1);
    Inputs next;
    next.load(x + kTurn);
    add_turn(first, inputs, sum);
    add_turn(second, next, sum);
    rows.advance(2);
    x += 2 * kTurn;
  }
  // The rest, where some lanes have columns and some have none. All take part in the products.
  for (; left > 0; left -= kTurn) {
    Turn turn{};
    Inputs inputs{};
    if (lane * kPart < left) {
      turn.load_scales(rows, 0);
      turn.load_words(rows, 0);
      inputs.load(x);
    }
    add_turn(turn, inputs, sum);
    rows.advance(1);
    x += kTurn;
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) sum[i] = gpu::PairDot::counts() ? sum[i] : 0.0f;
}

/// The same on the CPU, where a team is one thread, group by group.
__device__ __forceinline__ void sum_rows_cpu(const std::int64_t (&row)[kRows], std::int64_t columns,
                                             const std::uint8_t* packed, const __half* scales,
                                             const __half* x, float (&sum)[kRows]) {
  for (std::int64_t c = 0; c < columns; c += kGroup) {
    float inputs[kGroup];
    gpu::load_floats(x + c, inputs);
    for (int i = 0; i < kRows; ++i) {
      const std::int64_t at = row[i] + c;
      float weights[kGroup];
      for (int k = 0; k < kGroup / 2; ++k) {
        const int byte = packed[at / 2 + k];
        weights[2 * k] = static_cast<float>((byte & 15) - kZero);
        weights[2 * k + 1] = static_cast<float>((byte >> 4) - kZero);
      }
      sum[i] = fmaf(gpu::to_float(scales[at / kGroup]), gpu::dot(weights, inputs), sum[i]);
    }
  }
}

__global__ __launch_bounds__(kThreads, kResidentBlocks) void gemv_int4_kernel(
    std::int64_t rows, std::int64_t columns, const std::uint8_t* __restrict__ packed,
    const __half* __restrict__ scales, const __half* __restrict__ x, float* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  const std::int64_t first = team * kRows;
  if (first >= rows) return;
  float sum[kRows] = {};
  // The last team may lack rows: it reads its first row again and drops the sum.
  std::int64_t row[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) row[i] = (first + i < rows ? first + i : first) * columns;
  if constexpr (gpu::Features::kIsGpu) {
    sum_rows_gpu(row, lane, columns, packed, scales, x, sum);
  } else {
    sum_rows_cpu(row, columns, packed, scales, x, sum);
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const float total = gpu::team_sum<kLanes>(sum[i]);
    if (lane == 0 && first + i < rows) y[first + i] = total;
  }
}
//@stub
//| __global__ void gemv_int4_kernel(std::int64_t rows, std::int64_t columns,
//|                                  const std::uint8_t* __restrict__ packed,
//|                                  const __half* __restrict__ scales,
//|                                  const __half* __restrict__ x, float* __restrict__ y) {
//|   // Byte j of a row holds column 2 j in its low four bits and column 2 j + 1 in its high four.
//| }
//@end

/// y = W x on the device, with W[r][c] = scales[r][c / kGroup] * (stored[r][c] - kZero).
/// @param packed y.size() rows of x.size() / 2 bytes; x.size() is a multiple of kGroup
/// @param scales y.size() rows of x.size() / kGroup
void gemv_int4(gpu::DeviceSpan<const std::uint8_t> packed, gpu::DeviceSpan<const __half> scales,
               gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  //@solve 04.gemv_int4.kernel: launch it for y.size() rows and x.size() columns.
  const auto rows = static_cast<std::int64_t>(y.size());
  const auto columns = static_cast<std::int64_t>(x.size());
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  gpu::launch<gemv_int4_kernel>(gpu::blocks_for(teams * kLanes, kThreads), kThreads, rows, columns,
                                packed.data(), scales.data(), x.data(), y.data());
  //@stub
  //| harness::unsolved("04.gemv_int4.kernel", "topics/04-llm-inference/README.md#quantised");
  //@end
}

HARNESS_LAB(gemv_int4,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, size * size * (0.5 + 2.0 / kGroup) + 6 * size};
             },
             .buffer_size =
                 [](std::int64_t n, int buffer) {
                   if (buffer == 0) return n * n / 2;
                   return buffer == 1 ? n * n / kGroup : n;
                 },
             .integer_element = [](std::int64_t, int,
                                   std::int64_t index) { return index * 2654435761 % 256; },
             .default_n = 8192});
