// SPDX-License-Identifier: MIT
// GEMV with 4-bit weights in groups of 128 that share a scale, dequantised on the fly (W4A16).
#include <cstdint>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/nibbles.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

/// Adjacent weights of a row that share a scale.
constexpr int kGroup = 128;
/// The zero point of a stored 0..15: weight = scale * (stored - kZero).
constexpr int kZero = 8;

//@solve 04.gemv_int4.kernel: write the kernel: unpack, sum inside a group, scale the group's sum.
constexpr int kLanes = gpu::team_lanes(32);
constexpr int kPart = gpu::Features::kIsGpu ? 32 : kGroup;  // columns per lane and turn
constexpr int kTurn = kLanes * kPart;                       // columns per team and turn
constexpr int kThreads = gpu::Features::kIsGpu ? 64 : 1;
constexpr int kLine = 128;  // bytes that are fetched together

/// Tensor cores can use the four bits of a weight as a half just as they are in the word: the
/// halves below 2^-14 are multiples of 2^-24. Elsewhere each weight is converted to a half of its
/// value.
constexpr bool kAsStored = gpu::PairDot::kKeepsSubnormals;
constexpr float kUnits = kAsStored ? 16777216.0f : 1.0f;  // 1 over the half of a stored 1
constexpr float kOddShare = kAsStored ? 0.0625f : 1.0f;   // odd columns are four bits higher

/// The eight weights of a word as halves, in pairs: columns (0, 4) and (2, 6), (1, 5) and (3, 7).
struct Eight {
  unsigned even[2], odd[2];

  __device__ __forceinline__ explicit Eight(unsigned word) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if constexpr (kAsStored) {
        even[i] = word & 0x000f000fu;
        odd[i] = word & 0x00f000f0u;
      } else {
        // ORing four bits into the half 1024 = 0x6400 gives 1024 + q, two weights at a time; into
        // the next four bits, 1024 + 16 q. One instruction turns either into q - kZero, exactly.
        const __half2 offset = __floats2half2_rn(-1024.0f - kZero, -1024.0f - kZero);
        const __half2 offset_16 = __floats2half2_rn(-64.0f - kZero, -64.0f - kZero);
        const __half2 sixteenth = __floats2half2_rn(0.0625f, 0.0625f);
        const auto pair = [word](unsigned mask) {
          return gpu::half2_of(gpu::and_or(word, mask, 0x64006400u));
        };
        even[i] = gpu::word_of(__hadd2(pair(0x000f000fu), offset));
        odd[i] = gpu::word_of(__hfma2(pair(0x00f000f0u), sixteenth, offset_16));
      }
      word >>= 8;
    }
  }
};

/// Products of two rows' weights in one turn, with separate sums for even and odd columns, so that
/// the two chains do not wait for each other.
struct TwoRows {
  gpu::PairDot even, odd;

  __device__ __forceinline__ void add(const Eight& first, const Eight& second,
                                      const unsigned (&x_even)[2], const unsigned (&x_odd)[2]) {
    even = even.plus(first.even, second.even, x_even);
    odd = odd.plus(first.odd, second.odd, x_odd);
  }
};

/// kPart inputs as loaded.
struct Inputs {
  uint4 words[4];

  __device__ __forceinline__ void load(const __half* from) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      words[i] = gpu::load_written(reinterpret_cast<const uint4*>(from) + i);
    }
  }
};

/// kPart inputs in the order of the weights: columns (0, 4) and (2, 6), (1, 5) and (3, 7) of eight.
struct Pairs {
  unsigned even[4][2], odd[4][2];

