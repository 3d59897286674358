// SPDX-License-Identifier: MIT
// Tries labs on small inputs before a model depends on them.
#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <numeric>

#include "engine/operators/labs.hpp"
#include "gpu/gpu.hpp"
#include "harness/unsolved.hpp"

namespace engine {
namespace {

constexpr double kTolerance = 1e-3;  // of the largest result

/// Different numbers between -1 and 1, the same in every run.
template <class T>
std::vector<T> samples(std::size_t count, int step, const std::function<T(float)>& convert) {
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(
        convert(static_cast<float>((i * static_cast<std::size_t>(step)) % 37) / 18 - 1));
  }
  return values;
}
gpu::DeviceBuffer<float> floats(std::size_t count, int step) {
  return gpu::to_device(samples<float>(count, step, [](float x) { return x; }));
}
gpu::DeviceBuffer<__half> halves(std::size_t count, int step) {
  return gpu::to_device(samples<__half>(count, step, [](float x) { return __float2half(x); }));
}
gpu::DeviceBuffer<__nv_bfloat16> bfloats(std::size_t count, int step) {
  return gpu::to_device(
      samples<__nv_bfloat16>(count, step, [](float x) { return __float2bfloat16(x); }));
}

/// The result of a kernel, in a buffer filled beforehand with a value that no kernel produces.
template <class Run>
std::vector<float> result_of(std::size_t count, const Run& run) {
  auto out = gpu::to_device(std::vector<float>(count, 1e30f));
  run(out);
  gpu::synchronize();
  return gpu::to_host(out);
}

bool agrees(const std::vector<float>& is, const std::vector<float>& should) {
  float largest = 0;
  for (const float value : should) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < is.size(); ++i) {
    // Written this way round so that a NaN does not pass.
    if (!(std::fabs(is[i] - should[i]) <= kTolerance * largest)) return false;
  }
  return true;
}

constexpr std::size_t kRows = 9;
constexpr std::size_t kColumns = 80;
constexpr std::size_t kBatch = 5;

std::vector<float> try_gemv(const LabKernels& kernels) {
  const auto w = floats(kRows * kColumns, 11);
  const auto x = floats(kColumns, 5);
  return result_of(kRows, [&](auto& y) { kernels.gemv(w, x, y); });
}

std::vector<float> try_gemv_half(const LabKernels& kernels) {
  const auto w = halves(kRows * kColumns, 11);
  const auto x = halves(kColumns, 5);
  return result_of(2 * kRows, [&](auto& y) {
    const auto lab = [&](Out<float> to) { kernels.gemv_half(w, x, to); };
    lab(y.span().subspan(0, kRows));
    const Out<float> alone = y.span().subspan(kRows, kRows);
    if (!is_done(kernels.gemv_half_one, w, x, alone)) lab(alone);
  });
}

std::vector<float> try_gemv_batch(const LabKernels& kernels) {
  const auto w = halves(kRows * kColumns, 11);
  const auto x = halves(kBatch * kColumns, 5);
  return result_of(kBatch * kRows, [&](auto& y) { kernels.gemv_batch(kBatch, w, x, y); });
}

/// y of several inputs, from the batch product if there is one.
template <class Batch, class One>
void multiply_each(bool has_batch, const Batch& batch, const One& one, In<__half> x, Out<float> y) {
  if (has_batch) return batch();
  const std::size_t inputs = y.size() / kRows;
  const std::size_t columns = x.size() / inputs;
  for (std::size_t b = 0; b < inputs; ++b) {
    one(x.subspan(b * columns, columns), y.subspan(b * kRows, kRows));
  }
}

std::vector<float> try_gemv_int8(const LabKernels& kernels) {
  const auto q = gpu::to_device(samples<std::int8_t>(
      kRows * kColumns, 11, [](float x) { return static_cast<std::int8_t>(127 * x); }));
  const auto scales = floats(kRows, 7);
  const auto x = halves(kBatch * kColumns, 5);
  return result_of((2 + kBatch) * kRows, [&](auto& y) {
    const auto one = [&](In<__half> input, Out<float> to) {
      kernels.gemv_int8(q, scales, input, to);
    };
    const In<__half> first = x.span().subspan(0, kColumns);
    one(first, y.span().subspan(0, kRows));
    const Out<float> alone = y.span().subspan(kRows, kRows);
    if (!is_done(kernels.gemv_int8_one, q, scales, first, alone)) one(first, alone);
    const Out<float> all = y.span().subspan(2 * kRows, kBatch * kRows);
    multiply_each(
        kernels.gemv_int8_batch != nullptr,
        [&] { kernels.gemv_int8_batch(kBatch, q, scales, x, all); }, one, x, all);
  });
}

