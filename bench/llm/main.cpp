// SPDX-License-Identifier: MIT
// bench-llm: topic 04's reference kernels at the sizes of its tables, as CSV on standard output.
//
// Arguments name groups of kernels: gemv, kv_stream, attention, prefill, decode; without arguments,
// all.
//
//   kernel,shape,variant,bytes,seconds_median,seconds_p5,seconds_p95,samples,gb_per_s
//
// Every kernel cycles through several copies of its operands, together larger than any cache, so
// that each call reads DRAM. A sample is one replay of a graph of a run over all copies.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/buffer.hpp"
#include "gpu/copy.hpp"
#include "gpu/device.hpp"
#include "gpu/event.hpp"
#include "gpu/graph.hpp"
#include "gpu/stream.hpp"
#include "labs.hpp"

namespace {

constexpr int kSamples = 25;
constexpr int kWarmUp = 3;
/// Minimum size of the operands of all copies together.
constexpr double kColdBytes = 500e6;

/// Device memory filled with a repeated block of random bit patterns from `make`.
template <class T>
gpu::DeviceBuffer<T> random_buffer(std::size_t count, const std::function<T(unsigned)>& make) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::vector<T> block(std::min(count, kBlock));
  unsigned state = 12345;
  for (T& value : block) value = make((state = state * 1664525U + 1013904223U) >> 8);
  gpu::DeviceBuffer<T> buffer(count);
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t part = std::min(kBlock, count - first);
    gpu::copy_to_device(buffer.span().subspan(first, part), std::span<const T>(block).first(part));
  }
  return buffer;
}

float uniform(unsigned bits) {
  return static_cast<float>(bits % 65536) / 32768.0F - 1.0F;
}
template <class T>
gpu::DeviceBuffer<T> numbers(std::size_t count) {
  if constexpr (std::is_integral_v<T>) {
    return random_buffer<T>(count, [](unsigned bits) { return static_cast<T>(bits); });
  } else {
    return random_buffer<T>(count, [](unsigned bits) { return T(uniform(bits)); });
  }
}

void print_row(const std::string& kernel, const std::string& shape, const std::string& variant,
               double bytes, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  std::printf("%s,%s,%s,%.0f,%.6e,%.6e,%.6e,%zu,%.1f\n", kernel.c_str(), shape.c_str(),
              variant.c_str(), bytes, at(0.5), at(0.05), at(0.95), seconds.size(),
              bytes / at(0.5) / 1e9);
  std::fflush(stdout);
}

/// Measures `call(copy)` over `copies` copies of its operands, replayed from a graph: these rows
/// should not compare launch times, which differ from machine to machine.
void measure(const std::string& kernel, const std::string& shape, const std::string& variant,
             double bytes, std::size_t copies, const std::function<void(std::size_t)>& call) {
  std::vector<double> seconds;
  const std::size_t calls = std::max<std::size_t>(copies, 16);
  call(0);  // allocates the memory that it keeps between calls
  const gpu::Graph graph([&](const gpu::Stream& stream) {
    const gpu::CurrentStream recording(stream);
    for (std::size_t i = 0; i < calls; ++i) call(i % copies);
  });
  for (int sample = -kWarmUp; sample < kSamples; ++sample) {
    gpu::Timer timer;
    graph.launch();
    const double time = timer.seconds() / static_cast<double>(calls);
    if (sample >= 0) seconds.push_back(time);
  }
  print_row(kernel, shape, variant, bytes, std::move(seconds));
}

std::size_t copies_for(double bytes) {
  return static_cast<std::size_t>(std::max(1.0, kColdBytes / bytes)) + 1;
}

template <class T>
std::vector<gpu::DeviceBuffer<T>> copies_of(std::size_t copies, std::size_t count) {
  std::vector<gpu::DeviceBuffer<T>> result;
  for (std::size_t i = 0; i < copies; ++i) result.push_back(numbers<T>(count));
  return result;
}

std::string square(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}