  __device__ __forceinline__ explicit Pairs(const Inputs& x) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      even[i][0] = __byte_perm(x.words[i].x, x.words[i].z, 0x5410);
      odd[i][0] = __byte_perm(x.words[i].x, x.words[i].z, 0x7632);
      even[i][1] = __byte_perm(x.words[i].y, x.words[i].w, 0x5410);
      odd[i][1] = __byte_perm(x.words[i].y, x.words[i].w, 0x7632);
    }
  }

  /// The correction for weights used as stored, whose products are too large by kZero times the
  /// inputs: minus that amount.
  __device__ __forceinline__ TwoRows minus_zero_points() const {
    TwoRows result;
    if constexpr (kAsStored) {
      constexpr unsigned kSign = 0x80008000u;
      constexpr unsigned kEven = kSign | kZero << 16 | kZero,
                         kOdd = kSign | kZero << 20 | kZero << 4;
      constexpr unsigned evens[] = {kEven, kEven}, odds[] = {kOdd, kOdd};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        result.even = result.even.plus(evens, evens, even[i]);
        result.odd = result.odd.plus(odds, odds, odd[i]);
      }
    }
    return result;
  }
};

/// The addresses of a lane's part of a team's first row in the next turn, and the distance to the
/// next row.
struct Rows {
  const std::uint8_t* words;
  const __half* scales;
  unsigned row_bytes, row_groups;

  __device__ __forceinline__ const uint4* words_of(int row, int turn) const {
    return reinterpret_cast<const uint4*>(words + row * row_bytes) + turn * kLanes;
  }
  __device__ __forceinline__ const __half* scale_of(int row, int turn) const {
    return scales + row * row_groups + turn * (kTurn / kGroup);
  }
  __device__ __forceinline__ void advance(int turns) {
    words += turns * (kTurn / 2);
    scales += turns * (kTurn / kGroup);
  }
};

/// What a lane needs for one turn: kPart columns of kRows rows, all of one group.
template <int kRows>
struct Turn {
  __half scales[kRows];
  uint4 words[kRows];

  __device__ __forceinline__ void load_scales(const Rows& rows, int turn) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) scales[i] = gpu::load_now(rows.scale_of(i, turn));
  }
  __device__ __forceinline__ void load_words(const Rows& rows, int turn) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) words[i] = gpu::load_once_now(rows.words_of(i, turn));
  }
};

/// totals[i] += the weights of rows 2 i and 2 i + 1 times the inputs.
template <int kRows>
__device__ __forceinline__ void add_turn(const Turn<kRows>& turn, const Pairs& x,
                                         gpu::PairDot (&totals)[kRows / 2]) {
  const TwoRows start = x.minus_zero_points();
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    TwoRows products = start;
    const uint4 &first = turn.words[i], &second = turn.words[i + 1];
    products.add(Eight(first.x), Eight(second.x), x.even[0], x.odd[0]);
    products.add(Eight(first.y), Eight(second.y), x.even[1], x.odd[1]);
    products.add(Eight(first.z), Eight(second.z), x.even[2], x.odd[2]);
    products.add(Eight(first.w), Eight(second.w), x.even[3], x.odd[3]);
    products.even.add_scaled(products.odd, kOddShare, kOddShare);
    totals[i / 2].add_scaled(products.even, gpu::to_float(turn.scales[i]),
                             gpu::to_float(turn.scales[i + 1]));
  }
}

