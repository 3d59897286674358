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
/// The exponent 0 encodes subnormal numbers.
struct SmallFloat {
  int exponent_bits = 0;
  int fraction_bits = 0;
  int special_codes = 0;  ///< per sign, the largest codes: infinity and NaN
};
inline constexpr SmallFloat kE4m3{4, 3, 1};  ///< no infinity
inline constexpr SmallFloat kE5m2{5, 2, 4};  ///< as in IEEE 754
inline constexpr SmallFloat kE2m1{2, 1, 0};  ///< neither infinity nor NaN
inline constexpr SmallFloat kFp16{5, 10, 1024};

/// The finite non-negative numbers of a format in the order of their codes, which is also their
/// numerical order.
std::vector<double> magnitudes(const SmallFloat& format);
/// 0 ... largest.
std::vector<double> whole_magnitudes(int largest);

/// The index of the magnitude nearest to |x|: in a tie the even index, and the last one for
/// anything larger. @throws std::invalid_argument for NaN.
std::size_t nearest_code(const std::vector<double>& magnitudes, double x);
/// The nearest number itself, with the sign of x.
double nearest(const std::vector<double>& magnitudes, double x);

/// The power of two that OCP MX 1.0 assigns to a block: the largest one not above `largest`,
/// divided by the largest one among the elements; limited to the range of E8M0.
double power_of_two_scale(double largest, const std::vector<double>& elements);

enum class ScaleKind {
  kPowerOfTwo,  ///< E8M0, by the rule above: the largest weight of a block may be clipped
  kTwoLevels,   ///< E4M3, times an FP32 scale of the tensor that maps its largest scale to 448
  kHalf,        ///< FP16: the largest weight of the block becomes the largest element
  kFloat,       ///< the same in FP32, ignoring rounding
};

/// Weights in blocks that share a scale.
struct BlockFormat {
  std::string name;
  std::vector<double> elements;  ///< magnitudes
  std::size_t block = 0;         ///< adjacent elements that share a scale; 0 means all
  ScaleKind scale = ScaleKind::kFloat;
};

/// The values of the weights after storing and reading them back.
std::vector<double> stored_weights(std::span<const double> weights, const BlockFormat& format);

/// The root mean square of the changes, relative to that of the weights.
/// @throws std::invalid_argument if all weights are 0.
double relative_error(std::span<const double> weights, const BlockFormat& format);

}  // namespace roofline::llm