void bench_gemv(std::size_t rows, std::size_t columns) {
  const double weights = static_cast<double>(rows) * static_cast<double>(columns);
  const double vectors = static_cast<double>(rows + columns);
  const auto x = numbers<float>(columns);
  gpu::DeviceBuffer<float> y(rows);
  const double bytes = 4 * (weights + vectors);
  const auto w = copies_of<float>(copies_for(bytes), rows * columns);
  measure("gemv", square(rows, columns), "fp32", bytes, w.size(),
          [&](std::size_t i) { gemv(w[i], x, y); });
}

void bench_gemv_half(std::size_t rows, std::size_t columns) {
  const double weights = static_cast<double>(rows) * static_cast<double>(columns);
  const auto x = numbers<__half>(columns);
  gpu::DeviceBuffer<float> y(rows);
  const double bytes = 2 * (weights + static_cast<double>(columns)) + 4.0 * rows;
  const auto w = copies_of<__half>(copies_for(bytes), rows * columns);
  measure("gemv", square(rows, columns), "fp16", bytes, w.size(),
          [&](std::size_t i) { gemv_half(w[i], x, y); });
}

void bench_gemv_int8(std::size_t rows, std::size_t columns) {
  const double weights = static_cast<double>(rows) * static_cast<double>(columns);
  const auto x = numbers<__half>(columns);
  const auto scales = numbers<float>(rows);
  gpu::DeviceBuffer<float> y(rows);
  const double bytes = weights + 2.0 * columns + 8.0 * rows;
  const auto w = copies_of<std::int8_t>(copies_for(bytes), rows * columns);
  measure("gemv", square(rows, columns), "int8", bytes, w.size(),
          [&](std::size_t i) { gemv_int8(w[i], scales, x, y); });
}

void bench_gemv_int4(std::size_t rows, std::size_t columns) {
  const double weights = static_cast<double>(rows) * static_cast<double>(columns);
  const auto x = numbers<__half>(columns);
  gpu::DeviceBuffer<float> y(rows);
  const double bytes = weights * (0.5 + 2.0 / 128) + 2.0 * columns + 4.0 * rows;
  const std::size_t copies = copies_for(bytes);
  const auto w = copies_of<std::uint8_t>(copies, rows * columns / 2);
  const auto scales = copies_of<__half>(copies, rows * columns / 128);
  measure("gemv", square(rows, columns), "int4 group 128", bytes, copies,
          [&](std::size_t i) { gemv_int4(w[i], scales[i], x, y); });
}

/// Page numbers 0 ... pages - 1 in an order in which, if there are many, neighbours are far apart.
gpu::DeviceBuffer<std::int32_t> scattered_pages(std::size_t pages) {
  std::vector<std::int32_t> table(pages);
  for (std::size_t i = 0; i < pages; ++i) table[i] = static_cast<std::int32_t>(i * 7919 % pages);
  return gpu::to_device(std::span<const std::int32_t>(table));
}

void bench_kv_stream(std::size_t tokens, std::size_t page_tokens) {
  constexpr std::size_t kRow = 1024;
  const std::size_t pages = tokens / page_tokens;
  const double bytes = static_cast<double>(tokens) * (2.0 * kRow + 4) + 4.0 * pages;
  const auto cache = copies_of<__nv_bfloat16>(copies_for(bytes), tokens * kRow);
  const auto table = scattered_pages(pages);
  gpu::DeviceBuffer<float> sums(tokens);
  measure("kv_stream", std::to_string(tokens) + "x" + std::to_string(kRow),
          pages == 1 ? "one piece" : "pages of " + std::to_string(page_tokens), bytes, cache.size(),
          [&](std::size_t i) {
            kv_stream(static_cast<int>(page_tokens), kRow, table, cache[i], sums);
          });
}

struct Attention {
  int batch, query_heads, kv_heads, head_dim;
  std::int64_t context;