/// The lane's share of the products of kRows rows, on a GPU: kTurns turns at a time, all of whose
/// loads are in flight before the first weight is used.
template <int kRows, int kTurns>
__device__ __forceinline__ void sum_rows_gpu(Rows rows, int lane, std::int64_t columns,
                                             const __half* x, float (&sum)[kRows]) {
  rows.words += lane * (kPart / 2);
  rows.scales += lane * kPart / kGroup;
  x += lane * kPart;
  gpu::PairDot totals[kRows / 2];
  int left = static_cast<int>(columns);  // 32 bits save registers
  for (; left >= kTurns * kTurn; left -= kTurns * kTurn) {
    Turn<kRows> turns[kTurns];
    Inputs inputs;
#pragma unroll
    for (int t = 0; t < kTurns; ++t) turns[t].load_scales(rows, t);
    inputs.load(x);
#pragma unroll
    for (int t = 0; t < kTurns; ++t) turns[t].load_words(rows, t);
#pragma unroll
    for (int t = 0; t < kTurns; ++t) {
      const Pairs pairs(inputs);
      if (t + 1 < kTurns) inputs.load(x + (t + 1) * kTurn);
      add_turn(turns[t], pairs, totals);
    }
    rows.advance(kTurns);
    x += kTurns * kTurn;
  }
  // The rest, where only some lanes have columns. All lanes take part in the products: those
  // without columns read what lane 0 reads, and multiply it by zero. (Selecting a pointer takes
  // fewer registers than conditional loads.)
#pragma unroll 1
  for (; left > 0; left -= kTurn) {
    Turn<kRows> turn;
    Inputs inputs;
    const bool has_columns = lane * kPart < left;
    Rows own = rows;
    const __half* own_x = x;
    if (!has_columns) {
      own.words -= lane * (kPart / 2);
      own.scales -= lane * kPart / kGroup;
      own_x -= lane * kPart;
    }
    turn.load_scales(own, 0);
    inputs.load(own_x);
    turn.load_words(own, 0);
    if (!has_columns) {
      inputs = {};
#pragma unroll
      for (int i = 0; i < kRows; ++i) turn.scales[i] = __float2half(0.0f);
    }
    add_turn(turn, Pairs(inputs), totals);
    rows.advance(1);
    x += kTurn;
  }
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    sum[i] = gpu::PairDot::counts() ? kUnits * totals[i / 2].first() : 0.0f;
    sum[i + 1] = gpu::PairDot::counts() ? kUnits * totals[i / 2].second() : 0.0f;
  }
}

/// The inputs as a CPU core reads them: floats, in the order in which it unpacks the weights of a
/// group.
using Input = std::conditional_t<gpu::Features::kIsGpu, __half, float>;

__global__ void order_inputs(std::int64_t groups, const __half* __restrict__ x,
                             float* __restrict__ to) {
  constexpr int kWords = kGroup / 8;
  const std::int64_t g = std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x);
  if (g >= groups) return;
  float inputs[kGroup];
  gpu::load_floats(x + g * kGroup, inputs);
  float* const group = to + g * kGroup;
  for (int k = 0; k < 8; ++k) {
    for (int w = 0; w < kWords; ++w) group[k * kWords + w] = inputs[8 * w + k];
  }
}

/// The inputs as the products read them, valid until the next call: on a CPU they are converted
/// once for all rows.
template <class T>
const T* ordered_inputs(gpu::DeviceSpan<const __half> x) {
  if constexpr (gpu::Features::kIsGpu) {
    return x.data();
  } else {
    static gpu::DeviceBuffer<float> ordered;
    if (ordered.size() < x.size()) ordered = gpu::DeviceBuffer<float>(x.size());
    const auto groups = static_cast<std::int64_t>(x.size()) / kGroup;
    constexpr std::int64_t kBlock = 128;
    gpu::launch<order_inputs>(gpu::blocks_for(groups, kBlock), kBlock, groups, x.data(),
                              ordered.data());
    return ordered.data();
  }
}

/// The same on the CPU, where a team is one thread and one block: row after row, in contiguous
/// memory.
template <int kRows>
__device__ __forceinline__ void sum_rows_cpu(const Rows& rows, std::int64_t columns, const float* x,
                                             float (&sum)[kRows]) {
  const auto count = static_cast<int>(columns / kGroup);
  for (int i = 0; i < kRows; ++i) {
    gpu::DotSum<kGroup> total;
    for (int g = 0; g < count; ++g) {
      float weights[kGroup], inputs[kGroup];
      gpu::load_scaled_nibbles(rows.words + i * rows.row_bytes + g * (kGroup / 2),
                               rows.scales[i * rows.row_groups + g], kZero, weights);
      gpu::load_floats(x + g * kGroup, inputs);
      total.add(weights, inputs);
    }
    sum[i] = total.total();
  }
}

