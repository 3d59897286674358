// SPDX-License-Identifier: MIT
// Numbers of eight and four bits, and the error of storing weights in them.
//
// Formats: OCP 8-bit Floating Point Specification (OFP8) 1.0, OCP Microscaling Formats (MX) 1.0,
// and NVFP4 as NVIDIA describes it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace roofline::llm {

/// A floating-point format with a sign, an exponent with the bias 2^(bits - 1) - 1, and a fraction.
/// The exponent 0 stands for subnormal numbers.
struct SmallFloat {
  int exponent_bits = 0;
  int fraction_bits = 0;
  int special_codes = 0;  ///< of each sign, the largest codes: infinity and NaN
};
inline constexpr SmallFloat kE4m3{4, 3, 1};  ///< no infinity
inline constexpr SmallFloat kE5m2{5, 2, 4};  ///< as in IEEE 754
inline constexpr SmallFloat kE2m1{2, 1, 0};  ///< neither infinity nor NaN
inline constexpr SmallFloat kFp16{5, 10, 1024};

/// The numbers of a format that are neither negative nor special, in the order of their codes,
/// which is their own.
std::vector<double> magnitudes(const SmallFloat& format);
/// 0 ... largest.
std::vector<double> whole_magnitudes(int largest);

/// The index of the magnitude nearest to |x|. Of two that are equally near, the even one; the last
/// for all that is larger. @throws std::invalid_argument for NaN.
std::size_t nearest_code(const std::vector<double>& magnitudes, double x);
/// The same as a number with the sign of x.
double nearest(const std::vector<double>& magnitudes, double x);

/// The power of two that OCP MX 1.0 gives a block: the largest one not above `largest`, over the
/// largest one that the elements have; within what E8M0 has.
double power_of_two_scale(double largest, const std::vector<double>& elements);

enum class ScaleKind {
  kPowerOfTwo,  ///< E8M0, by the rule above: the largest weight of a block may be cut off
  kTwoLevels,   ///< E4M3, times an FP32 scale of the tensor that brings its largest scale to 448
  kHalf,        ///< FP16: the largest weight of the block becomes the largest element
  kFloat,       ///< the same in FP32, whose rounding is left out
};

/// Weights in blocks that share a scale.
struct BlockFormat {
  std::string name;
  std::vector<double> elements;  ///< magnitudes
  std::size_t block = 0;         ///< neighbours that share a scale; 0 stands for all
  ScaleKind scale = ScaleKind::kFloat;
};

/// What the weights become when they are stored and read again.
std::vector<double> stored_weights(std::span<const double> weights, const BlockFormat& format);

/// The root mean square of the changes, relative to that of the weights.
/// @throws std::invalid_argument when all weights are 0.
double relative_error(std::span<const double> weights, const BlockFormat& format);

}  // namespace roofline::llm
