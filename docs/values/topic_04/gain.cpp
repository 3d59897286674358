// SPDX-License-Identifier: MIT
// Numbers of topic 04's predicted gains: a product of 4096 x 4096 in each format of weights.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "value.hpp"

namespace {

using docs::fixed;
using docs::Row;
using docs::Sources;

constexpr double kSize = 4096;
constexpr double kRate = 4590e9;  // an H200's, as programs reach it
constexpr double kStart = 2e-6;   // what a kernel takes beside its bytes
using namespace base::prefixes;

struct Format {
  const char* name;
  double bytes;  // weights, scales, inputs, outputs
};
constexpr Format kFormats[] = {
    {"FP32", 4 * kSize* kSize + 8 * kSize},
    {"FP16", 2 * kSize* kSize + 6 * kSize},
    {"INT8, a scale a row", kSize* kSize + 10 * kSize},
    {"INT4, groups of 128", (0.5 + 2.0 / 128) * kSize* kSize + 6 * kSize}};

double seconds(const Format& format) {
  return kStart + format.bytes / kRate;
}

DOC_VALUE("gain.table", [](const Sources&) {
  std::vector<Row> rows;
  for (const Format& format : kFormats) {
    rows.push_back({format.name, fixed(format.bytes / kMega, 2), fixed(seconds(format) / kMicro, 1),
                    fixed(kFormats[0].bytes / format.bytes, 2),
                    fixed(seconds(kFormats[0]) / seconds(format), 2)});
  }
  return docs::markdown_table({"weights", "MB", "time, us", "bytes, times fewer", "gain"}, rows);
})
DOC_VALUE("gain.limit", [](const Sources&) { return fixed(seconds(kFormats[0]) / kStart, 1); })

}  // namespace