/// @tparam kRows rows of a team, which share its inputs; 2 if there are fewer than kRows
/// @tparam kTurns turns whose weights a team loads at a time
/// @tparam kResident blocks per multiprocessor, which share its registers
template <int kRows, int kTurns, int kResident>
__global__ __launch_bounds__(kThreads, kResident) void gemv_int4_kernel(
    std::int64_t rows, std::int64_t columns, const std::uint8_t* __restrict__ packed,
    const __half* __restrict__ scales, const Input* x, float* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t team =
      (std::int64_t{blockIdx.x} * blockDim.x + static_cast<int>(threadIdx.x)) / kLanes;
  if (team * kRows >= rows) return;
  // The last team moves back so that it has kRows rows; two teams then write the same results. A
  // single row stands for every row of its team.
  const std::int64_t last = rows > kRows ? rows - kRows : 0;
  const std::int64_t first = team * kRows < last ? team * kRows : last;
  const bool one_row = rows < kRows;
  const Rows lie{packed + first * columns / 2, scales + first * columns / kGroup,
                 one_row ? 0 : static_cast<unsigned>(columns / 2),
                 one_row ? 0 : static_cast<unsigned>(columns / kGroup)};
  // The kernel that makes the inputs may still be running, but the weights are ready.
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    const std::uint8_t* const two_rows = lie.words + i * lie.row_bytes;
    if (lane * kLine < 2 * static_cast<int>(lie.row_bytes)) {
      gpu::fetch_ahead(two_rows + lane * kLine);
    }
  }
  gpu::wait_for_kernel_before();
  float sum[kRows] = {};
  if constexpr (gpu::Features::kIsGpu) {
    sum_rows_gpu<kRows, kTurns>(lie, lane, columns, x, sum);
  } else {
    sum_rows_cpu(lie, columns, x, sum);
  }
  gpu::team_sums<kLanes>(sum);
  constexpr int kHeld = kRows > kLanes ? kRows / kLanes : 1;     // sums that a lane holds now
  constexpr int kHolders = kLanes > kRows ? kLanes / kRows : 1;  // lanes that hold the same one
  if (lane % kHolders != 0) return;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    y[one_row ? 0 : first + lane / kHolders * kHeld + i] = sum[i];
  }
}

/// Teams with more rows read the inputs less often, which saves L1 traffic; fewer rows give more
/// teams.
constexpr std::int64_t kManyRows = 12288;

template <int kRows, int kTurns, int kResident>
void launch_teams(gpu::DeviceSpan<const std::uint8_t> packed, gpu::DeviceSpan<const __half> scales,
                  gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  const std::int64_t teams = (rows + kRows - 1) / kRows;
  const auto columns = static_cast<std::int64_t>(x.size());
  gpu::launch_overlapping<gemv_int4_kernel<kRows, kTurns, kResident>>(
      {.grid = gpu::blocks_for(teams * kLanes, kThreads), .block = kThreads}, rows, columns,
      packed.data(), scales.data(), ordered_inputs<Input>(x), y.data());
}

// The product with a batch, which no exercise asks for: the engine calls gemv_int4_batch() if a
// step has several tokens, so that each loaded weight serves all of them. It works as in
// gemv_batch.cu, and converts the weights to halves in registers.
constexpr int kBatchThreads = gpu::Features::kIsGpu ? 256 : 1;
// Blocks per multiprocessor; used only by a GPU's compiler.
[[maybe_unused]] constexpr int kBatchResident = 2;
constexpr int kBatchRows = gpu::Features::kIsGpu ? 32 : 4;
constexpr int kBatchInputs = gpu::Features::kIsGpu ? 16 : 4;
constexpr int kBatchHeld = kBatchRows * kBatchInputs / kBatchThreads;  // results per thread

/// The rows of a block. Missing ones are replaced by the first, and what is computed from them is
/// dropped.
struct BatchRows {
  const std::uint8_t* packed;
  const __half* scales;
  std::int64_t columns;
  int there;

