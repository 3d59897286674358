// SPDX-License-Identifier: MIT
// How numbers are stored: the bits of an element including its share of the scales.
#pragma once

#include <string>
#include <string_view>

#include "roofline/precision.hpp"

namespace roofline::llm {

/// A storage format. Arithmetic has its own precision: four-bit weights are multiplied in 16 bits.
struct Format {
  std::string name;
  double bits_per_element = 0;  ///< including scales

  double bytes_per_element() const { return bits_per_element / 8; }
};

/// The format of a precision, without scales.
Format plain_format(Precision precision);

/// Parses a format:
///   PRECISION               bf16, fp8, int8 ...
///   PRECISION/GROUP         one 16-bit scale per GROUP elements: int4/128 takes 4.125 bits
///   PRECISION/GROUP:BITS    scales (and zero points) of BITS bits: fp4/32:8 is MXFP4, 4.25 bits
///   q4_0 q5_0 q8_0 q4_k q6_k  block formats of llama.cpp
///   NUMBERbit               a mixture, by its mean: 4.9bit
/// Throws std::invalid_argument saying what is wrong.
Format parse_format(std::string_view text);

}  // namespace roofline::llm