  std::size_t outputs() const { return static_cast<std::size_t>(batch) * query_heads * head_dim; }
  std::size_t cache() const {
    return static_cast<std::size_t>(batch) * kv_heads * head_dim *
           static_cast<std::size_t>(context);
  }
  double bytes() const {
    return 4.0 * static_cast<double>(cache()) + 6.0 * static_cast<double>(outputs());
  }
  std::string name() const {
    return "batch " + std::to_string(batch) + " heads " + std::to_string(query_heads) + "/" +
           std::to_string(kv_heads) + "/" + std::to_string(head_dim) + " context " +
           std::to_string(context);
  }
};

void bench_attention(const Attention& a, const std::vector<int>& splits) {
  constexpr std::size_t kPageTokens = 16;
  const std::size_t copies = copies_for(a.bytes());
  const auto q = numbers<__nv_bfloat16>(a.outputs());
  const auto k = copies_of<__nv_bfloat16>(copies, a.cache());
  const auto v = copies_of<__nv_bfloat16>(copies, a.cache());
  gpu::DeviceBuffer<float> out(a.outputs());
  measure("attention", a.name(), "contiguous", a.bytes(), copies, [&](std::size_t i) {
    attention_decode(a.query_heads, a.kv_heads, a.head_dim, a.context, q, k[i], v[i], out);
  });
  const auto lengths = gpu::to_device(std::span<const std::int32_t>(std::vector<std::int32_t>(
      static_cast<std::size_t>(a.batch), static_cast<std::int32_t>(a.context))));
  const auto table = scattered_pages(static_cast<std::size_t>(a.batch) *
                                     static_cast<std::size_t>(a.context) / kPageTokens);
  measure("attention", a.name(), "pages of 16", a.bytes(), copies, [&](std::size_t i) {
    attention_paged(a.query_heads, a.kv_heads, a.head_dim, lengths, table, q, k[i], v[i], out);
  });
  for (const int parts : splits) {
    const auto part_rows = static_cast<std::size_t>(a.batch) * a.query_heads * parts;
    gpu::DeviceBuffer<float> part_out(part_rows * a.head_dim);
    gpu::DeviceBuffer<float> part_lse(part_rows);
    measure("attention", a.name(), "split in " + std::to_string(parts), a.bytes(), copies,
            [&](std::size_t i) {
              attention_split(a.query_heads, a.kv_heads, a.head_dim, a.context, parts, q, k[i],
                              v[i], part_out, part_lse, out);
            });
  }
}

/// Causal, all tokens of a prompt; the bytes column counts queries, keys, values and output.
void bench_prefill(int query_heads, int kv_heads, int head_dim, std::int64_t prompt) {
  const auto row = static_cast<std::size_t>(prompt) * static_cast<std::size_t>(head_dim);
  const auto q = numbers<__nv_bfloat16>(row * static_cast<std::size_t>(query_heads));
  const auto k = numbers<__nv_bfloat16>(row * static_cast<std::size_t>(kv_heads));
  const auto v = numbers<__nv_bfloat16>(row * static_cast<std::size_t>(kv_heads));
  gpu::DeviceBuffer<float> out(q.size());
  const double bytes =
      2.0 * static_cast<double>(k.size() + v.size()) + 6.0 * static_cast<double>(q.size());
  const std::string shape = "heads " + std::to_string(query_heads) + "/" +
                            std::to_string(kv_heads) + "/" + std::to_string(head_dim) + " prompt " +
                            std::to_string(prompt);
  measure("prefill attention", shape, "tiles", bytes, 1, [&](std::size_t) {
    attention_prefill<float>(query_heads, kv_heads, head_dim, prompt, q, k, v, out);
  });
}

using DecodeSteps = void (*)(int, int, int, int, In<float>, Out<float>, Out<float>, Out<float>);