  __device__ __forceinline__ std::int64_t line(int i) const { return i < there ? i : 0; }
  __device__ __forceinline__ const std::uint8_t* bytes_of(int i, std::int64_t group) const {
    return packed + (line(i) * columns + group * kGroup) / 2;
  }
  __device__ __forceinline__ __half scale_of(int i, std::int64_t group) const {
    return scales[line(i) * (columns / kGroup) + group];
  }
};

/// The inputs of a block, likewise.
template <class X>
struct BatchInputs {
  const X* first;
  std::int64_t columns;
  int there;

  __device__ __forceinline__ const X* line(int i) const {
    return first + (i < there ? i : 0) * columns;
  }
};

/// The eight weights of a word as halves, in pairs: columns (0, 4), (1, 5), (2, 6) and (3, 7).
/// ORing four bits into the half 1024 = 0x6400 gives 1024 + q, two weights at a time; into the next
/// four bits, 1024 + 16 q. One instruction turns either into q - kZero, exactly.
__device__ __forceinline__ uint4 eight_halves(unsigned word) {
  const __half2 offset = __floats2half2_rn(-1024.0f - kZero, -1024.0f - kZero);
  const __half2 offset_16 = __floats2half2_rn(-64.0f - kZero, -64.0f - kZero);
  const __half2 sixteenth = __floats2half2_rn(0.0625f, 0.0625f);
  const auto even = [offset](unsigned bits) {
    return gpu::word_of(
        __hadd2(gpu::half2_of(gpu::and_or(bits, 0x000f000fu, 0x64006400u)), offset));
  };
  const auto odd = [sixteenth, offset_16](unsigned bits) {
    return gpu::word_of(
        __hfma2(gpu::half2_of(gpu::and_or(bits, 0x00f000f0u, 0x64006400u)), sixteenth, offset_16));
  };
  return make_uint4(even(word), odd(word), even(word >> 8), odd(word >> 8));
}

/// Eight inputs in that order.
__device__ __forceinline__ uint4 eight_inputs(const __half* from) {
  const uint4 x = gpu::load_written(reinterpret_cast<const uint4*>(from));
  return make_uint4(__byte_perm(x.x, x.z, 0x5410), __byte_perm(x.x, x.z, 0x7632),
                    __byte_perm(x.y, x.w, 0x5410), __byte_perm(x.y, x.w, 0x7632));
}

/// What a warp of a GPU multiplies in one turn: kSteps groups, all of whose weights are in flight
/// before the first is used. Four lanes share the columns of a group.
constexpr int kSteps = 2;
constexpr int kRowTiles = (kBatchRows + 15) / 16;
constexpr int kInputTiles = (kBatchInputs + 7) / 8;

struct NibbleProducts {
  using Dot = gpu::BatchDot<float>;
  float sums[kRowTiles][kInputTiles][Dot::kHeld] = {};

