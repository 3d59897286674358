// SPDX-License-Identifier: MIT
// Storage formats.
#include "roofline/llm/format.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

#include "base/text.hpp"
#include "roofline/checks.hpp"

namespace roofline::llm {
namespace {

constexpr double kDefaultScaleBits = 16;
constexpr double kMostBits = 64;

struct NamedBits {
  const char* name;
  double bits;
};

// Bytes per block over its elements; ggml-common.h of llama.cpp defines the blocks.
constexpr std::array kBlockFormats = {
    NamedBits{"q4_0", 18 * 8 / 32.0},   NamedBits{"q5_0", 22 * 8 / 32.0},
    NamedBits{"q8_0", 34 * 8 / 32.0},   NamedBits{"q4_k", 144 * 8 / 256.0},
    NamedBits{"q6_k", 210 * 8 / 256.0},
};

double parse_number(std::string_view digits, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                            std::chars_format::fixed);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw std::invalid_argument("'" + std::string(digits) + "' in the format '" +
                                std::string(text) + "' is not a number");
  }
  return require_positive(
      value, "'" + std::string(digits) + "' in the format '" + std::string(text) + "'");
}

}  // namespace

Format plain_format(Precision precision) {
  return {std::string(to_string(precision)), static_cast<double>(storage_bits(precision))};
}

Format parse_format(std::string_view text) {
  const std::string name = base::lower_case(text);
  for (const NamedBits& block : kBlockFormats) {
    if (name == block.name) return {name, block.bits};
  }
  if (name.ends_with("bit")) {
    const double bits = parse_number(std::string_view(name).substr(0, name.size() - 3), text);
    if (bits > kMostBits) {
      throw std::invalid_argument("format '" + std::string(text) + "' has more than 64 bits");
    }
    return {name, bits};
  }
  const auto slash = name.find('/');
  Format format = plain_format(parse_precision(name.substr(0, slash)));
  if (slash == std::string::npos) return format;
  const auto colon = name.find(':', slash);
  const double group =
      parse_number(std::string_view(name).substr(
                       slash + 1, colon == std::string::npos ? colon : colon - slash - 1),
                   text);
  const double scale_bits = colon == std::string::npos
                                ? kDefaultScaleBits
                                : parse_number(std::string_view(name).substr(colon + 1), text);
  return {name, format.bits_per_element + scale_bits / group};
}

}  // namespace roofline::llm