std::vector<float> try_gemv_int4(const LabKernels& kernels) {
  constexpr std::size_t kWide = 3 * kInt4Group;
  const auto packed = gpu::to_device(samples<std::uint8_t>(
      kRows * kWide / 2, 11, [](float x) { return static_cast<std::uint8_t>(127 * (x + 1)); }));
  const auto scales = halves(kRows * kWide / kInt4Group, 7);
  const auto x = halves(kBatch * kWide, 5);
  return result_of((1 + kBatch) * kRows, [&](auto& y) {
    const auto one = [&](In<__half> input, Out<float> to) {
      kernels.gemv_int4(packed, scales, input, to);
    };
    one(x.span().subspan(0, kWide), y.span().subspan(0, kRows));
    const Out<float> all = y.span().subspan(kRows, kBatch * kRows);
    multiply_each(
        kernels.gemv_int4_batch != nullptr,
        [&] { kernels.gemv_int4_batch(kBatch, packed, scales, x, all); }, one, x, all);
  });
}

std::vector<float> try_attention(const LabKernels& kernels) {
  constexpr int kQueryHeads = 4;
  constexpr int kKvHeads = 2;
  constexpr int kDim = 64;
  constexpr std::size_t kPages = 3;
  // Two sequences, the first with two pages in the wrong order, the second with one.
  const auto lengths = gpu::to_device(std::vector<std::int32_t>{19, 3});
  const auto table = gpu::to_device(std::vector<std::int32_t>{2, 0, 1, 1});
  const auto q = bfloats(2 * kQueryHeads * kDim, 5);
  const auto k = bfloats(kPages * kKvHeads * kPageTokens * kDim, 11);
  const auto v = bfloats(kPages * kKvHeads * kPageTokens * kDim, 7);
  return result_of(2 * kQueryHeads * kDim, [&](auto& out) {
    kernels.attention_paged(kQueryHeads, kKvHeads, kDim, lengths, table, q, k, v, out);
  });
}

std::vector<float> try_softmax(const LabKernels& kernels) {
  const auto x = floats(2 * kColumns, 5);
  return result_of(2 * kColumns, [&](auto& y) { kernels.softmax_online(kColumns, x, y); });
}

/// One lab: how to try it, and how to replace it by the engine's own.
struct Trial {
  const char* name;
  const char* exercise;
  std::vector<float> (*run)(const LabKernels& kernels);
  void (*replace)(LabKernels& kernels, const LabKernels& by);
};

constexpr Trial kTrials[] = {
    {"gemv", "04.gemv.kernel", &try_gemv,
     [](LabKernels& kernels, const LabKernels& by) { kernels.gemv = by.gemv; }},
    {"gemv_half", "04.gemv_half.kernel", &try_gemv_half,
     [](LabKernels& kernels, const LabKernels& by) {
       kernels.gemv_half = by.gemv_half;
       kernels.gemv_half_one = by.gemv_half_one;
     }},
    {"gemv_batch", "04.gemv_batch.kernel", &try_gemv_batch,
     [](LabKernels& kernels, const LabKernels& by) { kernels.gemv_batch = by.gemv_batch; }},
    {"gemv_int8", "04.gemv_int8.kernel", &try_gemv_int8,
     [](LabKernels& kernels, const LabKernels& by) {
       kernels.gemv_int8 = by.gemv_int8;
       kernels.gemv_int8_one = by.gemv_int8_one;
       kernels.gemv_int8_batch = by.gemv_int8_batch;
     }},
    {"gemv_int4", "04.gemv_int4.kernel", &try_gemv_int4,
     [](LabKernels& kernels, const LabKernels& by) {
       kernels.gemv_int4 = by.gemv_int4;
       kernels.gemv_int4_batch = by.gemv_int4_batch;
     }},
    {"attention_paged", "04.attention.paged", &try_attention,
     [](LabKernels& kernels, const LabKernels& by) {
       kernels.attention_paged = by.attention_paged;
       kernels.attention_paged_half = by.attention_paged_half;
     }},
    {"softmax_online", "04.softmax.kernel", &try_softmax,
     [](LabKernels& kernels, const LabKernels& by) {
       kernels.softmax_online = by.softmax_online;
     }}};

}  // namespace

KernelChoice choose_kernels(const LabKernels& offered) {
  const LabKernels plain = plain_kernels();
  KernelChoice choice{offered, {}};
  for (const Trial& trial : kTrials) {
    LabStatus status{trial.name, trial.exercise, false, {}};
    try {
      status.is_used = agrees(trial.run(offered), trial.run(plain));
      if (!status.is_used) status.reason = "gives wrong results";
    } catch (const harness::Unsolved&) {
      status.reason = "is not solved yet";
    } catch (const std::exception& error) {
      status.reason = std::string("fails: ") + error.what();
    }
    if (!status.is_used) trial.replace(choice.kernels, plain);
    choice.labs.push_back(std::move(status));
  }
  return choice;
}

}  // namespace engine