  template <class X>
  __device__ __forceinline__ void add(const BatchRows& rows, const BatchInputs<X>& inputs,
                                      std::int64_t first, std::int64_t groups) {
    const int line = static_cast<int>(threadIdx.x) % 32 / 4;
    const int lane = static_cast<int>(threadIdx.x) % 4;
    uint4 weights[kSteps][2 * kRowTiles];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      // Past the last group, read the last one again without counting it.
      const std::int64_t group = first + s < groups ? first + s : groups - 1;
#pragma unroll
      for (int i = 0; i < 2 * kRowTiles; ++i) {
        weights[s][i] = gpu::load_once_now(
            reinterpret_cast<const uint4*>(rows.bytes_of(line + 8 * i, group)) + lane);
      }
    }
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      if (first + s < groups) add_group(weights[s], rows, inputs, first + s);
    }
  }

  /// Stores the sums to [kBatchInputs][kBatchRows].
  __device__ __forceinline__ void store(float* to) const {
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) {
#pragma unroll
        for (int k = 0; k < Dot::kHeld; ++k) {
          to[(8 * b + Dot::input(k)) * kBatchRows + 16 * i + Dot::row(k)] = sums[i][b][k];
        }
      }
    }
  }

 private:
  template <class X>
  __device__ __forceinline__ void add_group(const uint4 (&weights)[2 * kRowTiles],
                                            const BatchRows& rows, const BatchInputs<X>& inputs,
                                            std::int64_t group) {
    float scales[kRowTiles][Dot::kHeld];
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int k = 0; k < Dot::kHeld; ++k) {
        scales[i][k] = gpu::to_float(rows.scale_of(16 * i + Dot::row(k), group));
      }
    }
    Dot dots[kRowTiles][kInputTiles];
    add_word<0>(dots, weights, inputs, group);
    add_word<1>(dots, weights, inputs, group);
    add_word<2>(dots, weights, inputs, group);
    add_word<3>(dots, weights, inputs, group);
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) {
        float held[Dot::kHeld];
        dots[i][b].totals(held);
#pragma unroll
        for (int k = 0; k < Dot::kHeld; ++k) {
          sums[i][b][k] = fmaf(scales[i][k], held[k], sums[i][b][k]);
        }
      }
    }
  }

  /// The eight columns of word kWord of each lane.
  template <int kWord, class X>
  __device__ __forceinline__ static void add_word(Dot (&dots)[kRowTiles][kInputTiles],
                                                  const uint4 (&weights)[2 * kRowTiles],
                                                  const BatchInputs<X>& inputs,
                                                  std::int64_t group) {
    const int line = static_cast<int>(threadIdx.x) % 32 / 4;
    const std::int64_t column =
        group * kGroup + static_cast<int>(threadIdx.x) % 4 * kPart + 8 * kWord;
    uint4 x[kInputTiles];
#pragma unroll
    for (int b = 0; b < kInputTiles; ++b) x[b] = eight_inputs(inputs.line(line + 8 * b) + column);
    const auto word = [](const uint4& words) {
      return kWord == 0 ? words.x : kWord == 1 ? words.y : kWord == 2 ? words.z : words.w;
    };
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
      const uint4 first = eight_halves(word(weights[2 * i]));
      const uint4 second = eight_halves(word(weights[2 * i + 1]));
#pragma unroll
      for (int b = 0; b < kInputTiles; ++b) dots[i][b].add(first, second, x[b]);
    }
  }
};

/// The GPU version. The warps of a block share the groups, so that even few rows keep all of them
/// busy; their sums meet in shared memory.
template <class X>
__device__ __forceinline__ void multiply_in_warps(const BatchRows& rows,
                                                  const BatchInputs<X>& inputs,
                                                  float (&sums)[kBatchHeld]) {
  constexpr int kWarps = kBatchThreads < 32 ? 1 : kBatchThreads / 32;
  __shared__ float parts[kWarps][kBatchRows * kBatchInputs];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t groups = rows.columns / kGroup;
  NibbleProducts products;
  for (std::int64_t g = thread / 32 * kSteps; g < groups; g += kWarps * kSteps) {
    products.add(rows, inputs, g, groups);
  }
  __syncthreads();  // the sums of the previous inputs have been read
  products.store(parts[thread / 32]);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kBatchHeld; ++k) {
    sums[k] = parts[0][k * kBatchThreads + thread];
    for (int w = 1; w < kWarps; ++w) sums[k] += parts[w][k * kBatchThreads + thread];
  }
}

/// The CPU version, with the sums in registers.
template <class X>
__device__ __forceinline__ void multiply_on_core(const BatchRows& rows,
                                                 const BatchInputs<X>& inputs,
                                                 float (&sums)[kBatchHeld]) {
  constexpr int kColumns = kGroup / 8;  // multiplied at a time
  using Weights = gpu::ScaledNibbles<kGroup>;
  static_assert(kBatchRows == 4 || gpu::Features::kIsGpu);
  gpu::DotSum<kColumns> products[kBatchHeld];
  for (std::int64_t g = 0; g < rows.columns / kGroup; ++g) {
    const auto line = [&](int i) {
      return Weights(rows.bytes_of(i, g), rows.scale_of(i, g), kZero);
    };
    const Weights weights[] = {line(0), line(1), line(2), line(3)};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float part[kBatchRows][kColumns];
#pragma unroll
      for (int i = 0; i < kBatchRows; ++i) weights[i].part(k, part[i]);
#pragma unroll
      for (int b = 0; b < kBatchInputs; ++b) {
        float x[kColumns];
        gpu::load_floats(inputs.line(b) + g * kGroup + k * kColumns, x);
#pragma unroll
        for (int i = 0; i < kBatchRows; ++i) products[b * kBatchRows + i].add(part[i], x);
      }
    }
  }
