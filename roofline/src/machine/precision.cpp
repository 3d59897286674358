// SPDX-License-Identifier: MIT
// Number formats: names and sizes.
#include "roofline/precision.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace roofline {
namespace {

struct Format {
  Precision precision;
  std::string_view name;
  int bits;
  bool integer;
};

constexpr std::array<Format, 11> kFormats = {{
    {Precision::kFp64, "fp64", 64, false},
    {Precision::kFp32, "fp32", 32, false},
    {Precision::kTf32, "tf32", 32, false},
    {Precision::kFp16, "fp16", 16, false},
    {Precision::kBf16, "bf16", 16, false},
    {Precision::kFp8, "fp8", 8, false},
    {Precision::kFp6, "fp6", 6, false},
    {Precision::kFp4, "fp4", 4, false},
    {Precision::kInt32, "int32", 32, true},
    {Precision::kInt8, "int8", 8, true},
    {Precision::kInt4, "int4", 4, true},
}};

const Format& format_of(Precision precision) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return format.precision == precision;
  });
  if (found == kFormats.end()) throw std::invalid_argument("not a value of roofline::Precision");
  return *found;
}

template <int (*change)(int)>
std::string changed_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(change(letter)); });
  return result;
}

}  // namespace

const std::vector<Precision>& all_precisions() {
  static const std::vector<Precision> kAll = [] {
    std::vector<Precision> all;
    for (const Format& format : kFormats) all.push_back(format.precision);
    return all;
  }();
  return kAll;
}

int storage_bits(Precision precision) {
  return format_of(precision).bits;
}

double bytes_per_element(Precision precision) {
  return storage_bits(precision) / 8.0;
}

bool is_integer(Precision precision) {
  return format_of(precision).integer;
}

std::string_view to_string(Precision precision) {
  return format_of(precision).name;
}

std::string display_name(Precision precision) {
  return changed_case<std::toupper>(to_string(precision));
}

Precision parse_precision(std::string_view name) {
  const std::string wanted = changed_case<std::tolower>(name);
  std::string known;
  for (const Format& format : kFormats) {
    if (format.name == wanted) return format.precision;
    known += known.empty() ? "" : ", ";
    known += format.name;
  }
  throw std::invalid_argument("unknown precision '" + std::string(name) + "'; the names are " +
                              known);
}

}  // namespace roofline
