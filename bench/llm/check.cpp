// SPDX-License-Identifier: MIT
// check-llm: topic 04's reference kernels against their double-precision oracles on this device, at
// every size of the table below (an oracle derives its shape from the size). Arguments name
// entries.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle.hpp"

namespace {

constexpr std::uint64_t kSeed = 4;
constexpr std::int64_t kSpecialValuesSize = 1009;

struct Case {
  const char* entry;
  double relative_tolerance;
  std::vector<std::int64_t> sizes;
  bool special_values = true;
};

/// Twelve consecutive sizes cover all shapes of attention.
std::vector<std::int64_t> attention_sizes(bool small) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 0; n <= 12; ++n) sizes.push_back(n);
  for (std::int64_t n = small ? 120 : 8180; n <= (small ? 131 : 8191); ++n) sizes.push_back(n);
  if (!small) sizes.push_back(131072);
  return sizes;
}

std::vector<Case> cases(bool small) {
  const std::vector<std::int64_t> rows =
      small ? std::vector<std::int64_t>{0, 1, 31, 64, 129, 256}
            : std::vector<std::int64_t>{0, 1, 31, 32, 33, 64, 127, 128, 129, 257, 1021, 1024, 4096};
  // With very many rows, the solution assigns more of them to each team.
  std::vector<std::int64_t> many_rows = rows;
  if (!small) many_rows.push_back(12289);
  const std::vector<std::int64_t> columns =
      small ? std::vector<std::int64_t>{0, 1, 257, 1024}
            : std::vector<std::int64_t>{0, 1, 31, 255, 256, 257, 1023, 4099, 1048583};
  const std::vector<std::int64_t> tokens =
      small ? std::vector<std::int64_t>{0, 1, 2, 3, 200}
            : std::vector<std::int64_t>{0, 1, 2, 3, 15, 16, 17, 257, 4096, 4097, 4098};
  std::vector<std::int64_t> prompts{0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 191, 200};
  if (!small) prompts.insert(prompts.end(), {255, 256, 257, 511, 640, 1021, 1024});
  return {{"gemv", 1e-5, rows},
          {"gemv_half", 1e-5, rows},
          {"gemv_batch", 1e-5, prompts},
          {"gemv_int8", 1e-5, rows},
          {"gemv_int4", 1e-5, many_rows},
          {"gemv_mxfp4", 1e-5, rows},
          {"kv_stream", 1e-5, tokens},
          {"attention_decode", 2e-5, attention_sizes(small)},
          {"attention_paged", 2e-5, attention_sizes(small)},
          {"attention_split", 2e-5, attention_sizes(small)},
          {"attention_int8", 2e-5, attention_sizes(small)},
          {"attention_prefill", 1e-3, prompts},
          {"moe_product", 1e-5, prompts},
          {"decode_graph", 1e-4, {64, 65, 128, 256, 257}, false},
          {"decode_loop", 1e-4, {64, 65}, false},
          {"softmax_online", 1e-5, columns}};
}

int wrong_sizes(const Case& item, bool small) {
  int wrong = 0;
  const auto check = [&](std::int64_t n, bool special) {
    const std::string problem =
        harness::check_entry(item.entry, n, kSeed, item.relative_tolerance, special);
    if (problem.empty()) return;
    ++wrong;
    std::printf("%s: n = %lld%s\n%s\n", item.entry, static_cast<long long>(n),
                special ? " with special values" : "", problem.c_str());
  };
  for (const std::int64_t n : item.sizes) check(n, false);
  if (item.special_values) check(small ? 101 : kSpecialValuesSize, true);
  std::printf("%-18s %zu sizes, %d wrong\n", item.entry, item.sizes.size(), wrong);
  std::fflush(stdout);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  bool small = false;
  std::vector<std::string_view> chosen;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--small") {
      small = true;
    } else {
      chosen.emplace_back(argv[i]);
    }
  }
  int wrong = 0;
  int run = 0;
  try {
    for (const Case& item : cases(small)) {
      bool wanted = chosen.empty();
      for (const std::string_view entry : chosen) wanted = wanted || entry == item.entry;
      if (!wanted) continue;
      wrong += wrong_sizes(item, small);
      ++run;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check-llm: %s\n", error.what());
    return 1;
  }
  if (run == 0) std::fprintf(stderr, "check-llm: no such entry\n");
  return run == 0 || wrong > 0 ? 1 : 0;
}