/// Seconds of one step in the middle of many: one-time costs of a call are subtracted.
void bench_decode(const std::string& variant, DecodeSteps run, int hidden) {
  constexpr int kLayers = 4, kFew = 32, kMany = 160;
  const int capacity = kMany + 64;
  const int heads = hidden / 64;
  const int kv_width = 64 * std::max(1, heads / 4);
  const std::size_t layer = static_cast<std::size_t>(hidden) * (11 * hidden + 2 * kv_width);
  const std::size_t cache = static_cast<std::size_t>(kLayers) * capacity * kv_width;
  const auto weights =
      random_buffer<float>(kLayers * layer, [](unsigned bits) { return 0.02F * uniform(bits); });
  auto keys = numbers<float>(cache);
  auto values = numbers<float>(cache);
  auto x = numbers<float>(static_cast<std::size_t>(hidden));
  const auto seconds_of = [&](int steps) {
    gpu::synchronize();
    gpu::Timer timer;
    run(steps, kLayers, capacity, 32, weights, keys, values, x);
    return timer.seconds();
  };
  std::vector<double> seconds;
  for (int sample = -kWarmUp; sample < kSamples; ++sample) {
    const double few = seconds_of(kFew);
    const double many = seconds_of(kMany);
    if (sample >= 0) seconds.push_back((many - few) / (kMany - kFew));
  }
  print_row("decode step", "hidden " + std::to_string(hidden) + " layers 4 fp32", variant,
            4.0 * kLayers * static_cast<double>(layer), std::move(seconds));
}

void bench_products() {
  bench_gemv(8192, 8192);
  bench_gemv(16384, 8192);
  bench_gemv_half(4096, 4096);
  bench_gemv_half(8192, 8192);
  bench_gemv_half(16384, 8192);
  bench_gemv_int8(8192, 8192);
  bench_gemv_int8(16384, 8192);
  bench_gemv_int4(4096, 4096);
  bench_gemv_int4(8192, 8192);
  bench_gemv_int4(16384, 16384);
}

void bench_streams() {
  for (const std::size_t page_tokens : {1, 16, 256, 1 << 18}) bench_kv_stream(1 << 18, page_tokens);
}

void bench_attentions() {
  bench_attention({64, 32, 8, 128, 4096}, {1, 2, 4});
  bench_attention({1, 32, 8, 128, 8192}, {8, 16, 32, 64});
  bench_attention({1, 32, 8, 128, 131072}, {32, 64, 128});
}

void bench_prefills() {
  for (const std::int64_t prompt : {512, 2048, 8192}) bench_prefill(32, 8, 128, prompt);
}

void bench_steps() {
  for (const int hidden : {256, 1024, 2048}) {
    bench_decode("launches", decode_loop, hidden);
    bench_decode("graph", decode_graph, hidden);
  }
}

struct Group {
  const char* name;
  void (*run)();
};
constexpr Group kGroups[] = {{"gemv", bench_products},
                             {"kv_stream", bench_streams},
                             {"attention", bench_attentions},
                             {"prefill", bench_prefills},
                             {"decode", bench_steps}};

/// Runs the named groups, or all.
void bench(std::span<char*> names) {
  for (const Group& group : kGroups) {
    const bool is_named = std::any_of(names.begin(), names.end(), [&](const char* name) {
      return std::string_view(name) == group.name;
    });
    if (names.empty() || is_named) group.run();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto names = std::span<char*>(argv, static_cast<std::size_t>(argc)).subspan(1);
  for (const std::string_view name : names) {
    const bool is_known = std::any_of(std::begin(kGroups), std::end(kGroups),
                                      [&](const Group& group) { return name == group.name; });
    if (is_known) continue;
    std::fprintf(stderr, "bench-llm: no group is called %s; the groups are", name.data());
    for (const Group& group : kGroups) std::fprintf(stderr, " %s", group.name);
    std::fprintf(stderr, "\n");
    return 2;
  }
  try {
    std::printf("# %s on %s; %d samples\n", std::string(gpu::backend_name()).c_str(),
                gpu::current_device().name.c_str(), kSamples);
    std::printf(
        "kernel,shape,variant,bytes,seconds_median,seconds_p5,seconds_p95,samples,gb_per_s\n");
    bench(names);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-llm: %s\n", error.what());
    return 1;
  }
}
