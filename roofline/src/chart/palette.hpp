// SPDX-License-Identifier: MIT
// The colours of a chart's roofs and points, the same in every format.
#pragma once

#include <array>

namespace roofline {

/// Okabe and Ito's palette, dark colours first; they differ in lightness, too.
inline constexpr std::array<const char*, 7> kColours = {"#000000", "#0072B2", "#D55E00", "#009E73",
                                                        "#CC79A7", "#E69F00", "#56B4E9"};

}  // namespace roofline