#pragma unroll
  for (int s = 0; s < kBatchHeld; ++s) sums[s] = products[s].total();
}

template <class X>
__global__ __launch_bounds__(kBatchThreads, kBatchResident) void gemv_int4_batch_kernel(
    std::int64_t batch, std::int64_t rows, std::int64_t columns,
    const std::uint8_t* __restrict__ packed, const __half* __restrict__ scales, const X* x,
    float* __restrict__ y) {
  gpu::let_next_kernel_begin();
  const std::int64_t first = std::int64_t{blockIdx.x} * kBatchRows;
  const auto least = [](std::int64_t count, int most) {
    return count < most ? static_cast<int>(count) : most;
  };
  const BatchRows own{packed + first * columns / 2, scales + first * columns / kGroup, columns,
                      least(rows - first, kBatchRows)};
  const int thread = static_cast<int>(threadIdx.x);
  if (thread / kBatchRows * kLine < columns / 2) {
    gpu::fetch_ahead(own.bytes_of(thread % kBatchRows, 0) + thread / kBatchRows * kLine);
  }
  gpu::wait_for_kernel_before();
#pragma unroll 1
  for (std::int64_t begin = 0; begin < batch; begin += kBatchInputs) {
    const BatchInputs<X> inputs{x + begin * columns, columns, least(batch - begin, kBatchInputs)};
    float sums[kBatchHeld];
    if constexpr (gpu::Features::kIsGpu) {
      multiply_in_warps(own, inputs, sums);
    } else {
      multiply_on_core(own, inputs, sums);
    }
#pragma unroll
    for (int held = 0; held < kBatchHeld; ++held) {
      const int i = (held * kBatchThreads + static_cast<int>(threadIdx.x)) % kBatchRows;
      const int b = (held * kBatchThreads + static_cast<int>(threadIdx.x)) / kBatchRows;
      if (i < own.there && b < inputs.there) y[(begin + b) * rows + first + i] = sums[held];
    }
  }
}

/// y[b] is what gemv_int4() computes from x[b], for each input b of a batch.
/// @param x [batch][columns]
/// @param y [batch][rows]
void gemv_int4_batch(std::int64_t batch, gpu::DeviceSpan<const std::uint8_t> packed,
                     gpu::DeviceSpan<const __half> scales, gpu::DeviceSpan<const __half> x,
                     gpu::DeviceSpan<float> y) {
  if (y.empty()) return;
  const auto rows = static_cast<std::int64_t>(y.size()) / batch;
  const auto columns = static_cast<std::int64_t>(x.size()) / batch;
  gpu::launch_overlapping<gemv_int4_batch_kernel<Input>>(
      {.grid = gpu::blocks_for(rows, kBatchRows), .block = kBatchThreads}, batch, rows, columns,
      packed.data(), scales.data(), ordered_inputs<Input>(x), y.data());
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
  constexpr std::size_t kFew = gpu::Features::kIsGpu ? 4 : 8;
  if (y.size() < kFew) {
    launch_teams<2, 2, 8>(packed, scales, x, y);
  } else if (gpu::Features::kIsGpu && static_cast<std::int64_t>(y.size()) < kManyRows) {
    launch_teams<4, 2, 8>(packed, scales, x, y);
  } else {
    launch_teams<8, 1, 6>(packed, scales, x, y);
  }
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
