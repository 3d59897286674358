// SPDX-License-Identifier: MIT
#pragma once

namespace term {

/// Shares are computed as fractions and shown in percent.
inline constexpr double kPercent = 100;

}  // namespace term
